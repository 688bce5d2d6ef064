"""interlingua.toml: models by name, and the providers that they are at."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from interlingua import registry
from interlingua.errors import ConfigError, MessageError
from interlingua.frozen import EMPTY, is_mapping
from interlingua.keys import REFERENCES, resolved
from interlingua.loss import LossPolicy
from interlingua.provider import AsyncTransport, Provider, Settings, Transport
from interlingua.tables import (
    Checked,
    ModelTable,
    Place,
    ProviderTable,
    Top,
    line_of,
    nearest,
    policy_of,
)

NAME = "interlingua.toml"
PROJECT = "pyproject.toml"
CONFIG = "INTERLINGUA_CONFIG"
"""The environment's choice of a file."""
MODEL = "INTERLINGUA_MODEL"
"""The environment's choice of a model."""

NO_KEY = "none"
"""What a host of one's own without a key is sent, so that no other host's key is."""


class Entry(Struct, frozen=True):
    """Whom a name stands for, and what the file sets for it; None is nothing."""

    provider: Provider
    model: str
    given: Mapping[str, Any] = EMPTY
    """Settings of its requests."""
    fallback: tuple[str, ...] = ()
    timeout: float | None = None
    deadline: float | None = None
    max_retries: int | None = None
    on_loss: LossPolicy | None = None


def at_provider(spec: str, provider: Callable[[str], Provider]) -> Entry:
    """The model that `provider:model` names; `provider` alone is its default model.

    Raises `ConfigError` for a name that nobody has.
    """
    name, _, model = spec.partition(":")
    found = provider(name)
    if not (model or found.default_model):
        raise ConfigError(f"{spec!r} names no model; write '{name}:MODEL'")
    return Entry(found, model or found.default_model or "")


def find(path: str | Path | None = None) -> File:
    """The file at a path, or the one that counts here; an empty one when there is none.

    Looked for in `INTERLINGUA_CONFIG`, in the working directory and those above it, and in the
    user's folder for configuration. Raises `ConfigError`, with all that is wrong with the file.
    """
    chosen = path or os.environ.get(CONFIG)
    if chosen:
        return File(Path(chosen), _read(Path(chosen)))
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / NAME).is_file():
            return File(folder / NAME, _read(folder / NAME), is_trusted=False)
        if _has_table(folder / PROJECT):
            return File(folder / PROJECT, _read(folder / PROJECT), is_trusted=False)
    users = _users_folder() / NAME
    return File(users, _read(users)) if users.is_file() else File()


