"""From a Request to the Responses API's JSON."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

import msgspec

from interlingua.codec import Encoded
from interlingua.course import follow
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.links import beside
from interlingua.loss import At, Loss
from interlingua.message import Message
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
)
from interlingua.request import Request
from interlingua.turns import Fragment, fragment, placed
from interlingua.wire import Json, array, dump, merged
from interlingua_openai.responses.items import Items, own
from interlingua_openai.responses.media import file, home, image
from interlingua_openai.responses.names import API, CUSTOM, WRITTEN_BY_CALLERS, call_id
from interlingua_openai.responses.settings import settings

if TYPE_CHECKING:
    from openai.types.responses import ResponseInputTextParam
    from openai.types.responses.response_input_param import FunctionCallOutput

UNSTORED = f"{API}/unstored"
"""Where the vendor stores nothing, reasoning goes back only whole."""

ERROR = "Error: "
"""What a failed tool's text starts with, since the API has no flag for it."""


def encode(request: Request) -> Encoded:
    """The request as Responses JSON."""
    extras: FrozenDict = request.extras.get(API, EMPTY)
    # A stored prompt names its own model.
    made: Json = {"model": request.model} if request.model else {}
    instructions, items, losses = _input(request.messages, extras)
    if instructions is not None:
        made["instructions"] = instructions
    if items:
        made["input"] = msgspec.Raw(items)
    body, names = settings(request, At("", losses))
    content = dump(merged({**made, **body}, extras))
    return Encoded(API, content, tuple(losses), names)


def _input(messages: tuple[Message, ...], extras: FrozenDict) -> Whole:
    """The input. A call may also lie in the vendor's own store: then no results are matched."""
    stored = extras.get("store") is not False
    begin = partial(Course, stored)
    if not extras.get("previous_response_id") and not extras.get("conversation"):
        return follow(messages, API if stored else UNSTORED, begin, Course.whole, call_id)
    course = begin()
    for place, message in enumerate(messages):
        course.take(message, place)
    return course.whole()


class Whole(NamedTuple):
    """What a conversation is in the body."""

    instructions: str | None
    items: bytes
    losses: list[Loss]


class Course:
    """The input so far; a plain system message that comes first becomes `instructions`."""

    def __init__(self, stored: bool) -> None:
        self.losses: list[Loss] = []
        self._stored = stored
        self._instructions: str | None = None
        self._items: list[bytes] = []
        self._custom: set[str] = set()

    def take(self, message: Message, place: int) -> None:
        if place == 0 and not self._items:
            self._instructions = _instructions(message, self.losses)
            if self._instructions is not None:
                return
        piece = _fragment(message, self._custom, self._stored)
        if piece.first:
            self._items.append(piece.first)
        if piece.losses:
            self.losses += placed(piece.losses, place)

    def whole(self) -> Whole:
        items = array(self._items) if self._items else b""
        return Whole(self._instructions, items, [*self.losses])


def _instructions(message: Message, losses: list[Loss]) -> str | None:
    """The text of a system message that says nothing else."""
    if message.role != "system" or len(message.content) != 1 or message.name:
        return None
    part = message.content[0]
    if not isinstance(part, Text) or part.citations or API in message.extras or API in part.extras:
        return None
    At("messages[0]", losses).foreign(message.extras, API)
    At("messages[0].content[0]", losses).foreign(part.extras, API)
    return part.text


def _fragment(message: Message, custom: set[str], stored: bool) -> Fragment:
    """The message's items; they hang also on which calls are free text, and on what is stored."""
    match message.role:
        case "assistant":
            custom.update(_custom_calls(message))
            if stored:
                return fragment(message, API, _assistant)
            return fragment(message, UNSTORED, partial(_assistant, stored=False))
        case "tool":
            answered = sorted(one.tool_call_id for one in message.tool_results) if custom else ()
            known = tuple(one for one in answered if one in custom)
            if not known:
                return fragment(message, API, _tool)
            return fragment(message, f"{API}/{dump(known)}", partial(_tool, custom=known))
        case "system" | "developer" | "user":
            return fragment(message, API, _said)


def _custom_calls(message: Message) -> tuple[str, ...]:
    """The ids of its calls of free-text tools, worked out once."""
    held = beside(message)
    key = f"{API}/custom"
    if key not in held:
        free = (
            one for one in message.tool_calls if one.extras.get(API, EMPTY).get("type") == CUSTOM
        )
        held[key] = tuple(call.id for call in free)
    return held[key]


