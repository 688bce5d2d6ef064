"""An open answer as an iterator of events. Of the SDK's HTTP library only the shape is known."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing
from typing import Protocol

from interlingua.errors import DecodeError, MalformedResponseError, ProviderError
from interlingua.sse import Events
from interlingua.wire import Json

Translate = Callable[[Exception], ProviderError]
"""From whatever the SDK or its HTTP library raised to our error."""


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

    def __init__(self, response: ByteResponse, api: str, translate: Translate) -> None:
        self.headers: Mapping[str, str] = lowered(response.headers)
        self._response = response
        self._events = Events(api)
        self._translate = translate

    def __iter__(self) -> Iterator[Json]:
        try:
            for chunk in self._response.iter_bytes():
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

    def __init__(self, response: AsyncByteResponse, api: str, translate: Translate) -> None:
        self.headers: Mapping[str, str] = lowered(response.headers)
        self._response = response
        self._events = Events(api)
        self._translate = translate

    async def events(self) -> AsyncGenerator[Json, None]:
        try:
            async with aclosing(self._response.aiter_bytes()) as chunks:
                async for chunk in chunks:
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


def malformed(error: DecodeError) -> MalformedResponseError:
    """The error that an unreadable answer is."""
    return MalformedResponseError(f"the vendor's answer cannot be read: {error}")


def lowered(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers with names in lower case."""
    return {key.lower(): value for key, value in headers.items()}
