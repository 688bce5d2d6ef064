"""Message: one participant's turn in a conversation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from msgspec import field

from interlingua import fields
from interlingua.errors import MessageError, Problem
from interlingua.fields import Rule
from interlingua.frozen import EMPTY, FrozenDict, is_array, is_mapping
from interlingua.jsonable import json_text
from interlingua.parts import (
    Audio,
    Document,
    Image,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    ServerToolCall,
    ServerToolResult,
    Text,
    ToolCall,
    ToolResult,
    Video,
    parts_from,
)
from interlingua.shorthands import ONLY_TOOL, spelt_out
from interlingua.value import Value, instance

if TYPE_CHECKING:
    from interlingua.legacy_export import LegacyItem

Role: TypeAlias = Literal["system", "developer", "user", "assistant", "tool"]
ROLES: tuple[Role, ...] = ("system", "developer", "user", "assistant", "tool")

NO_RESULT = "tool_call_id is required for tool messages; use Message.tool(tool_call_id, result)"

ANYWHERE = frozenset({Text, Image, Audio, Video, Document, Opaque})
ANSWERED = ANYWHERE | {Reasoning, ToolCall, Refusal, ServerToolCall, ServerToolResult}

HOLDS: dict[Role, frozenset[type[Part]]] = {
    "system": ANYWHERE,
    "developer": ANYWHERE,
    "user": ANYWHERE,
    "assistant": ANSWERED,
    "tool": frozenset({ToolResult}),
}
"""The parts that a message of each role may hold."""


class Origin(Value, frozen=True, omit_defaults=True):
    """Where a decoded message came from. Signed and stored data goes back only there."""

    provider: str
    api: str
    model: str | None = None

    rules: ClassVar[dict[str, Rule]] = {
        "provider": fields.filled,
        "api": fields.filled,
        "model": fields.optional(fields.string),
    }


class Message(Value, frozen=True, omit_defaults=True, eq=False, dict=True):
    """One participant's turn: a role, and parts in order.

    `content` may be given as a string, a part, a mapping in our own JSON form, or a sequence of
    these; None is no content, `""` one empty text. Two messages are equal when all but `id` and
    `created_at` is. Raises `MessageError`, with every problem of the input.
    """

    role: Role
    # By factories, since what is a plain default is left out of the JSON.
    content: tuple[Part, ...] = field(default_factory=lambda: ())
    metadata: FrozenDict = field(default_factory=lambda: EMPTY)
    """The application's own JSON data; no vendor sees it."""
    name: str | None = None
    id: str | None = None
    created_at: datetime | None = None
    origin: Origin | None = None
    extras: FrozenDict = EMPTY
    """A vendor's fields of the whole turn that have no home here, by API."""

    rules: ClassVar[dict[str, Rule]] = {
        "role": fields.one_of(*ROLES),
        "content": parts_from,
        "metadata": fields.json_object,
        "name": fields.optional(fields.string),
        "id": fields.optional(fields.string),
        "created_at": fields.optional(fields.moment),
        "origin": fields.optional(instance(Origin)),
        "extras": fields.extras,
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            role: Role,
            content: object = None,
            metadata: Mapping[str, Any] | None = None,
            name: str | None = None,
            id: str | None = None,
            created_at: datetime | str | None = None,
            origin: Origin | Mapping[str, Any] | None = None,
            extras: Mapping[str, Any] = EMPTY,
        ) -> None: ...

    def __post_init__(self) -> None:
        fields.settle(self, self.rules)
        kinds = set(map(type, self.content))
        if not kinds <= HOLDS[self.role] or (self.role == "tool" and not kinds):
            raise MessageError(_misplaced(self), "not a Message")

    # -- making one

    @classmethod
    def system(cls, content: object, **about: Any) -> Message:
        """What the model is told before anyone speaks."""
        return Message("system", content, **about)

    @classmethod
    def developer(cls, content: object, **about: Any) -> Message:
        """The same, in the word of OpenAI's newer models."""
        return Message("developer", content, **about)

    @classmethod
    def user(cls, content: object, **about: Any) -> Message:
        """What the user says, shows and attaches."""
        return Message("user", content, **about)

    @classmethod
    def assistant(
        cls, content: object = None, *, tool_calls: Iterable[object] | None = (), **about: Any
    ) -> Message:
        """What the model answers. `tool_calls` come after the content, as parts or mappings."""
        if not tool_calls:
            return Message("assistant", content, **about)
        return _read(dict(role="assistant", content=content, tool_calls=tool_calls, **about))

    @classmethod
    def tool(
        cls,
        tool_call_id: str,
        result: object,
        *,
        name: str | None = None,
        is_error: bool = False,
        **about: Any,
    ) -> Message:
        """What a tool gave: a string, parts, or any value that has a JSON form."""
        if result is None or (is_array(result) and not result):
            result = json_text(result)
        given = dict(tool_call_id=tool_call_id, name=name, is_error=is_error, **about)
        return _read(dict(role="tool", content=result, **given))

    @classmethod
    def coerce(cls, value: object) -> Message:
        """A message as it is; a mapping as one; a string or parts as what the user says."""
        if isinstance(value, Message):
            return value
        if is_mapping(value) and "type" not in value:
            return _read(value)
        if value is None:
            raise fields.wrong("a message, a mapping, a string or parts", value)
        return Message("user", value)

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Message:
        """The message that `to_dict` wrote. `tool_calls` and `tool_call_id` are read as well."""
        return _read(value)

    @classmethod
    def from_legacy(cls, item: object) -> Message:
        """The message that a legacy tuple is, such as `("user_prompt", "Hello")`."""
        from interlingua.legacy import message_from_legacy

        return message_from_legacy(item)

    @classmethod
    def try_new(cls, value: Mapping[str, Any]) -> tuple[Message | None, tuple[Problem, ...]]:
        """The message and no problems, or None and all of them."""
        try:
            return _read(value), ()
        except MessageError as error:
            return None, error.errors

    # -- another one like it

    def with_metadata(self, **items: Any) -> Message:
        """The same message with more metadata."""
        return self.replace(metadata=self.metadata | items)

    def without_reasoning(self) -> Message:
        """The message without its Reasoning parts; itself when it has none."""
        kept = tuple(part for part in self.content if not isinstance(part, Reasoning))
        return self if len(kept) == len(self.content) else self.replace(content=kept)

    def to_legacy(self) -> LegacyItem:
        """The legacy tuple that says all of it; raises `LegacyFormatError` when none does."""
        from interlingua.legacy_export import message_to_legacy

        return message_to_legacy(self)

    # -- looking at it

    @property
    def text(self) -> str:
        """The visible text: no reasoning, no tools, no placeholders."""
        return "".join(part.text for part in self.content if isinstance(part, Text))

    def to_text(self) -> str:
        """Everything as text: `[Image: url]`, `[File: name]`, `[Thinking: …]` for what is none."""
        return "".join(map(_placeholder, self.content))

    def __str__(self) -> str:
        return self.text

    @property
    def reasoning(self) -> str:
        """What the model thought, or the summary of it, as far as it is shown."""
        thoughts = [part for part in self.content if isinstance(part, Reasoning)]
        return "".join(one.text or "\n\n".join(one.summary) for one in thoughts)

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        return tuple(part for part in self.content if isinstance(part, ToolCall))

    @property
    def tool_results(self) -> tuple[ToolResult, ...]:
        return tuple(part for part in self.content if isinstance(part, ToolResult))

    @property
    def tool_call_id(self) -> str | None:
        """The id of the call this answers, when it answers exactly one."""
        results = self.tool_results
        return results[0].tool_call_id if len(results) == 1 else None

    @property
    def is_system(self) -> bool:
        return self.role == "system"

    @property
    def is_developer(self) -> bool:
        return self.role == "developer"

    @property
    def is_user(self) -> bool:
        return self.role == "user"

    @property
    def is_assistant(self) -> bool:
        return self.role == "assistant"

    @property
    def is_tool(self) -> bool:
        return self.role == "tool"

    @property
    def has_tool_calls(self) -> bool:
        return any(isinstance(part, ToolCall) for part in self.content)

    @property
    def is_tool_related(self) -> bool:
        """Whether it calls a tool or answers a call."""
        return any(isinstance(part, ToolCall | ToolResult) for part in self.content)

    # -- as a value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return self is other or _compared(self) == _compared(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(_compared(self))


