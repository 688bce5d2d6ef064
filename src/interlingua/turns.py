"""From messages to an API's turns: calls beside their results, fragments, sides that alternate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from msgspec import Struct

from interlingua.links import beside
from interlingua.loss import Loss
from interlingua.message import Message
from interlingua.parts import Part, Text

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
    kept = beside(message)
    found: Fragment | None = kept.get(key)
    if found is None:
        found = kept[key] = render(message)
    return found


def bare_text(message: Message) -> str | None:
    """The text of a message that says nothing else; None for any other."""
    if message.extras or message.name is not None:
        return None
    return sole_text(message.content)


def sole_text(parts: tuple[Part, ...]) -> str | None:
    """The text of content that is one bare text; None for any other."""
    if len(parts) != 1:
        return None
    part = parts[0]
    return None if type(part) is not Text or part.extras or part.citations else part.text


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
        self._done = bytearray()
        """The turns before the one at hand, a comma after each."""

    def add(self, side: Side, piece: Fragment) -> None:
        """Put a fragment on its side; one that says nothing opens no turn."""
        if not piece.first and not piece.rest:
            return
        if side != self._side:
            self._end()
            self._side = side
        if piece.first:
            self._first += (piece.first, b",")
        if piece.rest:
            self._rest += (piece.rest, b",")

    def insert(self, turn: bytes) -> None:
        """Put a whole turn of its own between the others."""
        self._end()
        self._done += turn + b","

    def content(self) -> bytes:
        """All turns as a JSON array. More may be added afterwards."""
        opened = self._open()
        done = self._done if opened else memoryview(self._done)[:-1]
        return b"".join((b"[", done, *opened, b"]"))

    def _end(self) -> None:
        """The turn at hand is whole."""
        if opened := self._open():
            self._done += b"".join((*opened, b","))
        self._first, self._rest, self._side = [], [], None

    def _open(self) -> list[bytes]:
        """The pieces of the turn at hand, if there is one."""
        if self._side is None:
            return []
        pieces = [self._openings[self._side], *self._first, *self._rest]
        pieces[-1] = b"]}"
        return pieces
