"""`interlingua.toml` and the command: asking by name, `config`, `check`, `convert`, `plan`, `models`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from interlingua import Message, Video, codec, save_conversation

if TYPE_CHECKING:
    from tests.interlingua.cli.conftest import Run, Vendor

CHAT = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "seed": 3}


@pytest.fixture
def file(tmp_path: Path, vendor: Vendor) -> Path:
    """A configuration whose default is a model at the vendor on loopback."""
    path = tmp_path / "interlingua.toml"
    path.write_text(
        f"""\
default = "fast"
max_retries = 0

[models.fast]
model = "mine:test"
temperature = 0.5

[models.far]
model = "groq:far"
fallback = ["fast"]

[providers.mine]
api = "openai-chat"
base_url = "{vendor.address}"
api_key_env = "MY_KEY"
""",
        "utf-8",
    )
    return path


@pytest.mark.usefixtures("file")
def test_the_files_default_is_asked_with_its_settings(run: Run, vendor: Vendor) -> None:
    done = run("ask", "How deep?", MY_KEY="canary")

    assert (done.returncode, done.stdout, done.stderr) == (0, "Nine metres.\n", "")
    assert vendor.asked[0]["model"] == "test"
    assert vendor.asked[0]["temperature"] == 0.5


@pytest.mark.usefixtures("file")
def test_the_command_line_wins_over_the_file(run: Run, vendor: Vendor) -> None:
    run("ask", "-m", "mine:other", "--temperature", "0", "How deep?", MY_KEY="canary")

    assert vendor.asked[0]["model"] == "other"
    assert vendor.asked[0]["temperature"] == 0


def test_a_bad_file_is_told_in_one_line(run: Run, file: Path) -> None:
    file.write_text("defalt = 3", "utf-8")

    done = run("ask", "How deep?")

    said = f"interlingua: {file}:1: defalt: unknown; did you mean 'default'?\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_every_value_is_shown_with_its_origin(run: Run, file: Path, vendor: Vendor) -> None:
    done = run("config", INTERLINGUA_MODEL="far", MY_KEY="canary")

    assert [line.split("\t") for line in done.stdout.splitlines()] == [
        ["file", str(file), "found"],
        ["default", "far", "INTERLINGUA_MODEL in the environment"],
        ["max_retries", "0", f"{file}:2"],
        ["models.fast.model", "mine:test", f"{file}:5"],
        ["models.fast.temperature", "0.5", f"{file}:6"],
        ["models.far.model", "groq:far", f"{file}:9"],
        ["models.far.fallback", '["fast"]', f"{file}:10"],
        ["providers.mine.api", "openai-chat", f"{file}:13"],
        ["providers.mine.base_url", vendor.address, f"{file}:14"],
        ["providers.mine.api_key_env", "MY_KEY", f"{file}:15"],
    ]


def test_values_as_json_say_the_same(run: Run, tmp_path: Path) -> None:
    done = run("config", "--json", XDG_CONFIG_HOME=str(tmp_path), HOME=str(tmp_path))

    assert json.loads(done.stdout) == [
        {"key": "file", "value": None, "origin": "there is no interlingua.toml here"},
        {"key": "default", "value": "local", "origin": "usual"},
    ]


@pytest.mark.usefixtures("file")
def test_each_configured_model_is_asked_once(run: Run, vendor: Vendor) -> None:
    done = run("check", "--json", MY_KEY="canary", GROQ_API_KEY="")

    rows: list[dict[str, Any]] = json.loads(done.stdout)
    assert done.returncode == 1
    assert [(row["model"], row["result"], row["tokens"], row["about"]) for row in rows] == [
        ("fast", "ready", 10, "mine:test-1"),
        ("far", "missing", None, "groq has no key: pass api_key=… or set GROQ_API_KEY"),
    ]
    assert len(vendor.asked) == 1


@pytest.mark.usefixtures("file")
def test_a_model_that_nobody_has_cannot_be_checked(run: Run) -> None:
    done = run("check", "fsat")

    assert done.returncode == 2
    assert done.stderr.endswith("did you mean 'fast'?\n")


def test_a_request_becomes_one_of_another_api(run: Run) -> None:
    done = run(
        *("convert", "--from", "openai-chat", "--to", "anthropic-messages", "-m", "claude"),
        piped=json.dumps(CHAT),
    )

    assert done.returncode == 0
    assert codec("anthropic-messages").decode_request(done.stdout).model == "claude"
    assert "interlingua: lost: seed: the Messages API has no seed (dropped)" in done.stderr


def test_what_may_not_be_lost_is_not_converted(run: Run) -> None:
    done = run(
        *("convert", "--from", "openai-chat", "--to", "anthropic-messages"),
        *("--on-loss", "strict"),
        piped=json.dumps(CHAT),
    )

    assert (done.returncode, done.stdout) == (1, "")


def test_a_plan_tells_what_would_be_lost(run: Run, tmp_path: Path) -> None:
    save_conversation(tmp_path / "talk.json", [Message.user(["Look", Video(url="https://x.test")])])

    done = run("plan", "--to", "openai-chat", "talk.json")

    assert done.stdout.splitlines() == [
        "messages[0].content[1]\tcontent\tdropped\tChat Completions takes no video"
    ]


def test_a_plan_without_a_loss_says_so(run: Run, tmp_path: Path) -> None:
    save_conversation(tmp_path / "talk.json", [Message.user("Look")])

    done = run("plan", "--to", "openai-chat", "talk.json")

    assert (done.stdout, done.stderr) == ("", "openai-chat carries all of it\n")
