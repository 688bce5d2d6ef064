"""Standard output, written while the answer comes."""

from __future__ import annotations

from typing import TextIO

OBEYED = {*range(0x20), *range(0x7F, 0xA0)} - {ord("\n"), ord("\t")}
"""What a terminal obeys instead of showing it: it may move the cursor, or rename the window."""


class Page:
    """Plain text, each piece shown at once. Leaving the block ends a line that is still open."""

    def __init__(self, file: TextIO) -> None:
        # Not every terminal and pipe can take every letter.
        if reconfigure := getattr(file, "reconfigure", None):
            reconfigure(errors="replace")
        self._file = file
        self._replaced = dict.fromkeys(OBEYED, "\ufffd") if file.isatty() else {}
        self._is_line_open = False

    def write(self, text: str) -> None:
        """Show a piece: to a pipe or a file as it is, to a terminal without what that obeys."""
        if text:
            # First: Ctrl-C may come as soon as the piece is out.
            self._is_line_open = not text.endswith("\n")
            self._file.write(text.translate(self._replaced))
            self._file.flush()

    def __enter__(self) -> Page:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        is_broken = kind is not None and issubclass(kind, OSError)
        if self._is_line_open and not is_broken:
            self.write("\n")
