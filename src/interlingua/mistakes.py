"""What is wrong with a configuration whose tables are well-formed: its names, and its keys."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TypeAlias

from interlingua import registry
from interlingua.errors import ConfigError, MessageError
from interlingua.keys import REFERENCES
from interlingua.provider import Settings
from interlingua.tables import Checked, ModelTable, Place, ProviderTable, end_of, nearest

Problems: TypeAlias = Iterator[tuple[Place, str]]
"""Places of a file, each with what is wrong there."""


def mistakes(tables: Checked, installed: Collection[str]) -> Problems:
    """Names that nobody has, settings that no request takes, keys that are written out."""
    providers = {*installed, *tables.providers}
    if tables.top is not None and tables.top.default is not None:
        yield from _nobody(tables.top.default, ("default",), providers, tables.models)
    for name, held in tables.models.items():
        place = ("models", name)
        if isinstance(held, str):
            yield from _circle(name, tables)
            yield from _nobody(held, place, providers, tables.models)
        else:
            yield from _nobody(held.model, (*place, "model"), providers, ())
            for other in held.fallback:
                yield from _nobody(other, (*place, "fallback"), providers, tables.models)
            yield from _settings(held, place)
    for name, table in tables.providers.items():
        place = ("providers", name)
        yield from _speech(name, table, place, installed)
        yield from _reach(table, place)


def commands(tables: Checked) -> Problems:
    """Keys that commands give: no file may name those merely because it lies somewhere."""
    for name, table in tables.providers.items():
        for key, told in _references(table):
            if told.startswith("cmd:"):
                yield (
                    ("providers", name, *key),
                    "commands run only from a file that was chosen: the user's own, or the one "
                    "that INTERLINGUA_CONFIG names",
                )


def _nobody(
    spec: str, place: Place, providers: Collection[str], models: Collection[str]
) -> Problems:
    name = spec.partition(":")[0]
    if name not in providers and spec not in models:
        yield place, f"nobody is called {name!r}; {nearest(name, {*providers, *models})}"


def _circle(name: str, tables: Checked) -> Problems:
    end = end_of(name, tables.models)
    if isinstance(end, str) and end in tables.models:
        yield ("models", name), "these names stand for one another"


def _settings(table: ModelTable, place: Place) -> Problems:
    try:
        _ = table.given
    except MessageError as error:
        for problem in error.errors:
            yield (*place, *filter(None, problem.path.split("."))), problem.reason


def _speech(name: str, table: ProviderTable, place: Place, installed: Collection[str]) -> Problems:
    apis = registry.names(registry.CODECS)
    if name in installed:
        for key in ("api", "like"):
            if getattr(table, key):
                yield (*place, key), f"{name!r} is installed and speaks its own API"
    elif bool(table.api) == bool(table.like):
        yield place, "it is not installed, so it needs either api or like"
    if table.api and table.api not in apis:
        yield (*place, "api"), f"no API is called {table.api!r}; {nearest(table.api, apis)}"
    if table.like and table.like not in installed:
        hint = nearest(table.like, installed)
        yield (*place, "like"), f"no provider is called {table.like!r}; {hint}"


def _reach(table: ProviderTable, place: Place) -> Problems:
    if table.api and not table.base_url:
        yield place, "base_url is missing"
    try:
        Settings(base_url=table.base_url)
    except ConfigError as error:
        yield (*place, "base_url"), str(error)
    if table.api_key and table.api_key_env:
        yield (*place, "api_key_env"), "there is an api_key as well"
    if table.api_key and not table.api_key.startswith(REFERENCES):
        # It may be the key, so it is not repeated.
        yield (
            (*place, "api_key"),
            "no key may stand here: write env:NAME, file:PATH or cmd:COMMAND",
        )


def _references(table: ProviderTable) -> Iterator[tuple[Place, str]]:
    if table.api_key:
        yield ("api_key",), table.api_key
    for name, told in table.headers.items():
        yield ("headers", name), told
