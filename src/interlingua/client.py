"""Client and AsyncClient: ask a model. They hold a connection and no conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from interlingua.calls import Asked, concluded, request_of
from interlingua.errors import ProviderError
from interlingua.frozen import EMPTY
from interlingua.inquiry import Inquiry, Some, Told, counting, listing
from interlingua.loss import LossPolicy
from interlingua.models import Model
from interlingua.provider import AsyncTransport, Transport
from interlingua.remembering import keep, keep_async, recall, recall_async
from interlingua.response import Response
from interlingua.store import SessionStore, turn_of
from interlingua.streams import AsyncStream, Stream
from interlingua.targets import Config, config_of, configured
from interlingua.waiting import now, wait, wait_async


class Client:
    """A model at a provider: `Client("anthropic:claude-sonnet-5")`. Usable from many threads.

    `api_key`, `base_url`, `headers` and further `options` go to the vendor's own client, which
    reads its environment variables where they are not given. `timeout` is in seconds: until the
    first byte, and between the events of a stream; `deadline` bounds a call with all its retries,
    of which there are two unless `max_retries` says otherwise. `fallback` names models to ask when
    this one fails. A name that is no provider's is looked for in `interlingua.toml`.
    Raises `ConfigError`.
    """

    def __init__(
        self,
        spec: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        headers: Mapping[str, str] = EMPTY,
        timeout: float | None = None,
        max_retries: int | None = None,
        deadline: float | None = None,
        on_loss: LossPolicy | None = None,
        fallback: str | Sequence[str] = (),
        **options: Any,
    ) -> None:
        self._start(
            config_of(
                spec,
                api_key=api_key,
                base_url=base_url,
                headers=headers,
                timeout=timeout,
                max_retries=max_retries,
                deadline=deadline,
                on_loss=on_loss,
                fallback=fallback,
                **options,
            )
        )

    @classmethod
    def from_config(
        cls, name: str | None = None, *, path: str | Path | None = None, **arguments: Any
    ) -> Self:
        """A model that `interlingua.toml` names, its default, or `provider:model`.

        Arguments are those of the class, and win over the file. Raises `ConfigError`.
        """
        client = cls.__new__(cls)
        client._start(configured(name, path, arguments))
        return client

    def _start(self, config: Config) -> None:
        self._config = config
        self._transports: dict[str, Transport] = {}
        self._transport(config.spec)

    def generate(
        self,
        messages: object,
        *,
        sessions: SessionStore | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] = EMPTY,
        on_loss: LossPolicy | None = None,
        **settings: Any,
    ) -> Response:
        """The model's answer to a string, a message or a conversation; settings as in `Request`.

        With `sessions`, a `UserMessage` goes on with the session it names, and a whole answer is
        stored there. Raises `LossError` before anything is sent, `ProviderError` when no attempt
        succeeds, `StorageError` when the session cannot be read or stored.
        """
        request = request_of(messages, settings, stream=False)
        turn = turn_of(messages, sessions)
        asked = Asked(self._config, request, headers, timeout, on_loss, turn)
        attempts = asked.attempts(now())
        while True:
            call = recall(asked).call(attempts, now())
            try:
                answer = self._transport(attempts.spec).send(call)
                return keep(asked, concluded(call, answer, attempts))
            except ProviderError as error:
                wait(attempts, error)

    def stream(
        self,
        messages: object,
        *,
        sessions: SessionStore | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] = EMPTY,
        on_loss: LossPolicy | None = None,
        **settings: Any,
    ) -> Stream:
        """The same answer as it comes: iterate over the events, then read `response`.

        Leaving the `with` block drops the connection at once.
        """
        request = request_of(messages, settings, stream=True)
        turn = turn_of(messages, sessions)
        asked = Asked(self._config, request, headers, timeout, on_loss, turn)
        return Stream(asked, self._transport)

    def count_tokens(
        self,
        messages: object,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] = EMPTY,
        on_loss: LossPolicy | None = None,
        **settings: Any,
    ) -> int:
        """The tokens of a prompt, as the vendor counts them; arguments as for `generate`.

        No fallback is asked, since it would count otherwise. Raises `ConfigError` for a provider
        that cannot count.
        """
        request = request_of(messages, settings, stream=False)
        return self._told(counting(Asked(self._config, request, headers, timeout, on_loss), now()))

    def list_models(
        self, *, timeout: float | None = None, headers: Mapping[str, str] = EMPTY
    ) -> tuple[Model, ...]:
        """The models that the vendor offers, in its order."""
        found: list[Model] = []
        inquiry: Inquiry[Some] | None = listing(self._config, headers, timeout)
        while inquiry is not None:
            some = self._told(inquiry)
            found += some.models
            inquiry = some.more
        return tuple(found)

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

    def _told(self, inquiry: Inquiry[Told]) -> Told:
        attempts = inquiry.attempts(now())
        while True:
            query = inquiry.query(attempts, now())
            try:
                return inquiry.told(self._transport(attempts.spec).fetch(query))
            except ProviderError as error:
                wait(attempts, error)

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
        max_retries: int | None = None,
        deadline: float | None = None,
        on_loss: LossPolicy | None = None,
        fallback: str | Sequence[str] = (),
        **options: Any,
    ) -> None:
        self._start(
            config_of(
                spec,
                api_key=api_key,
                base_url=base_url,
                headers=headers,
                timeout=timeout,
                max_retries=max_retries,
                deadline=deadline,
                on_loss=on_loss,
                fallback=fallback,
                **options,
            )
        )

    @classmethod
    def from_config(
        cls, name: str | None = None, *, path: str | Path | None = None, **arguments: Any
    ) -> Self:
        """As `Client.from_config`."""
        client = cls.__new__(cls)
        client._start(configured(name, path, arguments))
        return client

    def _start(self, config: Config) -> None:
        self._config = config
        self._transports: dict[str, AsyncTransport] = {}
        self._transport(config.spec)

    async def generate(
        self,
        messages: object,
        *,
        sessions: SessionStore | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] = EMPTY,
        on_loss: LossPolicy | None = None,
        **settings: Any,
    ) -> Response:
        """As `Client.generate`."""
        request = request_of(messages, settings, stream=False)
        turn = turn_of(messages, sessions)
        asked = Asked(self._config, request, headers, timeout, on_loss, turn)
        attempts = asked.attempts(now())
        while True:
            call = (await recall_async(asked)).call(attempts, now())
            try:
                answer = await self._transport(attempts.spec).send(call)
                return await keep_async(asked, concluded(call, answer, attempts))
            except ProviderError as error:
                await wait_async(attempts, error)

    def stream(
        self,
        messages: object,
        *,
        sessions: SessionStore | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] = EMPTY,
        on_loss: LossPolicy | None = None,
        **settings: Any,
    ) -> AsyncStream:
        """As `Client.stream`: `async with`, `async for`."""
        request = request_of(messages, settings, stream=True)
        turn = turn_of(messages, sessions)
        asked = Asked(self._config, request, headers, timeout, on_loss, turn)
        return AsyncStream(asked, self._transport)

    async def count_tokens(
        self,
        messages: object,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] = EMPTY,
        on_loss: LossPolicy | None = None,
        **settings: Any,
    ) -> int:
        """As `Client.count_tokens`."""
        request = request_of(messages, settings, stream=False)
        asked = Asked(self._config, request, headers, timeout, on_loss)
        return await self._told(counting(asked, now()))

    async def list_models(
        self, *, timeout: float | None = None, headers: Mapping[str, str] = EMPTY
    ) -> tuple[Model, ...]:
        """As `Client.list_models`."""
        found: list[Model] = []
        inquiry: Inquiry[Some] | None = listing(self._config, headers, timeout)
        while inquiry is not None:
            some = await self._told(inquiry)
            found += some.models
            inquiry = some.more
        return tuple(found)

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

    async def _told(self, inquiry: Inquiry[Told]) -> Told:
        attempts = inquiry.attempts(now())
        while True:
            query = inquiry.query(attempts, now())
            try:
                return inquiry.told(await self._transport(attempts.spec).fetch(query))
            except ProviderError as error:
                await wait_async(attempts, error)

    def _transport(self, spec: str) -> AsyncTransport:
        held = self._transports.get(spec)
        if held is None:
            connect = self._config.targets[spec].provider.connect_async
            made = connect(self._config.settings_for(spec))
            held = self._transports.setdefault(spec, made)
        return held


def _again(kind: type[Client | AsyncClient], arguments: dict[str, Any]) -> Any:
    spec, path = arguments.pop("spec"), arguments.pop("path")
    return kind.from_config(spec, path=path, **arguments) if path else kind(spec, **arguments)
