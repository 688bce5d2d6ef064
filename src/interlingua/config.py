"""interlingua.toml: models by name, and the providers that they are at."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from interlingua import registry
from interlingua.errors import ConfigError
from interlingua.facts import Fact, unknown
from interlingua.frozen import EMPTY, is_mapping
from interlingua.keys import REFERENCES, resolved
from interlingua.loss import LossPolicy
from interlingua.mistakes import commands, mistakes
from interlingua.provider import AsyncTransport, Provider, Settings, Transport
from interlingua.tables import (
    Checked,
    ModelTable,
    Place,
    ProviderTable,
    Top,
    end_of,
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

LINE = re.compile(r"\(at line (\d+),")
"""Where the parser stopped; it tells no line at the end of a file."""

NO_KEY = "none"
"""What a host of one's own without a key is sent, so that no other host's key is."""


class Entry(Struct, frozen=True):
    """Whom a name stands for, and what the file sets for it; None is nothing."""

    provider: Provider
    model: str
    given: Mapping[str, Any] = EMPTY
    """Settings of its requests."""
    fact: Fact | None = None
    """What the model refuses or needs."""
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
    chosen = model or found.default_model
    if not chosen:
        raise ConfigError(f"{spec!r} names no model; write '{name}:MODEL'")
    return Entry(found, chosen, fact=found.facts(chosen))


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
        self._installed = registry.names(registry.PROVIDERS)
        self._made: dict[str, Provider] = {}
        checked = Checked(_data(path, text))
        self.top = checked.top or Top()
        self.models, self.providers = checked.models, checked.providers
        problems = checked.problems or [
            *mistakes(checked, self._installed),
            *(() if is_trusted else commands(checked)),
        ]
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
        held = end_of(name, self.models)
        waiting = _waiting(self.top)
        if isinstance(held, str):
            made = at_provider(held, self.provider)
            return msgspec.structs.replace(made, **waiting)
        made = at_provider(held.model, self.provider)
        fact = held.facts.over(made.fact) if held.facts else made.fact
        about = {"given": held.given, "fallback": held.fallback, "fact": fact}
        return msgspec.structs.replace(made, **about, **{**waiting, **_waiting(held)})

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
            headers = self._headers(name, table)
            return base.reach(
                Settings(
                    key,
                    given.base_url or table.base_url,
                    {**table.headers, **headers, **given.headers},
                    given.timeout,
                    {**query, **table.options, **given.options},
                    tuple(headers.values()),
                )
            )

        def connect(given: Settings) -> Transport:
            with self._placed(name, table, given):
                return base.connect(given)

        def connect_async(given: Settings) -> AsyncTransport:
            with self._placed(name, table, given):
                return base.connect_async(given)

        return msgspec.structs.replace(
            base, name=name, reach=reach, connect=connect, connect_async=connect_async
        )

    @contextmanager
    def _placed(self, name: str, table: ProviderTable, given: Settings) -> Generator[None]:
        """Say where the file sets the option that is refused inside."""
        try:
            yield
        except ConfigError as error:
            option = error.option
            if not table.options or option is None or _differ(option, table, given):
                raise
            place = ("providers", name, "options", *filter(None, [option]))
            raise ConfigError(self.told(place, str(error)), option=option) from error

    def _key(self, name: str, table: ProviderTable) -> str | None:
        if table.api_key_env:
            return self._resolved(f"env:{table.api_key_env}", ("providers", name, "api_key_env"))
        if table.api_key:
            return self._resolved(table.api_key, ("providers", name, "api_key"))
        return None

    def _headers(self, name: str, table: ProviderTable) -> dict[str, str]:
        """The headers whose values stand elsewhere."""
        place = ("providers", name, "headers")
        return {
            key: self._resolved(told, (*place, key))
            for key, told in table.headers.items()
            if told.startswith(REFERENCES)
        }

    def _resolved(self, told: str, place: Place) -> str:
        try:
            return resolved(told, self.path.parent if self.path else Path())
        except ConfigError as error:
            raise ConfigError(self.told(place, str(error))) from error


def _speaking(api: str) -> Provider:
    """The installed provider that speaks an API as its vendor does, for models of others."""
    codec = registry.codec(api)
    for name in (api, codec.provider):
        if name in registry.names(registry.PROVIDERS):
            found = registry.provider(name)
            if found.codec.api == api:
                return msgspec.structs.replace(found, facts=unknown, responses=None)
    raise ConfigError(f"no installed provider speaks {api!r} as its vendor does")


def _differ(option: str, table: ProviderTable, given: Settings) -> bool:
    """Whether an option is another than the file's."""
    return option != "" and table.options.get(option) != given.options.get(option)


def _waiting(table: Top | ModelTable) -> dict[str, Any]:
    told = {name: getattr(table, name) for name in ("timeout", "deadline", "max_retries")}
    told["on_loss"] = policy_of(table.on_loss)
    return {name: value for name, value in told.items() if value is not None}


def _data(path: Path | None, text: str) -> Mapping[str, Any]:
    import tomllib

    try:
        data: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = LINE.search(str(error))
        line = found[1] if found else len(text.splitlines())
        raise ConfigError(f"{path}:{line}: no TOML: {error}") from error
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
