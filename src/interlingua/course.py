"""Encoding goes on where it stopped: a conversation's next turn costs its new messages only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_
from typing import Any, Generic, Protocol, TypeVar

from interlingua.links import Regularity, beside, mended
from interlingua.loss import Loss
from interlingua.message import Message

FARTHEST = 16
"""How many messages from the end the place is looked for where the last encoding stopped."""


class Course(Protocol):
    """A conversation in one API's JSON, as far as it has been taken."""

    losses: list[Loss]

    def take(self, message: Message, place: int) -> None:
        """Go on with the next message; `place` is its index in the request."""
        ...


Kind = TypeVar("Kind", bound=Course)
Result = TypeVar("Result")


class Stop(Generic[Kind]):
    """Where an encoding stopped: kept with the last message, and used by one call at a time."""

    __slots__ = ("course", "regular", "taken")

    def __init__(self, course: Kind) -> None:
        self.taken: list[Message] = []
        self.regular = Regularity()
        self.course = course


def follow(
    messages: Sequence[Message],
    key: str,
    begin: Callable[[], Kind],
    finish: Callable[[Kind], Result],
    fit: Callable[[str], str],
    *,
    by_name: bool = False,
) -> Result:
    """What `finish` makes of the conversation's course. Calls and results are linked on the way.

    `key` is the API, or `API/…` where its JSON hangs on more; `fit` gives a call's id as the API
    takes it; `by_name` says that results name their tool.
    """
    api, slot = key.partition("/")[0], f"{key}/stop"
    stop: Stop[Kind] = _resumed(messages, slot) or Stop(begin())
    regular, take = stop.regular.take, stop.course.take
    start = len(stop.taken)
    for place, message in enumerate(messages[start:], start):
        if (known := regular(message, api, fit, by_name)) is None:
            break
        take(known, place)
    else:
        stop.taken += messages[start:]
        if not stop.regular.waiting:
            return _kept(stop, slot, finish)
    linked = mended(messages, api, fit, by_name=by_name)
    course = begin()
    course.losses += linked.losses
    for place, message in zip(linked.places, linked.messages, strict=True):
        course.take(message, place)
    return finish(course)


def _resumed(messages: Sequence[Message], slot: str) -> Stop[Any] | None:
    """The nearest stop on the way to the end, taken from the message it was kept with."""
    for place in range(len(messages) - 1, max(-1, len(messages) - FARTHEST), -1):
        last = messages[place]
        stop: Stop[Any] | None = last.__dict__.get(slot)
        if stop is None or len(stop.taken) != place:
            continue
        if all(map(is_, stop.taken, messages)) and beside(last).pop(slot, None) is stop:
            stop.taken.append(last)
            return stop
    return None


def _kept(stop: Stop[Kind], slot: str, finish: Callable[[Kind], Result]) -> Result:
    """The result; after it is made, the stop is kept for the next encoding."""
    result = finish(stop.course)
    if stop.taken:
        last = stop.taken.pop()
        beside(last)[slot] = stop
    return result
