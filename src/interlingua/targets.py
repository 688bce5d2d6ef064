"""Whom a client asks, and what it was made with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from interlingua.attempts import Retries
from interlingua.config import MODEL, NAME, Entry, File, at_provider, find
from interlingua.errors import ConfigError
from interlingua.facts import Fact
from interlingua.frozen import EMPTY
from interlingua.loss import LossPolicy
from interlingua.provider import Provider, Settings
from interlingua.registry import PROVIDERS, names, provider
from interlingua.request import UNSET, Request


class Target(Struct, frozen=True):
    """A model at a provider."""

    provider: Provider
    model: str
    given: Mapping[str, Any] = EMPTY
    """Settings of a request that does not say otherwise."""
    fact: Fact | None = None
    """What the model refuses or needs."""

    def asked(self, request: Request) -> Request:
        """The request as it goes to this model."""
        changed = dict(self.given)
        extras: Mapping[str, Any] = changed.pop("extras", EMPTY)
        changed = {name: one for name, one in changed.items() if getattr(request, name) in UNSET}
        if extras:
            own = {api: {**extras.get(api, EMPTY), **held} for api, held in request.extras.items()}
            changed["extras"] = {**extras, **own}
        return request.replace(model=self.model, **changed)


def _target(entry: Entry) -> Target:
    return Target(entry.provider, entry.model, entry.given, entry.fact)


def _entry(spec: str, file: File | None) -> Entry:
    """Whom a name stands for. Without a file one is looked for only for names nobody installed."""
    if file is not None:
        return file.choose(spec)
    try:
        return at_provider(spec, provider)
    except ConfigError:
        if spec.partition(":")[0] in names(PROVIDERS):
            raise
        return find().choose(spec)


class Config(Struct, frozen=True):
    """What a client was made with."""

    targets: dict[str, Target]
    """Whom to ask, by name, in order: the model itself, then its fallbacks."""
    settings: Settings
    retries: Retries
    on_loss: LossPolicy
    path: Path | None = None
    """The configuration file that the client was made from."""
    reached: dict[str, Settings] = {}
    """What each model was reached with so far, with the keys that a file names."""

    @property
    def spec(self) -> str:
        return next(iter(self.targets))

    @property
    def providers(self) -> dict[str, str]:
        """The providers' names by those of the targets."""
        return {name: aim.provider.name for name, aim in self.targets.items()}

    def settings_for(self, spec: str) -> Settings:
        """What a model is reached with. Raises `ConfigError`.

        Keys and addresses belong to a provider; fallbacks at another have only the timeout.
        """
        if spec not in self.reached:
            known = self.is_known(spec)
            given = self.settings if known else Settings(timeout=self.settings.timeout)
            self.reached[spec] = self.targets[spec].provider.reach(given)
        return self.reached[spec]

    def secrets(self) -> tuple[str, ...]:
        """What nobody may see, should a vendor repeat it."""
        known = (self.settings, *self.reached.values())
        return tuple(secret for settings in known for secret in settings.secrets)

    def is_known(self, spec: str) -> bool:
        """Whether a model is at the provider that the settings are meant for."""
        return self.targets[spec].provider is self.targets[self.spec].provider

    def without_secrets(self) -> dict[str, Any]:
        """The arguments that make this client again, where the environment has its key.

        Raises `ConfigError` for an option that cannot be stored.
        """
        return {
            **self.settings.plain_options(),
            **self._shown(),
            "spec": self.spec,
            "on_loss": self.on_loss,
            "path": self.path,
        }

    def _shown(self) -> dict[str, Any]:
        return {
            "base_url": self.settings.address,
            "timeout": self.settings.timeout,
            "max_retries": self.retries.most,
            "deadline": self.retries.deadline,
            "fallback": tuple(self.targets)[1:],
        }

    def __repr__(self) -> str:
        shown = self._shown().items()
        rest = [f"{name}={value!r}" for name, value in shown if value not in (None, ())]
        return ", ".join([repr(self.spec), *rest])


def config_of(
    spec: str,
    *,
    api_key: str | None = None,
    base_url: str | None = None,
    headers: Mapping[str, str] = EMPTY,
    timeout: float | None = None,
    max_retries: int | None = None,
    deadline: float | None = None,
    on_loss: LossPolicy | None = None,
    fallback: str | Iterable[str] = (),
    file: File | None = None,
    **options: Any,
) -> Config:
    """What a client is made with: the arguments, else what the file says. Raises `ConfigError`."""
    entry = _entry(spec, file)
    others = (fallback,) if isinstance(fallback, str) else tuple(fallback)
    targets = {spec: _target(entry)}
    targets |= {name: _target(_entry(name, file)) for name in others or entry.fallback}
    most = next(one for one in (max_retries, entry.max_retries, Retries().most) if one is not None)
    return Config(
        targets,
        Settings(api_key, base_url, headers, timeout or entry.timeout, options),
        Retries(most, entry.deadline if deadline is None else deadline),
        on_loss or entry.on_loss or LossPolicy.default,
        file.path if file else None,
    )


def configured(name: str | None, path: str | Path | None, arguments: dict[str, Any]) -> Config:
    """What a client of the configuration file is made with. Raises `ConfigError`."""
    file = find(path)
    spec = name or file.default()
    if not spec:
        raise ConfigError(
            f"no model is named: pass one, set {MODEL}, or write default = … in {NAME}"
        )
    return config_of(spec, file=file, **arguments)
