"""Messages as legacy tuples. What reading them back does not give is a loss, by construction."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

from interlingua.errors import LegacyFormatError, MessageError, Problem, shown
from interlingua.fields import article
from interlingua.frozen import thaw
from interlingua.legacy import API, answered, message_from_legacy, returned, said
from interlingua.loss import At, Loss
from interlingua.message import Message
from interlingua.parts import Audio, Document, Image, Part, Reasoning, Text, ToolCall
from interlingua.value import Value

LegacyItem: TypeAlias = tuple[str, Any] | dict[str, Any]

OF_MESSAGE = ("role", "metadata", "name", "id", "created_at", "origin")

UNSEEN = {"signature", "redacted", "metadata", "id", "created_at", "origin"}
"""Fields that no model reads."""


class LegacyExport(NamedTuple):
    """Legacy tuples, and what they do not say."""

    items: tuple[LegacyItem, ...]
    losses: tuple[Loss, ...]


def messages_to_legacy(messages: Iterable[Message]) -> LegacyExport:
    """The conversation as legacy tuples, and in `losses` all that they cannot hold.

    Without losses, `messages_from_legacy` reads the same messages back.
    """
    items: list[LegacyItem] = []
    losses: list[Loss] = []
    for index, message in enumerate(messages):
        items += _items(message, At(f"messages[{index}]", losses))
    return LegacyExport(tuple(items), tuple(losses))


def message_to_legacy(message: Message) -> LegacyItem:
    """The item that says all of the message. Raises `LegacyFormatError` when there is none."""
    losses: list[Loss] = []
    items = _items(message, At("", losses))
    if losses:
        problems = [Problem(loss.path, loss.reason) for loss in losses]
        raise LegacyFormatError(
            problems, "no legacy tuple says all of this; messages_to_legacy leaves the rest out"
        )
    return items[0]


def _items(message: Message, at: At) -> list[LegacyItem]:
    at.foreign(message.extras, "")
    inside = At("content", at.losses, at, 0)
    match message.role:
        case "assistant":
            items = [_answer(message, inside)]
        case "tool":
            if len(message.content) > 1:
                at.lose("provenance", "its results come back as a message each", "lowered")
            items = [_prompt("tool_return", one, message) for one in _results(message, inside)]
        case _:
            tag = "user_prompt" if message.is_user else "system_prompt"
            items = [_prompt(tag, _said(message, inside), message)]
    _compare(message, message_from_legacy(items[0]), OF_MESSAGE, at)
    return items


def _answer(message: Message, at: At) -> LegacyItem:
    parts = _kept(message, _answer_part, answered, at)
    bare: dict[str, Any] = {"parts": parts, "model_name": None}
    return _readable(_about(bare, message)) or bare


def _prompt(tag: str, payload: object, message: Message) -> LegacyItem:
    """A tuple; a map around it for a message with metadata or a time."""
    item = (tag, payload)
    bare: dict[str, Any] = {"parts": [item]}
    told = _about(bare, message)
    return item if told == bare else _readable(told) or item


def _about(bare: dict[str, Any], message: Message) -> dict[str, Any]:
    """The map with the message's metadata and time."""
    told = {**bare, **thaw(message.metadata), "parts": bare["parts"]}
    if message.created_at is not None:
        told.setdefault("timestamp", message.created_at.isoformat())
    return told


def _readable(item: dict[str, Any]) -> dict[str, Any] | None:
    try:
        message_from_legacy(item)
    except MessageError:
        return None
    return item


# -- parts


def _kept(
    message: Message,
    write: Callable[[Part], LegacyItem | None],
    read: Callable[[Any], tuple[Part, ...]],
    at: At,
) -> list[LegacyItem]:
    """The parts in their tags; one that has none, or is not what is read back, is a loss."""
    items: list[LegacyItem] = []
    for index, part in enumerate(message.content):
        at.index = index
        item = write(part)
        if item is None:
            kind = "provenance" if isinstance(part, Reasoning) else "content"
            at.lose(kind, f"no tag holds {article(type(part).__name__)}")
            continue
        try:
            (back,) = read(item)
        except MessageError as error:
            at.lose("content", "; ".join(problem.reason for problem in error.errors))
        else:
            _compare_parts(part, back, at)
            items.append(item)
    return items


def _answer_part(part: Part) -> LegacyItem | None:
    match part:
        case Text():
            return ("text", part.text)
        case Reasoning():
            text = part.text or "\n\n".join(part.summary)
            hidden = part.signature is not None or part.redacted is not None
            return None if hidden and not text else ("thinking", text)
        case ToolCall():
            raw = part.raw_arguments
            arguments = thaw(part.arguments) if raw is None else raw
            call = {"id": part.id, "name": part.name, "arguments": arguments}
            return ("tool_call", {**thaw(part.extras.get(API, {})), **call})
        case _:
            return None


def _said(message: Message, at: At) -> object:
    """A string when it is all that is said, else a list of parts."""
    parts = _kept(message, _said_part, lambda item: said([item]), at)
    match parts:
        case [("text", text)]:
            return text
        case _:
            return parts


def _said_part(part: Part) -> LegacyItem | None:
    match part:
        case Text():
            return ("text", part.text)
        case Image():
            url = _url(part)
            return ("image_url", url) if url else None
        case Audio():
            url = _url(part)
            return ("audio_url", url) if url else None
        case Document():
            url = _url(part)
            return ("document_url", url) if url else None
        case _:
            return None


def _url(part: Image | Audio | Document) -> str | None:
    if part.data is None:
        return part.url
    return f"data:{part.media_type or ''};base64,{b64encode(part.data).decode()}"


def _results(message: Message, at: At) -> Iterable[dict[str, Any]]:
    for index, part in enumerate(message.tool_results):
        at.index = index
        bare: dict[str, Any] = {
            "call_id": part.tool_call_id,
            "result": Message("tool", part).to_text(),
        }
        if part.name is not None:
            bare["name"] = part.name
        if part.is_error:
            bare["is_error"] = True
        told = {**thaw(part.extras.get(API, {})), **bare}
        try:
            back = returned(told)
        except MessageError:
            told, back = bare, returned(bare)
        _compare_parts(part, back, at)
        yield told


# -- what comes back


def _compare_parts(part: Part, back: Part, at: At) -> None:
    at.foreign(part.extras, API)
    if part.extras.get(API) != back.extras.get(API):
        at.of("extras").lose("provenance", "no legacy tuple holds all of it", "lowered")
    names = [name for name in type(part).__struct_fields__ if name != "extras"]
    _compare(part, back, names, at)


def _compare(given: Value, back: Value, names: Iterable[str], at: At) -> None:
    for name in names:
        came = getattr(back, name)
        if came == getattr(given, name):
            continue
        kind = "provenance" if name in UNSEEN else "content"
        if came:
            at.of(name).lose(kind, f"comes back as {shown(came)}", "lowered")
        else:
            at.of(name).lose(kind, "no legacy tuple holds it")
