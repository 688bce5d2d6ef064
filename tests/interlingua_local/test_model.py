"""Where the model is, and what is said when it is not there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from interlingua.errors import ConfigError
from interlingua_local import fetch, model


def write_sparse(path: Path, size: int, magic: bytes = b"GGUF") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(magic)
        file.truncate(size)
    return path


def test_an_explicit_path_comes_before_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = write_sparse(tmp_path / "mine.gguf", 100)
    monkeypatch.setenv("INTERLINGUA_LOCAL_MODEL", str(tmp_path / "other.gguf"))

    assert model.find_model(mine) == mine


def test_the_environment_names_a_file_of_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = write_sparse(tmp_path / "mine.gguf", 100)
    monkeypatch.setenv("INTERLINGUA_LOCAL_MODEL", str(mine))

    assert model.find_model() == mine


def test_an_empty_environment_variable_names_nothing(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_sparse(cache, fetch.SIZE)
    monkeypatch.setenv("INTERLINGUA_LOCAL_MODEL", "")

    assert model.find_model() == cache


def test_a_missing_file_of_the_users_own_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "none.gguf"

    with pytest.raises(ConfigError, match=r"none.gguf' cannot be read: No such file or directory"):
        model.find_model(missing)


def test_a_folder_in_the_place_of_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        model.find_model(tmp_path)


def test_a_file_that_is_no_gguf_is_named_with_its_beginning(tmp_path: Path) -> None:
    wrong = write_sparse(tmp_path / "model.safetensors", 100, b"\x08\x00\x00\x00")

    with pytest.raises(ConfigError, match=r"model.safetensors' is not a GGUF file: it begins with"):
        model.find_model(wrong)


def test_an_installed_package_comes_before_the_cache_and_is_not_imported(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_sparse(cache, fetch.SIZE)
    package = tmp_path / "site" / "packaged_model"
    installed = write_sparse(package / fetch.FILE, fetch.SIZE)
    (package / "__init__.py").write_text("raise ImportError")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    monkeypatch.setattr(model, "PACKAGE", "packaged_model")

    assert model.find_model() == installed


def test_a_cached_file_is_taken_as_it_is(cache: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_sparse(cache, fetch.SIZE)

    assert model.find_model() == cache
    assert capfd.readouterr() == ("", "")


def test_the_cache_is_the_users_own_unless_the_environment_names_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("INTERLINGUA_CACHE", raising=False)

    assert model.cached_model().parts[-3:-1] == ("interlingua", "models")


def test_a_damaged_cached_file_is_to_be_deleted(cache: Path) -> None:
    write_sparse(cache, fetch.SIZE)

    assert model.remedy(cache.resolve()).startswith("The file is damaged: delete it")


def test_a_file_of_the_users_own_is_to_be_changed(tmp_path: Path) -> None:
    assert model.remedy(tmp_path / "mine.gguf").startswith("Choose a GGUF file")
