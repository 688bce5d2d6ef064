"""Client and AsyncClient: ask a model. They hold a connection and no conversation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from interlingua.attempts import Retries
from interlingua.calls import Asked, Config, concluded, request_of, target
from interlingua.errors import ProviderError
from interlingua.frozen import EMPTY
from interlingua.loss import LossPolicy
from interlingua.provider import AsyncTransport, Settings, Transport
from interlingua.response import Response
from interlingua.streams import AsyncStream, Stream
from interlingua.waiting import now, wait, wait_async


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
        attempts = asked.attempts(now())
        while True:
            call = asked.call(attempts, now())
            try:
                answer = self._transport(attempts.spec).send(call)
                return concluded(call, answer, attempts)
            except ProviderError as error:
                wait(attempts, error)

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
        return Stream(asked, self._transport)

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
        attempts = asked.attempts(now())
        while True:
            call = asked.call(attempts, now())
            try:
                answer = await self._transport(attempts.spec).send(call)
                return concluded(call, answer, attempts)
            except ProviderError as error:
                await wait_async(attempts, error)

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
        return AsyncStream(asked, self._transport)

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


def _again(kind: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    return kind(arguments.pop("spec"), **arguments)
