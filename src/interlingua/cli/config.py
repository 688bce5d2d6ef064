"""`interlingua config`: every value that is set, and where."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, cast

import click
import msgspec
from msgspec import Struct

from interlingua.cli.configured import USUAL, configured
from interlingua.cli.rows import show
from interlingua.config import CONFIG, MODEL, NAME, File
from interlingua.frozen import is_mapping
from interlingua.tables import FactsTable, ModelTable, Place, ProviderTable

HEADS = ("key", "value", "origin")


class Row(Struct, frozen=True):
    """A value, and where it is set."""

    key: str
    value: Any
    origin: str


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def config(as_json: bool) -> None:
    """Show what is configured, and where each value is set.

    What stands on the command line wins over the environment, that over the file's table of a
    model, and that over the rest of the file.
    """
    file = configured()
    rows = [*_rows(file)]
    if as_json:
        click.echo(msgspec.json.encode(rows))
    else:
        show(HEADS, ((row.key, _shown(row.value), row.origin) for row in rows))


def _rows(file: File) -> Iterator[Row]:
    if file.path is None:
        yield Row("file", None, f"there is no {NAME} here")
    else:
        chosen = f"{CONFIG} in the environment" if os.environ.get(CONFIG) else "found"
        yield Row("file", str(file.path), chosen)
    yield _default(file)
    for key in ("timeout", "deadline", "max_retries", "on_loss"):
        if (value := getattr(file.top, key)) is not None:
            yield Row(key, msgspec.to_builtins(value), file.where((key,)))
    for name, model in file.models.items():
        place = ("models", name)
        if isinstance(model, str):
            yield Row(".".join(place), model, file.where(place))
        else:
            yield from _table(file, place, model)
    for name, provider in file.providers.items():
        yield from _table(file, ("providers", name), provider)


def _default(file: File) -> Row:
    if chosen := os.environ.get(MODEL):
        return Row("default", chosen, f"{MODEL} in the environment")
    if file.top.default is not None:
        return Row("default", file.top.default, file.where(("default",)))
    return Row("default", USUAL, "usual")


def _table(
    file: File, place: Place, table: ModelTable | FactsTable | ProviderTable
) -> Iterator[Row]:
    usual = {field.name: field.default for field in msgspec.structs.fields(type(table))}
    for key, value in msgspec.structs.asdict(table).items():
        here = (*place, key)
        if isinstance(value, FactsTable):
            yield from _table(file, here, value)
        elif value not in (usual[key], {}, None):
            yield Row(".".join(here), _plain(value), file.where(here))


def _plain(value: Any) -> Any:
    if is_mapping(value):
        return {key: _plain(item) for key, item in cast("Mapping[str, Any]", value).items()}
    return msgspec.to_builtins(value)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
