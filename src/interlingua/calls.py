"""What a call is made of. Pure: clients do the sending and the waiting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, cast

import msgspec
from msgspec import Struct

from interlingua.attempts import Attempts, Retries
from interlingua.codec import StreamDecoder
from interlingua.errors import ConfigError, DecodeError, ProviderError
from interlingua.events import Event, PartDone, ToolCallDelta
from interlingua.loss import LossPolicy
from interlingua.message import Message, Origin
from interlingua.parts import Part, ToolCall
from interlingua.provider import Answer, Call, Provider, Settings
from interlingua.registry import provider
from interlingua.request import Request
from interlingua.response import Response
from interlingua.streaming import malformed
from interlingua.wire import Json

SETTINGS = tuple(
    name for name in Request.__struct_fields__ if name not in ("model", "messages", "stream")
)


class Target(Struct, frozen=True):
    """A model at a provider."""

    provider: Provider
    model: str


def target(spec: str) -> Target:
    """The model that `provider:model` names; `provider` alone is its default model.

    Raises `ConfigError` for a name that nobody has.
    """
    name, _, model = spec.partition(":")
    found = provider(name)
    if not (model or found.default_model):
        raise ConfigError(f"{spec!r} names no model; write '{name}:MODEL'")
    return Target(found, model or found.default_model or "")


class Config(Struct, frozen=True):
    """What a client was made with."""

    targets: dict[str, Target]
    """Whom to ask, by name, in order: the model itself, then its fallbacks."""
    settings: Settings
    retries: Retries
    on_loss: LossPolicy

    @property
    def spec(self) -> str:
        return next(iter(self.targets))

    def settings_for(self, spec: str) -> Settings:
        """Keys and addresses belong to the first model; its fallbacks have only the timeout in common."""
        return self.settings if spec == self.spec else Settings(timeout=self.settings.timeout)

    def attempts(self, now: float) -> Attempts:
        return Attempts(tuple(self.targets), self.retries, now)

    def without_secrets(self) -> dict[str, Any]:
        """The arguments that make this client again, where the environment has its key."""
        return {
            "spec": self.spec,
            "base_url": self.settings.base_url,
            "timeout": self.settings.timeout,
            "max_retries": self.retries.most,
            "deadline": self.retries.deadline,
            "on_loss": self.on_loss,
            "fallback": tuple(self.targets)[1:],
        }

    def __repr__(self) -> str:
        shown = self.without_secrets()
        del shown["spec"], shown["on_loss"]
        rest = [f"{name}={value!r}" for name, value in shown.items() if value not in (None, ())]
        return ", ".join([repr(self.spec), *rest])


class Asked(Struct, frozen=True):
    """One question: the request, and what is set for this call alone."""

    config: Config
    request: Request
    headers: Mapping[str, str]
    timeout: float | None
    on_loss: LossPolicy | None

    def call(self, attempts: Attempts, now: float) -> Call:
        """The question in the words of the model that is asked now. Raises `LossError`."""
        aim = self.config.targets[attempts.spec]
        policy = self.on_loss or self.config.on_loss
        wanted, losses = aim.provider.prepare(self.request.replace(model=aim.model))
        encoded = aim.provider.codec.encode(wanted, policy)
        if losses:
            policy.apply(losses, aim.provider.name)
            encoded = msgspec.structs.replace(encoded, losses=(*losses, *encoded.losses))
        timeout = attempts.left(now, self.timeout or self.config.settings.timeout)
        return Call(aim.provider, aim.model, encoded, self.headers, timeout)


def request_of(messages: object, settings: Mapping[str, Any], *, stream: bool) -> Request:
    """The request that a client's arguments stand for. Raises `ConfigError` for a misspelt setting."""
    for name in settings:
        if name not in SETTINGS:
            near = get_close_matches(name, SETTINGS, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(SETTINGS)}"
            raise ConfigError(f"no such setting: {name!r}; {hint}")
    return Request("", messages_of(messages), stream=stream, **settings)


def messages_of(value: object) -> tuple[Message, ...]:
    """A conversation from a string, a message, or a sequence of messages, mappings and strings."""
    if isinstance(value, str | Message | Mapping):
        return (Message.coerce(value),)
    if hasattr(value, "to_messages"):
        return tuple(cast("Any", value).to_messages())
    if isinstance(value, Iterable):
        return tuple(map(Message.coerce, cast("Iterable[object]", value)))
    return (Message.coerce(value),)


def concluded(call: Call, answer: Answer, attempts: Attempts) -> Response:
    """The response that an answer is. Raises `ProviderError`, also for an answer that is none."""
    try:
        response = call.provider.codec.decode(answer.content)
    except DecodeError as error:
        raise placed(malformed(error), call, answer.headers) from error
    except ProviderError as error:
        raise placed(error, call, answer.headers) from None
    return finished(call, answer.headers, response, attempts)


def finished(
    call: Call, headers: Mapping[str, str], response: Response, attempts: Attempts
) -> Response:
    """The response with what the codec cannot know: who answered, the request's id and losses."""
    message, names = response.message, call.encoded.names
    origin = message.origin
    if origin is not None and origin.provider != call.provider.name:
        message = message.replace(origin=Origin(call.provider.name, origin.api, origin.model))
    if names:
        message = message.replace(content=tuple(_named(part, names) for part in message.content))
    return response.replace(
        message=message,
        provider=call.provider.name,
        request_id=request_id(headers),
        losses=call.encoded.losses,
        attempts=tuple(attempts.record),
    )


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
        self._decoder: StreamDecoder = call.provider.codec.stream()
        self._names = call.encoded.names
        self.begun = False
        """Whether the caller has seen an event: from then on nothing is asked again."""

    def told(self, raw: Json) -> Iterable[Event]:
        """The events that the vendor's next one stands for."""
        events = self._decoder.feed(raw)
        if events:
            self.begun = True
        if not self._names:
            return events
        return [_event_named(event, self._names) for event in events]

    def whole(self) -> Response:
        """The answer at the end of the stream. Raises `StreamInterruptedError` when it is not whole."""
        return self._finished(self._decoder.finish())

    def partial(self) -> Response:
        """What has come so far, as an answer that ended in an error."""
        return self._finished(self._decoder.partial())

    def failed(self, error: ProviderError) -> ProviderError:
        """The error with what had arrived."""
        error.response = self.partial()
        return placed(error, self._call, self._headers)

    def _finished(self, response: Response) -> Response:
        return finished(self._call, self._headers, response, self._attempts)


def _event_named(event: Event, names: Mapping[str, str]) -> Event:
    """The event with the tool's own name, where the API could not take it."""
    match event:
        case ToolCallDelta() if event.name in names:
            return ToolCallDelta(event.index, event.id, names[event.name], event.arguments)
        case PartDone():
            return PartDone(event.index, _named(event.part, names))
        case _:
            return event


def _named(part: Part, names: Mapping[str, str]) -> Part:
    if isinstance(part, ToolCall) and part.name in names:
        return part.replace(name=names[part.name])
    return part
