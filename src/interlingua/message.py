"""Message: one participant's turn in a conversation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, cast

import msgspec
from msgspec import Struct, field

from interlingua import fields
from interlingua.errors import MessageError, Problem
from interlingua.fields import Rule
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.parts import (
    Audio,
    Document,
    Image,
    Opaque,
    Part,
    PartBase,
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

Role: TypeAlias = Literal["system", "developer", "user", "assistant", "tool"]
ROLES: tuple[Role, ...] = ("system", "developer", "user", "assistant", "tool")

BELONGS: dict[type[PartBase], str] = {
    Reasoning: "assistant",
    ToolCall: "assistant",
    ToolResult: "tool",
    Refusal: "assistant",
    ServerToolCall: "assistant",
    ServerToolResult: "assistant",
}
"""The one role in which a part makes sense; parts that are not here stand in any but `tool`."""


class Origin(Struct, frozen=True, omit_defaults=True):
    """Where a decoded message came from. Signed and stored data goes back only there."""

    provider: str
    api: str
    model: str | None = None

    rules: ClassVar[dict[str, Rule]] = {
        "provider": fields.filled,
        "api": fields.filled,
        "model": fields.optional(fields.string),
    }

    def __post_init__(self) -> None:
        fields.settle(self, self.rules)


def _origin(value: Any) -> Origin:
    return fields.build(Origin, value) if isinstance(value, Mapping) else _is_origin(value)


_is_origin = fields.instance(Origin)


class Message(Struct, frozen=True, omit_defaults=True, eq=False, dict=True):
    """One participant's turn: a role, and parts in order.

    `content` may be given as a string, a part, a mapping in our own JSON form, or a sequence of
    these; None is no content, `""` one empty text. Two messages are equal when all but `id` and
    `created_at` is. Raises `MessageError`, with every problem of the input.
    """

    role: Role
    content: tuple[Part, ...]
    metadata: FrozenDict = field(default_factory=FrozenDict)
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
        "origin": fields.optional(_origin),
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
            created_at: datetime | None = None,
            origin: Origin | None = None,
            extras: Mapping[str, Any] = EMPTY,
        ) -> None: ...

    def __post_init__(self) -> None:
        fields.settle(self, self.rules)
        if problems := list(_misplaced(self)):
            raise MessageError(problems, "not a Message")

    # -- making one

    @classmethod
    def system(cls, content: object, **about: Any) -> Message:
        """What the model is told before anyone speaks."""
        return _of("system", content, about)

    @classmethod
    def developer(cls, content: object, **about: Any) -> Message:
        """The same, in the word of OpenAI's newer models."""
        return _of("developer", content, about)

    @classmethod
    def user(cls, content: object, **about: Any) -> Message:
        """What the user says, shows and attaches."""
        return _of("user", content, about)

    @classmethod
    def assistant(
        cls, content: object = None, *, tool_calls: Iterable[object] | None = (), **about: Any
    ) -> Message:
        """What the model answers. `tool_calls` come after the content, as parts or mappings."""
        return _of("assistant", (*_listed(content), *map(_call, tool_calls or ())), about)

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
        return _of("tool", ToolResult(tool_call_id, result, name, is_error), about)

    @classmethod
    def coerce(cls, value: object) -> Message:
        """A message as it is; a mapping as one; a string or parts as what the user says."""
        match value:
            case Message():
                return value
            case Mapping() if "role" in value:
                return cls.from_dict(cast("Mapping[str, Any]", value))
            case _:
                return cls.user(value)

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Message:
        """The message that `to_dict` wrote. `tool_calls` and `tool_call_id` are read as well."""
        if not isinstance(value, Mapping):
            raise fields.wrong("a mapping", value)
        return fields.build(Message, _with_shorthands(value))

    @classmethod
    def from_json(cls, text: str | bytes) -> Message:
        """The message that `to_json` wrote."""
        try:
            return cls.from_dict(msgspec.json.decode(text))
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
            raise MessageError.of(f"no JSON: {error}") from None

    @classmethod
    def try_new(cls, value: Mapping[str, Any]) -> tuple[Message | None, tuple[Problem, ...]]:
        """The message and no problems, or None and all of them."""
        try:
            return cls.from_dict(value), ()
        except MessageError as error:
            return None, error.errors

    # -- another one like it

    def replace(self, **changes: Any) -> Message:
        """The same message with other fields."""
        return msgspec.structs.replace(self, **changes)

    def with_metadata(self, **items: Any) -> Message:
        """The same message with more metadata."""
        return self.replace(metadata=self.metadata | items)

    def without_reasoning(self) -> Message:
        """The message without its Reasoning parts; itself when it has none."""
        kept = tuple(part for part in self.content if not isinstance(part, Reasoning))
        return self if len(kept) == len(self.content) else self.replace(content=kept)

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

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: role, content and metadata always, the rest when it is set."""
        return msgspec.json.decode(msgspec.json.encode(self))

    def to_json(self) -> str:
        """The JSON text of `to_dict`."""
        return msgspec.json.encode(self).decode()

    # -- as a value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return self is other or _compared(self) == _compared(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(_compared(self))

    def __copy__(self) -> Message:
        return self

    def __deepcopy__(self, _: Any) -> Message:
        return self


def _of(role: Role, content: object, about: dict[str, Any]) -> Message:
    return Message(role, content, **about)


def _listed(content: object) -> tuple[object, ...]:
    return tuple(cast("Iterable[object]", content)) if isinstance(content, list | tuple) else parts_from(content)


def _call(value: Any) -> object:
    """A tool call from a part, from `{id, name, arguments or input}`, or from OpenAI's own shape."""
    if isinstance(value, PartBase) or not isinstance(value, Mapping):
        return value
    given: dict[str, Any] = {key: item for key, item in _items(value) if key != "type"}
    function = given.pop("function", None)
    if isinstance(function, Mapping):
        given |= dict(_items(function))
    if "input" in given:
        given["arguments"] = given.pop("input")
    return {"type": "tool_call", **given}


