"""The parts a message is made of.

    Text  Refusal                       what is read
    Image  Audio  Video  Document       media: by `url`, `data` or `file_id`
    Reasoning                           what the model thought
    ToolCall  ToolResult                a tool the caller runs, and what it gave
    ServerToolCall  ServerToolResult    a tool the vendor ran, and what it gave
    Opaque                              what is newer than this library

Every part is frozen, hashable and compared by content, and checks its fields when it is made:
`MessageError` names all that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeGuard, get_args

import msgspec
from msgspec.structs import force_setattr

from interlingua import fields
from interlingua.attachments import Audio, Document, Image, Video
from interlingua.errors import MessageError, Problem
from interlingua.fields import Rule
from interlingua.frozen import EMPTY, FrozenDict, is_array, is_mapping
from interlingua.jsonable import json_text
from interlingua.part import PartBase, conflict


class Text(PartBase, frozen=True, tag="text"):
    """Text for the reader, with what it cites."""

    text: str
    citations: tuple[FrozenDict, ...] = ()
    """The vendor's own citation objects."""

    rules: ClassVar[dict[str, Rule]] = {
        "text": fields.string,
        "citations": fields.each(fields.json_object),
        "extras": fields.extras,
    }


class Reasoning(PartBase, frozen=True, tag="reasoning"):
    """What the model thought, as far as it shows it."""

    text: str = ""
    signature: str | None = None
    """The vendor's seal, or its encrypted form. Goes back only to the API it came from."""
    redacted: str | None = None
    """Thought that the vendor shows only in encrypted form."""
    summary: tuple[str, ...] = ()

    rules: ClassVar[dict[str, Rule]] = {
        "text": fields.string,
        "signature": fields.optional(fields.string),
        "redacted": fields.optional(fields.string),
        "summary": fields.each(fields.string),
        "extras": fields.extras,
    }

    def __post_init__(self) -> None:
        fields.settle(self, self.rules)
        if self.redacted is not None and self.text:
            raise conflict(self, "redacted", "cannot stand beside text")

    def replace(self, **changes: Any) -> Reasoning:
        """The same thought with other fields; changed words lose the signature that sealed them."""
        if changes.keys() & {"text", "summary"}:
            changes.setdefault("signature", None)
        return super().replace(**changes)


class ToolCall(PartBase, frozen=True, tag="tool_call"):
    """The model asks for a tool to be run. `arguments` may be given as JSON text."""

    id: str
    name: str
    arguments: FrozenDict = EMPTY
    raw_arguments: str | None = None
    """The vendor's exact text, and what goes back to it."""

    rules: ClassVar[dict[str, Rule]] = {
        "id": fields.filled,
        "name": fields.filled,
        "raw_arguments": fields.optional(fields.string),
        "arguments": fields.json_object,
        "extras": fields.extras,
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            id: str,
            name: str,
            arguments: Mapping[str, Any] | str | None = None,
            raw_arguments: str | None = None,
            *,
            extras: Mapping[str, Any] = EMPTY,
        ) -> None: ...

    def __post_init__(self) -> None:
        given: object = self.arguments
        if isinstance(given, str):
            force_setattr(self, "raw_arguments", given)
            force_setattr(self, "arguments", EMPTY)
        fields.settle(self, self.rules)
        if self.raw_arguments and not self.arguments:
            force_setattr(self, "arguments", read_arguments(self.raw_arguments) or EMPTY)

    def replace(self, **changes: Any) -> ToolCall:
        """The same call with other fields; changed arguments lose the text they were read from."""
        if "arguments" in changes:
            changes.setdefault("raw_arguments", None)
        return super().replace(**changes)

    @property
    def is_valid(self) -> bool:
        """Whether the vendor's argument text is a JSON object (or empty)."""
        return (
            bool(self.arguments)
            or self.raw_arguments is None
            or not self.raw_arguments.strip()
            or read_arguments(self.raw_arguments) is not None
        )


class ToolResult(PartBase, frozen=True, tag="tool_result"):
    """What a tool gave. `content` may be given as a string, a part or any JSON value."""

    tool_call_id: str
    content: tuple[Part, ...] = ()
    name: str | None = None
    is_error: bool = False

    rules: ClassVar[dict[str, Rule]] = {
        "tool_call_id": fields.filled,
        "content": lambda value: result_parts(value),
        "name": fields.optional(fields.string),
        "is_error": fields.flag,
        "extras": fields.extras,
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            tool_call_id: str,
            content: object = (),
            name: str | None = None,
            is_error: bool = False,
            *,
            extras: Mapping[str, Any] = EMPTY,
        ) -> None: ...

    @property
    def text(self) -> str:
        """The text of the result."""
        return "".join(part.text for part in self.content if isinstance(part, Text))


