"""Names → providers and codecs, through entry points. Nothing is loaded before it is asked for."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from interlingua.codec import Codec
from interlingua.errors import ConfigError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

    from interlingua.provider import Provider

PROVIDERS = "interlingua.providers"
CODECS = "interlingua.codecs"


@cache
def codec(api: str) -> Codec:
    """The codec of an API, such as `openai-chat` or `anthropic-messages`.

    Raises `ConfigError` for an API that no installed package speaks.
    """
    return _loaded(CODECS, api, Codec)


@cache
def provider(name: str) -> Provider:
    """The provider of a name: `openai`, `openai-chat`, `anthropic`, `google`, `local`.

    Raises `ConfigError` for a name that no installed package has.
    """
    # Codecs work without the way to a vendor.
    from interlingua.provider import Provider

    return _loaded(PROVIDERS, name, Provider)


def names(group: str) -> tuple[str, ...]:
    """What is installed of a group of entry points."""
    return tuple(sorted({point.name for point in _installed(group)}))


def _installed(group: str) -> EntryPoints:
    # Reading what is installed takes longer than importing everything else here.
    from importlib.metadata import entry_points

    return entry_points(group=group)


def _loaded(group: str, name: str, kind: type[Any]) -> Any:
    found = {point.value: point for point in _installed(group) if point.name == name}
    what = "provider" if group == PROVIDERS else "API"
    if not found:
        known = ", ".join(names(group)) or "none"
        raise ConfigError(f"no {what} is called {name!r}; installed: {known}")
    if len(found) > 1:
        claims = ", ".join(sorted(found))
        raise ConfigError(f"{len(found)} packages claim the {what} {name!r}: {claims}; remove one")
    return _load(next(iter(found.values())), what, kind)


def _load(point: EntryPoint, what: str, kind: type[Any]) -> Any:
    named = f"the {what} {point.name!r} ({point.value})"
    try:
        held = point.load()
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"{named} cannot be loaded: {error}") from error
    if not isinstance(held, kind):
        raise ConfigError(f"{named} is no {kind.__name__}: {held!r}")
    return held
