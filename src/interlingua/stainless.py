"""Calls through an SDK that Stainless generates, as OpenAI's and Anthropic's are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from interlingua.frozen import EMPTY, is_mapping
from interlingua.pools import LoopPools, ProcessPool
from interlingua.provider import Answer, Call, Query, Settings
from interlingua.raised import Raised
from interlingua.streaming import (
    AsyncByteResponse,
    AsyncEventStream,
    ByteResponse,
    EventStream,
    alimit,
    aread,
    limit,
    lowered,
    read,
)

CONNECTING = 5.0
"""Seconds that a connection may take, whatever the timeout."""


class Sdk(Struct, frozen=True):
    """What is called of such an SDK. Its types are only handed through."""

    client: Any
    async_client: Any
    stream: Any
    async_stream: Any
    http: Any
    """The HTTP library that it uses."""
    paths: Mapping[str, str]
    """Where each API is, from the base URL."""
    raised: Raised
    connect: Callable[[Any, Settings, dict[str, Any]], Any]
    """Makes a client of a class from the settings and what is given besides."""


class Transport:
    """A synchronous client."""

    def __init__(self, sdk: Sdk, settings: Settings) -> None:
        self._sdk = sdk
        self._pool = ProcessPool(lambda: connected(sdk, sdk.client, settings), sdk.client.close)

    def send(self, call: Call) -> Answer:
        with self._sdk.raised.translated(call.until):
            opened = self._open(call)
            return Answer(read(opened, call.until), lowered(opened.headers))

    def stream(self, call: Call) -> EventStream:
        raised = self._sdk.raised
        with raised.translated(call.until):
            opened = self._open(call)
        return EventStream(opened, call.encoded.api, raised.interrupted, call.until)

    def fetch(self, query: Query) -> Answer:
        ask, about = asking(self._sdk, self._pool.client(), query)
        with self._sdk.raised.translated(query.until):
            opened = ask(query.question.path, **about, stream_cls=self._sdk.stream)
            return Answer(read(opened, query.until), lowered(opened.headers))

    def _open(self, call: Call) -> ByteResponse:
        return self._pool.client().post(**posted(self._sdk, call), stream_cls=self._sdk.stream)

    def close(self) -> None:
        self._pool.close()


class AsyncTransport:
    """An asynchronous client."""

    def __init__(self, sdk: Sdk, settings: Settings) -> None:
        self._sdk = sdk
        self._pools = LoopPools(
            lambda: connected(sdk, sdk.async_client, settings), sdk.async_client.close
        )

    async def send(self, call: Call) -> Answer:
        client = await self._pools.client()
        with self._sdk.raised.translated(call.until):
            opened = await self._open(client, call)
            return Answer(await aread(opened, call.until), lowered(opened.headers))

    async def stream(self, call: Call) -> AsyncEventStream:
        client, raised = await self._pools.client(), self._sdk.raised
        with raised.translated(call.until):
            opened = await self._open(client, call)
        return AsyncEventStream(opened, call.encoded.api, raised.interrupted, call.until)

    async def fetch(self, query: Query) -> Answer:
        ask, about = asking(self._sdk, await self._pools.client(), query)
        with self._sdk.raised.translated(query.until):
            opened = await ask(query.question.path, **about, stream_cls=self._sdk.async_stream)
            return Answer(await aread(opened, query.until), lowered(opened.headers))

    async def _open(self, client: Any, call: Call) -> AsyncByteResponse:
        return await client.post(**posted(self._sdk, call), stream_cls=self._sdk.async_stream)

    async def close(self) -> None:
        await self._pools.close()


def connected(sdk: Sdk, kind: Any, settings: Settings) -> Any:
    """The SDK's client."""
    given = dict(settings.options)
    if settings.headers:
        own = given.get("default_headers", EMPTY)
        # What is no mapping is left for the SDK to refuse.
        given["default_headers"] = {**own, **settings.headers} if is_mapping(own) else own
    if settings.timeout is not None:
        given["timeout"] = waiting(sdk, settings.timeout)
    made = sdk.connect(kind, settings, given)
    if "http_client" not in given:
        watch(made, limit if kind is sdk.client else alimit)
    return made


def watch(made: Any, hook: Any) -> None:
    """Have the SDK's own pool, which is private, call this with each answer."""
    pool = getattr(made, "_client", None)
    if pool is not None:
        pool.event_hooks = {"response": [hook]}


def posted(sdk: Sdk, call: Call) -> dict[str, Any]:
    """What the SDK's `post` is given; an open response arrives."""
    return {
        "path": sdk.paths[call.encoded.api],
        "content": call.encoded.content,
        "cast_to": sdk.http.Response,
        "options": options(sdk, call),
        "stream": True,
    }


def asking(sdk: Sdk, client: Any, query: Query) -> tuple[Any, dict[str, Any]]:
    """The SDK's method for a question, and what it is given; an open response arrives."""
    given = options(sdk, query)
    if query.question.parameters:
        given["params"] = dict(query.question.parameters)
    about: dict[str, Any] = {"cast_to": sdk.http.Response, "options": given, "stream": True}
    content = query.content
    if content is None:
        return client.get, about
    return client.post, {**about, "content": content}


def options(sdk: Sdk, call: Call | Query) -> dict[str, Any]:
    """What is set for one call alone, in the SDK's words."""
    given: dict[str, Any] = {}
    if call.headers:
        given["headers"] = dict(call.headers)
    if call.timeout is not None:
        given["timeout"] = waiting(sdk, call.timeout)
    return given


def waiting(sdk: Sdk, seconds: float) -> Any:
    """Seconds for each step, and no more than five for the connection."""
    return sdk.http.Timeout(seconds, connect=min(seconds, CONNECTING))
