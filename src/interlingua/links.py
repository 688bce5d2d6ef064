"""Calls and the results that answer them: matched, given ids of their own, brought side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter, is_, itemgetter
from typing import Any, TypeAlias

from msgspec import Struct

from interlingua.loss import At, Loss
from interlingua.message import Message
from interlingua.parts import Part, ToolCall, ToolResult

INTERRUPTED = "This tool call was interrupted: there is no result."
MOST_DERIVED = 4
"""Of one message, for as many conversations that need it otherwise."""


class Linked(Struct, frozen=True):
    """Messages in which every call has one result right after it, as far as the API needs that."""

    messages: Sequence[Message]
    places: Sequence[int]
    """Each message's index in the request."""
    losses: list[Loss]


def link(
    messages: Sequence[Message], api: str, fit: Callable[[str], str], *, by_name: bool = False
) -> Linked:
    """Match calls and results; a conversation in which all is well comes back as it is."""
    regular = Regularity()
    kept: list[Message] = []
    for message in messages:
        if (known := regular.take(message, api, fit, by_name)) is None:
            break
        kept.append(known)
    else:
        if not regular.waiting:
            is_same = all(map(is_, kept, messages))
            return Linked(messages if is_same else kept, range(len(kept)), [])
    return mended(messages, api, fit, by_name=by_name)


def mended(
    messages: Sequence[Message], api: str, fit: Callable[[str], str], *, by_name: bool = False
) -> Linked:
    """Ids that the API refuses or that repeat are replaced, in a call and in its result.

    A result that is missing is made up, one that comes late is moved to its call, one that answers
    no call becomes what the user says: each is a loss. Turns that this very API made stay as they
    are. `by_name`: the API wants the tool's name in the result.
    """
    return _Linking(messages, api, fit, by_name).linked()


class Regularity:
    """Follows a conversation as long as calls have ids of their own, and results right after."""

    __slots__ = ("_seen", "waiting")

    def __init__(self) -> None:
        self.waiting: dict[str, str] = {}
        """The calls that wait for their result: id → the tool's name."""
        self._seen: set[str] = set()

    def take(
        self, message: Message, api: str, fit: Callable[[str], str], by_name: bool
    ) -> Message | None:
        """The next message, its results by name if that is wanted; None when it needs mending."""
        if message.role == "tool":
            return self._answered(message, by_name)
        if self.waiting:
            return None
        if message.role != "assistant":
            return message
        calls = [part for part in message.content if type(part) is ToolCall]
        return message if not calls or self._called(calls, message, api, fit) else None

    def _answered(self, message: Message, by_name: bool) -> Message | None:
        parts: list[Part] = []
        for part in message.content:
            name = self.waiting.pop(part.tool_call_id, None) if type(part) is ToolResult else None
            if name is None or type(part) is not ToolResult:
                return None
            parts.append(part if part.name or not by_name else part.replace(name=name))
        return _derived(message, tuple(parts)) if by_name else message

    def _called(
        self, calls: list[ToolCall], message: Message, api: str, fit: Callable[[str], str]
    ) -> bool:
        for one in calls:
            if one.id in self._seen or (fit(one.id) != one.id and not _made_by(message, api)):
                return False
            self._seen.add(one.id)
            self.waiting[one.id] = one.name
        return True


Place: TypeAlias = tuple[int, int]
"""A part: the index of its message, and its own in the message."""
Answer: TypeAlias = tuple[int, Message, int]
"""A place among the answers of a turn, a message, and its index in the request."""


class Matches(Struct, frozen=True):
    """Which result answers which call."""

    calls: dict[Place, Place]
    """For each result that answers a call, that call."""
    spare: dict[Place, Place | None]
    """For each other result, the call of its id that is answered already, if there is one."""


