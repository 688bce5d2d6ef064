"""The calls to Gemini through the official SDK."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode

import httpx2
from google import genai
from google.genai import errors
from pydantic import ValidationError

from interlingua.errors import ConfigError, ConnectionError, ProviderError, TimeoutError
from interlingua.pools import LoopPools, ProcessPool
from interlingua.provider import Answer, AsyncEvents, Call, Events, Query, Settings
from interlingua.raised import Raised, refused, told
from interlingua.streaming import AsyncEventStream, EventStream, alimit, aread, limit, lowered, read
from interlingua.wire import Json, parse
from interlingua_google.catalog import on_vertex, resource, vertex_resource
from interlingua_google.errors import judge

RAISED = Raised(
    "google",
    errors.APIError,
    judge,
    (
        (httpx2.TimeoutException, TimeoutError),
        (httpx2.TransportError, ConnectionError),
        (Exception, ProviderError),
    ),
)

HTTP_OPTIONS = ("api_version", "base_url_resource_scope", "client_args", "httpx_client")
"""Options that belong to the SDK's HttpOptions; all others belong to its client."""

LIMITS = httpx2.Limits(max_connections=1000, max_keepalive_connections=100)
"""As the other vendors' SDKs have them; a hundred streams at once are few."""

TIMEOUT = 600.0
"""Seconds. The SDK itself would wait for ever."""


class Transport:
    """A synchronous client."""

    def __init__(self, settings: Settings) -> None:
        self._pool = ProcessPool(lambda: connect(settings, {}), genai.Client.close)

    def send(self, call: Call) -> Answer:
        client = self._pool.client()
        with RAISED.translated(call.until):
            exact = exactly(client, call, stream=False)
            if exact is None:
                return publicly(client, call)
            opened = exact.api._request(exact.request, stream=True).response_stream
            return Answer(read(opened, call.until), lowered(opened.headers))

    def stream(self, call: Call) -> Events:
        client = self._pool.client()
        with RAISED.translated(call.until):
            exact = exactly(client, call, stream=True)
            if exact is None:
                return Whole(publicly(client, call), call.encoded.api)
            opened = exact.api._request(exact.request, stream=True).response_stream
        return EventStream(opened, call.encoded.api, RAISED.interrupted, call.until)

    def fetch(self, query: Query) -> Answer:
        client = self._pool.client()
        with RAISED.translated(query.until):
            exact = asking(client, query)
            opened = exact.api._request(exact.request, stream=True).response_stream
            return Answer(read(opened, query.until), lowered(opened.headers))

    def close(self) -> None:
        self._pool.close()


class Held(NamedTuple):
    """An asynchronous SDK client and its pool, which the SDK does not close."""

    client: genai.Client
    pool: httpx2.AsyncClient


class AsyncTransport:
    """An asynchronous client."""

    def __init__(self, settings: Settings) -> None:
        self._pools = LoopPools(lambda: hold(settings), release)

    async def send(self, call: Call) -> Answer:
        client = (await self._pools.client()).client
        with RAISED.translated(call.until):
            exact = exactly(client, call, stream=False)
            if exact is None:
                return await apublicly(client, call)
            opened = (await exact.api._async_request(exact.request, stream=True)).response_stream
            return Answer(await aread(opened, call.until), lowered(opened.headers))

    async def stream(self, call: Call) -> AsyncEvents:
        client = (await self._pools.client()).client
        with RAISED.translated(call.until):
            exact = exactly(client, call, stream=True)
            if exact is None:
                return AsyncWhole(await apublicly(client, call), call.encoded.api)
            opened = (await exact.api._async_request(exact.request, stream=True)).response_stream
        return AsyncEventStream(opened, call.encoded.api, RAISED.interrupted, call.until)

    async def fetch(self, query: Query) -> Answer:
        client = (await self._pools.client()).client
        with RAISED.translated(query.until):
            exact = asking(client, query)
            opened = (await exact.api._async_request(exact.request, stream=True)).response_stream
            return Answer(await aread(opened, query.until), lowered(opened.headers))

    async def close(self) -> None:
        await self._pools.close()


def connect(settings: Settings, pool: dict[str, Any]) -> genai.Client:
    """The SDK's client."""
    made: Any = genai.Client
    given = dict(settings.options)
    http: dict[str, Any] = {name: given.pop(name) for name in HTTP_OPTIONS if name in given}
    if settings.base_url is not None:
        http["base_url"] = settings.base_url
    if settings.headers:
        http["headers"] = dict(settings.headers)
    try:
        client = made(api_key=settings.api_key, http_options={**http, **pool}, **given)
    except (TypeError, AttributeError, ValidationError) as error:
        raise refused("Google", made, given, error) from error
    except ValueError as error:
        raise ConfigError(
            "Google has no key: pass api_key=… or set GOOGLE_API_KEY or GEMINI_API_KEY "
            f"({told(error)})"
        ) from error
    if "httpx_client" not in http:
        watch(client)
    return client


