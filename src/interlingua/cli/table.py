"""A table in a terminal. Importing this needs rich."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

COLOURS = {"ready": "green", "missing": "red"}


def draw(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print the table on standard output, in colour unless that is unwanted."""
    table = Table(*heads, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(cell, COLOURS.get(cell, "")) for cell in row))
    Console().print(table)
