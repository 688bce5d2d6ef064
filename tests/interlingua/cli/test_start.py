"""How the command starts: what it loads, and what it says of itself."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.interlingua.cli.conftest import Run

PYPROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))
LATER = {"rich", "openai", "anthropic", "google.genai", "httpx2", "pydantic"}

LOADED = """
import json, sys
from interlingua.cli.command import run
run()
print(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.parametrize("module", ["interlingua", "interlingua.cli"])
def test_the_version_is_that_of_the_distribution(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, "--version"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert done.stdout == f"interlingua {PYPROJECT['project']['version']}\n"


def test_the_entry_point_is_the_command() -> None:
    assert PYPROJECT["project"]["scripts"] == {"interlingua": "interlingua.cli:main"}


def test_without_arguments_the_command_lists_its_subcommands(run: Run) -> None:
    done = run()

    assert done.returncode == 0
    assert "ask" in done.stdout
    assert "providers" in done.stdout


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_starting_loads_neither_rich_nor_an_sdk(argument: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, argument], capture_output=True, encoding="utf-8", check=True
    )

    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    assert LATER & loaded == set()


def test_shells_complete_commands_and_providers(run: Run) -> None:
    words = {"_INTERLINGUA_COMPLETE": "bash_complete", "COMP_CWORD": "3"}

    commands = run(**{**words, "COMP_WORDS": "interlingua a", "COMP_CWORD": "1"})
    models = run(**words, COMP_WORDS="interlingua ask -m op")

    assert commands.stdout == "plain,ask\n"
    assert models.stdout == "plain,openai\nplain,openai-chat\nplain,openrouter\n"
