"""Response: the one value that decoders make."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Struct

from interlingua import fields
from interlingua.errors import DecodeError, MessageError
from interlingua.fields import Rule
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.loss import Loss
from interlingua.message import Message
from interlingua.parts import ToolCall
from interlingua.value import Value, instance

FinishReason: TypeAlias = Literal[
    "stop", "length", "tool_calls", "content_filter", "refusal", "pause", "error", "other"
]
FINISH_REASONS: tuple[FinishReason, ...] = get_args(FinishReason)


class Usage(Value, frozen=True, omit_defaults=True):
    """Tokens. Input counts all of the prompt, output all that was generated; None is unknown.

    Cache reads and writes are part of the input, reasoning is part of the output.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None
    details: FrozenDict = EMPTY
    """What else the vendor counted, in its own words."""

    rules: ClassVar[dict[str, Rule]] = {
        "input_tokens": fields.optional(fields.integer),
        "output_tokens": fields.optional(fields.integer),
        "cache_read_tokens": fields.optional(fields.integer),
        "cache_write_tokens": fields.optional(fields.integer),
        "reasoning_tokens": fields.optional(fields.integer),
        "details": fields.json_object,
    }

    @property
    def total_tokens(self) -> int | None:
        """Input and output together; None when one of them is unknown."""
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        """The sum; a count is unknown when it is unknown in both. Details are not added."""
        return Usage(
            _sum(self.input_tokens, other.input_tokens),
            _sum(self.output_tokens, other.output_tokens),
            _sum(self.cache_read_tokens, other.cache_read_tokens),
            _sum(self.cache_write_tokens, other.cache_write_tokens),
            _sum(self.reasoning_tokens, other.reasoning_tokens),
        )


NO_USAGE = Usage()

Record = TypeVar("Record", Loss, "Attempt")


class Candidate(Value, frozen=True, omit_defaults=True):
    """One of several answers to the same request."""

    message: Message
    finish_reason: FinishReason
    raw_finish_reason: str | int | None = None

    rules: ClassVar[dict[str, Rule]] = {
        "message": instance(Message),
        "finish_reason": fields.one_of(*FINISH_REASONS),
        "raw_finish_reason": fields.optional(lambda value: _raw(value)),
    }

    @property
    def text(self) -> str:
        return self.message.text


class Attempt(Struct, frozen=True):
    """A call that failed before another one succeeded."""

    model: str
    """Whom it went to: `provider:model`."""
    error: str
    """The error's class."""
    message: str
    status: int | None = None


class Response(Value, frozen=True, omit_defaults=True):
    """A model's answer: the message, why it ended, what it cost, and what was lost on the way."""

    message: Message
    finish_reason: FinishReason
    raw_finish_reason: str | int | None = None
    """The vendor's own word, or its number where the vendor sends that."""
    usage: Usage = NO_USAGE
    model: str | None = None
    id: str | None = None
    provider: str = ""
    api: str = ""
    request_id: str | None = None
    candidates: tuple[Candidate, ...] = ()
    """Every answer, the first one too, when the vendor gave several."""
    losses: tuple[Loss, ...] = ()
    """What the request could not say to this vendor."""
    attempts: tuple[Attempt, ...] = ()
    """The calls that failed before this one."""
    raw: FrozenDict = EMPTY
    """The vendor's JSON, whole."""

    rules: ClassVar[dict[str, Rule]] = {
        "message": instance(Message),
        "finish_reason": fields.one_of(*FINISH_REASONS),
        "raw_finish_reason": fields.optional(lambda value: _raw(value)),
        "usage": instance(Usage),
        "model": fields.optional(fields.string),
        "id": fields.optional(fields.string),
        "provider": fields.string,
        "api": fields.string,
        "request_id": fields.optional(fields.string),
        "candidates": fields.each(instance(Candidate)),
        "losses": fields.each(lambda value: _record(Loss, value)),
        "attempts": fields.each(lambda value: _record(Attempt, value)),
        "raw": fields.json_object,
    }

    @property
    def text(self) -> str:
        """The visible text of the message."""
        return self.message.text

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        return self.message.tool_calls

    @property
    def parsed(self) -> Any:
        """The JSON value that the text is. Raises `DecodeError` when it is none."""
        try:
            return msgspec.json.decode(self.text)
        except (msgspec.DecodeError, RecursionError) as error:
            raise DecodeError(f"the answer is no JSON ({error})", api=self.api) from None


def _record(kind: type[Record], value: object) -> Record:
    """A record of strings and numbers, or one from a mapping."""
    if isinstance(value, kind):
        return value
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise MessageError.of(str(error)) from None


def _sum(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return one + other


def _raw(value: Any) -> str | int:
    return value if type(value) is int else fields.string(value)
