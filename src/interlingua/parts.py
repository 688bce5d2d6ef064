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

import base64
import binascii
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, get_args

import msgspec
from msgspec import Struct

from interlingua import fields
from interlingua.errors import MessageError, Problem
from interlingua.fields import Rule
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.jsonable import json_text


class PartBase(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    extras: FrozenDict = EMPTY
    """Fields a vendor sent that have no home here, by API. They go back as they came."""

    rules: ClassVar[dict[str, Rule]] = {}

    def __post_init__(self) -> None:
        fields.settle(self, self.rules)

    def replace(self, **changes: Any) -> Any:
        """The same part with other fields."""
        return msgspec.structs.replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """The part in plain JSON values; `data` is base64."""
        return msgspec.json.decode(msgspec.json.encode(self))

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, _: Any) -> Any:
        return self


class Text(PartBase, frozen=True, tag="text"):
    """Text for the reader, with what it cites."""

    text: str
    citations: tuple[FrozenDict, ...] = ()
    """The vendor's own citation objects."""

    rules: ClassVar = {
        "text": fields.string,
        "citations": fields.each(fields.json_object),
        "extras": fields.extras,
    }


class Media(PartBase, frozen=True):
    """What images, audio and video have in common: exactly one of `url`, `data` and `file_id`."""

    url: str | None = None
    """Where it lies. A base64 `data:` URL is read into `data` and `media_type`."""
    data: bytes | None = None
    file_id: str | None = None
    """A file stored at a vendor, by that vendor's id."""
    media_type: str | None = None
    name: str | None = None
    detail: str | None = None
    """How closely to look, in the vendor's word."""

    rules: ClassVar = {
        "url": fields.optional(fields.filled),
        "data": fields.optional(fields.data),
        "file_id": fields.optional(fields.filled),
        "media_type": fields.optional(fields.filled),
        "name": fields.optional(fields.string),
        "detail": fields.optional(fields.string),
        "extras": fields.extras,
    }

    def __post_init__(self) -> None:
        fields.settle(self, self.rules)
        _one_source(self, ("url", "data", "file_id"))
        _read_data_url(self)


class Image(Media, frozen=True, tag="image"):
    """A picture."""


class Audio(Media, frozen=True, tag="audio"):
    """A sound."""


class Video(Media, frozen=True, tag="video"):
    """A film."""


class Document(Media, frozen=True, tag="document"):
    """A PDF or another file to read; plain text may stand in `text`."""

    text: str | None = None

    rules: ClassVar = {**Media.rules, "text": fields.optional(fields.string)}

    def __post_init__(self) -> None:
        fields.settle(self, self.rules)
        _one_source(self, ("url", "data", "file_id", "text"))
        _read_data_url(self)


class Reasoning(PartBase, frozen=True, tag="reasoning"):
    """What the model thought, as far as it shows it."""

    text: str = ""
    signature: str | None = None
    """The vendor's seal, or its encrypted form. Goes back only to the API it came from."""
    redacted: str | None = None
    """Thought that the vendor shows only in encrypted form."""
    summary: tuple[str, ...] = ()

    rules: ClassVar = {
        "text": fields.string,
        "signature": fields.optional(fields.string),
        "redacted": fields.optional(fields.string),
        "summary": fields.each(fields.string),
        "extras": fields.extras,
    }

    def __post_init__(self) -> None:
        fields.settle(self, self.rules)
        if self.redacted is not None and self.text:
            raise _conflict(self, "redacted", "cannot stand beside text")

    def replace(self, **changes: Any) -> Reasoning:
        """The same thought with other fields; changed words lose the signature that sealed them."""
        if changes.keys() & {"text", "summary"}:
            changes.setdefault("signature", None)
        return msgspec.structs.replace(self, **changes)