def _joined(items: list[Json], at: At) -> Fragment:
    return Fragment(b",".join(map(dump, items)), losses=tuple(at.losses))


# -- what the system and the user say


def _said(message: Message) -> Fragment:
    """A message, and between its parts the items that are none."""
    at = At("", [])
    at.foreign(message.extras, API)
    if message.name:
        at.of("name").lose("setting", "Responses has no names of speakers")
    items: list[Json] = []
    blocks: list[Json] = []
    for index, part in enumerate(message.content):
        here = at.of(f"content[{index}]")
        made = _part(part, message, here)
        if made is not None and isinstance(part, Opaque) and part.kind in WRITTEN_BY_CALLERS:
            items += [*_speech(message, blocks), made]
            blocks = []
        elif made is not None:
            blocks.append(made)
    if blocks or not items:
        items += _speech(message, blocks)
    return _joined(items, at)


def _speech(message: Message, blocks: list[Json]) -> list[Json]:
    made = {"role": message.role, "content": _plain(blocks)}
    made = merged(made, message.extras.get(API))
    return [made] if blocks or not message.content else []


def _plain(blocks: list[Json]) -> str | list[Json]:
    """One bare text block as the string it is."""
    if not blocks:
        return ""
    match blocks:
        case [{"type": "input_text", "text": str(text), **rest}] if not rest:
            return text
        case _:
            return blocks


def _part(part: Part, message: Message, at: At) -> Json | None:
    """The block that says what a part says, or None and a loss."""
    at.foreign(part.extras, API)
    made = _block(part, message, at)
    return None if made is None else merged(made, own(part, message, at))


def _block(part: Part, message: Message, at: At) -> Json | None:
    match part:
        case Text():
            return _text(part, message, at)
        case Image():
            return image(part, message, at)
        case Document():
            return file(part, message, at)
        case Audio() | Video():
            return at.lose("content", f"Responses takes no {type(part).__name__.lower()}")
        case Opaque() if home(message):
            return merged(part.payload, None)
        case Opaque():
            return at.lose("content", f"{part.kind!r} is a block of another API")
        case Refusal() | Reasoning() | ToolCall() | ToolResult():
            return at.lose("content", f"{type(part).__name__} where only the model speaks")
        case ServerToolCall() | ServerToolResult():
            return at.lose("content", f"{type(part).__name__} where only the model speaks")


def _text(part: Text, message: Message, at: At) -> Json:
    made: ResponseInputTextParam = {"type": "input_text", "text": part.text}
    if part.citations and home(message):
        return {**made, "annotations": part.citations}
    if part.citations:
        at.lose("provenance", f"{len(part.citations)} citations of another vendor")
    return cast("Json", made)


# -- what the model said


def _assistant(message: Message, stored: bool = True) -> Fragment:
    at = At("", [])
    at.foreign(message.extras, API)
    if API in message.extras:
        at.lose("provenance", "a turn of several items has no fields of its own")
    if message.name:
        at.of("name").lose("setting", "Responses has no names of speakers")
    items = Items(message, stored)
    for index, part in enumerate(message.content):
        items.add(part, index, at.of(f"content[{index}]"))
    return _joined(items.closed(), at)


# -- what tools gave


def _tool(message: Message, custom: tuple[str, ...] = ()) -> Fragment:
    at = At("", [])
    at.foreign(message.extras, API)
    items: list[Json] = []
    for index, part in enumerate(message.content):
        if isinstance(part, ToolResult):
            items.append(_result(part, message, custom, at.of(f"content[{index}]")))
    return _joined(items, at)


def _result(part: ToolResult, message: Message, custom: tuple[str, ...], at: At) -> Json:
    at.foreign(part.extras, API)
    blocks: list[Json] = []
    for index, inner in enumerate(part.content):
        block = _part(inner, message, at.of(f"content[{index}]"))
        if block is not None:
            blocks.append(block)
    if part.is_error:
        at.lose("setting", "is_error: the text says it instead", "lowered")
        blocks = _failed(blocks)
    made: FunctionCallOutput = {
        "type": "function_call_output",
        "call_id": part.tool_call_id,
        "output": _plain(blocks),  # pyright: ignore
    }
    item = cast("Json", made)
    if part.tool_call_id in custom:
        item["type"] = "custom_tool_call_output"
    return merged(item, own(part, message, at))


def _failed(blocks: list[Json]) -> list[Json]:
    if len(blocks) == 1 and "text" in blocks[0]:
        return [{**blocks[0], "text": ERROR + blocks[0]["text"]}]
    return [{"type": "input_text", "text": ERROR.strip()}, *blocks]