def _with_shorthands(value: Mapping[str, Any]) -> dict[str, Any]:
    """The mapping with `tool_calls` and `tool_call_id` moved to the parts they stand for."""
    given = dict(value)
    calls, call_id = given.pop("tool_calls", None), given.pop("tool_call_id", None)
    if calls:
        given["content"] = (*_listed(given.get("content")), *map(_call, calls))
    if call_id is not None and given.get("role") != "tool":
        raise MessageError.of("tool_call_id is only allowed for tool messages", "tool_call_id")
    if call_id is not None:
        result = {"type": "tool_result", "tool_call_id": call_id, "content": given.get("content")}
        given["content"] = (result | {"name": given.pop("name", None)},)
    given.setdefault("content", None)
    return given


def _misplaced(message: Message) -> Iterable[Problem]:
    role = message.role
    for index, part in enumerate(message.content):
        home = BELONGS.get(type(part), role)
        if isinstance(part, ToolResult) and role != "tool":
            yield Problem(f"content[{index}]", "tool_call_id is only allowed for tool messages")
        elif home != role or (role == "tool" and not isinstance(part, ToolResult)):
            kind = type(part).__name__
            yield Problem(f"content[{index}]", f"a {kind} cannot stand in a message of role {role!r}")
    if role == "tool" and not message.content:
        yield Problem("content", "tool_call_id is required for tool messages")


def _placeholder(part: Part) -> str:
    match part:
        case Text() | Refusal():
            return part.text
        case Image() | Audio() | Video():
            kind = type(part).__name__
            return f"[{kind}: {part.url}]" if part.url else f"[{kind}]"
        case Document():
            return f"[File: {part.name or part.url or part.file_id or part.media_type or 'document'}]"
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


def _items(value: Mapping[Any, Any]) -> Iterable[tuple[Any, Any]]:
    return value.items()
