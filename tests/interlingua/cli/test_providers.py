"""`interlingua providers`: who is there, and what is missing to ask them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.interlingua.cli.conftest import Run


def test_providers_are_listed_with_what_is_missing(run: Run) -> None:
    done = run("providers", "openai", "local", OPENAI_API_KEY="")

    rows = {line.split()[0]: line.split()[1:3] for line in done.stdout.splitlines()}
    assert (done.returncode, done.stderr) == (0, "")
    assert rows["openai"] == ["openai-responses", "missing"]
    assert rows["local"] == ["openai-chat", "installed"]
    assert "OPENAI_API_KEY" in done.stdout


def test_providers_as_json_say_the_same(run: Run) -> None:
    names = ("anthropic", "google", "local", "openai", "openai-chat")

    done = run("providers", "--json", *names, GOOGLE_API_KEY="test", ANTHROPIC_API_KEY="test")

    rows: list[dict[str, Any]] = json.loads(done.stdout)
    assert [row["name"] for row in rows] == [*names]
    assert {row["state"] for row in rows if row["name"] != "local"} == {"ready"}
    assert rows[-1] == {
        "name": "openai-chat",
        "api": "openai-chat",
        "default_model": None,
        "state": "ready",
        "missing": None,
    }
