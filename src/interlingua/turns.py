"""From messages to an API's turns: fragments, calls matched with their results, sides that alternate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from interlingua.loss import At, Loss
from interlingua.message import Message
from interlingua.parts import Part, ToolCall, ToolResult

Side: TypeAlias = Literal["user", "assistant"]
INTERRUPTED = "This tool call was interrupted: there is no result."


class Fragment(Struct, frozen=True):
    """One message in one API's JSON: encoded once, kept on the message, joined into every request."""

    first: bytes = b""
    """Comma-joined items that lead their turn: tool results, or everything where turns are flat."""
    rest: bytes = b""
    losses: tuple[Loss, ...] = ()
    """What the API cannot carry of it; paths count from the message."""


def fragment(message: Message, key: str, render: Callable[[Message], Fragment]) -> Fragment:
    """The message's fragment, rendered at its first use."""
    held: Fragment | None = message.__dict__.get(key)
    if held is None:
        held = message.__dict__[key] = render(message)
    return held


def placed(losses: tuple[Loss, ...], index: int) -> Iterator[Loss]:
    """A fragment's losses, seen from the request."""
    for loss in losses:
        path = f"messages[{index}].{loss.path}" if loss.path else f"messages[{index}]"
        yield Loss(path, loss.kind, loss.reason, loss.action)


class Turns:
    """Joins fragments to turns in which the sides alternate; what leads a turn comes first in it."""

    def __init__(self, openings: dict[Side, bytes]) -> None:
        self._openings = openings
        self._side: Side | None = None
        self._first: list[bytes] = []
        self._rest: list[bytes] = []
        self._done: list[bytes] = []

    def add(self, side: Side, piece: Fragment) -> None:
        """Put a fragment on its side; one that says nothing opens no turn."""
        if not piece.first and not piece.rest:
            return
        if side != self._side:
            self._close()
            self._side = side
        if piece.first:
            self._first.append(piece.first)
        if piece.rest:
            self._rest.append(piece.rest)

    def insert(self, turn: bytes) -> None:
        """Put a whole turn of its own between the others."""
        self._close()
        self._side = None
        self._done.append(turn)

    def content(self) -> bytes:
        """All turns as a JSON array."""
        self._close()
        return b"[" + b",".join(self._done) + b"]"

    def _close(self) -> None:
        if self._side is not None and (self._first or self._rest):
            inner = b",".join(self._first + self._rest)
            self._done.append(self._openings[self._side] + inner + b"]}")
        self._first, self._rest = [], []


class Linked(Struct, frozen=True):
    """Messages in which every call has one result right after it, as far as the API needs that."""

    messages: Sequence[Message]
    places: Sequence[int]
    """Each message's index in the request."""
    losses: list[Loss]


class Ties(Struct, frozen=True):
    """The ids of a message's calls and results."""

    calls: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    named: bool = True
    """Whether every result says its tool's name."""


NO_TIES = Ties()


def link(
    messages: Sequence[Message], api: str, fit: Callable[[str], str], *, by_name: bool = False
) -> Linked:
    """Match calls and results; ids that the API refuses or that repeat are replaced, the same in both.

    A result that is missing is made up, one that comes late is moved to its call, one without a call
    becomes what the user says: each is a loss. Turns that this very API made stay as they are.
    `by_name`: the API wants the tool's name in the result.
    """
    if _regular(messages, fit, by_name):
        return Linked(messages, range(len(messages)), [])
    return _Linking(messages, api, fit).linked()


def ties(message: Message) -> Ties:
    """The message's calls and results, worked out once."""
    held: Ties | None = message.__dict__.get("ties")
    if held is None:
        calls = tuple(part.id for part in message.content if isinstance(part, ToolCall))
        results = message.tool_results
        held = NO_TIES
        if calls or results:
            named = all(result.name for result in results)
            held = Ties(calls, tuple(result.tool_call_id for result in results), named)
        message.__dict__["ties"] = held
    return held


def _regular(messages: Sequence[Message], fit: Callable[[str], str], by_name: bool) -> bool:
    waiting: set[str] = set()
    seen: set[str] = set()
    for message in messages:
        tied: Ties = message.__dict__.get("ties") or ties(message)
        if tied is NO_TIES:
            if waiting:
                return False
        elif tied.calls:
            known = len(seen) + len(tied.calls)
            seen.update(tied.calls)
            if waiting or len(seen) != known or any(fit(one) != one for one in tied.calls):
                return False
            waiting.update(tied.calls)
        else:
            for one in tied.results:
                if one not in waiting:
                    return False
                waiting.discard(one)
            if by_name and not tied.named:
                return False
    return not waiting


