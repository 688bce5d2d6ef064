"""From streamed chunks to the generateContent answer they stand for."""

from __future__ import annotations

from collections.abc import Iterable

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
from interlingua_google.spelling import camelized, is_snake

PLAIN = frozenset({"text", "thought"})
"""What a text part has that runs together with its neighbour; a seal closes a part."""

NOTHING = frozenset({"text"})
"""What an empty text part has that says nothing: many a last chunk brings one."""

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
        if is_snake(event):
            event = camelized(event)
        candidates = event.get("candidates")
        if not candidates and event.get("error"):
            raise judge(200, {}, event)
        self._said(event)
        events: list[Event] = []
        id = as_text(self._body.get("responseId"))
        if not self._started:
            self._started = True
            events.append(Started(id, as_text(self._body.get("modelVersion"))))
        for piece in objects(candidates):
            self._candidate(piece).add(piece, id, events)
        if "usageMetadata" in event and self.complete:
            self._counted(events)
        return events

    def _counted(self, events: list[Event]) -> None:
        try:
            events.append(UsageUpdate(usage(camelized(self._body["usageMetadata"]))))
        except MessageError:
            return  # Counts that are no JSON are told by `finish`.

    def _said(self, event: Json) -> None:
        """Of everything but the candidates the last value counts; of usage, of each count."""
        body = self._body
        for key, value in event.items():
            if key == "usageMetadata":
                body.setdefault(key, {}).update(as_object(value))
            elif key != "candidates" and value is not None:
                body[key] = value

    @property
    def complete(self) -> bool:
        if not self._candidates:
            return bool(as_object(self._body.get("promptFeedback")).get("blockReason"))
        return all([one.done for one in self._candidates.values()])

    def body(self) -> Json:
        if not self._candidates:
            return dict(self._body)
        candidates = [self._candidates[at].whole() for at in sorted(self._candidates)]
        return {"candidates": candidates, **self._body}

    def _candidate(self, piece: Json) -> Candidate:
        at = as_count(piece.get("index")) or 0
        known = self._candidates.get(at)
        if known is None:
            known = self._candidates[at] = Candidate(first=not self._candidates)
        return known


class Candidate:
    """One of the answers. Only the first one's pieces are told as events."""

    def __init__(self, *, first: bool) -> None:
        self._first = first
        self._fields: Json = {}
        self._parts: list[Json] = []
        self._texts: list[str] = []
        self._open = False
        self._thinks: bool | None = None
        """Whether the open part is plain thought (True) or plain text (False)."""
        self._calls = 0

    def add(self, piece: Json, id: str | None, events: list[Event]) -> None:
        """Take a piece of this answer; tell what it says."""
        told = events if self._first else []
        if is_snake(piece):
            piece = camelized(piece)
        for key, value in piece.items():
            if key == "content":
                for given in objects(as_object(value).get("parts")):
                    self._part(given, id, told)
            elif value is not None:
                self._fields[key] = value
        if self.done:
            self._close(id, told)

    @property
    def done(self) -> bool:
        return self._fields.get("finishReason") not in UNFINISHED

    def whole(self) -> Json:
        """The candidate as it would have come unstreamed."""
        self._join()
        return {**self._fields, "content": {"role": "model", "parts": list(self._parts)}}

    def _part(self, given: Json, id: str | None, told: list[Event]) -> None:
        text = given.get("text")
        if not isinstance(text, str):
            given = camelized(given)
            if "functionCall" in given:
                self._call(given, id, told)
            else:
                self._begin(given, id, told)
            return
        plain = given.keys() <= PLAIN
        if plain and self._open and self._thinks == bool(given.get("thought")):
            self._texts.append(text)
        elif text or given.keys() != NOTHING:
            self._begin(given, id, told)
        if text:
            delta = ReasoningDelta if given.get("thought") is True else TextDelta
            told.append(delta(len(self._parts) - 1, text))

    def _begin(self, given: Json, id: str | None, told: list[Event]) -> None:
        self._close(id, told)
        self._parts.append(dict(camelized(given)))
        self._open = True
        self._thinks = bool(given.get("thought")) if given.keys() <= PLAIN else None
        text = given.get("text")
        self._texts = [text] if isinstance(text, str) else []

    def _call(self, given: Json, id: str | None, told: list[Event]) -> None:
        """A call; one without a name goes on with the arguments of the call before it."""
        inner = as_object(given["functionCall"])
        last = as_object(self._parts[-1].get("functionCall")) if self._parts else {}
        if not last or inner.get("name"):
            self._begin(given, id, told)
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
            self._texts = ["".join(self._texts)]
            self._parts[-1]["text"] = self._texts[0]

    def _close(self, id: str | None, told: list[Event]) -> None:
        """The part before is whole."""
        if not self._open:
            return
        self._open = False
        self._join()
        self._texts = []
        index = len(self._parts) - 1
        try:
            made = part(self._parts[-1], max(self._calls - 1, 0), f"{id}/0" if id else None)
        except MessageError:
            return
        if isinstance(made, ToolCall):
            told.append(ToolCallDelta(index, made.id, made.name, json_text(made.arguments)))
        told.append(PartDone(index, made))
