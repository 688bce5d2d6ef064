"""From streamed events to the message they stand for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

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
from interlingua.wire import Json, as_object, as_text, mended, objects
from interlingua_anthropic.decode import part, usage
from interlingua_anthropic.errors import judge

CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
"""Blocks whose input comes in pieces of JSON text."""

STARTS: dict[str, Json] = {
    "text_delta": {"type": "text", "text": ""},
    "thinking_delta": {"type": "thinking", "thinking": ""},
}
"""The block that a piece belongs to when its start was never told."""

NOTHING: tuple[Event, ...] = ()


class Fold:
    """Starts blocks, appends their pieces, and merges what is said of the whole message."""

    def __init__(self) -> None:
        self._message: Json = {"type": "message", "role": "assistant"}
        self._blocks: dict[Any, Block] = {}
        self._done = False

    def add(self, event: Json) -> Iterable[Event]:
        if event.get("type") == "content_block_delta":
            return self._delta(event)
        try:
            return self._turn(event)
        except MessageError:
            # What cannot be told cannot be read at the end either, and `decode` says why.
            return NOTHING

    @property
    def complete(self) -> bool:
        return self._done or bool(self._message.get("stop_reason"))

    def body(self) -> Json:
        blocks = [block.whole() for block in self._blocks.values()]
        return mended({**self._message, "content": blocks})

    def _turn(self, event: Json) -> Iterable[Event]:
        match event.get("type"):
            case "content_block_start":
                return self._begin(event)
            case "content_block_stop":
                return self._end(event)
            case "message_start":
                return self._start(as_object(event.get("message")))
            case "message_delta":
                return self._whole(event)
            case "message_stop":
                self._done = True
                return NOTHING
            case "error":
                raise judge(200, {}, event)
            case _:
                return NOTHING

    def _start(self, message: Json) -> Iterable[Event]:
        self._message = {**message}
        for index, block in enumerate(objects(message.get("content"))):
            self._blocks[index] = Block(index, block)
        events: list[Event] = [Started(as_text(message.get("id")), as_text(message.get("model")))]
        if counted := as_object(message.get("usage")):
            events.append(UsageUpdate(usage(counted)))
        return events

    def _begin(self, event: Json) -> Iterable[Event]:
        block = Block(len(self._blocks), as_object(event.get("content_block")))
        self._blocks[_index(event)] = block
        return block.begun()

    def _delta(self, event: Json) -> Iterable[Event]:
        delta = as_object(event.get("delta"))
        index = _index(event)
        block = self._blocks.get(index)
        if block is None:
            start = STARTS.get(as_text(delta.get("type")) or "", {})
            block = self._blocks[index] = Block(len(self._blocks), start)
        return block.add(delta)

    def _end(self, event: Json) -> Iterable[Event]:
        block = self._blocks.get(_index(event))
        return NOTHING if block is None else (PartDone(block.place, part(mended(block.whole()))),)

    def _whole(self, event: Json) -> Iterable[Event]:
        """What is known at the end. Usage has fewer counts here than at the start."""
        for key, value in {**event, **as_object(event.get("delta"))}.items():
            if key in ("type", "delta", "usage"):
                continue
            if value is not None or key not in self._message:
                self._message[key] = value
        counted = {key: n for key, n in as_object(event.get("usage")).items() if n is not None}
        if not counted:
            return NOTHING
        known = self._message["usage"] = {**as_object(self._message.get("usage")), **counted}
        return (UsageUpdate(usage(known)),)


class Block:
    """A content block in the making."""

    def __init__(self, place: int, start: Json) -> None:
        self.place = place
        self._fields = dict(start)
        self._pieces: dict[str, list[str]] = {}

    def begun(self) -> Iterable[Event]:
        """What the start of the block already says."""
        match self._fields:
            case {"type": "text", "text": str(text)} if text:
                return (TextDelta(self.place, text),)
            case {"type": "thinking", "thinking": str(text)} if text:
                return (ReasoningDelta(self.place, text),)
            case {"type": "tool_use"}:
                return (self._call(""),)
            case _:
                return NOTHING

    def add(self, delta: Json) -> Iterable[Event]:
        match delta.get("type"):
            case "text_delta" if isinstance(text := delta.get("text"), str):
                self._append("text", text)
                return (TextDelta(self.place, text),)
            case "thinking_delta" if isinstance(text := delta.get("thinking"), str):
                self._append("thinking", text)
                return (ReasoningDelta(self.place, text),)
            case "input_json_delta" if isinstance(text := delta.get("partial_json"), str):
                self._append("input", text)
                return (self._call(text),) if self._fields.get("type") == "tool_use" else NOTHING
            case "citations_delta":
                self._fields["citations"] = [
                    *objects(self._fields.get("citations")),
                    as_object(delta.get("citation")),
                ]
            case _:
                self._fields |= {key: item for key, item in delta.items() if key != "type"}
        return NOTHING

    def whole(self) -> Json:
        """The block as it would have come unstreamed."""
        made = dict(self._fields)
        for key, pieces in self._pieces.items():
            text = "".join(pieces)
            if key != "input":
                made[key] = (as_text(made.get(key)) or "") + text
            elif text:
                made[key] = _read(text)
        return made

    def _append(self, key: str, text: str) -> None:
        pieces = self._pieces.get(key)
        if pieces is None:
            pieces = self._pieces[key] = []
        pieces.append(text)

    def _call(self, text: str) -> Event:
        id, name = as_text(self._fields.get("id")), as_text(self._fields.get("name"))
        return ToolCallDelta(self.place, id, name, text)


def _index(event: Json) -> int:
    index = event.get("index")
    return index if isinstance(index, int) else -1


def _read(text: str) -> Any:
    """The JSON that a call's input is; the text itself when it is none, so that nothing is lost."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return text
