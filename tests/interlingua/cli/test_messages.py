"""What the command says when it cannot do what was asked: one line, and an exit status."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interlingua.registry import PROVIDERS, names

if TYPE_CHECKING:
    from tests.interlingua.cli.conftest import Run, Vendor

INSTALLED = ", ".join(names(PROVIDERS))
HELP = "(see interlingua ask --help)"

MISUSES = {
    ("ask",): "there is no prompt: write it after `ask`, name a file with -f, or pipe it in",
    ("ask", " "): "there is no prompt: write it after `ask`, name a file with -f, or pipe it in",
    ("ask", "-m", "opnai:gpt-5", "Hi"): (f"no provider is called 'opnai'; installed: {INSTALLED}"),
    ("ask", "-m", "gpt-5", "Hi"): (
        f"no provider is called 'gpt-5'; installed: {INSTALLED}; a model is written PROVIDER:gpt-5"
    ),
    ("ask", "-m", "openai", "Hi"): "'openai' names no model; write 'openai:MODEL'",
    ("ask", "--fallback", "nobody:x", "Hi"): (
        f"no provider is called 'nobody'; installed: {INSTALLED}"
    ),
    ("providers", "nobody"): f"no provider is called 'nobody'; installed: {INSTALLED}",
    ("ask", "-o", "base_url", "Hi"): (
        "-o takes key=value, such as -o base_url=http://127.0.0.1:8080/v1"
    ),
    ("ask", "-o", "timeout=3", "Hi"): "timeout has an option of its own: --timeout",
    ("ask", "-o", "max_retries=many", "Hi"): (
        "max_retries must be a whole number, 0 or more, not 'many'"
    ),
    ("ask", "-o", "max_retries=-1", "Hi"): "max_retries must be a whole number, 0 or more, not -1",
    ("ask", "-o", "deadline=0", "Hi"): "deadline must be a number of seconds, not 0",
    ("ask", "-o", 'headers={"x-team": 3}', "Hi"): (
        'headers must be a JSON object of texts, such as {"x-team": "harbour"}, not {\'x-team\': 3}'
    ),
    ("ask", "-o", "base_url=x.test", "-m", "openai-chat:m", "Hi"): (
        "base_url='x.test' has no protocol; write it whole, as in 'http://localhost:8080/v1' or "
        "'https://api.example.org/v1'"
    ),
    ("ask", "-o", "organisation=x", "-m", "openai-chat:m", "Hi"): (
        "OpenAI's client does not take this setting: it has no 'organisation'"
    ),
    ("chat", "--session", ""): (
        "--session needs a name for the conversation, such as --session harbour"
    ),
    ("check", "nobody:x"): f"no provider is called 'nobody'; installed: {INSTALLED}",
    ("models", "nobody:x"): f"no provider is called 'nobody'; installed: {INSTALLED}",
    ("ask", "-f", "none.txt", "Hi"): (
        f"Invalid value for '-f' / '--file': File 'none.txt' does not exist {HELP}"
    ),
    ("ask", "-f", "empty.txt", "Hi"): "the file 'empty.txt' is empty",
    ("ask", "-f", "noise.bin", "Hi"): (
        "the file 'noise.bin' is neither text in UTF-8 nor an image, a PDF, a sound or a film"
    ),
}


@pytest.mark.parametrize(("arguments", "words"), MISUSES.items(), ids=map(" ".join, MISUSES))
def test_a_misuse_is_one_line_that_says_what_to_do(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    (tmp_path / "empty.txt").touch()
    (tmp_path / "noise.bin").write_bytes(b"\0\xfe\xfd")

    done = run(*arguments)

    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"interlingua: {words}\n")


def test_a_wrong_model_in_the_environment_is_told_from_one_on_the_command_line(run: Run) -> None:
    done = run("ask", "Hi", INTERLINGUA_MODEL="openai")

    assert (done.returncode, done.stderr) == (
        2,
        "interlingua: INTERLINGUA_MODEL in the environment: "
        "'openai' names no model; write 'openai:MODEL'\n",
    )


@pytest.mark.parametrize(
    ("arguments", "beginning"),
    [
        (("ask", "--modle", "x", "Hi"), "interlingua: No such option"),
        (("aks", "Hi"), "interlingua: No such command 'aks'"),
        (("ask", "--max-tokens", "0", "Hi"), "interlingua: Invalid value for '--max-tokens'"),
    ],
    ids=["option", "command", "value"],
)
def test_a_misspelt_command_line_is_one_line_that_points_to_help(
    run: Run, arguments: tuple[str, ...], beginning: str
) -> None:
    done = run(*arguments)

    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith(beginning)
    assert line.endswith("--help)")


@pytest.mark.parametrize(
    "option", ["api_key=hush", 'headers={"Authorization": "hush"}', "auth_token=hush"]
)
def test_a_secret_is_refused_on_the_command_line_and_not_repeated(run: Run, option: str) -> None:
    done = run("ask", "Hi", "-o", option)

    assert done.returncode == 2
    assert "set the environment variable that the provider reads" in done.stderr
    assert "hush" not in done.stderr


@pytest.mark.parametrize("command", ["ask", "chat", "check", "config", "models"])
def test_what_is_wrong_in_the_configuration_is_a_misuse_of_every_command(
    run: Run, tmp_path: Path, command: str
) -> None:
    file = tmp_path / "interlingua.toml"
    file.write_text('[models.fast]\nmodel = "local"\nmax_tokens = 0\n', "utf-8")

    done = run(command)

    said = f"interlingua: {file}:3: models.fast.max_tokens: Expected `int` >= 1\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


@pytest.mark.parametrize(
    "arguments",
    [("plan", "--to", "openai-chat"), ("convert", "--from", "openai-chat", "--to", "openai-chat")],
    ids=["plan", "convert"],
)
def test_a_file_that_does_not_hold_what_it_should_is_named(
    run: Run, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "notes.md").write_text("Hi", "utf-8")

    done = run(*arguments, "notes.md")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("interlingua: notes.md: ")


def test_a_missing_key_names_its_variable(run: Run) -> None:
    done = run("ask", "Hi", "-m", "openai-chat:test", OPENAI_API_KEY="")

    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith("interlingua: OpenAI has no key")
    assert "OPENAI_API_KEY" in line


def test_an_address_where_nobody_answers_is_a_failure_in_one_line(run: Run) -> None:
    options = ("-o", "base_url=http://127.0.0.1:9/v1", "-o", "max_retries=1")

    done = run("ask", "Hi", "-m", "openai-chat:test", *options)

    assert (done.returncode, done.stdout) == (1, "")
    [line] = done.stderr.splitlines()
    assert line.endswith("(2 attempts); is there a network, and is the address right?")


def test_an_error_of_the_vendor_is_told_in_its_words(run: Run, vendor: Vendor) -> None:
    vendor.fails(401, message="Incorrect\nAPI key.", code="invalid_api_key")

    done = run("ask", "Hi", *vendor.options)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "interlingua: openai-chat: Incorrect API key (status 401); "
        "is the key in the environment the right one?\n"
    )


def test_what_the_vendor_cannot_carry_is_not_sent_unless_it_is_allowed(
    run: Run, vendor: Vendor, tmp_path: Path
) -> None:
    (tmp_path / "film.mp4").write_bytes(b"\0\0\0\x18ftypisom\0\0\0\0")

    forbidden = run("ask", "Look.", "-f", "film.mp4", *vendor.options)
    allowed = run("ask", "Look.", "-f", "film.mp4", "--on-loss", "allow", "-v", *vendor.options)

    assert (forbidden.returncode, forbidden.stdout) == (1, "")
    assert forbidden.stderr.startswith("interlingua: openai-chat cannot carry all of this: ")
    assert forbidden.stderr.endswith("; --on-loss allow sends it without\n")
    assert (allowed.returncode, len(vendor.asked)) == (0, 1)
    assert "lost: messages[0].content[1]" in allowed.stderr


def test_a_warning_is_one_line() -> None:
    program = (
        "import warnings; from interlingua.cli.command import run\n"
        "run(); warnings.warn('left out', stacklevel=1)"
    )

    done = python(program, "--version")

    assert done.stderr == "interlingua: left out\n"


@pytest.mark.parametrize("package", ["click", "rich"])
def test_without_the_extra_the_command_says_what_to_install(package: str) -> None:
    program = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "sys.stdout.isatty = lambda: True\n"
        "from interlingua.cli import main\nmain()"
    )

    done = python(program, "providers")

    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        f"interlingua: the command needs {package}, which is not installed: "
        "pip install 'interlingua[cli]'\n",
    )


def test_without_the_vendors_sdk_the_command_names_the_extra() -> None:
    program = "import sys; sys.modules['openai'] = None\nfrom interlingua.cli import main\nmain()"

    done = python(program, "ask", "-m", "openai-chat:test", "Hi")

    assert (done.returncode, done.stdout) == (1, "")
    [line] = done.stderr.splitlines()
    assert line.endswith("pip install 'interlingua[openai]'")


def test_a_bug_is_one_line_that_says_how_to_see_where() -> None:
    program = "from interlingua.cli import ask, main\nask.settings_of = lambda given: 1 / 0\nmain()"

    done = python(program, "ask", "Hi")

    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        "interlingua: unexpected ZeroDivisionError: division by zero; "
        "this is a bug, and INTERLINGUA_TRACEBACK=1 in the environment shows where\n",
    )


def python(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program that runs the command."""
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