def _read(value: object) -> Message:
    if not is_mapping(value):
        raise fields.wrong("a mapping", value)
    return fields.build(Message, *spelt_out(value))


def _misplaced(message: Message) -> Iterable[Problem]:
    role = message.role
    if role == "tool" and not message.content:
        yield Problem("content", NO_RESULT)
    for index, part in enumerate(message.content):
        if type(part) in HOLDS[role]:
            continue
        if isinstance(part, ToolResult):
            reason = ONLY_TOOL
        elif role == "tool":
            reason = NO_RESULT
        else:
            kind = fields.article(type(part).__name__)
            reason = f"{kind} cannot stand in a message of role {role!r}, only of 'assistant'"
        yield Problem(f"content[{index}]", reason)


def _placeholder(part: Part) -> str:
    match part:
        case Text() | Refusal():
            return part.text
        case Image() | Audio() | Video():
            kind = type(part).__name__
            return f"[{kind}: {part.url}]" if part.url else f"[{kind}]"
        case Document():
            return (
                f"[File: {part.name or part.url or part.file_id or part.media_type or 'document'}]"
            )
        case Reasoning():
            return f"[Thinking: {part.text or ' '.join(part.summary)}]"
        case ToolResult():
            return "".join(map(_placeholder, part.content))
        case ToolCall() | ServerToolCall() | ServerToolResult() | Opaque():
            return ""


def _compared(message: Message) -> tuple[object, ...]:
    """What makes two messages the same: everything but `id` and `created_at`."""
    return (
        *(message.role, message.content, message.name),
        *(message.metadata, message.origin, message.extras),
    )
