"""Rows for people in a terminal, for programs in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import click


def show(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table in a terminal; elsewhere a line for each row, with tabs between its cells."""
    if sys.stdout.isatty():
        from interlingua.cli.table import draw

        draw(heads, rows)
        return
    for row in rows:
        click.echo("\t".join(row).rstrip("\t"))
