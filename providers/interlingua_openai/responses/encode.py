"""From a Request to the Responses API's JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import msgspec

from interlingua.codec import Encoded
from interlingua.course import follow
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.loss import At, Loss
from interlingua.message import Message, Role
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
from interlingua.turns import Fragment, bare_text, fragment, placed, sole_text
from interlingua.wire import Json, array, dump, merged
from interlingua_openai.responses.items import Items, is_custom, own
from interlingua_openai.responses.media import file, home, image
from interlingua_openai.responses.names import API, TYPED, WRITTEN_BY_CALLERS, call_id
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
    role = message.role
    if role == "assistant":
        for part in message.content:
            if part.extras and isinstance(part, ToolCall) and is_custom(part):
                custom.add(part.id)
        if not stored:
            return fragment(message, UNSTORED, partial(_assistant, stored=False))
    elif role == "tool" and custom:
        known = sorted(custom.intersection([one.tool_call_id for one in message.tool_results]))
        if known:
            return fragment(message, f"{API}/{dump(known)}", partial(_tool, custom=known))
    return fragment(message, API, RENDERERS[role])


def _joined(items: list[Json], at: At) -> Fragment:
    return Fragment(dump(items)[1:-1], b"", tuple(at.losses))


# -- what the system and the user say


def _said(message: Message) -> Fragment:
    """A message, and between its parts the items that are none."""
    text = bare_text(message)
    if text is not None:
        return Fragment(dump({"role": message.role, "content": text}))
    at = _begun(message)
    items: list[Json] = []
    blocks: list[Json] = []
    for at.index, part in enumerate(message.content):
        made = _part(part, message, at)
        if made is not None and isinstance(part, Opaque) and part.kind in WRITTEN_BY_CALLERS:
            items += [*_speech(message, blocks), made]
            blocks = []
        elif made is not None:
            blocks.append(made)
    if blocks or not items:
        items += _speech(message, blocks)
    return _joined(items, at)


def _begun(message: Message) -> At:
    """The place of its content, after what is lost of the message itself."""
    at = At("content", [])
    if message.extras:
        At("", at.losses).foreign(message.extras, API)
    if message.name:
        At("name", at.losses).lose("setting", "Responses has no names of speakers")
    return at


def _speech(message: Message, blocks: list[Json]) -> list[Json]:
    made = {"role": message.role, "content": _plain(blocks)}
    made = merged(made, message.extras.get(API))
    return [made] if blocks or not message.content else []


def _plain(blocks: list[Json]) -> str | list[Json]:
    """One bare text block as the string it is."""
    if not blocks:
        return ""
    if len(blocks) == 1 and blocks[0] == {"type": "input_text", "text": blocks[0].get("text")}:
        return blocks[0]["text"]
    return blocks


def _part(part: Part, message: Message, at: At) -> Json | None:
    """The block that says what a part says, or None and a loss."""
    if not part.extras:
        return _block(part, message, at)
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
    text = bare_text(message)
    if text and not home(message) and API not in message.extras:
        return Fragment(dump({"role": "assistant", "content": text}))
    at = _begun(message)
    if message.extras.get(API, TYPED) != TYPED:
        At("", at.losses).lose("provenance", "a turn of several items has no fields of its own")
    items = Items(message, stored)
    for at.index, part in enumerate(message.content):
        items.add(part, at.index, at)
    return _joined(items.closed(), at)


# -- what tools gave


def _tool(message: Message, custom: Sequence[str] = ()) -> Fragment:
    at = At("content", [])
    if message.extras:
        At("", at.losses).foreign(message.extras, API)
    items: list[Json] = []
    for at.index, part in enumerate(message.content):
        if isinstance(part, ToolResult):
            items.append(_result(part, message, custom, at))
    return _joined(items, at)


def _result(part: ToolResult, message: Message, custom: Sequence[str], at: At) -> Json:
    if part.extras:
        at.foreign(part.extras, API)
    text = None if part.is_error else sole_text(part.content)
    made: FunctionCallOutput = {
        "type": "function_call_output",
        "call_id": part.tool_call_id,
        "output": cast("Any", _output(part, message, at) if text is None else text),
    }
    item = cast("Json", made)
    if part.tool_call_id in custom:
        item["type"] = "custom_tool_call_output"
    return merged(item, own(part, message, at)) if part.extras else item


def _output(part: ToolResult, message: Message, at: At) -> str | list[Json]:
    """What the tool gave."""
    blocks: list[Json] = []
    here = at.of("content")
    for here.index, inner in enumerate(part.content):
        block = _part(inner, message, here)
        if block is not None:
            blocks.append(block)
    if part.is_error:
        at.lose("setting", "is_error: the text says it instead", "lowered")
        blocks = _failed(blocks)
    return _plain(blocks)


def _failed(blocks: list[Json]) -> list[Json]:
    if len(blocks) == 1 and "text" in blocks[0]:
        return [{**blocks[0], "text": ERROR + blocks[0]["text"]}]
    return [{"type": "input_text", "text": ERROR.strip()}, *blocks]


RENDERERS: dict[Role, Callable[[Message], Fragment]] = {
    "system": _said,
    "developer": _said,
    "user": _said,
    "assistant": _assistant,
    "tool": _tool,
}
