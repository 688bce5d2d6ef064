"""`interlingua check`: one tiny call to each configured model."""

from __future__ import annotations

import time
from collections.abc import Sequence

import click
import msgspec
from msgspec import Struct

from interlingua.cli.configured import USUAL, chosen, complete, configured
from interlingua.cli.faults import FAILED, told
from interlingua.cli.rows import show
from interlingua.client import Client
from interlingua.config import File
from interlingua.errors import InterlinguaError
from interlingua.loss import LossPolicy

HEADS = ("model", "result", "seconds", "tokens", "about")
QUESTION = "Reply with the word OK."
LONGEST = 16
"""Tokens; some APIs take no smaller number."""


class Row(Struct, frozen=True):
    """How one model answered."""

    model: str
    result: str
    """`ready`, or `missing` when it did not answer."""
    seconds: float
    tokens: int | None = None
    about: str | None = None
    """Who answered, or what went wrong."""


@click.command()
@click.argument("names", nargs=-1, shell_complete=complete)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def check(names: tuple[str, ...], as_json: bool) -> None:
    """Ask each configured model, or those of NAMES, for one word.

    NAMES are names of the configuration, or PROVIDER:MODEL. Exits with 1 when one does not answer.
    """
    file = configured()
    rows = [_row(name) for name in _asked(file, names)]
    if as_json:
        click.echo(msgspec.json.encode(rows))
    else:
        show(HEADS, map(_cells, rows))
    if any(row.result != "ready" for row in rows):
        raise click.exceptions.Exit(FAILED)


def _asked(file: File, names: Sequence[str]) -> Sequence[str]:
    for name in names:
        chosen(file, name)
    tables = [name for name, held in file.models.items() if not isinstance(held, str)]
    return names or tables or (file.default() or USUAL,)


def _row(name: str) -> Row:
    begun = time.monotonic()
    try:
        # A fallback to itself: those of the file would hide that it does not answer.
        with Client.from_config(
            name, fallback=name, max_retries=0, on_loss=LossPolicy.allow
        ) as client:
            response = client.generate(QUESTION, max_tokens=LONGEST)
    except InterlinguaError as error:
        return Row(name, "missing", _since(begun), about=told(error))
    usage = response.usage
    known = [count for count in (usage.input_tokens, usage.output_tokens) if count is not None]
    answered = f"{response.provider}:{response.model or ''}".rstrip(":")
    return Row(name, "ready", _since(begun), sum(known) if known else None, answered)


def _since(begun: float) -> float:
    return round(time.monotonic() - begun, 2)


def _cells(row: Row) -> Sequence[str]:
    tokens = "" if row.tokens is None else str(row.tokens)
    return row.model, row.result, f"{row.seconds:.2f}", tokens, row.about or ""
