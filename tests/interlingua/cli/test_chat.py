"""`interlingua chat`: a conversation, line by line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interlingua import Message, Sessions, Text, Video, read_conversation, save_conversation

if TYPE_CHECKING:
    from tests.interlingua.cli.conftest import Run, Vendor

FILE = ("--sessions", "talks.sqlite")
HARBOUR = (*FILE, "--session", "harbour")


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

    assert (done.returncode, done.stdout) == (1, "Nine metres.\n")
    assert "is 'nobody'" in done.stderr
    assert vendor.asked[0]["model"] == "test"


def test_a_question_that_fails_is_told_and_forgotten(run: Run, vendor: Vendor) -> None:
    vendor.fails(401, message="No.", code="invalid_api_key")

    done = run("chat", piped="How deep?\nAnd now?\n")

    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 2
    assert vendor.asked[1]["messages"] == [{"role": "user", "content": "And now?"}]


def test_an_unknown_command_gets_the_list_of_them(run: Run, vendor: Vendor) -> None:
    done = run("chat", piped="/halp\n/quit\nHow deep?\n")

    assert done.stderr.splitlines()[0].startswith("/model NAME")
    assert vendor.asked == []


# -- sessions


def test_a_session_is_gone_on_with_and_only_whole_answers_are_stored(
    run: Run, vendor: Vendor, tmp_path: Path
) -> None:
    run("chat", *HARBOUR, "-s", "Be brief.", piped="How deep?\n")
    vendor.says("Ni", finish="")
    broken = run("chat", *HARBOUR, piped="And now?\n")

    assert (broken.returncode, broken.stdout) == (1, "Ni\n")
    assert stored(tmp_path, "harbour") == ["Be brief.", "How deep?", "Nine metres."]
    assert [asked["content"] for asked in vendor.asked[1]["messages"]] == [
        "Be brief.",
        "How deep?",
        "Nine metres.",
        "And now?",
    ]


def test_a_prompt_of_the_command_line_stands_in_the_place_of_the_stored_one(
    run: Run, vendor: Vendor, tmp_path: Path
) -> None:
    run("chat", *HARBOUR, "-s", "Be brief.", piped="How deep?\n")
    run("chat", *HARBOUR, "-s", "Be long.", piped="And now?\n")

    assert [asked["content"] for asked in vendor.asked[1]["messages"]] == [
        "Be long.",
        "How deep?",
        "Nine metres.",
        "And now?",
    ]
    assert stored(tmp_path, "harbour")[0] == "Be brief."


def test_a_new_session_takes_what_was_said_before(run: Run, vendor: Vendor, tmp_path: Path) -> None:
    done = run("chat", *FILE, piped="How deep?\n/session harbour\nAnd now?\n/sessions\n")

    assert done.returncode == 0
    assert done.stderr.startswith("going on with harbour (a new session)\n* harbour: 4 messages, ")
    assert stored(tmp_path, "harbour") == ["How deep?", "Nine metres.", "And now?", "Nine metres."]


def test_a_new_session_after_a_stored_one_begins_anew(
    run: Run, vendor: Vendor, tmp_path: Path
) -> None:
    run("chat", *HARBOUR, piped="How deep?\n/session other\nHow wide?\n")

    assert stored(tmp_path, "harbour") == ["How deep?", "Nine metres."]
    assert stored(tmp_path, "other") == ["How wide?", "Nine metres."]
    assert vendor.asked[1]["messages"] == [{"role": "user", "content": "How wide?"}]


@pytest.mark.parametrize(("reply", "first"), [("y", "How deep?"), ("n", "Hi")])
def test_what_is_stored_nowhere_is_not_left_without_asking(
    run: Run, vendor: Vendor, reply: str, first: str
) -> None:
    run("chat", *HARBOUR, piped="How deep?\n")

    done = run("chat", *FILE, piped=f"Hi\n/session harbour\n{reply}\nAnd now?\n")

    assert "what has been said is stored nowhere; /save FILE keeps it" in done.stderr
    asked = [one["content"] for one in vendor.asked[2]["messages"]]
    assert asked == [first, "Nine metres.", "And now?"]


def test_a_file_can_begin_a_session_and_not_go_on_with_one(
    run: Run, vendor: Vendor, tmp_path: Path
) -> None:
    save_conversation(tmp_path / "old.json", [Message.user("Hi"), Message.assistant("Ho")])

    first = run("chat", *HARBOUR, "old.json", piped="How deep?\n")
    second = run("chat", *HARBOUR, "old.json", piped="How deep?\n")

    assert (first.returncode, second.returncode) == (0, 2)
    assert second.stderr == (
        "interlingua: the session 'harbour' is there already; FILE can only begin a new one\n"
    )
    assert stored(tmp_path, "harbour") == ["Hi", "Ho", "How deep?", "Nine metres."]


def test_sessions_are_in_the_users_own_folder_unless_a_file_is_named(
    run: Run, vendor: Vendor, tmp_path: Path
) -> None:
    home = {
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "HOME": str(tmp_path),
        "LOCALAPPDATA": str(tmp_path),
    }

    done = run("chat", "--session", "harbour", piped="How deep?\n", **home)
    named = run("chat", "--session", "a", piped="Hi\n", INTERLINGUA_SESSIONS="named.sqlite", **home)

    [found] = tmp_path.rglob("sessions.sqlite")
    assert (done.returncode, named.returncode) == (0, 0)
    assert os.name != "posix" or found.parent.stat().st_mode & 0o077 == 0
    assert (tmp_path / "named.sqlite").exists()


def test_a_loss_of_the_conversation_that_is_gone_on_with_is_shown(
    run: Run, vendor: Vendor, tmp_path: Path
) -> None:
    film = Message.user([Text("Look"), Video(url="https://x.test/v")])
    save_conversation(tmp_path / "old.json", [film, Message.assistant("Ho")])

    done = run("chat", "old.json", piped="How deep?\n")

    said = "lost: messages[0].content[1]: Chat Completions takes no video (dropped)\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, "Nine metres.\n", said)


def test_an_answer_that_only_asks_for_tools_says_so(run: Run, vendor: Vendor) -> None:
    call = {
        "index": 0,
        "id": "c1",
        "type": "function",
        "function": {"name": "look", "arguments": "{}"},
    }
    vendor.says(finish="tool_calls", tool_calls=[call])

    done = run("chat", piped="How deep?\n")

    said = "interlingua: the model asks for tools, and none is run here: look({})\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


def stored(folder: Path, session: str) -> list[str]:
    with Sessions(folder / "talks.sqlite") as sessions:
        return [message.text for message in sessions.load(session)]
