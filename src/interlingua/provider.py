"""The port: what an adapter supplies so that clients can call a vendor."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from interlingua.codec import Codec, Encoded
from interlingua.errors import ConfigError
from interlingua.facts import Fact, Facts, applied, elsewhere, unknown
from interlingua.failures import redacted
from interlingua.frozen import EMPTY
from interlingua.hidden import USER, in_address, in_options, long_enough
from interlingua.loss import Loss, LossPolicy
from interlingua.models import Catalog, Question
from interlingua.request import Request
from interlingua.wire import Json, dump


class Settings(Struct, frozen=True):
    """How to reach a vendor. What is None or empty is left to its SDK and the environment."""

    api_key: str | None = None
    base_url: str | None = None
    headers: Mapping[str, str] = EMPTY
    timeout: float | None = None
    """Seconds until the first byte, and between stream events."""
    options: Mapping[str, Any] = EMPTY
    """Further arguments of the vendor's own client class, as it names them."""
    hidden: tuple[str, ...] = ()
    """What is secret in them although its name does not say so."""

    def __post_init__(self) -> None:
        if self.base_url and not self.base_url.lower().startswith(("http://", "https://")):
            shown = redacted(self.base_url.rpartition("@")[2])
            raise ConfigError(
                f"base_url={shown!r} has no protocol; write it whole, as in "
                "'http://localhost:8080/v1' or 'https://api.example.org/v1'",
                option="base_url",
            )

    @property
    def address(self) -> str | None:
        """`base_url` without what is secret in it."""
        return self.base_url and redacted(USER.sub("", self.base_url))

    @property
    def secrets(self) -> tuple[str, ...]:
        """What nobody may see, should a vendor repeat it."""
        given = (self.api_key or "", *self.hidden, *in_address(self.base_url or ""))
        return long_enough((*given, *in_options(self.headers), *in_options(self.options)))

    def plain_options(self) -> dict[str, Any]:
        """The options that hold no secret. Raises `ConfigError` for one that is no plain data."""
        return {name: value for name, value in self.options.items() if not _is_secret(name, value)}

    def __repr__(self) -> str:
        return f"Settings(base_url={self.address!r}, timeout={self.timeout!r})"


def _is_secret(name: str, value: object) -> bool:
    try:
        held = msgspec.to_builtins(value, enc_hook=os.fspath)
    except TypeError:
        raise ConfigError(
            f"this client cannot be pickled: its option {name!r} is no plain data; "
            "make the client anew where you need it"
        ) from None
    return any(in_options({name: held})) or redacted(held) != held


class Answer(Struct, frozen=True):
    """A vendor's 2xx answer: its bytes and its headers in lower case."""

    content: bytes
    headers: Mapping[str, str] = EMPTY


class Events(Protocol):
    """An open answer. Iterating gives the JSON of its events; errors are `ProviderError`s."""

    @property
    def headers(self) -> Mapping[str, str]: ...

    def __iter__(self) -> Iterator[Json]: ...

    def close(self) -> None:
        """Drop the connection at once."""
        ...


class AsyncEvents(Protocol):
    """An open answer, read asynchronously."""

    @property
    def headers(self) -> Mapping[str, str]: ...

    def events(self) -> AsyncGenerator[Json, None]: ...

    async def close(self) -> None:
        """Drop the connection at once."""
        ...


class Transport(Protocol):
    """A vendor's synchronous SDK client, reduced to what is needed. Raises `ProviderError`s."""

    def send(self, call: Call) -> Answer: ...

    def stream(self, call: Call) -> Events: ...

    def fetch(self, query: Query) -> Answer: ...

    def close(self) -> None: ...


class AsyncTransport(Protocol):
    """The same, asynchronous."""

    async def send(self, call: Call) -> Answer: ...

    async def stream(self, call: Call) -> AsyncEvents: ...

    async def fetch(self, query: Query) -> Answer: ...

    async def close(self) -> None: ...


def _as_it_is(request: Request, _: str) -> tuple[Request, list[Loss]]:
    return request, []


def _as_they_are(settings: Settings) -> Settings:
    return settings


class Provider(Struct, frozen=True):
    """A vendor, or the way to one: the API it speaks and how to connect, which loads its SDK.

    `connect` raises `ConfigError` when the SDK is not installed or a setting is missing.
    """

    name: str
    codec: Codec
    connect: Callable[[Settings], Transport]
    connect_async: Callable[[Settings], AsyncTransport]
    default_model: str | None = None
    prepare: Callable[[Request, str], tuple[Request, list[Loss]]] = _as_it_is
    """What it makes of a request, given its own name, before that is encoded; and the losses."""
    catalog: Catalog | None = None
    """How it is asked for its models and for counts of tokens; None where it cannot be."""
    reach: Callable[[Settings], Settings] = _as_they_are
    """What `connect` is given, of a client's settings. Raises `ConfigError`."""
    facts: Facts = unknown
    """What is known of its models."""
    responses: Provider | None = None
    """The provider whose API takes what a model refuses here, over the same connection."""

    def encode(self, request: Request, policy: LossPolicy, fact: Fact | None) -> Encoded:
        """The request as it is sent, with the losses on the way; `fact` is what the model refuses.

        Raises `LossError` when the policy forbids a loss, `EncodeError` when it cannot be said.
        """
        losses: list[Loss] = []
        way = self
        if fact is not None:
            request, losses = applied(fact, request, self.codec.api)
            if self.responses and (moved := elsewhere(fact, request)):
                way = self.responses
                losses.append(moved)
        wanted, more = way.prepare(request, self.name)
        encoded = way.codec.encode(wanted, policy)
        losses += more
        if not losses:
            return encoded
        policy.apply(losses, self.name)
        return msgspec.structs.replace(encoded, losses=(*losses, *encoded.losses))

    def speaking(self, api: str) -> Codec:
        """The codec of an API that a request was encoded for."""
        if self.responses and self.responses.codec.api == api:
            return self.responses.codec
        return self.codec


class Call(Struct, frozen=True):
    """One call: whom it goes to, the exact bytes, and what is set for this call alone."""

    provider: Provider
    model: str
    encoded: Encoded
    headers: Mapping[str, str] = EMPTY
    timeout: float | None = None
    until: float | None = None
    """When the answer must be whole, by `time.monotonic()`."""

    @property
    def codec(self) -> Codec:
        """What reads the answer."""
        return self.provider.speaking(self.encoded.api)

    def __repr__(self) -> str:
        return f"Call({self.provider.name!r}, {self.model!r})"


class Query(Struct, frozen=True):
    """A question that goes to no model, and what is set for it alone."""

    provider: Provider
    question: Question
    headers: Mapping[str, str] = EMPTY
    timeout: float | None = None
    until: float | None = None
    """When the answer must be whole, by `time.monotonic()`."""

    @property
    def content(self) -> bytes | None:
        """The question's body as it is sent."""
        return None if self.question.body is None else dump(self.question.body)

    def __repr__(self) -> str:
        return f"Query({self.provider.name!r}, {self.question.path!r})"


@contextmanager
def needs(package: str, extra: str) -> Generator[None]:
    """Say which extra is missing when an import inside fails."""
    try:
        yield
    except ImportError as error:
        raise ConfigError(
            f"{package} cannot be imported ({error}); "
            f"install it: pip install 'interlingua[{extra}]'"
        ) from error
