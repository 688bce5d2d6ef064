"""Stream and AsyncStream: an answer that is coming."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing

from interlingua.calls import Asked, Reading
from interlingua.errors import ConfigError, ProviderError
from interlingua.events import Event, Finished
from interlingua.provider import AsyncEvents, AsyncTransport, Events, Transport
from interlingua.remembering import keep, keep_async, recall, recall_async
from interlingua.response import Response
from interlingua.waiting import now, wait, wait_async


class Stream:
    """An answer that is coming: the events, and `response`."""

    def __init__(self, asked: Asked, transport: Callable[[str], Transport]) -> None:
        self._coming = Coming(asked, transport)
        # They know what is coming and not this stream: dropping it drops the connection.
        self._events = self._coming.events()

    @property
    def response(self) -> Response:
        """The whole answer at the end; before it, what has come so far, with reason `error`."""
        return _answer(self._coming.response, self._coming.reading)

    def __iter__(self) -> Generator[Event]:
        return self._events

    def close(self) -> None:
        """Drop the connection."""
        self._events.close()
        self._coming.close()

    def __enter__(self) -> Stream:
        self._coming.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Coming:
    """What a stream reads, asked for again as long as nothing has been told of it."""

    def __init__(self, asked: Asked, transport: Callable[[str], Transport]) -> None:
        self._asked, self._attempts, self._transport = asked, asked.attempts(now()), transport
        self._source: Events | None = None
        self.reading: Reading | None = None
        self.response: Response | None = None

    def open(self) -> tuple[Reading, Events]:
        while self.reading is None or self._source is None:
            call = recall(self._asked).call(self._attempts, now())
            try:
                self._source = self._transport(self._attempts.spec).stream(call)
                self.reading = Reading(call, self._source.headers, self._attempts)
            except ProviderError as error:
                wait(self._attempts, error)
        return self.reading, self._source

    def events(self) -> Generator[Event]:
        while self.response is None:
            reading, source = self.open()
            try:
                for raw in source:
                    yield from reading.told(raw)
                self.response = reading.whole()
            except ProviderError as error:
                reading.failed(error)
                if reading.begun:
                    raise
                wait(self._attempts, error)
                self.reading = self._source = None
            finally:
                source.close()
        yield Finished(keep(self._asked, self.response))

    def close(self) -> None:
        if self._source is not None:
            self._source.close()


class AsyncStream:
    """An answer that is coming, read asynchronously."""

    def __init__(self, asked: Asked, transport: Callable[[str], AsyncTransport]) -> None:
        self._coming = AsyncComing(asked, transport)
        self._events = self._coming.events()

    @property
    def response(self) -> Response:
        """The whole answer at the end; before it, what has come so far, with reason `error`."""
        return _answer(self._coming.response, self._coming.reading)

    def __aiter__(self) -> AsyncGenerator[Event]:
        return self._events

    async def close(self) -> None:
        """Drop the connection."""
        await self._events.aclose()
        await self._coming.close()

    async def __aenter__(self) -> AsyncStream:
        await self._coming.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AsyncComing:
    """The same as `Coming`, awaited."""

    def __init__(self, asked: Asked, transport: Callable[[str], AsyncTransport]) -> None:
        self._asked, self._attempts, self._transport = asked, asked.attempts(now()), transport
        self._source: AsyncEvents | None = None
        self.reading: Reading | None = None
        self.response: Response | None = None

    async def open(self) -> tuple[Reading, AsyncEvents]:
        while self.reading is None or self._source is None:
            call = (await recall_async(self._asked)).call(self._attempts, now())
            try:
                self._source = await self._transport(self._attempts.spec).stream(call)
                self.reading = Reading(call, self._source.headers, self._attempts)
            except ProviderError as error:
                await wait_async(self._attempts, error)
        return self.reading, self._source

    async def events(self) -> AsyncGenerator[Event]:
        while self.response is None:
            reading, source = await self.open()
            try:
                async with aclosing(source.events()) as events:
                    async for raw in events:
                        for event in reading.told(raw):
                            yield event
                self.response = reading.whole()
            except ProviderError as error:
                reading.failed(error)
                if reading.begun:
                    raise
                await wait_async(self._attempts, error)
                self.reading = self._source = None
            finally:
                await source.close()
        yield Finished(await keep_async(self._asked, self.response))

    async def close(self) -> None:
        if self._source is not None:
            await self._source.close()


def _answer(whole: Response | None, reading: Reading | None) -> Response:
    if whole is not None:
        return whole
    if reading is None:
        raise ConfigError("the stream is not open; enter it, or iterate over it, first")
    return reading.partial()