class File:
    """A configuration; without a path the empty one. Raises `ConfigError`, with all problems."""

    def __init__(
        self, path: Path | None = None, text: str = "", *, is_trusted: bool = True
    ) -> None:
        self.path = path
        self._text = text
        self._is_trusted = is_trusted
        self._installed = registry.names(registry.PROVIDERS)
        self._made: dict[str, Provider] = {}
        checked = Checked(_data(path, text))
        self.top = checked.top or Top()
        self.models, self.providers = checked.models, checked.providers
        problems = checked.problems or [*self._wrong()]
        if problems:
            raise ConfigError("; ".join(self.told(*problem) for problem in problems))

    def __repr__(self) -> str:
        return f"File({str(self.path)!r})" if self.path else "File()"

    def told(self, place: Place, reason: str) -> str:
        """What is wrong at a place: the file, the line, the key and the reason."""
        return f"{self.where(place)}: {'.'.join(place)}: {reason}"

    def where(self, place: Place) -> str:
        """The file and the line of a key."""
        is_project = self.path is not None and self.path.name == PROJECT
        line = line_of(self._text, (*(("tool", "interlingua") if is_project else ()), *place))
        return f"{self.path}:{line}" if line else f"{self.path}"

    # -- whom to ask

    def default(self) -> str | None:
        """The model to ask when none is named: the environment's, else the file's."""
        return os.environ.get(MODEL) or self.top.default

    def choose(self, name: str) -> Entry:
        """Whom a name of the file stands for, or `provider:model`. Raises `ConfigError`."""
        held = self._table(name)
        waiting = _waiting(self.top)
        if isinstance(held, str):
            made = at_provider(held, self.provider)
            return msgspec.structs.replace(made, **waiting)
        made = at_provider(held.model, self.provider)
        about = {"given": held.given, "fallback": held.fallback, **waiting, **_waiting(held)}
        return msgspec.structs.replace(made, **about)

    def _table(self, name: str) -> str | ModelTable:
        """What a name comes to in the end: a table, or `provider:model`."""
        held: str | ModelTable = name
        for _ in range(len(self.models) + 1):
            if not isinstance(held, str) or held not in self.models:
                break
            held = self.models[held]
        return held

    def provider(self, name: str) -> Provider:
        """The provider of a name, as the file sets it up. Raises `ConfigError`."""
        table = self.providers.get(name)
        if table is None:
            if name not in self._installed and self.path is not None:
                hint = nearest(name, {*self._installed, *self.providers, *self.models})
                raise ConfigError(f"no provider and no model of {self.path} is {name!r}; {hint}")
            return registry.provider(name)
        if name not in self._made:
            self._made[name] = self._set_up(name, table)
        return self._made[name]

    def _set_up(self, name: str, table: ProviderTable) -> Provider:
        is_own = name not in self._installed
        base = _speaking(table.api) if table.api else registry.provider(table.like or name)

        def reach(given: Settings) -> Settings:
            key = given.api_key or self._key(name, table)
            if key is None and is_own and (table.base_url or given.base_url):
                key = NO_KEY
            query = {"default_query": dict(table.query)} if table.query else {}
            return Settings(
                key,
                given.base_url or table.base_url,
                {**self._headers(name, table), **given.headers},
                given.timeout,
                {**query, **table.options, **given.options},
            )

        def connect(given: Settings) -> Transport:
            return base.connect(reach(given))

        def connect_async(given: Settings) -> AsyncTransport:
            return base.connect_async(reach(given))

        return msgspec.structs.replace(
            base, name=name, connect=connect, connect_async=connect_async
        )

    def _key(self, name: str, table: ProviderTable) -> str | None:
        if table.api_key_env:
            return self._resolved(f"env:{table.api_key_env}", ("providers", name, "api_key_env"))
        if table.api_key:
            return self._resolved(table.api_key, ("providers", name, "api_key"))
        return None

    def _headers(self, name: str, table: ProviderTable) -> dict[str, str]:
        place = ("providers", name, "headers")
        return {
            key: self._resolved(told, (*place, key)) if told.startswith(REFERENCES) else told
            for key, told in table.headers.items()
        }

    def _resolved(self, told: str, place: Place) -> str:
        try:
            return resolved(told, self.path.parent if self.path else Path())
        except ConfigError as error:
            raise ConfigError(self.told(place, str(error))) from error

    # -- what is wrong

    def _wrong(self) -> Iterator[tuple[Place, str]]:
        if self.top.default is not None:
            yield from self._unknown(self.top.default, ("default",))
        for name, held in self.models.items():
            yield from self._wrong_model(name, held)
        for name, table in self.providers.items():
            yield from self._wrong_provider(name, table)
            for key, told in _references(table):
                yield from self._wrong_reference((("providers", name, *key)), told)

    def _wrong_model(self, name: str, held: str | ModelTable) -> Iterator[tuple[Place, str]]:
        place = ("models", name)
        if isinstance(held, str):
            end = self._table(name)
            if isinstance(end, str) and end in self.models:
                yield place, "these names stand for one another"
            yield from self._unknown(held, place)
            return
        yield from self._unknown(held.model, (*place, "model"), is_name=False)
        for other in held.fallback:
            yield from self._unknown(other, (*place, "fallback"))
        try:
            _ = held.given
        except MessageError as error:
            for problem in error.errors:
                yield (*place, *filter(None, problem.path.split("."))), problem.reason

    def _unknown(
        self, spec: str, place: Place, *, is_name: bool = True
    ) -> Iterator[tuple[Place, str]]:
        name = spec.partition(":")[0]
        known = {*self._installed, *self.providers}
        if name in known or (is_name and spec in self.models):
            return
        yield place, f"nobody is called {name!r}; {nearest(name, {*known, *self.models})}"

    def _wrong_provider(self, name: str, table: ProviderTable) -> Iterator[tuple[Place, str]]:
        place = ("providers", name)
        apis = registry.names(registry.CODECS)
        if name in self._installed:
            for key in ("api", "like"):
                if getattr(table, key):
                    yield (*place, key), f"{name!r} is installed and speaks its own API"
        elif bool(table.api) == bool(table.like):
            yield place, "it is not installed, so it needs either api or like"
        if table.api and table.api not in apis:
            yield (*place, "api"), f"no API is called {table.api!r}; {nearest(table.api, apis)}"
        if table.api and not table.base_url:
            yield place, "base_url is missing"
        if table.like and table.like not in self._installed:
            hint = nearest(table.like, self._installed)
            yield (*place, "like"), f"no provider is called {table.like!r}; {hint}"
        if table.api_key and table.api_key_env:
            yield (*place, "api_key_env"), "there is an api_key as well"

    def _wrong_reference(self, place: Place, told: str) -> Iterator[tuple[Place, str]]:
        if not told.startswith(REFERENCES):
            # It may be the key, so it is not repeated.
            if place[-1] == "api_key":
                yield place, "no key may stand here: write env:NAME, file:PATH or cmd:COMMAND"
        elif told.startswith("cmd:") and not self._is_trusted:
            yield (
                place,
                "commands run only from a file that was chosen: the user's own, or the one that "
                f"{CONFIG} names",
            )


def _speaking(api: str) -> Provider:
    """The installed provider that speaks an API as its vendor does."""
    codec = registry.codec(api)
    for name in (api, codec.provider):
        if name in registry.names(registry.PROVIDERS):
            found = registry.provider(name)
            if found.codec.api == api:
                return found
    raise ConfigError(f"no installed provider speaks {api!r} as its vendor does")


def _references(table: ProviderTable) -> Iterable[tuple[Place, str]]:
    if table.api_key:
        yield ("api_key",), table.api_key
    for name, told in table.headers.items():
        yield ("headers", name), told


def _waiting(table: Top | ModelTable) -> dict[str, Any]:
    told = {name: getattr(table, name) for name in ("timeout", "deadline", "max_retries")}
    told["on_loss"] = policy_of(table.on_loss)
    return {name: value for name, value in told.items() if value is not None}


def _data(path: Path | None, text: str) -> Mapping[str, Any]:
    import tomllib

    try:
        data: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: no TOML: {error}") from error
    if path is not None and path.name == PROJECT:
        data = data.get("tool", {}).get("interlingua", {})
    return data if is_mapping(data) else {}


def _has_table(path: Path) -> bool:
    return path.is_file() and "[tool.interlingua" in _read(path)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeError) as error:
        words = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigError(f"{path}: the configuration cannot be read: {words}") from error


def _users_folder() -> Path:
    """Where this platform keeps what users configure."""
    if sys.platform == "win32":
        folder = os.environ.get("APPDATA")
        return Path(folder or Path.home() / "AppData" / "Roaming") / "interlingua"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "interlingua"
    folder = os.environ.get("XDG_CONFIG_HOME")
    return Path(folder or Path.home() / ".config") / "interlingua"
