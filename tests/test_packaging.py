"""The distribution: its folders, its declarations, and a wheel that needs msgspec alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

import pytest

import interlingua
from interlingua import registry

ROOT = Path(__file__).parents[1]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT: dict[str, Any] = PYPROJECT["project"]
FOLDERS = {path.parent.name for path in (ROOT / "providers").glob("*/__init__.py")}
FILES = {"__init__.py", "encode.py", "decode.py", "stream.py", "errors.py", "transport.py"}
STRANGERS = {
    "anthropic",
    "click",
    "google.genai",
    "httpx",
    "httpx2",
    "openai",
    "opentelemetry",
    "pydantic",
    "pydantic_core",
    "rich",
    "xllamacpp",
}

# Run in a Python that sees the standard library, msgspec and the unpacked wheel, nothing else.
IMPORT_EVERYTHING = """
import importlib, json, pkgutil, sys
sys.path[:0] = json.loads(sys.argv[1])
import interlingua
names = ["interlingua"]
if sys.argv[2] == "all":
    found = pkgutil.walk_packages(interlingua.__path__, "interlingua.")
    names += [m.name for m in found if m.name.split(".")[1] != "cli"]
for name in names:
    importlib.import_module(name)
print(json.dumps([names, sorted(sys.modules)]))
"""


def test_every_provider_folder_is_in_the_wheel() -> None:
    packages = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]

    assert set(packages) == {"src/interlingua"} | {f"providers/{name}" for name in FOLDERS}


def test_every_provider_folder_has_an_entry_point_and_every_entry_point_a_folder() -> None:
    targets: dict[str, str] = PROJECT["entry-points"][registry.PROVIDERS]

    assert {package_of(target) for target in targets.values()} == FOLDERS


@pytest.mark.parametrize("api", PROJECT["entry-points"][registry.CODECS])
def test_a_codec_answers_to_its_name(api: str) -> None:
    assert interlingua.codec(api).api == api


@pytest.mark.parametrize("name", PROJECT["entry-points"][registry.PROVIDERS])
def test_a_provider_answers_to_its_name(name: str) -> None:
    assert registry.provider(name).name == name


def test_every_provider_has_an_extra_of_its_name() -> None:
    extras = set(PROJECT["optional-dependencies"])

    assert {name.removeprefix("interlingua_") for name in FOLDERS} <= extras


def test_the_extra_all_names_every_other_extra() -> None:
    extras: dict[str, list[str]] = PROJECT["optional-dependencies"]
    [everything] = extras["all"]

    named = re.fullmatch(r"interlingua\[(.*)\]", everything)

    assert named is not None
    assert set(named[1].split(",")) == set(extras) - {"all"}


@pytest.mark.parametrize("folder", sorted(FOLDERS - {"interlingua_local"}))
def test_a_provider_has_the_six_files(folder: str) -> None:
    present = {path.name for path in (ROOT / "providers" / folder).rglob("*.py")}

    assert present >= FILES


@pytest.mark.parametrize("folder", sorted(FOLDERS))
def test_a_provider_has_a_page(folder: str) -> None:
    page = ROOT / "docs" / "providers" / f"{folder.removeprefix('interlingua_')}.md"

    assert page.exists()


def test_the_core_depends_on_msgspec_alone() -> None:
    names = [re.split(r"[^\w-]", line)[0] for line in PROJECT["dependencies"]]

    assert names == ["msgspec"]


def test_the_public_names_are_sorted_and_there() -> None:
    names = list(interlingua.__all__)

    assert names == sorted(names)
    assert [name for name in names if not hasattr(interlingua, name)] == []


def test_every_name_imported_for_the_user_is_announced() -> None:
    given = {
        name
        for name, value in vars(interlingua).items()
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("interlingua.")
    }

    assert given <= set(interlingua.__all__)


def package_of(target: str) -> str:
    return re.split(r"[.:]", target)[0]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel, unpacked."""
    built, unpacked = tmp_path_factory.mktemp("built"), tmp_path_factory.mktemp("unpacked")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", built, ROOT],
        check=True,
        capture_output=True,
    )
    [path] = built.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(unpacked)
    return unpacked


def test_the_wheel_holds_the_core_the_providers_and_their_types(wheel: Path) -> None:
    packages = {"interlingua", *FOLDERS}

    assert {path.parent.name for path in wheel.glob("*/__init__.py")} == packages
    assert {path.parent.name for path in wheel.glob("*/py.typed")} == packages


def test_importing_the_wheel_loads_no_sdk_and_no_http_library(wheel: Path) -> None:
    _, loaded = imported(wheel, "interlingua")

    assert STRANGERS & loaded == set()


def test_every_module_of_the_core_imports_with_msgspec_alone(wheel: Path) -> None:
    names, loaded = imported(wheel, "all")

    modules = {path.stem for path in (wheel / "interlingua").glob("*.py")} - {"__init__", "cli"}
    assert {f"interlingua.{name}" for name in modules} <= names
    assert STRANGERS & loaded == set()


def imported(wheel: Path, what: str) -> tuple[set[str], set[str]]:
    """Import in a Python without site-packages; give the names asked for and all that loaded."""
    msgspec = PathFinder.find_spec("msgspec")
    assert msgspec is not None
    assert msgspec.origin is not None
    alone = wheel.parent / f"{wheel.name}-msgspec"
    alone.mkdir(exist_ok=True)
    link = alone / "msgspec"
    if not link.exists():
        link.symlink_to(Path(msgspec.origin).parent, target_is_directory=True)
    done = subprocess.run(
        [
            *(sys.executable, "-I", "-S", "-W", "error", "-c", IMPORT_EVERYTHING),
            json.dumps([str(wheel), str(alone)]),
            what,
        ],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    names, loaded = json.loads(done.stdout)
    return set(names), set(loaded)
