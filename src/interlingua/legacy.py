"""Legacy tuples: conversations in the form `(tag, payload)`, read and written.

    ("system_prompt", said)     `said` is a string, or a list of strings and of ("text", …),
    ("user_prompt", said)       ("image_url", …), ("audio_url", …), ("document_url", …)
    ("tool_return", {"call_id": …, "result": …, "name": …, "is_error": …})
    {"parts": [("thinking", …), ("text", …), ("tool_call", {…})], "model_name": …}
    {"parts": [("user_prompt", …), …]}

JSON has no tuples, so a list of two is one. Tags and keys may be symbols (`:text`) or Enum members.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal, TypeAlias

from msgspec import NODEFAULT

from interlingua import fields
from interlingua.errors import LegacyFormatError, MessageError, Problem, shown
from interlingua.frozen import freeze, is_array, is_mapping
from interlingua.jsonable import json_text, jsonable
from interlingua.message import Message
from interlingua.parts import Audio, Document, Image, Part, Reasoning, Text, ToolCall, ToolResult
from interlingua.symbols import by_symbol, symbol

OnUnknown: TypeAlias = Literal["error", "text", "skip"]
Pair: TypeAlias = tuple[str, Any]

API = "legacy"
"""The key, in `extras`, of a call's and a return's fields that have no home here."""

PROMPTS = ("system_prompt", "user_prompt", "tool_return")
ANSWERS = ("text", "thinking", "tool_call")
SAID = ("text", "image_url", "audio_url", "document_url")

MEDIA: dict[str, tuple[type[Image | Audio | Document], str]] = {
    "image_url": (Image, "image/"),
    "audio_url": (Audio, "audio/"),
    "document_url": (Document, ""),
}
"""By tag: the part, and how the media type of a data: URL begins."""

WHAT = "not a legacy conversation"


def message_from_legacy(item: object) -> Message:
    """The message that an item is. Raises `LegacyFormatError`, also for one that holds several."""
    try:
        made = _item(item, "error")
    except MessageError as error:
        raise LegacyFormatError(error.errors, WHAT) from None
    if len(made) != 1:
        reason = f"holds {len(made)} messages; use messages_from_legacy"
        raise LegacyFormatError([Problem("parts", reason)], WHAT)
    return made[0]


def messages_from_legacy(
    items: Iterable[object], on_unknown: OnUnknown = "error"
) -> tuple[Message, ...]:
    """A conversation from legacy tuples. Messages among them stay as they are.

    What has no known tag is an error, or the user's `text`, or left out (`skip`). A tool's return
    without a name gets the one in its call. Raises `LegacyFormatError`, with every problem.
    """
    try:
        wanted: OnUnknown = fields.one_of("error", "text", "skip")(on_unknown)
        read = fields.each(lambda item: [(one, item) for one in _item(item, wanted)])
        made: list[tuple[Message, object]] = [one for held in read(items) for one in held]
    except MessageError as error:
        raise LegacyFormatError(error.errors, WHAT) from None
    names: dict[str, str] = {}
    messages: list[Message] = []
    for message, item in made:
        names |= {call.id: call.name for call in message.tool_calls}
        messages.append(message if message is item else _named(message, names))
    return tuple(messages)


def _named(message: Message, names: dict[str, str]) -> Message:
    """A tool's return without a name, named after its call."""
    unnamed = [part for part in message.tool_results if part.name is None]
    if not unnamed or unnamed[0].tool_call_id not in names:
        return message
    return message.replace(content=unnamed[0].replace(name=names[unnamed[0].tool_call_id]))


# -- items


def _item(item: object, on_unknown: OnUnknown) -> tuple[Message, ...]:
    if isinstance(item, Message):
        return (item,)
    if is_mapping(item):
        given = by_symbol(item)
        if "parts" in given:
            return _turn(given, on_unknown)
    return _prompt(item, on_unknown)


def _prompt(item: object, on_unknown: OnUnknown, **about: Any) -> tuple[Message, ...]:
    match pair(item):
        case ("system_prompt", payload):
            return (Message.system(said(payload, on_unknown), **about),)
        case ("user_prompt", payload):
            return (Message.user(said(payload, on_unknown), **about),)
        case ("tool_return", payload):
            return (Message("tool", returned(payload), **about),)
        case _:
            told = _unknown(item, PROMPTS, on_unknown)
            return tuple(Message.user(text, **about) for text in told)


def _turn(given: dict[str, Any], on_unknown: OnUnknown) -> tuple[Message, ...]:
    """The messages of a map: one answer, or a request's, one by one."""
    parts = given.pop("parts")
    if not is_array(parts):
        raise fields.wrong("a list of parts", parts).under("parts")
    kept = {key: jsonable(item) for key, item in given.items() if item is not None}
    about: dict[str, Any] = {
        "metadata": freeze(kept),
        "created_at": _moment(given.get("timestamp")),
    }
    try:
        if _is_answer(given, parts):
            content = fields.each(lambda part: answered(part, on_unknown))(parts)
            return (Message("assistant", _flat(content), **about),)
        return _flat(fields.each(lambda item: _prompt(item, on_unknown, **about))(parts))
    except MessageError as error:
        raise error.under("parts") from None