def match(messages: Sequence[Message]) -> Matches:
    """Each result answers the nearest call of its id that waits; in one turn, the first."""
    waiting: dict[str, list[Place]] = {}
    answered: dict[str, Place] = {}
    found = Matches({}, {})
    for index, message in enumerate(messages):
        for place, part in enumerate(message.content):
            if isinstance(part, ToolCall):
                waiting.setdefault(part.id, []).append((index, place))
            elif isinstance(part, ToolResult):
                calls = waiting.get(part.tool_call_id)
                if calls:
                    call = answered[part.tool_call_id] = _nearest(calls)
                    found.calls[index, place] = call
                else:
                    found.spare[index, place] = answered.get(part.tool_call_id)
    return found


def _nearest(calls: list[Place]) -> Place:
    number = len(calls) - 1
    while number and calls[number - 1][0] == calls[-1][0]:
        number -= 1
    return calls.pop(number)


def rounds(messages: Sequence[Message]) -> Iterator[tuple[int | None, range]]:
    """Each message that is no result, with the results right after it; results may come first."""
    head: int | None = None
    start = 0
    for index, message in enumerate(messages):
        if message.role != "tool":
            if index:
                yield head, range(start, index)
            head, start = index, index + 1
    yield head, range(start, len(messages))


class _Linking:
    """The slow way of `link`, for histories that need mending."""

    def __init__(
        self, messages: Sequence[Message], api: str, fit: Callable[[str], str], by_name: bool
    ) -> None:
        self._messages, self._api, self._fit, self._by_name = messages, api, fit, by_name
        self._out: list[Message] = []
        self._places: list[int] = []
        self._losses: list[Loss] = []
        self._matches = match(messages)
        self._results = {call: result for result, call in self._matches.calls.items()}
        homes = [message for index, message in enumerate(messages) if self._home(index)]
        self._used = {
            part.id for message in homes for part in message.content if isinstance(part, ToolCall)
        }
        self._numbers: dict[str, int] = {}
        self._wire: dict[Place, tuple[str, str]] = {}

    def linked(self) -> Linked:
        for head, run in rounds(self._messages):
            if head is not None:
                self._put(self._called(head), head)
            answers = [*self._near(head, run), *self._missing(head, run)]
            for _, message, index in sorted(answers, key=itemgetter(0)):
                self._put(message, index)
            for index in run:
                self._tell(index)
        return Linked(self._out, self._places, self._losses)

    def _put(self, message: Message, index: int) -> None:
        self._out.append(message)
        self._places.append(index)

    def _home(self, index: int) -> bool:
        return _made_by(self._messages[index], self._api)

    def _settled(self, call: Place, result: Place) -> bool:
        """Whether this very API has seen the two, so that they stay where they are."""
        return self._home(call[0]) and self._home(result[0])

    def _trusted(self, head: int, run: range) -> bool:
        """Whether this very API made a turn and all that follows it closely, or nothing follows."""
        after = range(head, min(run.stop + 1, len(self._messages)))
        return all(map(self._home, after))

    def _called(self, index: int) -> Message:
        """The message with ids that the API takes and that are its own in the conversation."""
        message = self._messages[index]
        parts: list[Part] = []
        for place, part in enumerate(message.content):
            if isinstance(part, ToolCall):
                wire = part.id if self._home(index) else self._own(part.id, (index, place))
                self._wire[index, place] = (wire, part.name)
                parts.append(part if wire == part.id else part.replace(id=wire))
            else:
                parts.append(part)
        return _derived(message, tuple(parts))

    def _own(self, given: str, at: Place) -> str:
        unique = wire = self._fit(given)
        while unique in self._used:
            number = self._numbers[wire] = self._numbers.get(wire, 1) + 1
            unique = self._fit(f"{wire}_{number}")
        self._used.add(unique)
        if unique != wire:
            reason = f"the id {given!r} is taken by another call; here it is {unique!r}"
            self._losses.append(Loss(path_of(at), "provenance", reason, "synthesised"))
        return unique

    def _near(self, head: int | None, run: range) -> Iterator[Answer]:
        """Of the results right after a turn, those that stay there."""
        order = -1
        for index in run:
            kept: list[Part] = []
            for place, part in enumerate(self._messages[index].content):
                call = self._matches.calls.get((index, place))
                if call is None:
                    kept += [part] if self._home(index) else []
                elif call[0] == head or self._settled(call, (index, place)):
                    kept.append(self._wired(part, call))
                    order = max(order, call[1]) if call[0] == head else order
            if kept:
                yield order, _derived(self._messages[index], tuple(kept)), index

    def _missing(self, head: int | None, run: range) -> Iterator[Answer]:
        """The results that a turn lacks: moved here when they come later, else made up."""
        for place, part in enumerate(() if head is None else self._messages[head].content):
            if head is None or not isinstance(part, ToolCall):
                continue
            result = self._results.get((head, place))
            if result is None and not self._trusted(head, run):
                wire = self._wire[head, place][0]
                reason = f"tool call {part.id!r} has no result; one that says so is added"
                self._losses.append(Loss(path_of((head, place)), "content", reason, "synthesised"))
                made = ToolResult(wire, INTERRUPTED, part.name, is_error=True)
                yield place, Message("tool", made), head
            elif result and result[0] not in run and not self._settled((head, place), result):
                reason = f"the result of tool call {part.id!r} is moved next to it"
                self._losses.append(Loss(path_of(result), "content", reason, "merged"))
                source = self._messages[result[0]]
                late = self._wired(source.content[result[1]], (head, place))
                yield place, _derived(source, (late,)), result[0]

    def _tell(self, index: int) -> None:
        """Let the user say what the results say that answer no call."""
        message = self._messages[index]
        places = [(index, place) for place in range(len(message.content))]
        spare = [at for at in places if at in self._matches.spare]
        if not spare or self._home(index):
            return
        told = [part for at in spare for part in self._said(at)]
        if len(spare) == len(message.content):
            At(f"messages[{index}]", self._losses).foreign(message.extras, "")
        if told:
            self._put(Message("user", tuple(told), origin=message.origin), index)

    def _said(self, place: Place) -> tuple[Part, ...]:
        """The content of a result that answers no call."""
        part = self._messages[place[0]].content[place[1]]
        if not isinstance(part, ToolResult):
            return ()
        at = At(path_of(place), self._losses)
        why = spare_reason(part, self._matches.spare[place])
        if part.content:
            at.lose("content", f"{why}; the user tells it", "lowered")
        else:
            at.lose("provenance", f"{why}, and it is empty")
        at.foreign(part.extras, "")
        return part.content

    def _wired(self, part: Part, call: Place) -> Part:
        """The result under the id its call has on the wire."""
        wire, name = self._wire[call]
        if not isinstance(part, ToolResult):
            return part
        known = part.name or (name if self._by_name else part.name)
        if part.tool_call_id == wire and part.name == known:
            return part
        return part.replace(tool_call_id=wire, name=known)


def _made_by(message: Message, api: str) -> bool:
    return message.origin is not None and message.origin.api == api


def spare_reason(result: ToolResult, answered: Place | None) -> str:
    """Why a result answers no call."""
    if answered is None:
        return f"no tool call {result.tool_call_id!r} comes before this result"
    return f"tool call {result.tool_call_id!r} at {path_of(answered)} has a result already"


def path_of(at: Place) -> str:
    """The part's place, as a path from the request."""
    return f"messages[{at[0]}].content[{at[1]}]"


beside: Callable[[Message], dict[str, Any]] = attrgetter("__dict__")
"""What is kept with a message and is no part of its value."""


def _derived(message: Message, parts: tuple[Part, ...]) -> Message:
    """The message with other parts; kept beside it, so that its fragment is rendered once."""
    content = message.content
    if len(parts) == len(content) and all(map(is_, parts, content)):
        return message
    held: dict[tuple[Part, ...], Message] = beside(message).setdefault("derived", {})
    made = held.get(parts)
    if made is None:
        if len(held) == MOST_DERIVED:
            held.clear()
        made = held[parts] = message.replace(content=parts)
    return made
