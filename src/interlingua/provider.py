"""The port: what an adapter supplies so that clients can call a vendor."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any, Protocol

from msgspec import Struct

from interlingua.codec import Codec, Encoded
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.wire import Json


class Settings(Struct, frozen=True):
    """How to reach a vendor. What is None or empty is left to the vendor's SDK and its environment."""

    api_key: str | None = None
    base_url: str | None = None
    headers: Mapping[str, str] = EMPTY
    timeout: float | None = None
    """Seconds until the first byte, and between stream events."""
    options: Mapping[str, Any] = EMPTY
    """Further arguments of the vendor's own client class, as it names them."""

    def __repr__(self) -> str:
        return f"Settings(base_url={self.base_url!r}, timeout={self.timeout!r})"


class Call(Struct, frozen=True):
    """One call: the model and the exact bytes, and what is set for this call alone."""

    model: str
    encoded: Encoded
    headers: Mapping[str, str] = EMPTY
    timeout: float | None = None


class Answer(Struct, frozen=True):
    """A vendor's 2xx answer: its bytes and its headers in lower case."""

    content: bytes
    headers: Mapping[str, str] = EMPTY


class Stream(Protocol):
    """An open answer. Iterating gives the JSON of its events; errors are `ProviderError`s."""

    headers: Mapping[str, str]

    def __iter__(self) -> Iterator[Json]: ...

    def close(self) -> None:
        """Drop the connection at once."""
        ...


class AsyncStream(Protocol):
    """An open answer, read asynchronously."""

    headers: Mapping[str, str]

    def __aiter__(self) -> AsyncIterator[Json]: ...

    async def close(self) -> None:
        """Drop the connection at once."""
        ...


class Transport(Protocol):
    """A vendor's synchronous SDK client, reduced to what is needed. Raises `ProviderError`s only."""

    def send(self, call: Call) -> Answer: ...

    def stream(self, call: Call) -> Stream: ...

    def close(self) -> None: ...


class AsyncTransport(Protocol):
    """The same, asynchronous."""

    async def send(self, call: Call) -> Answer: ...

    async def stream(self, call: Call) -> AsyncStream: ...

    async def close(self) -> None: ...


class Provider(Struct, frozen=True):
    """A vendor, or the way to one: the API it speaks and how to connect. Loads its SDK on connecting.

    `connect` raises `ConfigError` when the SDK is not installed or a setting is missing.
    """

    name: str
    codec: Codec
    connect: Callable[[Settings], Transport]
    connect_async: Callable[[Settings], AsyncTransport]
    default_model: str | None = None
    streaming: FrozenDict = EMPTY
    """Parameters of the API that a streamed request should have, such as asking for usage."""
