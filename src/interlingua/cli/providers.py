"""`interlingua providers`: who is installed, and what is missing to ask them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points

import click
import msgspec
from msgspec import Struct

from interlingua import registry
from interlingua.cli.faults import Misuse
from interlingua.errors import ConfigError, InterlinguaError
from interlingua.provider import Provider, Settings

REQUIREMENT = re.compile(r"([\w.-]+)[^;]*;.*\bextra\s*==\s*[\"']([\w.-]+)[\"']")

HEADS = ("provider", "API", "state", "missing")


class Row(Struct, frozen=True):
    """What is known of one provider."""

    name: str
    api: str | None
    default_model: str | None
    state: str
    """`ready`; `installed` when only asking would tell; `missing` when it cannot be asked."""
    missing: str | None = None


def _complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in registry.names(registry.PROVIDERS) if name.startswith(incomplete)]


@click.command()
@click.argument("names", nargs=-1, shell_complete=_complete)
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def providers(names: tuple[str, ...], as_json: bool) -> None:
    """List all providers, or those of NAMES, and what is missing to ask them.

    Nothing is sent to anybody, and no key is tried out.
    """
    if not as_json and sys.stdout.isatty():
        from interlingua.cli.table import draw as show
    else:
        show = _print
    rows = [_row(point) for point in _points(names)]
    if as_json:
        click.echo(msgspec.json.encode(rows))
    else:
        cells = ((row.name, row.api or "", row.state, row.missing or "") for row in rows)
        show(HEADS, cells)


def _points(names: Sequence[str]) -> Iterable[EntryPoint]:
    points = {point.name: point for point in entry_points(group=registry.PROVIDERS)}
    for name in names:
        if name not in points:
            known = ", ".join(sorted(points))
            raise Misuse(f"no provider is called {name!r}; installed: {known}")
    return [points[name] for name in names or sorted(points)]


def _row(point: EntryPoint) -> Row:
    try:
        provider = registry.provider(point.name)
    except ConfigError as error:
        return Row(point.name, None, None, "missing", _to_install(point) or str(error))
    return Row(point.name, provider.codec.api, provider.default_model, *_state(point, provider))


def _state(point: EntryPoint, provider: Provider) -> tuple[str, str | None]:
    if (packages := _to_install(point)) is not None:
        return "missing", packages
    if provider.default_model is not None:
        # It brings its own model, and connecting would fetch and start that.
        return "installed", None
    try:
        provider.connect(provider.reach(Settings())).close()
    except InterlinguaError as error:
        return "missing", str(error)
    return "ready", None


def _to_install(point: EntryPoint) -> str | None:
    """What the provider's extra names and is not there, and the command that installs it."""
    if point.dist is None:
        return None
    extra = point.module.partition(".")[0].removeprefix("interlingua_")
    found = [REQUIREMENT.match(line) for line in point.dist.requires or ()]
    needed = [match[1] for match in found if match and match[2] == extra]
    absent = [name for name in needed if not _is_installed(name)]
    if not absent:
        return None
    return f"{', '.join(absent)}: pip install '{point.dist.name}[{extra}]'"


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def _print(_: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    for name, api, state, missing in rows:
        click.echo(f"{name:<16}{api:<20}{state:<10}{missing}".rstrip())