class ToolCall(PartBase, frozen=True, tag="tool_call"):
    """The model asks for a tool to be run. `arguments` may be given as JSON text."""

    id: str
    name: str
    arguments: FrozenDict = EMPTY
    raw_arguments: str | None = None
    """The vendor's exact text, and what goes back to it."""

    rules: ClassVar = {
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
        given: Any = self.arguments
        if isinstance(given, str):
            msgspec.structs.force_setattr(self, "raw_arguments", given)
            msgspec.structs.force_setattr(self, "arguments", read_arguments(given) or EMPTY)
        fields.settle(self, self.rules)

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

    rules: ClassVar = {"text": fields.string, "extras": fields.extras}


class ServerToolCall(PartBase, frozen=True, tag="server_tool_call"):
    """A tool that the vendor itself runs: web search, code execution."""

    id: str
    name: str
    arguments: FrozenDict = EMPTY

    rules: ClassVar = {
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

    rules: ClassVar = {
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

    rules: ClassVar = {
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

PARTS: dict[str, type[Part]] = {
    kind.__struct_config__.tag: kind  # pyright: ignore
    for kind in get_args(Part)
}


def is_part(value: object) -> bool:
    return isinstance(value, PartBase)


def part_from(value: Any) -> Part:
    """A part from a part, a string, or a mapping in our own JSON form (its `type` names the part)."""
    if isinstance(value, PartBase):
        return value  # pyright: ignore
    if isinstance(value, str):
        return Text(value)
    if not isinstance(value, Mapping):
        raise fields.wrong("a part, a string or a mapping", value)
    tag = value.get("type")
    kind = PARTS.get(tag) if isinstance(tag, str) else None
    if kind is None:
        raise fields.wrong(f"one of {', '.join(PARTS)}", tag).under("type")
    return fields.build(kind, {key: item for key, item in value.items() if key != "type"})


def parts_from(value: Any) -> tuple[Part, ...]:
    """Parts from None, a string, a part, a mapping, or a sequence of these."""
    if value is None:
        return ()
    if isinstance(value, str | PartBase | Mapping):
        return (part_from(value),)
    return fields.each(part_from)(value)


def result_parts(value: Any) -> tuple[Part, ...]:
    """A tool's result as parts: a string as text, parts as they are, anything else as JSON text."""
    match value:
        case str():
            return (Text(value),)
        case PartBase():
            return (part_from(value),)
        case list() | tuple() if _are_parts(value):
            return parts_from(value)
        case Mapping() if _says_part(value):
            return parts_from(value)
        case _:
            return (Text(json_text(value)),)


def _are_parts(items: list[Any] | tuple[Any, ...]) -> bool:
    if any(isinstance(item, PartBase) for item in items):
        return True
    return all(isinstance(item, Mapping) and _says_part(item) for item in items)


def _says_part(value: Mapping[str, Any]) -> bool:
    """Whether a mapping is a part in our own JSON form, and not a tool's data with a `type` in it."""
    kind = PARTS.get(str(value.get("type")))
    if kind is None:
        return False
    known = msgspec.structs.fields(kind)
    required = {field.name for field in known if field.required}
    keys = value.keys() - {"type"}
    return required <= keys <= {field.name for field in known}


def read_arguments(text: str) -> FrozenDict | None:
    """The arguments that a JSON text holds; None when it is no JSON object."""
    try:
        held = msgspec.json.decode(text)
        return FrozenDict(held) if isinstance(held, dict) else None
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError, MessageError):
        return None


def _one_source(part: Media, names: Iterable[str]) -> None:
    given = [name for name in names if getattr(part, name) is not None]
    if len(given) != 1:
        came = " and ".join(given) or "none"
        raise _conflict(part, "", f"needs exactly one of {', '.join(names)}; got {came}")


def _read_data_url(part: Media) -> None:
    if part.url is None or not part.url.startswith("data:"):
        return
    head, comma, body = part.url[5:].partition(",")
    media_type, marker, _ = head.rpartition(";base64")
    try:
        if not comma or not marker:
            raise ValueError
        held = base64.b64decode(body, validate=True)
    except (ValueError, binascii.Error):
        raise _conflict(part, "url", "is a data: URL that is no base64") from None
    msgspec.structs.force_setattr(part, "url", None)
    msgspec.structs.force_setattr(part, "data", held)
    if part.media_type is None and media_type:
        msgspec.structs.force_setattr(part, "media_type", media_type)


def _conflict(part: PartBase, path: str, reason: str) -> MessageError:
    return MessageError([Problem(path, reason)], f"not a {type(part).__name__}")