def _is_answer(given: dict[str, Any], parts: Sequence[object]) -> bool:
    tags = {found[0] for found in map(pair, parts) if found}
    return "model_name" in given or "usage" in given or not tags.isdisjoint(ANSWERS)


def _moment(value: object) -> datetime | None:
    """The time, if it is one that knows its zone."""
    try:
        return fields.moment(value)
    except MessageError:
        return None


def pair(item: object) -> Pair | None:
    """The tag and the payload of a tuple, or of a list that stands for one."""
    if not is_array(item) or len(item) != 2:
        return None
    tag = symbol(item[0])
    return None if tag is None else (tag, item[1])


def _unknown(item: object, known: Sequence[str], on_unknown: OnUnknown) -> tuple[str, ...]:
    """The texts that stand for what has no tag known in its place."""
    if on_unknown == "skip":
        return ()
    if on_unknown == "text":
        return (repr(item),)
    tagged = pair(item)
    words = ", ".join(known)
    if tagged is None:
        raise fields.wrong(f"(tag, payload) with one of the tags {words}", item)
    raise MessageError.of(f"unknown tag {shown(tagged[0])}; known here are {words}")


def _flat(groups: Iterable[tuple[Any, ...]]) -> tuple[Any, ...]:
    return tuple(one for group in groups for one in group)


# -- payloads


def said(payload: object, on_unknown: OnUnknown = "error") -> tuple[Part, ...]:
    """What a prompt says: a string, or a list of strings and parts."""
    if isinstance(payload, str):
        return (Text(payload),)
    if not is_array(payload):
        raise fields.wrong("a string or a list of parts", payload)
    whole = pair(payload)
    if whole and whole[0] in SAID and isinstance(whole[1], str):
        reason = f"may be one part or two strings; write [({whole[0]!r}, …)] for the part"
        raise MessageError.of(reason)
    return _flat(fields.each(lambda item: _said_part(item, on_unknown))(payload))


def _said_part(item: object, on_unknown: OnUnknown) -> tuple[Part, ...]:
    if isinstance(item, str):
        return (Text(item),)
    match pair(item):
        case ("text", text):
            return (Text(text),)
        case (tag, url) if tag in MEDIA:
            return (_media(tag, url),)
        case _:
            return tuple(map(Text, _unknown(item, SAID, on_unknown)))


def _media(tag: str, url: object) -> Part:
    kind, prefix = MEDIA[tag]
    text = fields.filled(url)
    if text[:5].lower() == "data:":
        made = kind(text)
        if not (made.media_type or prefix).startswith(prefix):
            raise MessageError.of(f"expected {prefix}…, got {made.media_type}")
        return made
    scheme, _, rest = text.partition("://")
    if scheme.lower() not in ("http", "https") or not rest.strip("/") or text.split() != [text]:
        raise fields.wrong("an http(s) or data: URL", url)
    return kind(text)


def returned(payload: object) -> ToolResult:
    """What a tool gave. Fields without a home go to `extras`."""
    given = _fields(payload)
    id = _taken(given, "call_id", "tool_call_id")
    result = _taken(given, "result", "content")
    name = _taken(given, "name", "tool_name", default=None)
    is_error = given.pop("is_error", None) or False
    text = result if isinstance(result, str) else json_text(result)
    return ToolResult(id, text, name, is_error, extras={API: given} if given else {})


def answered(item: object, on_unknown: OnUnknown = "error") -> tuple[Part, ...]:
    """The part of an answer."""
    match pair(item):
        case ("text", text):
            return (Text(text),)
        case ("thinking", text):
            return (Reasoning(text),)
        case ("tool_call", payload):
            return (called(payload),)
        case _:
            return tuple(map(Text, _unknown(item, ANSWERS, on_unknown)))


def called(payload: object) -> ToolCall:
    """A call. Arguments may be JSON text; fields without a home go to `extras`."""
    given = _fields(payload)
    function = given.pop("function", None)
    if function is not None:
        given |= _fields(function)
    id = _taken(given, "id", "call_id", "tool_call_id")
    name = _taken(given, "name", "tool_name")
    arguments = _taken(given, "arguments", "input", "args", default=None)
    return ToolCall(id, name, arguments, extras={API: given} if given else {})


def _fields(payload: object) -> dict[str, Any]:
    if not is_mapping(payload):
        raise fields.wrong("a mapping", payload)
    return by_symbol(payload)


def _taken(given: dict[str, Any], *names: str, default: object = NODEFAULT) -> Any:
    """The field under any of its names; raises `MessageError` when two of them disagree."""
    found = [given.pop(name) for name in names if name in given]
    if not found:
        if default is NODEFAULT:
            raise MessageError.of("is missing", names[0])
        return default
    if any(other != found[0] for other in found):
        raise MessageError.of(f"{' and '.join(names)} say different things")
    return found[0]
