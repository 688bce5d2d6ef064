"""From streamed events to the response they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import ClassVar, NamedTuple

from interlingua.errors import MessageError
from interlingua.events import (
    Event,
    PartDone,
    ReasoningDelta,
    Started,
    TextDelta,
    ToolCallDelta,
    UsageUpdate,
)
from interlingua.parts import Text
from interlingua.wire import Json, as_object, as_text, mended, objects
from interlingua_openai.errors import judge
from interlingua_openai.responses.decode import parts, usage


class Piece(NamedTuple):
    """Where the text of a delta belongs: in a block of a list, or in a field of the item itself."""

    kind: str
    field: str
    block: str = ""
    key: str = "text"
    number: str = "content_index"


TEXT = Piece("message", "content", "output_text")
REFUSAL = Piece("message", "content", "refusal", "refusal")
REASONING = Piece("reasoning", "content", "reasoning_text")
SUMMARY = Piece("reasoning", "summary", "summary_text", number="summary_index")

FIELDS = {
    "response.function_call_arguments": Piece("function_call", "arguments"),
    "response.custom_tool_call_input": Piece("custom_tool_call", "input"),
    "response.mcp_call_arguments": Piece("mcp_call", "arguments"),
    "response.code_interpreter_call_code": Piece("code_interpreter_call", "code"),
}

CALLS = ("function_call", "custom_tool_call")


class Item:
    """An item that is being written: its JSON so far, and the texts that are still growing."""

    def __init__(self, given: Json, start: int) -> None:
        self.given = given
        self.start = start
        self.texts: dict[tuple[Piece, int], list[str]] = {}

    def whole(self) -> Json:
        """The item as far as it has come."""
        made = dict(self.given)
        for (piece, place), texts in self.texts.items():
            text = "".join(texts)
            if piece.block:
                made[piece.field] = _set(objects(made.get(piece.field)), piece, place, text)
            else:
                made[piece.field] = text
        return made

    def grow(self, piece: Piece, place: int, text: str) -> None:
        held = self.texts.get((piece, place))
        if held is None:
            self.texts[piece, place] = [text]
        else:
            held.append(text)

    def count(self) -> int:
        """How many parts it becomes."""
        if self.given.get("type") != "message":
            return 1
        places = [place + 1 for piece, place in self.texts if piece.block]
        return max(1, len(objects(self.given.get("content"))), *places)


def _set(blocks: list[Json], piece: Piece, place: int, text: str) -> list[Json]:
    """The blocks with a text put into the one at a place."""
    made = list(blocks)
    while len(made) <= place and place < 1000:
        made.append({"type": piece.block, piece.key: ""})
    if place < len(made):
        made[place] = {**made[place], piece.key: text}
    return made


class Fold:
    """Takes items as they are done, and the whole response from the event that ends the stream."""

    def __init__(self) -> None:
        self._response: Json = {}
        self._items: dict[int, Item] = {}
        self._started = False
        self._done = False

    def add(self, event: Json) -> Iterable[Event]:
        kind = event.get("type")
        take = self._takers.get(kind) if isinstance(kind, str) else None
        return take(self, event) if take else ()

    @property
    def complete(self) -> bool:
        return self._done

    def body(self) -> Json:
        if not self._items or (self._done and self._response.get("output")):
            return {"output": [], **self._response}
        items = [self._items[at].whole() for at in sorted(self._items)]
        return {**self._response, "output": items}

    # -- the response

    def _created(self, event: Json) -> Iterator[Event]:
        self._response = as_object(event.get("response"))
        if not self._started:
            self._started = True
            yield Started(as_text(self._response.get("id")), as_text(self._response.get("model")))

    def _ended(self, event: Json) -> Iterator[Event]:
        self._response = as_object(event.get("response"))
        self._done = True
        if not self._items:
            for at, item in enumerate(objects(self._response.get("output"))):
                yield from self._finished({"output_index": at, "item": item})
        if self._response.get("usage"):
            with suppress(MessageError):
                yield UsageUpdate(usage(self._response))

    def _failed(self, event: Json) -> Iterable[Event]:
        given = as_object(event.get("response"))
        self._response = {**(given or self._response), "error": None}
        raise judge(200, {}, event)

    # -- items

    def _added(self, event: Json) -> Iterator[Event]:
        at = _number(event, "output_index")
        item = self._items[at] = Item(as_object(event.get("item")), self._start(at))
        if item.given.get("type") in CALLS:
            yield self._call(item, as_text(item.given.get("arguments")) or "")

    def _finished(self, event: Json) -> Iterator[Event]:
        at = _number(event, "output_index")
        given = as_object(event.get("item"))
        known = self._items.get(at) or Item({}, self._start(at))
        item = self._items[at] = Item(given, known.start)
        for later in sorted(one for one in self._items if one > at):
            self._items[later].start = self._start(later)
        # What is no JSON value is for `finish` to say, with its place.
        with suppress(MessageError):
            for number, part in enumerate(parts(mended(given))):
                if isinstance(part, Text) and part.text and (TEXT, number) not in known.texts:
                    # Some hosts send no pieces of it.
                    yield TextDelta(item.start + number, part.text)
                yield PartDone(item.start + number, part)

    def _start(self, at: int) -> int:
        """The place of an item's first part: after those of all items before it."""
        return sum(item.count() for index, item in self._items.items() if index < at)

    def _at(self, event: Json, kind: str) -> Item:
        at = _number(event, "output_index")
        if at not in self._items:
            given: Json = {"type": kind, "id": event.get("item_id")}
            if kind == "message":
                given["role"] = "assistant"
            self._items[at] = Item(given, self._start(at))
        return self._items[at]

    # -- pieces of items

    def _block_added(self, event: Json) -> Iterable[Event]:
        item = self._at(event, "message")
        place = _number(event, "content_index")
        blocks = objects(item.given.get("content"))
        if place == len(blocks) and event.get("part"):
            item.given = {**item.given, "content": [*blocks, as_object(event["part"])]}
        return ()

    def _text(self, event: Json) -> Iterable[Event]:
        text = event.get("delta")
        if not text or type(text) is not str:
            return ()
        item = self._items.get(_number(event, "output_index")) or self._at(event, "message")
        place = _number(event, "content_index")
        item.grow(TEXT, place, text)
        return (TextDelta(item.start + place, text),)

    def _refusal(self, event: Json) -> Iterable[Event]:
        text = as_text(event.get("delta"))
        if text:
            self._at(event, "message").grow(REFUSAL, _number(event, "content_index"), text)
        return ()

    def _thought(self, event: Json) -> Iterable[Event]:
        return self._reasoning(event, REASONING)

    def _summary(self, event: Json) -> Iterable[Event]:
        return self._reasoning(event, SUMMARY)

    def _reasoning(self, event: Json, piece: Piece) -> Iterable[Event]:
        text = as_text(event.get("delta"))
        if not text:
            return ()
        item = self._at(event, "reasoning")
        place = _number(event, piece.number)
        gap = "\n\n" if place and (piece, place) not in item.texts else ""
        item.grow(piece, place, text)
        return (ReasoningDelta(item.start, gap + text),)

    def _field(self, event: Json) -> Iterable[Event]:
        text = as_text(event.get("delta"))
        piece = FIELDS[event["type"].removesuffix(".delta")]
        if not text:
            return ()
        item = self._at(event, piece.kind)
        item.grow(piece, 0, text)
        return (self._call(item, text),) if piece.kind in CALLS else ()

    def _call(self, item: Item, text: str) -> ToolCallDelta:
        call_id, name = as_text(item.given.get("call_id")), as_text(item.given.get("name"))
        return ToolCallDelta(item.start, call_id, name, text)

    _takers: ClassVar[dict[str, Callable[[Fold, Json], Iterable[Event]]]] = {
        "response.created": _created,
        "response.queued": _created,
        "response.in_progress": _created,
        "response.completed": _ended,
        "response.incomplete": _ended,
        "response.failed": _failed,
        "error": _failed,
        "response.output_item.added": _added,
        "response.output_item.done": _finished,
        "response.content_part.added": _block_added,
        "response.output_text.delta": _text,
        "response.refusal.delta": _refusal,
        "response.reasoning_text.delta": _thought,
        "response.reasoning_summary_text.delta": _summary,
        **dict.fromkeys((f"{name}.delta" for name in FIELDS), _field),
    }
    """What the events do. All others change nothing that the whole response does not say."""


def _number(event: Json, key: str) -> int:
    value = event.get(key)
    return value if type(value) is int and value >= 0 else 0
