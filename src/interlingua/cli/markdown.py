"""Markdown in a terminal, laid out while it comes. Importing this needs rich."""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic
from typing import TextIO

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.console import Console
from rich.live import Live
from rich.markdown import Markdown
from rich.segment import Segment, Segments

from interlingua.cli.page import REPLACED

# HTML and definitions of links would not show at all: they are text here.
PARSER = (
    MarkdownIt("commonmark", {"html": False})
    .enable(["strikethrough", "table"])
    .disable("reference")
)

CODE = "ansi_dark"
"""The terminal's own colours, on its own ground."""

ANSWER, THOUGHT = "none", "dim"

REST = 4
"""Drawing waits this many times as long as it last took: a long block must not hold up words."""


class Laid:
    """An answer as Markdown. Blocks that are whole are printed; only the last one is redrawn.

    So a long answer scrolls as any text does, and nothing of it is cut.
    """

    def __init__(self, file: TextIO) -> None:
        self._console = Console(file=file)
        self._live = Live(
            console=self._console, auto_refresh=False, transient=True, redirect_stdout=False
        )
        self._open, self._style = "", ANSWER
        self._is_first = True
        self._rests_until = 0.0

    def write(self, text: str) -> None:
        self._add(text, ANSWER)

    def think(self, text: str) -> None:
        self._add(text, THOUGHT)

    def note(self, line: str) -> None:
        self._end()
        self._print([[Segment(line.translate(REPLACED), self._console.get_style(THOUGHT))]])

    def __enter__(self) -> Laid:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        self._live.stop()

    def _add(self, text: str, style: str) -> None:
        if style != self._style:
            self._end()
            self._style = style
        self._open += text.translate(REPLACED)
        whole: list[str] = []
        if "\n" in text:
            *whole, self._open = blocks(self._open)
        if whole or monotonic() > self._rests_until:
            self._show(whole)

    def _end(self) -> None:
        """Print the last block, whole or not."""
        rest, self._open = self._open, ""
        self._show(blocks(rest))

    def _show(self, whole: Iterable[str]) -> None:
        """Print blocks, and draw what is open below them."""
        begun = monotonic()
        # What is written at once does not flicker.
        with self._console:
            for block in whole:
                self._print(self._lines(block))
            tail = self._lines(self._open)[2 - self._console.height :]
            self._live.update(_joined(tail), refresh=True)
        ended = monotonic()
        self._rests_until = ended + REST * (ended - begun)

    def _print(self, lines: list[list[Segment]]) -> None:
        if lines:
            self._console.print(_joined(lines if self._is_first else [[], *lines]))
            self._is_first = False

    def _lines(self, text: str) -> list[list[Segment]]:
        """The text as it is laid out, without blank ends."""
        markdown = Markdown("", code_theme=CODE, style=self._style, hyperlinks=False)
        markdown.parsed = parsed(text)
        lines = [_stripped(line) for line in self._console.render_lines(markdown, pad=False)]
        while lines and not lines[-1]:
            lines.pop()
        while lines and not lines[0]:
            del lines[0]
        return lines


def parsed(text: str) -> list[Token]:
    """The text's tokens; a line ends where the model ended it."""
    tokens = PARSER.parse(text)
    for token in tokens:
        for inner in token.children or ():
            if inner.type == "softbreak":
                inner.type = "hardbreak"
    return tokens


def blocks(text: str) -> list[str]:
    """Paragraphs, lists, tables, …; however the text goes on, only the last one can change."""
    begins = [token.map[0] for token in PARSER.parse(text) if token.level == 0 and token.map]
    lines = text.split("\n")
    ends = [*begins[1:], len(lines)]
    return ["\n".join(lines[begin:end]) for begin, end in zip([0, *begins[1:]], ends, strict=False)]


def _stripped(line: list[Segment]) -> list[Segment]:
    """The line without the spaces that fill it up."""
    kept = list(line)
    while kept and not (kept[-1].style and kept[-1].style.bgcolor):
        last = kept.pop()
        if text := last.text.rstrip():
            return [*kept, Segment(text, last.style)]
    return kept


def _joined(lines: Iterable[list[Segment]]) -> Segments:
    return Segments([segment for line in lines for segment in (*line, Segment.line())])
