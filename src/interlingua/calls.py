"""What a call is made of. Pure: clients do the sending and the waiting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, cast, runtime_checkable

import msgspec
from msgspec import Struct

from interlingua.attempts import Attempts
from interlingua.codec import StreamDecoder
from interlingua.errors import ConfigError, DecodeError, ProviderError
from interlingua.events import Event, PartDone, ToolCallDelta
from interlingua.failures import secret_values
from interlingua.frozen import EMPTY, is_mapping
from interlingua.loss import LossPolicy
from interlingua.message import Message, Origin
from interlingua.parts import Part, ToolCall
from interlingua.provider import Answer, Call
from interlingua.request import Request
from interlingua.response import Response
from interlingua.store import Turn
from interlingua.streaming import malformed
from interlingua.targets import Config
from interlingua.wire import Json

SETTINGS = tuple(
    name for name in Request.__struct_fields__ if name not in ("model", "messages", "stream")
)


class Asked(Struct, frozen=True):
    """One question: the request, and what is set for this call alone."""

    config: Config
    request: Request
    headers: Mapping[str, str]
    timeout: float | None
    on_loss: LossPolicy | None
    turn: Turn | None = None
    """The turn of a stored conversation that it is."""

    def attempts(self, now: float) -> Attempts:
        """The attempts at an answer, none of which has been made."""
        return Attempts(self.config.providers, self.config.retries, now, self.secrets)

    def secrets(self) -> tuple[str, ...]:
        """What nobody may see, should a vendor repeat it."""
        return (*self.config.secrets(), *secret_values(self.headers))

    def call(self, attempts: Attempts, now: float) -> Call:
        """The question in the words of the model that is asked now. Raises `LossError`."""
        aim = self.config.targets[attempts.spec]
        policy = self.on_loss or self.config.on_loss
        request = aim.asked(self.request)
        encoded = aim.provider.encode(request, policy, aim.fact)
        timeout = attempts.left(now, self.timeout or self.config.settings.timeout)
        headers = self.headers if self.config.is_known(attempts.spec) else EMPTY
        return Call(aim.provider, aim.model, encoded, headers, timeout, attempts.until)

    def __repr__(self) -> str:
        return f"Asked({self.config!r})"


def request_of(messages: object, settings: Mapping[str, Any], *, stream: bool) -> Request:
    """The request that a client's arguments stand for.

    Raises `ConfigError` for a misspelt setting.
    """
    for name in settings:
        if name not in SETTINGS:
            from difflib import get_close_matches

            near = get_close_matches(name, SETTINGS, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(SETTINGS)}"
            raise ConfigError(f"no such setting: {name!r}; {hint}")
    return Request("", messages_of(messages), stream=stream, **settings)


def messages_of(value: object) -> tuple[Message, ...]:
    """A conversation from a string, a message, or a sequence of messages, mappings and strings."""
    if isinstance(value, list | tuple):
        return _listed(cast("Iterable[object]", value))
    if isinstance(value, Message | str) or is_mapping(value):
        return (Message.coerce(value),)
    if isinstance(value, ManyMessages):
        return tuple(value.to_messages())
    if isinstance(value, Iterable):
        return _listed(cast("Iterable[object]", value))
    return (Message.coerce(value),)


def _listed(values: Iterable[object]) -> tuple[Message, ...]:
    found: list[Message] = []
    for value in values:
        if isinstance(value, Message):
            found.append(value)
        else:
            found += messages_of(value)
    return tuple(found)


@runtime_checkable
class ManyMessages(Protocol):
    """What stands for several messages, such as a `UserMessage` with its system prompt."""

    def to_messages(self) -> Iterable[Message]: ...


def concluded(call: Call, answer: Answer, attempts: Attempts) -> Response:
    """The response that an answer is. Raises `ProviderError`, also for an answer that is none."""
    try:
        response = call.codec.decode(answer.content)
    except DecodeError as error:
        raise placed(malformed(error), call, answer.headers) from error
    except ProviderError as error:
        raise placed(error, call, answer.headers) from None
    return finished(call, answer.headers, response, attempts)


def finished(
    call: Call, headers: Mapping[str, str], response: Response, attempts: Attempts
) -> Response:
    """The response with what the codec cannot know: who answered, the request's id and losses."""
    candidates = tuple(
        msgspec.structs.replace(one, message=_answered(one.message, call))
        for one in response.candidates
    )
    return response.replace(
        message=_answered(response.message, call),
        candidates=candidates,
        provider=call.provider.name,
        request_id=request_id(headers),
        losses=call.encoded.losses,
        attempts=tuple(attempts.record),
    )


def _answered(message: Message, call: Call) -> Message:
    """The message as from this provider, its calls under the tools' own names."""
    origin, names = message.origin, call.encoded.names
    if origin is not None and origin.provider != call.provider.name:
        message = message.replace(origin=Origin(call.provider.name, origin.api, origin.model))
    if names:
        message = message.replace(content=tuple(_named(part, names) for part in message.content))
    return message


def request_id(headers: Mapping[str, str]) -> str | None:
    """The vendor's name for this request."""
    return headers.get("x-request-id") or headers.get("request-id")


def placed(error: ProviderError, call: Call, headers: Mapping[str, str]) -> ProviderError:
    """The error with what only the call knows."""
    error.provider = call.provider.name
    error.request_id = error.request_id or request_id(headers)
    return error


class Reading:
    """One streamed answer being read."""

    def __init__(self, call: Call, headers: Mapping[str, str], attempts: Attempts) -> None:
        self._call, self._headers, self._attempts = call, headers, attempts
        self._decoder: StreamDecoder = call.codec.stream()
        self._names = call.encoded.names
        self.begun = False
        """Whether the caller has seen an event: from then on nothing is asked again."""

    def told(self, raw: Json) -> Iterable[Event]:
        """The events that the vendor's next one stands for."""
        try:
            events = self._decoder.feed(raw)
        except DecodeError as error:
            raise malformed(error) from error
        if events:
            self.begun = True
        if not self._names:
            return events
        return [_event_named(event, self._names) for event in events]

    def whole(self) -> Response:
        """The answer at the end of the stream.

        Raises `StreamInterruptedError` when it is not whole.
        """
        try:
            return self._finished(self._decoder.finish())
        except DecodeError as error:
            raise malformed(error) from error

    def partial(self) -> Response:
        """What has come so far, as an answer that ended in an error."""
        return self._finished(self._decoder.partial())

    def failed(self, error: ProviderError) -> ProviderError:
        """The error with what had arrived."""
        error.response = self.partial()
        return placed(self._attempts.veiled(error), self._call, self._headers)

    def _finished(self, response: Response) -> Response:
        return finished(self._call, self._headers, response, self._attempts)


def _event_named(event: Event, names: Mapping[str, str]) -> Event:
    """The event with the tool's own name, where the API could not take it."""
    match event:
        case ToolCallDelta(index, id, str(name), arguments) if name in names:
            return ToolCallDelta(index, id, names[name], arguments)
        case PartDone():
            return PartDone(event.index, _named(event.part, names))
        case _:
            return event


def _named(part: Part, names: Mapping[str, str]) -> Part:
    if isinstance(part, ToolCall) and part.name in names:
        return part.replace(name=names[part.name])
    return part
