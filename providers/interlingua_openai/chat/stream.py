"""From streamed chunks to the chat completion they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from interlingua.events import (
    Event,
    PartDone,
    ReasoningDelta,
    Started,
    TextDelta,
    ToolCallDelta,
    UsageUpdate,
)
from interlingua.wire import Json, as_list, as_object, as_text, is_list, is_object, mended, objects
from interlingua_openai.chat.decode import assistant, usage
from interlingua_openai.errors import judge

ONCE = frozenset({"choices", "object", "obfuscation", "p"})
"""Fields of a chunk that the whole answer does not have, or that are put together here."""

ADDS_UP = ("arguments", "input", "data", "transcript")
"""Fields of calls and audio that come in pieces."""

ORDER = ("reasoning_content", "reasoning", "content", "refusal", "audio", "tool_calls")
RANK = {key: number for number, key in enumerate(ORDER)}
"""Fields of one delta in the order of the parts they become."""


class Fold:
    """Adds chunks up: text and arguments append, everything else is said once or overwritten."""

    def __init__(self) -> None:
        self._body: Json = {"object": "chat.completion"}
        self._choices: dict[int, Choice] = {}
        self._started = False

    def add(self, event: Json) -> Iterable[Event]:
        if event.get("error") and not event.get("choices"):
            raise judge(200, {}, event)
        events: list[Event] = []
        body = self._body
        for key, value in event.items():
            if key not in ONCE and value is not None and value != "":
                body[key] = value
        pieces = objects(event.get("choices"))
        if not self._started and (event.get("id") or pieces):
            self._started = True
            events.append(Started(as_text(event.get("id")), as_text(event.get("model"))))
        for piece in pieces:
            self._choice(piece).add(piece, events)
        if counted := event.get("usage") or as_object(event.get("x_groq")).get("usage"):
            self._body["usage"] = counted
            events.append(UsageUpdate(usage(as_object(counted))))
        return events

    @property
    def complete(self) -> bool:
        return bool(self._choices) and all(one.done for one in self._choices.values())

    def body(self) -> Json:
        choices = [self._choices[at].whole() for at in sorted(self._choices)]
        return mended({**self._body, "choices": choices})

    def _choice(self, piece: Json) -> Choice:
        at = piece.get("index")
        at = at if isinstance(at, int) else 0
        known = self._choices.get(at)
        if known is None:
            known = self._choices[at] = Choice(at, self._body)
        return known


class Choice:
    """One of the answers. Only the first one's pieces are told as events."""

    def __init__(self, index: int, answer: Json) -> None:
        self._index = index
        self._answer = answer
        self._fields: Json = {"index": index, "finish_reason": None}
        self._message: Json = {"role": "assistant", "content": None}
        self._texts: dict[str, list[str]] = {}
        self._calls: list[Json] = []
        self._by_index: dict[int, Json] = {}
        self._places: dict[str, int] = {}

    @property
    def done(self) -> bool:
        return bool(self._fields.get("finish_reason"))

    def add(self, piece: Json, events: list[Event]) -> None:
        """Take the choice's next piece; tell what it says."""
        told = events if self._index == 0 else []
        finished = piece.get("finish_reason") and not self.done
        for key, value in piece.items():
            if value is None or key == "index" or key == "delta":
                continue
            if key == "logprobs":
                self._logprobs(value)
            else:
                self._fields[key] = value
        for key, value in _ordered(as_object(piece.get("delta"))):
            if value is not None:
                self._delta(key, value, told)
        if finished:
            told += self._parts(as_text(self._answer.get("id")))

    def whole(self) -> Json:
        """The choice as it would have come unstreamed."""
        message = dict(self._message)
        for key, pieces in self._texts.items():
            message[key] = "".join(pieces)
        if self._calls:
            message["tool_calls"] = list(self._calls)
        return {**self._fields, "message": message}

    def _delta(self, key: str, value: Any, told: list[Event]) -> None:
        if key == "tool_calls":
            told += [self._call(piece) for piece in objects(value)]
        elif isinstance(value, str) and key != "role":
            if value:
                self._text(key, value, told)
            else:
                self._message.setdefault(key, value)
        elif key == "content" and is_list(value):
            told += self._blocks(value)
        elif key in ("function_call", "audio") and is_object(value):
            known = self._message[key] = as_object(self._message.get(key))
            _grow(known, value)
        elif is_list(value) and is_list(self._message.get(key)):
            self._message[key] = [*self._message[key], *value]
        else:
            self._message[key] = value

    def _text(self, key: str, value: str, told: list[Event]) -> None:
        if key == "content" and isinstance(self._message.get("content"), list):
            told += self._blocks([{"type": "text", "text": value}])
            return
        self._texts.setdefault(key, []).append(value)
        if key == "content":
            told.append(TextDelta(self._place("text"), value))
        elif key == "reasoning_content" or (
            key == "reasoning" and "reasoning_content" not in self._texts
        ):
            told.append(ReasoningDelta(self._place("reasoning"), value))
        elif key == "refusal":
            self._place("refusal")

    def _blocks(self, given: list[Any]) -> Iterator[Event]:
        """Content as a list of blocks: neighbours of one kind run together."""
        held = objects(self._message.get("content"))
        self._message["content"] = held
        if said := self._texts.pop("content", None):
            held.append({"type": "text", "text": "".join(said)})
        for block in objects(given):
            last = held[-1] if held else {}
            yield from self._told(block)
            text = as_text(block.get("text"))
            if block.get("type") == "text" == last.get("type") and text is not None:
                held[-1] = {**last, **block, "text": (as_text(last.get("text")) or "") + text}
            elif block.get("type") == "thinking" == last.get("type"):
                held[-1] = {**last, **block, "thinking": _thought(last, block)}
            else:
                held.append(block)

    def _told(self, block: Json) -> Iterator[Event]:
        match block:
            case {"type": "text", "text": str(text)}:
                yield TextDelta(self._place("text"), text)
            case {"type": "thinking", "thinking": [*texts]}:
                for one in objects(texts):
                    yield ReasoningDelta(self._place("reasoning"), as_text(one.get("text")) or "")
            case _:
                pass

    def _call(self, piece: Json) -> Event:
        call = self._slot(piece)
        _grow(call, piece)
        call.pop("index", None)
        inner = as_object(piece.get("function")) or as_object(piece.get("custom"))
        known = as_object(call.get("function")) or as_object(call.get("custom"))
        number = next(n for n, one in enumerate(self._calls) if one is call)
        text = as_text(inner.get("arguments")) or as_text(inner.get("input")) or ""
        return ToolCallDelta(
            self._place(f"call {number}"), as_text(call.get("id")), as_text(known.get("name")), text
        )

    def _slot(self, piece: Json) -> Json:
        """The call that a piece continues. Some hosts send no index, or 0 for every call."""
        index, known = piece.get("index"), piece.get("id")
        if isinstance(index, int):
            held = self._by_index.get(index)
            if held is not None and not (known and held.get("id") and held["id"] != known):
                return held
        else:
            index = None
            same = [call for call in self._calls if known and call.get("id") == known]
            continues = not known and not as_object(piece.get("function")).get("name")
            if same or (self._calls and continues):
                return (same or self._calls)[-1]
        made: Json = {}
        self._calls.append(made)
        if index is not None:
            self._by_index[index] = made
        return made

    def _place(self, what: str) -> int:
        """The part's place in the final message: thoughts, text and refusal come before calls."""
        return self._places.setdefault(what, len(self._places))

    def _logprobs(self, value: object) -> None:
        for kind, tokens in as_object(value).items():
            known = self._fields.setdefault("logprobs", {})
            if tokens:
                known[kind] = [*as_list(known.get(kind)), *as_list(tokens)]
            else:
                known.setdefault(kind, None)

    def _parts(self, id: str | None) -> Iterator[Event]:
        parts, _ = assistant(mended(self.whole()["message"]), id)
        for index, part in enumerate(parts):
            yield PartDone(index, part)


def _ordered(delta: Json) -> Iterable[tuple[str, Any]]:
    """The fields of a delta in the order of the parts they become."""
    if len(delta) == 1:
        return delta.items()
    return sorted(delta.items(), key=lambda field: RANK.get(field[0], -1))


def _grow(target: Json, piece: Json) -> None:
    """Add a fragment of an object: texts that come in pieces add up, the rest is said once."""
    for key, value in piece.items():
        known = target.get(key)
        if is_object(value):
            inner = target[key] = as_object(known)
            _grow(inner, value)
        elif key in ADDS_UP and isinstance(value, str):
            target[key] = (as_text(known) or "") + value
        elif value not in (None, "") or key not in target:
            target[key] = value


def _thought(last: Json, block: Json) -> list[Json]:
    """Thoughts that run together, as one list of texts."""
    thoughts = [*objects(last.get("thinking")), *objects(block.get("thinking"))]
    return [{"type": "text", "text": "".join(as_text(one.get("text")) or "" for one in thoughts)}]
