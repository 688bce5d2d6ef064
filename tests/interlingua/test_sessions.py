"""Sessions: conversations in an SQLite file."""

from __future__ import annotations

import contextlib
import os
import pickle
import sqlite3
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from interlingua import (
    FrozenDict,
    Message,
    MessageError,
    Origin,
    Reasoning,
    SessionInfo,
    Sessions,
    StorageError,
    ToolCall,
    read_conversation,
)

TURN = (Message.user("How deep is the harbour?"), Message.assistant("Nine metres."))
NEXT = (Message.user("And the river?"), Message.assistant("Two."))
SIGNED = Message.assistant(
    [
        Reasoning(
            "They ask for depth.",
            signature="c2lnbmVk",
            extras=FrozenDict({"anthropic-messages": {"x": 1}}),
        ),
        Reasoning(redacted="c2VhbGVk"),
        ToolCall("toolu_1", "measure", {"place": "harbour"}, raw_arguments='{"place": "harbour"}'),
    ],
    id="msg_1",
    created_at="2026-11-30T12:00:00+00:00",
    origin=Origin("anthropic", "anthropic-messages", "claude-sonnet-5"),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "talks.db"


# -- keeping conversations


def test_turns_come_back_in_order(path: Path) -> None:
    with Sessions(path) as sessions:
        sessions.append("ada", TURN)
        sessions.append("ada", NEXT)

        assert sessions.load("ada") == (*TURN, *NEXT)


def test_an_id_that_is_not_there_has_no_messages(path: Path) -> None:
    with Sessions(path) as sessions:
        assert sessions.load("ada") == ()


def test_sessions_do_not_see_one_another(path: Path) -> None:
    with Sessions(path) as sessions:
        sessions.append("ada", TURN)
        sessions.append("bob", NEXT)

        assert (sessions.load("ada"), sessions.load("bob")) == (TURN, NEXT)


def test_what_was_stored_is_there_after_closing(path: Path) -> None:
    with Sessions(path) as sessions:
        sessions.append("ada", TURN)

    with Sessions(str(path)) as sessions:
        assert sessions.load("ada") == TURN


def test_signed_reasoning_ids_and_times_are_kept_as_they_are(path: Path) -> None:
    with Sessions(path) as sessions:
        sessions.append("ada", [SIGNED])

        [loaded] = sessions.load("ada")

    assert loaded.to_dict() == SIGNED.to_dict()


@pytest.mark.parametrize("name", ["a b", "x'; DROP TABLE turns; --", "nul\0nul", "Grüße/…", "%"])
def test_an_id_is_any_text(path: Path, name: str) -> None:
    with Sessions(path) as sessions:
        sessions.append(name, TURN)

        assert (sessions.load(name), sessions.list()[0].id) == (TURN, name)


def test_an_empty_id_is_refused(path: Path) -> None:
    with Sessions(path) as sessions, pytest.raises(MessageError, match="is empty"):
        sessions.append("", TURN)


def test_a_turn_that_holds_no_messages_is_refused_whole(path: Path) -> None:
    broken: Any = [TURN[0], 5]
    with Sessions(path) as sessions:
        with pytest.raises(MessageError):
            sessions.append("ada", broken)

        assert sessions.load("ada") == ()


def test_the_name_of_a_file_is_any_text(tmp_path: Path) -> None:
    path = tmp_path / "a?mode=memory#50%.db"

    with Sessions(path) as sessions:
        sessions.append("ada", TURN)

    assert os.listdir(tmp_path) == [path.name]


def test_sessions_that_were_closed_open_again(path: Path) -> None:
    sessions = Sessions(path)
    sessions.append("ada", TURN)
    sessions.close()

    with sessions:
        assert sessions.load("ada") == TURN


def test_pickled_sessions_are_those_of_the_same_file(path: Path) -> None:
    with Sessions(path) as sessions:
        sessions.append("ada", TURN)
        with pickle.loads(pickle.dumps(sessions)) as again:
            assert again.load("ada") == TURN


def test_the_file_stays_where_it_was_when_the_folder_changes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    sessions = Sessions(path.name)
    sessions.append("ada", TURN)
    sessions.close()
    monkeypatch.chdir("/")

    with sessions:
        assert sessions.load("ada") == TURN


# -- listing, exporting, deleting


def test_the_list_names_every_session_with_its_counts_and_times(path: Path) -> None:
    began = datetime.now(UTC)
    with Sessions(path) as sessions:
        sessions.append("bob", [Message.system("Be brief.")])
        sessions.append("ada", TURN)
        sessions.append("bob", NEXT)

        bob, ada = sessions.list()
    ended = datetime.now(UTC)

    assert bob == SessionInfo("bob", 2, 3, bob.created_at, bob.updated_at)
    assert ada == SessionInfo("ada", 1, 2, ada.created_at, ada.created_at)
    assert began <= bob.created_at < ada.created_at < bob.updated_at <= ended


def test_an_export_is_read_as_any_stored_conversation(path: Path) -> None:
    with Sessions(path) as sessions:
        sessions.append("ada", TURN)
        sessions.append("ada", [SIGNED])

        sessions.export("ada", path.with_name("ada.json"))

    assert read_conversation(path.with_name("ada.json")) == (*TURN, SIGNED)


def test_there_is_no_export_of_a_session_that_is_not_there(path: Path) -> None:
    with Sessions(path) as sessions, pytest.raises(StorageError) as caught:
        sessions.export("ada", path.with_name("ada.json"))

    assert str(caught.value) == f"{path}: there is no session 'ada'"
    assert os.listdir(path.parent) == [path.name]


def test_a_deleted_session_is_gone_and_the_others_are_not(path: Path) -> None:
    with Sessions(path) as sessions:
        sessions.append("ada", TURN)
        sessions.append("bob", NEXT)

        assert sessions.delete("ada") is True
        assert (sessions.load("ada"), sessions.load("bob")) == ((), NEXT)


def test_deleting_says_whether_there_was_anything(path: Path) -> None:
    with Sessions(path) as sessions:
        assert sessions.delete("ada") is False


def test_what_a_deleted_session_said_is_on_the_disk_no_more(path: Path) -> None:
    secret = "the canary sings " * 1000
    with Sessions(path) as sessions:
        sessions.append("bob", TURN)
        sessions.append("ada", [Message.user(secret)])

        sessions.delete("ada")

        assert [one for one in path.parent.iterdir() if b"canary" in one.read_bytes()] == []


def test_a_turn_of_no_messages_is_no_turn(path: Path) -> None:
    with Sessions(path) as sessions:
        sessions.append("ada", [])

        assert sessions.list() == ()


# -- files that are not ours


def garbage(path: Path) -> None:
    path.write_bytes(b"no database at all, " * 500)


def a_few_letters(path: Path) -> None:
    path.write_bytes(b"hello")


def cut_off(path: Path) -> None:
    fill(path)
    path.write_bytes(path.read_bytes()[:5000])


def overwritten(path: Path) -> None:
    fill(path)
    path.write_bytes(path.read_bytes()[:100] + bytes(range(256)) * 200)


def later(path: Path) -> None:
    fill(path)
    execute(path, "PRAGMA user_version = 7")


def foreign(path: Path) -> None:
    execute(path, "CREATE TABLE turns (a)")


def fill(path: Path) -> None:
    with Sessions(path) as sessions:
        for _ in range(50):
            sessions.append("ada", [Message.user("long " * 100)])


def execute(path: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (garbage, "holds no sessions: it is no SQLite file"),
        (a_few_letters, "holds no sessions: it is no SQLite file"),
        (cut_off, "is damaged; restore it from a copy"),
        (overwritten, "is damaged; restore it from a copy"),
        (
            later,
            "written in version 7 of the tables, and this interlingua reads up to 1: upgrade it",
        ),
        (foreign, "holds no sessions: it is another program's SQLite file"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_and_left_as_it_is(
    path: Path, make: Callable[[Path], None], reason: str
) -> None:
    make(path)
    before = path.read_bytes()

    with pytest.raises(StorageError) as caught:
        Sessions(path)

    assert str(caught.value).partition(" (")[0] == f"{path}: {reason}"
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_a_later_file_is_left_as_it_is_even_when_its_writer_was_killed(path: Path) -> None:
    later(path)
    with contextlib.closing(sqlite3.connect(path)) as writer:
        writer.execute("CREATE TABLE more (a)")
        left = {one: one.read_bytes() for one in (path, path.with_name("talks.db-wal"))}
    for one, content in left.items():
        one.write_bytes(content)

    with pytest.raises(StorageError, match="version 7"):
        Sessions(path)

    assert {one: one.read_bytes() for one in left} == left


def test_an_empty_file_becomes_one_of_sessions(path: Path) -> None:
    path.touch()

    with Sessions(path) as sessions:
        sessions.append("ada", TURN)

        assert sessions.load("ada") == TURN


def test_a_turn_in_a_later_format_is_named(path: Path) -> None:
    with Sessions(path) as sessions:
        sessions.append("ada", TURN)
        execute(path, """UPDATE turns SET conversation = '{"interlingua": 2, "messages": []}'""")

        with pytest.raises(StorageError) as caught:
            sessions.load("ada")

    reads = "this interlingua reads up to 1: upgrade it"
    assert str(caught.value) == f"{path}: turn 1: written in version 2 of the format, and {reads}"


def test_a_folder_that_is_not_there_is_named(path: Path) -> None:
    with pytest.raises(StorageError, match=r"is there such a folder") as caught:
        Sessions(path / "talks.db")

    assert str(caught.value).startswith(f"{path}/talks.db: ")


# -- threads


def test_threads_lose_no_turn_of_one_another(path: Path) -> None:
    with Sessions(path) as sessions:

        def talk(name: str) -> None:
            for number in range(25):
                sessions.append(name, [Message.user(f"{name} {number}"), Message.assistant("Yes.")])
                sessions.load("shared")

        threads = [threading.Thread(target=talk, args=(name,)) for name in ("shared", "ada") * 4]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert [(one.id, one.turns, one.messages) for one in sorted(sessions.list())] == [
            ("ada", 100, 200),
            ("shared", 100, 200),
        ]


def test_a_reader_is_not_kept_waiting_by_a_writer(path: Path) -> None:
    with Sessions(path) as sessions, contextlib.closing(sqlite3.connect(path)) as writer:
        sessions.append("ada", TURN)
        writer.execute("BEGIN IMMEDIATE")

        assert sessions.load("ada") == TURN
