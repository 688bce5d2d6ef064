"""Codecs: one vendor API's JSON, both ways. Pure: no network, no SDK, no clock, no chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

from interlingua.errors import (
    DecodeError,
    MessageError,
    ProviderError,
    StreamInterruptedError,
)
from interlingua.events import Event
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.loss import Loss, LossPolicy
from interlingua.message import Message
from interlingua.request import Request
from interlingua.response import Response
from interlingua.wire import Json, is_object, mended, parse

Read = TypeVar("Read")


class Encoded(Struct, frozen=True, dict=True):
    """A request in one API's JSON: the exact bytes that are sent, and what they do not say."""

    api: str
    content: bytes
    losses: tuple[Loss, ...] = ()
    names: FrozenDict = EMPTY
    """Tools that had to be renamed for this API: the name on the wire → the tool's own."""

    @cached_property
    def body(self) -> Json:
        """The bytes as JSON values."""
        return msgspec.json.decode(self.content)


class Fold(Protocol):
    """Builds, from a stream's events, the JSON that the API would have sent without streaming."""

    def add(self, event: Json) -> Iterable[Event]:
        """Take the vendor's next event; tell what happened. Its errors are `ProviderError`s."""
        ...

    @property
    def complete(self) -> bool:
        """Whether the vendor has said that this is all."""
        ...

    def body(self) -> Json:
        """The answer as far as it has come."""
        ...


class StreamDecoder:
    """Folds a stream into the vendor's own JSON and decodes that: the same answer as unstreamed."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        self._fold = codec.fold()

    def feed(self, event: Mapping[str, Any]) -> tuple[Event, ...]:
        """What the vendor's next event says.

        Raises `ProviderError` when it is an error; its `response` holds what had arrived.
        """
        try:
            return tuple(self._fold.add(event if is_object(event) else dict(event)))
        except ProviderError as error:
            error.response = self.partial()
            raise
        except (MessageError, RecursionError) as error:
            raise unreadable(error, self._codec.api) from None

    def finish(self) -> Response:
        """The whole answer. Raises `StreamInterruptedError`, with what had arrived."""
        if not self._fold.complete:
            raise self.interrupted()
        return self._decoded()

    def interrupted(self) -> StreamInterruptedError:
        """The error that says the stream stopped here."""
        return StreamInterruptedError(
            "the stream stopped before its end: the answer is not whole",
            provider=self._codec.provider,
            response=self.partial(),
        )

    def partial(self) -> Response:
        """What has arrived, as an answer that ended in an error."""
        try:
            return self._decoded().replace(finish_reason="error")
        except (DecodeError, ProviderError):
            nothing = Message("assistant", None)
            return Response(nothing, "error", provider=self._codec.provider, api=self._codec.api)

    def _decoded(self) -> Response:
        try:
            return self._codec.decode(self._fold.body())
        except RecursionError as error:
            raise unreadable(error, self._codec.api) from None


class Codec(Struct, frozen=True):
    """One vendor API's dialect. An adapter supplies the functions; the rest is the same for all."""

    api: str
    provider: str
    encoder: Callable[[Request], Encoded]
    decoder: Callable[[Json], Response]
    importer: Callable[[Json], Request]
    fold: Callable[[], Fold]
    judge: Callable[[int, Mapping[str, str], Any], ProviderError]

    def encode(self, request: Request, losses: LossPolicy = LossPolicy.default) -> Encoded:
        """The request in this API's JSON.

        Raises `LossError` when the policy forbids a loss, `EncodeError` when it cannot be said.
        """
        encoded = self.encoder(request)
        if encoded.losses:
            losses.apply(encoded.losses, self.api)
        return encoded

    def decode(self, body: object) -> Response:
        """The answer that a JSON body is: a mapping, bytes, a string or an SDK's object.

        Raises `DecodeError` for what is no answer, `ProviderError` for an error dressed as one.
        """
        return self._read(self.decoder, parse(body, self.api))

    def decode_request(self, body: object) -> Request:
        """The request that a JSON body of this API is. Raises `DecodeError`."""
        return self._read(self.importer, parse(body, self.api))

    def stream(self) -> StreamDecoder:
        """A decoder for one streamed answer, fed with the JSON of its events."""
        return StreamDecoder(self)

    def decode_error(
        self, status: int, headers: Mapping[str, str], body: object = None
    ) -> ProviderError:
        """The error that an answer other than 2xx is. `body` is JSON or text."""
        lower = {key.lower(): value for key, value in headers.items()}
        return self.judge(status, lower, body)

    def _read(self, read: Callable[[Json], Read], body: Json) -> Read:
        try:
            return _read_or_mended(read, body)
        except (MessageError, RecursionError) as error:
            raise unreadable(error, self.api) from None


def _read_or_mended(read: Callable[[Json], Read], body: Json) -> Read:
    """What is read; lone surrogates, which no value takes, are replaced when there are any."""
    try:
        return read(body)
    except MessageError:
        whole = mended(body)
        if whole == body:
            raise
        return read(whole)


def unreadable(error: MessageError | RecursionError, api: str) -> DecodeError:
    """The error of JSON that no value can hold, or whose reading exhausts the stack."""
    if isinstance(error, RecursionError):
        return DecodeError("nested too deeply", api=api)
    problem = error.errors[0]
    return DecodeError(problem.reason, api=api, path=problem.path)