class Refusal(PartBase, frozen=True, tag="refusal"):
    """The model's words for not answering."""

    text: str

    rules: ClassVar[dict[str, Rule]] = {"text": fields.string, "extras": fields.extras}


class ServerToolCall(PartBase, frozen=True, tag="server_tool_call"):
    """A tool that the vendor itself runs: web search, code execution."""

    id: str
    name: str
    arguments: FrozenDict = EMPTY

    rules: ClassVar[dict[str, Rule]] = {
        "id": fields.string,
        "name": fields.filled,
        "arguments": fields.json_object,
        "extras": fields.extras,
    }


class ServerToolResult(PartBase, frozen=True, tag="server_tool_result"):
    """What the vendor's own tool gave, in the vendor's JSON."""

    tool_call_id: str
    name: str
    content: Any = None
    is_error: bool = False

    rules: ClassVar[dict[str, Rule]] = {
        "tool_call_id": fields.string,
        "name": fields.filled,
        "content": fields.json,
        "is_error": fields.flag,
        "extras": fields.extras,
    }


class Opaque(PartBase, frozen=True, tag="opaque"):
    """A block this library does not know, kept whole. Goes back only to the API it came from."""

    kind: str
    payload: FrozenDict = EMPTY

    rules: ClassVar[dict[str, Rule]] = {
        "kind": fields.string,
        "payload": fields.json_object,
        "extras": fields.extras,
    }


Part: TypeAlias = (
    Text
    | Image
    | Audio
    | Video
    | Document
    | Reasoning
    | ToolCall
    | ToolResult
    | Refusal
    | ServerToolCall
    | ServerToolResult
    | Opaque
)

PARTS: dict[str, type[Part]] = {kind.__struct_config__.tag: kind for kind in get_args(Part)}
"""The parts by their `type` in JSON."""

TURNS = (Reasoning, ToolCall, ToolResult, Refusal, ServerToolCall, ServerToolResult)
"""The parts that only a message can hold, not a tool's result."""


_KINDS = frozenset(PARTS.values())


def is_part(value: object) -> TypeGuard[Part]:
    return type(value) in _KINDS


def part_from(value: object) -> Part:
    """A part from a part, a string, or a mapping in our own JSON form, whose `type` names it."""
    if is_part(value):
        return value
    if isinstance(value, str):
        return Text(value)
    if not is_mapping(value):
        raise fields.wrong("a part, a string or a mapping", value)
    tag: object = value.get("type")
    if not isinstance(tag, str) or tag not in PARTS:
        raise fields.wrong(f"one of {', '.join(PARTS)}", tag).under("type")
    return fields.build(PARTS[tag], value)


def parts_from(value: object) -> tuple[Part, ...]:
    """Parts from None, a string, a part, a mapping, or a sequence of these."""
    if _all_parts(value):
        return tuple(value)
    if isinstance(value, str) or is_part(value) or is_mapping(value):
        return (part_from(value),)
    return _each_part(value)


_each_part = fields.each(part_from)


def _all_parts(value: object) -> TypeGuard[Iterable[Part]]:
    return is_array(value) and _KINDS.issuperset(map(type, value))


def result_parts(value: object) -> tuple[Part, ...]:
    """A tool's result as parts: a string as text, parts as they are, anything else as JSON text."""
    if isinstance(value, str):
        return (Text(value),)
    if is_part(value) or (is_array(value) and _are_parts(value)) or _says_part(value):
        return _inner(parts_from(value))
    return (Text(json_text(value)),)


def _inner(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    problems = [
        Problem(f"[{index}]", f"{fields.article(type(part).__name__)} cannot stand in a result")
        for index, part in enumerate(parts)
        if isinstance(part, TURNS)
    ]
    if problems:
        raise MessageError(problems)
    return parts


def _are_parts(items: Sequence[object]) -> bool:
    return any(map(is_part, items)) or all(map(_says_part, items))


def _says_part(value: object) -> bool:
    """Whether a value is a part in our own JSON form, and not a tool's data with a `type` in it."""
    if not is_mapping(value):
        return False
    kind = PARTS.get(str(value.get("type")))
    return kind is not None and fields.fits(kind, value.keys() - {"type"})


def read_arguments(text: str) -> FrozenDict | None:
    """The arguments that a JSON text holds; None when it is no JSON object."""
    try:
        held = msgspec.json.decode(text)
        return FrozenDict(held) if is_mapping(held) else None
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError, MessageError):
        return None
