"""Conversations in files: whole or not at all."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from interlingua import (
    Message,
    Problem,
    StorageError,
    dump_conversation,
    read_conversation,
    save_conversation,
)


def test_a_saved_file_is_read_again(tmp_path: Path) -> None:
    history = (Message.user("hi"), Message.assistant("hello"))

    save_conversation(tmp_path / "history.json", history)

    assert read_conversation(str(tmp_path / "history.json")) == history


def test_an_error_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    path.write_text('{"interlingua": 1, "messages": [{}]}', "utf-8")

    with pytest.raises(StorageError) as caught:
        read_conversation(path)

    assert str(caught.value) == f"{path}: messages[0].role: is missing"
    assert caught.value.errors == (Problem("messages[0].role", "is missing"),)


def test_a_missing_file_is_reported_as_python_does(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_conversation(tmp_path / "history.json")


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    path.write_text(dump_conversation([Message.user("hi")]), "utf-8-sig")

    assert read_conversation(path) == (Message.user("hi"),)


def test_saving_leaves_nothing_but_the_file(tmp_path: Path) -> None:
    save_conversation(tmp_path / "history.json", [Message.user("hi")])
    save_conversation(tmp_path / "history.json", [Message.user("hi again")])

    assert os.listdir(tmp_path) == ["history.json"]


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_saving_keeps_the_permissions_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    path.touch()
    path.chmod(0o640)

    save_conversation(path, [Message.user("hi")])

    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name != "posix", reason="other systems ask for rights to make links")
def test_saving_through_a_link_changes_the_file_it_points_to(tmp_path: Path) -> None:
    target, link = tmp_path / "history.json", tmp_path / "latest.json"
    target.touch()
    link.symlink_to(target)

    save_conversation(link, [Message.user("hi")])

    assert link.is_symlink()
    assert read_conversation(target) == (Message.user("hi"),)


FULL_DISK = """
import resource, sys
from interlingua import Message, save_conversation
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    save_conversation(sys.argv[1], [Message.user("long " * 1000)])
except OSError as error:
    print(type(error).__name__)
"""

LOST_MACHINE = """
import os, signal, sys
from interlingua import Message, save_conversation
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
save_conversation(sys.argv[1], [Message.user("new")])
"""


@pytest.mark.skipif(os.name != "posix", reason="other systems set no limit to files")
def test_on_a_full_disk_the_old_file_stays_and_nothing_else_does(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    save_conversation(path, [Message.user("old")])

    printed = run(FULL_DISK, path)

    assert printed == "OSError"
    assert os.listdir(tmp_path) == ["history.json"]
    assert read_conversation(path) == (Message.user("old"),)


@pytest.mark.skipif(os.name != "posix", reason="other systems have other signals")
def test_when_the_process_is_killed_while_saving_the_old_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    save_conversation(path, [Message.user("old")])

    run(LOST_MACHINE, path)

    assert read_conversation(path) == (Message.user("old"),)


def run(program: str, path: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return done.stdout.strip()
