"""`interlingua providers`: who is installed, and what is missing to ask them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points

import click
import msgspec
from msgspec import Struct

from interlingua import registry
from interlingua.errors import ConfigError, InterlinguaError
from interlingua.provider import Provider, Settings

REQUIREMENT = re.compile(r"([\w.-]+)[^;]*;.*\bextra\s*==\s*[\"']([\w.-]+)[\"']")


class Row(Struct, frozen=True):
    """What is known of one provider."""

    name: str
    api: str | None
    default_model: str | None
    state: str
    """`ready`; `installed` when only asking would tell; `missing` when it cannot be asked."""
    reason: str | None = None


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def providers(as_json: bool) -> None:
    """List the providers, and what is missing to ask them.

    Nothing is sent to anybody, and no key is tried out.
    """
    points = {point.name: point for point in entry_points(group=registry.PROVIDERS)}
    rows = [_row(points[name]) for name in sorted(points)]
    if as_json:
        click.echo(msgspec.json.encode(rows))
    elif sys.stdout.isatty():
        _draw(rows)
    else:
        click.echo("\n".join(_lines(rows)))


def _row(point: EntryPoint) -> Row:
    try:
        provider = registry.provider(point.name)
    except ConfigError as error:
        return Row(point.name, None, None, "missing", _install(point) or str(error))
    return Row(point.name, provider.codec.api, provider.default_model, *_state(point, provider))


def _state(point: EntryPoint, provider: Provider) -> tuple[str, str | None]:
    if (command := _install(point)) is not None:
        return "missing", command
    if provider.default_model is not None:
        # It brings its own model, and connecting would fetch and start that.
        return "installed", None
    try:
        provider.connect(Settings()).close()
    except InterlinguaError as error:
        return "missing", str(error)
    return "ready", None


def _install(point: EntryPoint) -> str | None:
    """The command that installs what the provider's extra names and is not there."""
    package = point.module.partition(".")[0]
    extra = package.removeprefix("interlingua_")
    requirements = point.dist.requires if point.dist else None
    found = [REQUIREMENT.match(one) for one in requirements or ()]
    needed = [match[1] for match in found if match and match[2] == extra]
    absent = [name for name in needed if not _is_installed(name)]
    if not absent or point.dist is None:
        return None
    return f"{', '.join(absent)}: pip install '{point.dist.name}[{extra}]'"


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def _lines(rows: Iterable[Row]) -> Iterable[str]:
    for row in rows:
        cells = f"{row.name:<16}{row.api or '':<20}{row.state:<10}{row.reason or ''}"
        yield cells.rstrip()


def _draw(rows: Iterable[Row]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("provider", "API", "state", "missing", box=None, pad_edge=False)
    colours = {"ready": "green", "missing": "red"}
    for row in rows:
        style = colours.get(row.state, "")
        state = f"[{style}]{row.state}[/]" if style else row.state
        table.add_row(row.name, row.api, state, (row.reason or "").replace("[", r"\["))
    Console().print(table)
