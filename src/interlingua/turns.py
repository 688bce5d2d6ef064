"""From messages to an API's turns: calls beside their results, fragments, sides that alternate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from msgspec import Struct

from interlingua.links import beside, link
from interlingua.loss import Loss
from interlingua.message import Message

Side: TypeAlias = Literal["user", "assistant"]


class Fragment(Struct, frozen=True):
    """One message in one API's JSON: encoded once, kept on the message, joined into every body."""

    first: bytes = b""
    """Comma-joined items that lead their turn: tool results, or everything where turns are flat."""
    rest: bytes = b""
    losses: tuple[Loss, ...] = ()
    """What the API cannot carry of it; paths count from the message."""


def fragment(message: Message, key: str, render: Callable[[Message], Fragment]) -> Fragment:
    """The message's fragment, rendered at its first use."""
    held: Fragment | None = message.__dict__.get(key)
    if held is None:
        held = beside(message)[key] = render(message)
    return held


def placed(losses: tuple[Loss, ...], index: int) -> Iterator[Loss]:
    """A fragment's losses, seen from the request."""
    for loss in losses:
        path = f"messages[{index}].{loss.path}" if loss.path else f"messages[{index}]"
        yield Loss(path, loss.kind, loss.reason, loss.action)


class Turns:
    """Joins fragments to turns whose sides alternate; what leads a turn comes first in it."""

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


__all__ = ["Fragment", "Side", "Turns", "fragment", "link", "placed"]
