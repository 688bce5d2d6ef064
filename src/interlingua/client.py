"""Client and AsyncClient: ask a model. They hold a connection and no conversation."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from interlingua.attempts import Attempts, Retries
from interlingua.calls import Asked, Config, Reading, concluded, request_of, target
from interlingua.errors import ConfigError, ProviderError
from interlingua.events import Event, Finished
from interlingua.frozen import EMPTY
from interlingua.loss import LossPolicy
from interlingua.provider import AsyncEvents, AsyncTransport, Events, Settings, Transport
from interlingua.response import Response


class Client:
    """A model at a provider: `Client("anthropic:claude-sonnet-5")`. Usable from many threads.

    `api_key`, `base_url`, `headers` and further `options` go to the vendor's own client, which
    reads its environment variables where they are not given. `timeout` is in seconds: until the
    first byte, and between the events of a stream; `deadline` bounds a call with all its retries.
    `fallback` names models to ask when this one fails. Raises `ConfigError`.
    """

    def __init__(
        self,
        spec: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        headers: Mapping[str, str] = EMPTY,
        timeout: float | None = None,
        max_retries: int = 2,
        deadline: float | None = None,
        on_loss: LossPolicy = LossPolicy.default,
        fallback: Sequence[str] = (),
        **options: Any,
    ) -> None:
        self._config = Config(
            {name: target(name) for name in (spec, *fallback)},
            Settings(api_key, base_url, headers, timeout, options),
            Retries(max_retries, deadline),
            on_loss,
        )
        self._transports: dict[str, Transport] = {}
        self._transport(spec)

    def generate(
        self,
        messages: object,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] = EMPTY,
        on_loss: LossPolicy | None = None,
        **settings: Any,
    ) -> Response:
        """The model's answer to a string, a message or a conversation; settings as in `Request`.

        Raises `LossError` before anything is sent, `ProviderError` when no attempt succeeds.
        """
        request = request_of(messages, settings, stream=False)
        asked = Asked(self._config, request, headers, timeout, on_loss)
        attempts = asked.attempts(time.monotonic())
        while True:
            call = asked.call(attempts, time.monotonic())
            try:
                answer = self._transport(attempts.spec).send(call)
                return concluded(call, answer, attempts)
            except ProviderError as error:
                time.sleep(attempts.failed(error, time.monotonic(), _chance()))

    def stream(
        self,
        messages: object,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] = EMPTY,
        on_loss: LossPolicy | None = None,
        **settings: Any,
    ) -> Stream:
        """The same answer as it comes: iterate over the events, then read `response`.

        Leaving the `with` block drops the connection at once.
        """
        request = request_of(messages, settings, stream=True)
        asked = Asked(self._config, request, headers, timeout, on_loss)
        return Stream(asked, asked.attempts(time.monotonic()), self._transport)

    def close(self) -> None:
        """Close the connections. A closed client raises `ConfigError` when it is used."""
        for transport in self._transports.values():
            transport.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self._config!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (Client, self._config.without_secrets())

    def _transport(self, spec: str) -> Transport:
        held = self._transports.get(spec)
        if held is None:
            connect = self._config.targets[spec].provider.connect
            made = connect(self._config.settings_for(spec))
            held = self._transports.setdefault(spec, made)
        return held


class Stream:
    """An answer that is coming: the events, and `response`."""

    def __init__(
        self, asked: Asked, attempts: Attempts, transport: Callable[[str], Transport]
    ) -> None:
        self._asked, self._attempts, self._transport = asked, attempts, transport
        self._reading: Reading | None = None
        self._source: Events | None = None
        self._response: Response | None = None
        self._events: Generator[Event] | None = None

    @property
    def response(self) -> Response:
        """The whole answer at the end; before it, what has come so far, with reason `error`."""
        return _answer(self._response, self._reading)

    def __iter__(self) -> Generator[Event]:
        if self._events is None:
            self._events = self._read()
        return self._events

    def _read(self) -> Generator[Event]:
        while self._response is None:
            reading, source = self._opened()
            try:
                for raw in source:
                    yield from reading.told(raw)
                self._response = reading.whole()
            except ProviderError as error:
                reading.failed(error)
                if reading.begun:
                    raise
                self._wait(error)
            finally:
                source.close()
        yield Finished(self._response)

    def close(self) -> None:
        """Drop the connection."""
        if self._events is not None:
            self._events.close()
        if self._source is not None:
            self._source.close()

    def __enter__(self) -> Stream:
        self._opened()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _opened(self) -> tuple[Reading, Events]:
        while self._reading is None or self._source is None:
            call = self._asked.call(self._attempts, time.monotonic())
            try:
                self._source = self._transport(self._attempts.spec).stream(call)
                self._reading = Reading(call, self._source.headers, self._attempts)
            except ProviderError as error:
                self._wait(error)
        return self._reading, self._source

    def _wait(self, error: ProviderError) -> None:
        self._reading = self._source = None
        time.sleep(self._attempts.failed(error, time.monotonic(), _chance()))


class AsyncClient:
    """The same as `Client`, awaited. Usable in many event loops."""

    def __init__(
        self,
        spec: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        headers: Mapping[str, str] = EMPTY,
        timeout: float | None = None,
        max_retries: int = 2,
        deadline: float | None = None,
        on_loss: LossPolicy = LossPolicy.default,
        fallback: Sequence[str] = (),
        **options: Any,
    ) -> None:
        self._config = Config(
            {name: target(name) for name in (spec, *fallback)},
            Settings(api_key, base_url, headers, timeout, options),
            Retries(max_retries, deadline),
            on_loss,
        )
        self._transports: dict[str, AsyncTransport] = {}
        self._transport(spec)

    async def generate(
        self,
        messages: object,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] = EMPTY,
        on_loss: LossPolicy | None = None,
        **settings: Any,
    ) -> Response:
        """As `Client.generate`."""
        request = request_of(messages, settings, stream=False)
        asked = Asked(self._config, request, headers, timeout, on_loss)
        attempts = asked.attempts(time.monotonic())
        while True:
            call = asked.call(attempts, time.monotonic())
            try:
                answer = await self._transport(attempts.spec).send(call)
                return concluded(call, answer, attempts)
            except ProviderError as error:
                await _sleep(attempts.failed(error, time.monotonic(), _chance()))

    def stream(
        self,
        messages: object,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] = EMPTY,
        on_loss: LossPolicy | None = None,
        **settings: Any,
    ) -> AsyncStream:
        """As `Client.stream`: `async with`, `async for`."""
        request = request_of(messages, settings, stream=True)
        asked = Asked(self._config, request, headers, timeout, on_loss)
        return AsyncStream(asked, asked.attempts(time.monotonic()), self._transport)

    async def close(self) -> None:
        """Close the connections of this event loop; those of others went with their loops."""
        for transport in self._transports.values():
            await transport.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncClient({self._config!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (AsyncClient, self._config.without_secrets())

    def _transport(self, spec: str) -> AsyncTransport:
        held = self._transports.get(spec)
        if held is None:
            connect = self._config.targets[spec].provider.connect_async
            made = connect(self._config.settings_for(spec))
            held = self._transports.setdefault(spec, made)
        return held


class AsyncStream:
    """An answer that is coming, read asynchronously."""

    def __init__(
        self, asked: Asked, attempts: Attempts, transport: Callable[[str], AsyncTransport]
    ) -> None:
        self._asked, self._attempts, self._transport = asked, attempts, transport
        self._reading: Reading | None = None
        self._source: AsyncEvents | None = None
        self._response: Response | None = None
        self._events: AsyncGenerator[Event] | None = None

    @property
    def response(self) -> Response:
        """The whole answer at the end; before it, what has come so far, with reason `error`."""
        return _answer(self._response, self._reading)

    def __aiter__(self) -> AsyncGenerator[Event]:
        if self._events is None:
            self._events = self._read()
        return self._events

    async def _read(self) -> AsyncGenerator[Event]:
        while self._response is None:
            reading, source = await self._opened()
            try:
                async with aclosing(source.events()) as events:
                    async for raw in events:
                        for event in reading.told(raw):
                            yield event
                self._response = reading.whole()
            except ProviderError as error:
                reading.failed(error)
                if reading.begun:
                    raise
                await self._wait(error)
            finally:
                await source.close()
        yield Finished(self._response)

    async def close(self) -> None:
        """Drop the connection."""
        if self._events is not None:
            await self._events.aclose()
        if self._source is not None:
            await self._source.close()

    async def __aenter__(self) -> AsyncStream:
        await self._opened()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _opened(self) -> tuple[Reading, AsyncEvents]:
        while self._reading is None or self._source is None:
            call = self._asked.call(self._attempts, time.monotonic())
            try:
                self._source = await self._transport(self._attempts.spec).stream(call)
                self._reading = Reading(call, self._source.headers, self._attempts)
            except ProviderError as error:
                await self._wait(error)
        return self._reading, self._source

    async def _wait(self, error: ProviderError) -> None:
        self._reading = self._source = None
        await _sleep(self._attempts.failed(error, time.monotonic(), _chance()))


def _answer(whole: Response | None, reading: Reading | None) -> Response:
    if whole is not None:
        return whole
    if reading is None:
        raise ConfigError("the stream is not open; enter it, or iterate over it, first")
    return reading.partial()


def _again(kind: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    return kind(arguments.pop("spec"), **arguments)


def _chance() -> float:
    # Loaded by the first failure, not by every program.
    from random import random

    return random()


async def _sleep(seconds: float) -> None:
    from asyncio import sleep

    await sleep(seconds)
