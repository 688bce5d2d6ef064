"""A terminal of a few lines: what a person sees in it, and can scroll back to."""

from __future__ import annotations

import os
import re
import select
import subprocess
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import pytest

termios: Any = pytest.importorskip("termios", reason="there are no pseudo-terminals here")

PATIENCE = 60
"""Seconds that a test waits for what is long due."""

PIECE = re.compile(r"\x1b\[([\d;?]*)([A-Za-z])|([^\x1b])", re.DOTALL)


class Shown(NamedTuple):
    """How a command ended, and what it wrote."""

    status: int
    text: str

    def lines(self, height: int) -> list[str]:
        """What is left to read in a terminal of so many lines."""
        return screen(self.text, height)


class Terminal:
    """A command in a pseudo-terminal."""

    def __init__(
        self, arguments: Iterable[str], environment: Mapping[str, str], height: int = 24
    ) -> None:
        self._ours, theirs = os.openpty()
        termios.tcsetwinsize(theirs, (height, 80))
        self.process = subprocess.Popen(
            list(arguments), env=environment, stdin=theirs, stdout=theirs, stderr=theirs
        )
        os.close(theirs)
        self._shown = b""

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._ours, keys.encode())

    def until(self, text: str) -> None:
        """Wait until a text appears."""
        while text.encode() not in self._shown:
            self._shown += self._read()

    def end(self) -> Shown:
        """Wait until the command ends."""
        try:
            while piece := self._read():
                self._shown += piece
        except OSError:
            pass  # the command has closed its end
        os.close(self._ours)
        return Shown(self.process.wait(PATIENCE), self._shown.decode())

    def _read(self) -> bytes:
        if not select.select([self._ours], [], [], PATIENCE)[0]:
            self.process.kill()
            pytest.fail(f"nothing more appears after {self._shown.decode()!r}")
        return os.read(self._ours, 4096)


def in_terminal(
    arguments: Iterable[str], environment: Mapping[str, str], typed: str = "", height: int = 24
) -> Shown:
    """Run a command in a pseudo-terminal to its end."""
    terminal = Terminal(arguments, environment, height)
    terminal.type(typed)
    return terminal.end()


def screen(text: str, height: int) -> list[str]:
    """The lines, of which those above the last `height` cannot be changed any more."""
    lines: list[str] = [""]
    row = column = 0
    for count, order, letter in PIECE.findall(text):
        match order, letter:
            case "", "\r":
                column = 0
            case "", "\n":
                row += 1
                lines += [""] * (row + 1 - len(lines))
            case "A", _:
                row = max(row - int(count or 1), len(lines) - height, 0)
            case "K", _:
                assert count == "2"
                lines[row] = ""
            case "h" | "l" | "m", _:
                pass
            case _:
                assert letter, order
                lines[row] = f"{lines[row]:{column}}"[:column] + letter + lines[row][column + 1 :]
                column += 1
    while lines and not lines[-1].strip():
        lines.pop()
    return [line.rstrip() for line in lines]
