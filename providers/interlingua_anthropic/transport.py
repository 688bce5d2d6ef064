"""The calls to Anthropic through the official SDK."""

from __future__ import annotations

from typing import Any, cast

import anthropic
import httpx2

from interlingua.errors import (
    AuthenticationError,
    ConfigError,
    ConnectionError,
    ProviderError,
    TimeoutError,
)
from interlingua.pools import LoopPools, ProcessPool
from interlingua.provider import Answer, Call, Query, Settings
from interlingua.raised import Raised, told
from interlingua.streaming import AsyncEventStream, EventStream, aread, lowered, read
from interlingua_anthropic.errors import judge

PATH = "/v1/messages"

NO_KEY = "Anthropic has no key: pass api_key=…, or set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN"
KEYS = {"authorization", "x-api-key"}

RAISED = Raised(
    "anthropic",
    anthropic.APIStatusError,
    judge,
    (
        (anthropic.APITimeoutError, TimeoutError),
        (anthropic.APIConnectionError, ConnectionError),
        (anthropic.CredentialsError, AuthenticationError),
        (httpx2.TimeoutException, TimeoutError),
        (httpx2.TransportError, ConnectionError),
        (Exception, ProviderError),
    ),
)


class Transport:
    """A synchronous client."""

    def __init__(self, settings: Settings) -> None:
        self._pool = ProcessPool(
            lambda: connect(anthropic.Anthropic, settings), anthropic.Anthropic.close
        )

    def send(self, call: Call) -> Answer:
        with RAISED.translated():
            opened = self._open(call)
            return Answer(read(opened, call.until), lowered(opened.headers))

    def stream(self, call: Call) -> EventStream:
        with RAISED.translated():
            opened = self._open(call)
        return EventStream(opened, call.encoded.api, RAISED.interrupted, call.until)

    def fetch(self, query: Query) -> Answer:
        ask, about = asking(self._pool.client(), query)
        with RAISED.translated():
            opened = ask(query.question.path, **about, stream_cls=anthropic.Stream[Any])
            return Answer(read(opened, query.until), lowered(opened.headers))

    def _open(self, call: Call) -> httpx2.Response:
        opened = self._pool.client().post(
            PATH,
            content=call.encoded.content,
            cast_to=httpx2.Response,
            options=options(call),
            stream=True,
            stream_cls=anthropic.Stream[Any],
        )
        # The annotation says Stream; with this `cast_to` the open response arrives.
        return cast("httpx2.Response", opened)

    def close(self) -> None:
        self._pool.close()


class AsyncTransport:
    """An asynchronous client."""

    def __init__(self, settings: Settings) -> None:
        self._pools = LoopPools(
            lambda: connect(anthropic.AsyncAnthropic, settings), anthropic.AsyncAnthropic.close
        )

    async def send(self, call: Call) -> Answer:
        client = await self._pools.client()
        with RAISED.translated():
            opened = await self._open(client, call)
            return Answer(await aread(opened, call.until), lowered(opened.headers))

    async def stream(self, call: Call) -> AsyncEventStream:
        client = await self._pools.client()
        with RAISED.translated():
            opened = await self._open(client, call)
        return AsyncEventStream(opened, call.encoded.api, RAISED.interrupted, call.until)

    async def fetch(self, query: Query) -> Answer:
        ask, about = asking(await self._pools.client(), query)
        with RAISED.translated():
            opened = await ask(query.question.path, **about, stream_cls=anthropic.AsyncStream[Any])
            return Answer(await aread(opened, query.until), lowered(opened.headers))

    async def _open(self, client: Any, call: Call) -> httpx2.Response:
        return await client.post(
            PATH,
            content=call.encoded.content,
            cast_to=httpx2.Response,
            options=options(call),
            stream=True,
            stream_cls=anthropic.AsyncStream[Any],
        )

    async def close(self) -> None:
        await self._pools.close()


def connect(kind: Any, settings: Settings) -> Any:
    """The SDK's client. Its own retries are off: ours know more."""
    given = dict(settings.options)
    if settings.headers:
        given["default_headers"] = dict(settings.headers)
    if settings.timeout is not None:
        given["timeout"] = waiting(settings.timeout)
    try:
        made = kind(
            api_key=settings.api_key, base_url=root(settings.base_url), max_retries=0, **given
        )
    except anthropic.AnthropicError as error:
        raise ConfigError(f"{NO_KEY} ({told(error)})") from error
    except TypeError as error:
        raise ConfigError(f"Anthropic's client does not take this setting: {error}") from error
    # The SDK itself would say so with the first call.
    if made.credentials is None and not KEYS & {name.lower() for name in made.default_headers}:
        raise ConfigError(NO_KEY)
    return made


def root(base_url: str | None) -> str | None:
    """The base URL without the version, which the path has already."""
    return None if base_url is None else base_url.rstrip("/").removesuffix("/v1")


def asking(client: Any, query: Query) -> tuple[Any, dict[str, Any]]:
    """The SDK's method for a question, and what it is given; an open response arrives."""
    given = options(query)
    if query.question.parameters:
        given["params"] = dict(query.question.parameters)
    about: dict[str, Any] = {"cast_to": httpx2.Response, "options": given, "stream": True}
    content = query.content
    if content is None:
        return client.get, about
    return client.post, {**about, "content": content}


def options(call: Call | Query) -> Any:
    """What is set for one call alone, in the SDK's words."""
    given: dict[str, Any] = {}
    if call.headers:
        given["headers"] = dict(call.headers)
    if call.timeout is not None:
        given["timeout"] = waiting(call.timeout)
    return given


def waiting(seconds: float) -> httpx2.Timeout:
    """Seconds for each step; five for the connection."""
    return httpx2.Timeout(seconds, connect=min(seconds, 5.0))
