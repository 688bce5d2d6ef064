"""An open answer as an iterator of events. Of the SDK's HTTP library only the shape is known."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Mapping
from contextlib import aclosing, closing
from contextvars import ContextVar
from functools import partial
from typing import Any, Protocol

from interlingua.errors import DecodeError, MalformedResponseError, ProviderError
from interlingua.sse import Events
from interlingua.wire import Json

Translate = Callable[[Exception], ProviderError]
"""From whatever the SDK or its HTTP library raised to our error."""

UNTIL: ContextVar[float | None] = ContextVar("UNTIL", default=None)
"""When the answer that is asked for must be whole; hooks of HTTP clients are told of no call."""


class ByteResponse(Protocol):
    """What is needed of an open synchronous HTTP response."""

    @property
    def headers(self) -> Mapping[str, str]: ...
    def iter_bytes(self) -> Iterator[bytes]: ...
    def close(self) -> None: ...


class AsyncByteResponse(Protocol):
    """What is needed of an open asynchronous HTTP response."""

    @property
    def headers(self) -> Mapping[str, str]: ...
    def aiter_bytes(self) -> AsyncGenerator[bytes, None]: ...
    async def aclose(self) -> None: ...


class EventStream:
    """The events of an open answer. Closing drops the connection at once."""

    def __init__(
        self, response: ByteResponse, api: str, translate: Translate, until: float | None = None
    ) -> None:
        self.headers: Mapping[str, str] = lowered(response.headers)
        self._response = response
        self._until = until
        self._events = Events(api)
        self._translate = translate

    def __iter__(self) -> Iterator[Json]:
        try:
            for chunk in self._response.iter_bytes():
                _in_time(self._until)
                yield from self._events.feed(chunk)
            yield from self._events.end()
        except DecodeError as error:
            raise malformed(error) from error
        except Exception as error:
            raise self._translate(error) from error
        finally:
            self.close()

    def close(self) -> None:
        self._response.close()


class AsyncEventStream:
    """The same, asynchronous."""

    def __init__(
        self,
        response: AsyncByteResponse,
        api: str,
        translate: Translate,
        until: float | None = None,
    ) -> None:
        self.headers: Mapping[str, str] = lowered(response.headers)
        self._response = response
        self._until = until
        self._events = Events(api)
        self._translate = translate

    async def events(self) -> AsyncGenerator[Json, None]:
        try:
            async with aclosing(self._response.aiter_bytes()) as chunks:
                async for chunk in chunks:
                    _in_time(self._until)
                    for event in self._events.feed(chunk):
                        yield event
            for event in self._events.end():
                yield event
        except DecodeError as error:
            raise malformed(error) from error
        except Exception as error:
            raise self._translate(error) from error
        finally:
            await self.close()

    async def close(self) -> None:
        await self._response.aclose()


def read(response: ByteResponse, until: float | None) -> bytes:
    """An open answer, whole. Raises the built-in `TimeoutError` when it goes on for too long."""
    chunks: list[bytes] = []
    try:
        for chunk in response.iter_bytes():
            _in_time(until)
            chunks.append(chunk)
    finally:
        response.close()
    return b"".join(chunks)


async def aread(response: AsyncByteResponse, until: float | None) -> bytes:
    """The same, asynchronous."""
    chunks: list[bytes] = []
    try:
        async with aclosing(response.aiter_bytes()) as incoming:
            async for chunk in incoming:
                _in_time(until)
                chunks.append(chunk)
    finally:
        await response.aclose()
    return b"".join(chunks)


def limit(response: Any) -> None:
    """A hook for the SDK's HTTP client. The SDK reads an error's body itself: no longer than this.

    Reading raises the built-in `TimeoutError` when the body goes on for too long.
    """
    until = UNTIL.get()
    if until is not None and response.status_code >= 400:
        response.iter_raw = partial(_limited, response.iter_raw, until)


async def alimit(response: Any) -> None:
    """The same, asynchronous."""
    until = UNTIL.get()
    if until is not None and response.status_code >= 400:
        response.aiter_raw = partial(_alimited, response.aiter_raw, until)


def _limited(read: Callable[[], Generator[bytes]], until: float) -> Iterator[bytes]:
    with closing(read()) as chunks:
        for chunk in chunks:
            _in_time(until)
            yield chunk


async def _alimited(
    read: Callable[[], AsyncGenerator[bytes]], until: float
) -> AsyncGenerator[bytes]:
    async with aclosing(read()) as chunks:
        async for chunk in chunks:
            _in_time(until)
            yield chunk


def _in_time(until: float | None) -> None:
    if until is not None and time.monotonic() > until:
        raise TimeoutError("the deadline passed before the answer was whole")


def malformed(error: DecodeError) -> MalformedResponseError:
    """The error that an unreadable answer is."""
    return MalformedResponseError(f"the vendor's answer cannot be read: {error}")


def lowered(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers with names in lower case."""
    return {key.lower(): value for key, value in headers.items()}