def watch(client: genai.Client) -> None:
    """Have the SDK's own pool, which is private, let no error's body drip for ever."""
    pool = getattr(inner(client), "_httpx_client", None)
    if pool is not None:
        pool.event_hooks = {"response": [limit]}


def hold(settings: Settings) -> Held:
    """An asynchronous client on a pool of our own: the SDK's own may be another HTTP library's."""
    hooks = {"response": [alimit]}
    given = {
        "timeout": TIMEOUT,
        "limits": LIMITS,
        "follow_redirects": True,
        "event_hooks": hooks,
    }
    pool = httpx2.AsyncClient(**given | settings.options.get("async_client_args", {}))
    options = {name: item for name, item in settings.options.items() if name != "async_client_args"}
    plain = Settings(settings.api_key, settings.base_url, settings.headers, None, options)
    return Held(connect(plain, {"httpx_async_client": pool}), pool)


async def release(held: Held) -> None:
    """Close a client and its pool."""
    held.client.close()
    await held.pool.aclose()


class Exact(NamedTuple):
    """A request of the SDK's inner client that carries our very bytes."""

    api: Any
    request: Any


def exactly(client: genai.Client, call: Call, *, stream: bool) -> Exact | None:
    """The private way, which sends our bytes as they are; None when this SDK does not have it.

    The public one writes the JSON anew, and its streams drop the fields it does not know.
    """
    api = inner(client)
    if api is None:
        return None
    method = "streamGenerateContent?alt=sse" if stream else "generateContent"
    path = (vertex_resource if api.vertexai else resource)(call.model)
    request = api._build_request("post", f"{path}:{method}", {}, headers(call))
    # On Vertex with a project the SDK writes the JSON itself, and takes nothing else.
    request.data = call.encoded.body if api.vertexai and api.project else call.encoded.content
    request.timeout = waiting(call.timeout or TIMEOUT)
    return Exact(api, request)


def asking(client: genai.Client, query: Query) -> Exact:
    """A question to the SDK's inner client. Raises `ConfigError` when this SDK has another."""
    api = inner(client)
    if api is None:
        raise ConfigError("this version of google-genai is not known here; install another")
    question = on_vertex(query.question) if api.vertexai else query.question
    path = question.path
    if question.parameters:
        path = f"{path}?{urlencode(question.parameters)}"
    # The SDK writes the JSON itself: what is counted need not be the very bytes.
    method = "get" if question.body is None else "post"
    request = api._build_request(method, path, dict(question.body or {}), headers(query))
    request.timeout = waiting(query.timeout or TIMEOUT)
    return Exact(api, request)


def inner(client: genai.Client) -> Any:
    """The SDK's inner client, which is private; None when it is not the one known here."""
    api: Any = getattr(client, "_api_client", None)
    names = ("_build_request", "_request", "_async_request")
    return api if all(hasattr(api, name) for name in names) else None


def headers(call: Call | Query) -> Json | None:
    return {"headers": dict(call.headers)} if call.headers else None


def waiting(seconds: float) -> httpx2.Timeout:
    """Seconds for each step; five for the connection."""
    return httpx2.Timeout(seconds, connect=min(seconds, 5.0))


def publicly(client: genai.Client, call: Call) -> Answer:
    """The public way: every field arrives, but the SDK writes the JSON anew."""
    models: Any = client.models
    return whole(models.generate_content(model=call.model, contents="-", config=config(call)))


async def apublicly(client: genai.Client, call: Call) -> Answer:
    """The same, asynchronous."""
    models: Any = client.aio.models
    return whole(await models.generate_content(model=call.model, contents="-", config=config(call)))


def config(call: Call) -> Any:
    """A configuration that lays our body over what the SDK would send."""
    return {
        "http_options": {
            "extra_body": call.encoded.body,
            "headers": dict(call.headers),
            "timeout": int((call.timeout or TIMEOUT) * 1000),
        },
        "should_return_http_response": True,
        "automatic_function_calling": {"disable": True},
        "automatic_continuation": False,
    }


def whole(made: Any) -> Answer:
    answer = made.sdk_http_response
    return Answer((answer.body or "").encode(), lowered(answer.headers or {}))


class Whole:
    """An answer that came whole, as a stream of one event."""

    def __init__(self, answer: Answer, api: str) -> None:
        self.headers = answer.headers
        self._event = parse(answer.content, api)

    def __iter__(self) -> Iterator[Json]:
        yield self._event

    def close(self) -> None:
        """Nothing is open."""


class AsyncWhole:
    """The same, read asynchronously."""

    def __init__(self, answer: Answer, api: str) -> None:
        self.headers = answer.headers
        self._event = parse(answer.content, api)

    async def events(self) -> AsyncGenerator[Json, None]:
        yield self._event

    async def close(self) -> None:
        """Nothing is open."""
