from __future__ import annotations

import os
from pathlib import Path

import pytest

from interlingua.errors import ConfigError
from interlingua_local import model


@pytest.fixture(scope="session")
def embedded() -> Path:
    """The embedded model's file: the installed or cached one, else fetched."""
    try:
        return model.find_model()
    except ConfigError as error:
        if os.environ.get("CI", "").lower() in {"1", "true"}:
            raise
        pytest.skip(str(error))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, with no other model in sight; its file's place is the value."""
    monkeypatch.setenv("INTERLINGUA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("INTERLINGUA_LOCAL_MODEL", raising=False)
    monkeypatch.setattr(model, "PACKAGE", "no_such_package")
    return model.cached_model()
