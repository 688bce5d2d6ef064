"""From streamed chunks to the generateContent answer they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
from interlingua.frozen import thaw
from interlingua.jsonable import json_text
from interlingua.parts import ToolCall
from interlingua.wire import Json, as_count, as_object, as_text, objects
from interlingua_google.decode import part, usage
from interlingua_google.errors import judge
from interlingua_google.partial import put
from interlingua_google.spelling import camelized

PLAIN = frozenset({"text", "thought"})
"""What a text part has that runs together with its neighbour; a seal closes a part."""

PIECES = ("partialArgs", "willContinue")
"""How Vertex sends a call's arguments value by value."""

UNFINISHED = (None, "", 0, "FINISH_REASON_UNSPECIFIED")


class Fold:
    """Adds chunks up: parts append and neighbouring text joins; of all else the last one counts."""

    def __init__(self) -> None:
        self._body: Json = {}
        self._candidates: dict[int, Candidate] = {}
        self._started = False

    def add(self, event: Json) -> Iterable[Event]:
        event = camelized(event)
        if event.get("error") and not event.get("candidates"):
            raise judge(200, {}, event)
        events: list[Event] = []
        for key, value in event.items():
            if key == "usageMetadata":
                self._body[key] = {**as_object(self._body.get(key)), **as_object(value)}
            elif key != "candidates" and value is not None:
                self._body[key] = value
        id = as_text(self._body.get("responseId"))
        if not self._started:
            self._started = True
            events.append(Started(id, as_text(self._body.get("modelVersion"))))
        for piece in objects(event.get("candidates")):
            events += self._candidate(piece).add(piece, id)
        if event.get("usageMetadata") and self.complete:
            events.append(UsageUpdate(usage(self._body["usageMetadata"])))
        return events

    @property
    def complete(self) -> bool:
        if not self._candidates:
            return bool(as_object(self._body.get("promptFeedback")).get("blockReason"))
        return all(one.done for one in self._candidates.values())

    def body(self) -> Json:
        if not self._candidates:
            return dict(self._body)
        candidates = [self._candidates[at].whole() for at in sorted(self._candidates)]
        return {"candidates": candidates, **self._body}

    def _candidate(self, piece: Json) -> Candidate:
        at = as_count(piece.get("index")) or 0
        if at not in self._candidates:
            self._candidates[at] = Candidate(first=not self._candidates)
        return self._candidates[at]


class Candidate:
    """One of the answers. Only the first one's pieces are told as events."""

    def __init__(self, *, first: bool) -> None:
        self._first = first
        self._fields: Json = {}
        self._parts: list[Json] = []
        self._texts: list[str] = []
        self._open = False
        self._calls = 0

    def add(self, piece: Json, id: str | None) -> Iterator[Event]:
        """Take a piece of this answer; tell what it says."""
        seed = f"{id}/0" if id else None
        for key, value in piece.items():
            if key == "content":
                for given in objects(as_object(value).get("parts")):
                    for event in self._part(given, seed):
                        if self._first:
                            yield event
            elif value is not None:
                self._fields[key] = value
        if self.done and self._first:
            yield from self._close(seed)

    @property
    def done(self) -> bool:
        return self._fields.get("finishReason") not in UNFINISHED

    def whole(self) -> Json:
        """The candidate as it would have come unstreamed."""
        self._join()
        return {**self._fields, "content": {"role": "model", "parts": list(self._parts)}}

    def _part(self, given: Json, seed: str | None) -> Iterator[Event]:
        text = given.get("text")
        if isinstance(text, str):
            if given.keys() <= PLAIN and self._open and self._continues(given):
                self._texts.append(text)
            elif text or not given.keys() <= PLAIN:
                yield from self._begin(given, seed)
            yield from self._told(given, text)
        elif "functionCall" in given:
            yield from self._call(given, seed)
        else:
            yield from self._begin(given, seed)

    def _continues(self, given: Json) -> bool:
        last = self._parts[-1]
        return last.keys() <= PLAIN and bool(last.get("thought")) == bool(given.get("thought"))

    def _told(self, given: Json, text: str) -> Iterator[Event]:
        if text and given.get("thought") is True:
            yield ReasoningDelta(len(self._parts) - 1, text)
        elif text:
            yield TextDelta(len(self._parts) - 1, text)

    def _begin(self, given: Json, seed: str | None) -> Iterator[Event]:
        yield from self._close(seed)
        self._parts.append(dict(given))
        self._open = True
        text = given.get("text")
        self._texts = [text] if isinstance(text, str) else []

    def _call(self, given: Json, seed: str | None) -> Iterator[Event]:
        """A call; one without a name goes on with the arguments of the call before it."""
        inner = as_object(given["functionCall"])
        last = as_object(self._parts[-1].get("functionCall")) if self._parts else {}
        if not last or inner.get("name"):
            yield from self._begin(given, seed)
            self._calls += 1
            known = {key: item for key, item in inner.items() if key not in PIECES}
            self._parts[-1]["functionCall"] = known
        else:
            known = last
            fields = {key: item for key, item in given.items() if key != "functionCall"}
            self._parts[-1] = {**self._parts[-1], **fields}
        pieces = objects(inner.get("partialArgs"))
        if pieces:
            known["args"] = thaw(as_object(known.get("args")))
            for piece in pieces:
                put(known["args"], piece)

    def _join(self) -> None:
        if len(self._texts) > 1:
            self._parts[-1]["text"] = "".join(self._texts)
            self._texts = [self._parts[-1]["text"]]

    def _close(self, seed: str | None) -> Iterator[Event]:
        """The part before is whole."""
        if not self._open:
            return
        self._open = False
        self._join()
        self._texts = []
        index = len(self._parts) - 1
        try:
            made = part(self._parts[-1], max(self._calls - 1, 0), seed)
        except MessageError:
            return
        if isinstance(made, ToolCall):
            yield ToolCallDelta(index, made.id, made.name, json_text(made.arguments))
        yield PartDone(index, made)