class _Linking:
    """The slow way of `link`, for histories that need mending."""

    def __init__(self, messages: Sequence[Message], api: str, fit: Callable[[str], str]) -> None:
        self._messages, self._api, self._fit = messages, api, fit
        self._out: list[Message] = []
        self._places: list[int] = []
        self._losses: list[Loss] = []
        self._used: set[str] = set()
        self._answers = self._matched()
        self._wire: dict[tuple[int, int], tuple[str, str]] = {}

    def linked(self) -> Linked:
        for index, message in enumerate(self._messages):
            if message.has_tool_calls:
                self._put(self._called(message, index), index)
                self._follow(message, index)
            elif message.role != "tool":
                self._put(message, index)
            else:
                self._results(message, index)
        return Linked(self._out, self._places, self._losses)

    def _put(self, message: Message, index: int) -> None:
        self._out.append(message)
        self._places.append(index)

    def _home(self, message: Message) -> bool:
        return message.origin is not None and message.origin.api == self._api

    def _matched(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Which call each result answers, both by message and part: the nearest before it."""
        open_calls: dict[str, list[tuple[int, int]]] = {}
        matched: dict[tuple[int, int], tuple[int, int]] = {}
        for index, message in enumerate(self._messages):
            for place, part in enumerate(message.content):
                if isinstance(part, ToolCall):
                    open_calls.setdefault(part.id, []).append((index, place))
                elif isinstance(part, ToolResult) and open_calls.get(part.tool_call_id):
                    matched[index, place] = self._taken(open_calls[part.tool_call_id], index)
        return matched

    def _taken(self, calls: list[tuple[int, int]], index: int) -> tuple[int, int]:
        """The call a result answers: of the nearest turn, the first that has no answer yet."""
        turn = calls[-1][0]
        place = next(number for number, call in enumerate(calls) if call[0] == turn)
        return calls.pop(place)

    def _called(self, message: Message, index: int) -> Message:
        """The message with ids that the API takes and that are its own in the conversation."""
        parts: list[Part] = []
        for place, part in enumerate(message.content):
            if isinstance(part, ToolCall):
                wire = part.id if self._home(message) else self._own(self._fit(part.id))
                self._used.add(wire)
                self._wire[index, place] = (wire, part.name)
                parts.append(part if wire == part.id else part.replace(id=wire))
            else:
                parts.append(part)
        return _derived(message, tuple(parts))

    def _own(self, wire: str) -> str:
        number, unique = 2, wire
        while unique in self._used:
            unique = self._fit(f"{wire}_{number}")
            number += 1
        return unique

    def _follow(self, message: Message, index: int) -> None:
        """After a call turn: results that come late are moved here, missing ones are made up."""
        near = self._near(index)
        missing: list[ToolResult] = []
        for place, part in enumerate(message.content):
            if not isinstance(part, ToolCall):
                continue
            answers = [at for at, call in self._answers.items() if call == (index, place)]
            if any(at[0] in near for at in answers) or (self._home(message) and not answers):
                continue
            path = f"messages[{index}].content[{place}]"
            if answers:
                late = self._messages[answers[0][0]].content[answers[0][1]]
                missing.append(self._wired(late, (index, place)))
                reason = f"the result of tool call {part.id!r} is moved next to it"
                self._losses.append(Loss(path, "content", reason, "merged"))
            else:
                wire = self._wire[index, place][0]
                missing.append(ToolResult(wire, INTERRUPTED, part.name, is_error=True))
                reason = f"tool call {part.id!r} has no result; one that says so is added"
                self._losses.append(Loss(path, "content", reason, "synthesised"))
        if missing:
            self._put(Message("tool", tuple(missing)), index)

    def _near(self, index: int) -> range:
        """The tool messages right after a call turn."""
        end = index + 1
        while end < len(self._messages) and self._messages[end].role == "tool":
            end += 1
        return range(index + 1, end)

    def _results(self, message: Message, index: int) -> None:
        kept: list[Part] = []
        strays: list[Part] = []
        for place, part in enumerate(message.content):
            call = self._answers.get((index, place))
            if call is not None and (index in self._near(call[0]) or self._home(message)):
                kept.append(self._wired(part, call))
            elif call is None and self._home(message):
                kept.append(part)
            elif call is None and isinstance(part, ToolResult):
                strays += part.content
                reason = f"no call {part.tool_call_id!r} comes before this result; it is told by the user"
                path = f"messages[{index}].content[{place}]"
                self._losses.append(Loss(path, "content", reason, "lowered"))
        if kept:
            self._put(_derived(message, tuple(kept)), index)
        if strays:
            self._put(Message("user", tuple(strays), origin=message.origin), index)

    def _wired(self, part: Any, call: tuple[int, int]) -> ToolResult:
        wire, name = self._wire[call]
        if part.tool_call_id == wire and part.name:
            return part
        return part.replace(tool_call_id=wire, name=part.name or name)


def _derived(message: Message, parts: tuple[Part, ...]) -> Message:
    """The message with other parts; kept beside it, so that its fragment is rendered once."""
    if all(one is other for one, other in zip(message.content, parts, strict=False)) and len(
        parts
    ) == len(message.content):
        return message
    held: dict[tuple[Part, ...], Message] = message.__dict__.setdefault("derived", {})
    if parts not in held:
        held.clear()
        held[parts] = msgspec.structs.replace(message, content=parts)
    return held[parts]


__all__ = ["At", "Fragment", "Linked", "Ties", "Turns", "fragment", "link", "placed", "ties"]
