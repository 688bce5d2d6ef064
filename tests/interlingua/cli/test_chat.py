"""`interlingua chat`: a conversation, line by line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interlingua import Message, read_conversation, save_conversation

if TYPE_CHECKING:
    from tests.interlingua.cli.conftest import Run, Vendor


@pytest.fixture(autouse=True)
def configured(tmp_path: Path, vendor: Vendor) -> None:
    """A file whose default is a model at the vendor on loopback."""
    (tmp_path / "interlingua.toml").write_text(
        f"""\
default = "here:test"
max_retries = 0

[providers.here]
api = "openai-chat"
base_url = "{vendor.address}"
""",
        "utf-8",
    )


def test_each_line_is_asked_with_what_was_said_before(run: Run, vendor: Vendor) -> None:
    done = run("chat", "-s", "Be brief.", piped="How deep?\n\nAnd now?\n")

    assert (done.returncode, done.stdout, done.stderr) == (0, "Nine metres.\nNine metres.\n", "")
    assert vendor.asked[1]["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "How deep?"},
        {"role": "assistant", "content": "Nine metres."},
        {"role": "user", "content": "And now?"},
    ]


def test_a_conversation_is_saved_and_gone_on_with(run: Run, vendor: Vendor, tmp_path: Path) -> None:
    save_conversation(tmp_path / "old.json", [Message.user("Hi"), Message.assistant("Ho")])

    done = run("chat", "old.json", piped="How deep?\n/save new.json\n")

    saved = read_conversation(tmp_path / "new.json")
    assert done.stderr == "saved in new.json\n"
    assert [message.text for message in saved] == ["Hi", "Ho", "How deep?", "Nine metres."]
    assert [asked["content"] for asked in vendor.asked[0]["messages"]] == ["Hi", "Ho", "How deep?"]


def test_a_switch_that_loses_nothing_asks_nothing(run: Run, vendor: Vendor) -> None:
    done = run("chat", piped="How deep?\n/model here:other\nAnd now?\n")

    assert done.stderr == "going on with here:other\n"
    assert [asked["model"] for asked in vendor.asked] == ["test", "other"]


def test_a_model_that_nobody_has_leaves_the_conversation_as_it_is(run: Run, vendor: Vendor) -> None:
    done = run("chat", piped="/model nobody:x\nHow deep?\n")

    assert (done.returncode, done.stdout) == (0, "Nine metres.\n")
    assert "is 'nobody'" in done.stderr
    assert vendor.asked[0]["model"] == "test"


def test_a_question_that_fails_is_told_and_forgotten(run: Run, vendor: Vendor) -> None:
    vendor.fails(401, message="No.", code="invalid_api_key")

    done = run("chat", piped="How deep?\nAnd now?\n")

    assert (done.returncode, done.stdout) == (0, "")
    assert len(done.stderr.splitlines()) == 2
    assert vendor.asked[1]["messages"] == [{"role": "user", "content": "And now?"}]


def test_an_unknown_command_gets_the_list_of_them(run: Run, vendor: Vendor) -> None:
    done = run("chat", piped="/halp\n/quit\nHow deep?\n")

    assert done.stderr.splitlines()[0].startswith("/model NAME")
    assert vendor.asked == []
