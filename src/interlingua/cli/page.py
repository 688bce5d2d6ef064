"""Standard output, written while the answer comes."""

from __future__ import annotations

import os
import sys
from typing import Protocol, Self, TextIO

from interlingua.cli.faults import tell

OBEYED = {*range(0x20), *range(0x7F, 0xA0)} - {ord("\n"), ord("\t")}
"""What a terminal obeys instead of showing it: it may move the cursor, or rename the window."""

REPLACED = dict.fromkeys(OBEYED, "\ufffd")

PLAIN = ("", "dumb", "unknown")
"""Kinds of terminals in which nothing can be moved or coloured."""


class Page(Protocol):
    """Where an answer appears, each piece at once. Leaving the block ends what is still open."""

    def write(self, text: str) -> None:
        """Show a piece of the answer."""
        ...

    def think(self, text: str) -> None:
        """Show a piece of what the model thinks before it answers."""
        ...

    def note(self, line: str) -> None:
        """Show a line that is no part of the answer."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, /, *_: object) -> None: ...


def page(*, plain: bool) -> Page:
    """Standard output: Markdown is laid out in a terminal that can, unless it is to stay plain."""
    file = sys.stdout
    # Not every terminal and pipe can take every letter.
    if reconfigure := getattr(file, "reconfigure", None):
        reconfigure(errors="replace")
    if plain or not _is_rich(file):
        return Plain(file)
    from interlingua.cli.markdown import Laid

    return Laid(file)


def _is_rich(file: TextIO) -> bool:
    usual = "" if os.name == "posix" else "windows"
    can = os.environ.get("TERM", usual).lower() not in PLAIN
    return can and not os.environ.get("NO_COLOR") and file.isatty()


class Plain:
    """The text as it is: all of it in a pipe or a file, in a terminal without what that obeys."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._replaced = REPLACED if file.isatty() else {}
        self._is_line_open = False
        self._has_thought = False

    def write(self, text: str) -> None:
        if text:
            # First: Ctrl-C may come as soon as the piece is out.
            self._is_line_open = not text.endswith("\n")
            self._file.write(text.translate(self._replaced))
            self._file.flush()

    def think(self, text: str) -> None:
        if text and not self._has_thought:
            self._has_thought = True
            self.note("the model is thinking")

    def note(self, line: str) -> None:
        # In a script it would be noise: there the answer is all that is wanted.
        if sys.stderr.isatty():
            tell(line)

    def __enter__(self) -> Plain:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        is_broken = kind is not None and issubclass(kind, OSError)
        if self._is_line_open and not is_broken:
            self.write("\n")
