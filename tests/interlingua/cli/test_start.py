"""How the command starts: what it loads, and what it says of itself."""

from __future__ import annotations

import json
import os
import shutil
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

PRESS_TAB = """
eval "$(_INTERLINGUA_COMPLETE=bash_source interlingua)"
COMP_WORDS=(interlingua ask -m op) COMP_CWORD=3
$(complete -p interlingua | sed 's/.*-F \\([^ ]*\\).*/\\1/') interlingua
echo "${COMPREPLY[@]}"
"""

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


COMPLETED = {
    "interlingua a": ["ask"],
    "interlingua ask --pl": ["--plain"],
    "interlingua ask -m op": ["op-ed", "openai", "openai-chat", "openrouter"],
    "interlingua chat -m ha": ["harbour"],
    "interlingua check op-": ["op-ed"],
    "interlingua models ha": ["harbour"],
    "interlingua providers op": ["openai", "openai-chat", "openrouter"],
    "interlingua plan --to op": ["openai-chat", "openai-responses"],
}
"""Words before Tab is pressed, and what it offers."""

NAMES = """\
models.op-ed = "local"
providers.harbour = { api = "openai-chat", base_url = "http://127.0.0.1:9" }
"""


@pytest.mark.parametrize(("line", "offered"), COMPLETED.items(), ids=COMPLETED)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands_and_names(
    run: Run, tmp_path: Path, shell: str, line: str, offered: list[str]
) -> None:
    (tmp_path / "interlingua.toml").write_text(NAMES, "utf-8")
    *_, last = words = line.split(" ")
    # bash and zsh give a number, fish the word itself.
    place = last if shell == "fish" else str(len(words) - 1)

    done = run(_INTERLINGUA_COMPLETE=f"{shell}_complete", COMP_WORDS=line, COMP_CWORD=place)

    assert told(shell, done.stdout) == offered


def told(shell: str, output: str) -> list[str]:
    """The words in what the command tells a shell."""
    lines = output.splitlines()
    match shell:
        case "bash":
            return [line.partition(",")[2] for line in lines]
        case "zsh":
            return lines[1::3]
        case _:
            return [line.partition(",")[2].partition("\t")[0] for line in lines]


def test_a_broken_configuration_does_not_stop_completion(run: Run, tmp_path: Path) -> None:
    (tmp_path / "interlingua.toml").write_text("broken", "utf-8")

    done = run(
        _INTERLINGUA_COMPLETE="bash_complete", COMP_WORDS="interlingua ask -m goo", COMP_CWORD="3"
    )

    assert (done.stdout, done.stderr) == ("plain,google\n", "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_with_what_the_command_gives_it(
    surroundings: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "interlingua.toml").write_text(NAMES, "utf-8")
    scripts = Path(sys.executable).parent
    path = f"{scripts}{os.pathsep}{surroundings['PATH']}"

    done = subprocess.run(
        ["bash", "-c", PRESS_TAB],
        cwd=tmp_path,
        env={**surroundings, "PATH": path},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert done.stdout.split() == ["op-ed", "openai", "openai-chat", "openrouter"]
