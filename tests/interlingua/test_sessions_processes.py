"""Sessions that several processes write, that are killed, and that find no room to write."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from interlingua import Message, Sessions

posix = pytest.mark.skipif(os.name != "posix", reason="other systems have other processes")

WRITER = """
import sys
from interlingua import Message, Sessions
path, name, most = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Sessions(path) as sessions:
    for number in range(most):
        text = f"{name} {number} " + "and so on " * (number % 7 * 100)
        sessions.append("shared", [Message.user(text), Message.assistant(text)])
        print(number, flush=True)
"""


def test_two_processes_lose_no_turn_and_keep_each_whole(path: Path) -> None:
    writers = [begin(WRITER, path, name, 1000) for name in ("ada", "bob")]
    for writer in writers:
        writer.communicate(timeout=120)

    with Sessions(path) as sessions:
        told = said(sessions.load("shared"))

    assert [writer.returncode for writer in writers] == [0, 0]
    assert len(told) == 2000
    assert {name: [n for one, n in told if one == name] for name in ("ada", "bob")} == {
        "ada": list(range(1000)),
        "bob": list(range(1000)),
    }


@posix
def test_a_writer_that_is_killed_leaves_whole_turns_and_all_it_had_stored(path: Path) -> None:
    chance, ends = random.Random(2026), time.monotonic() + 6
    rounds = 0
    while time.monotonic() < ends or rounds < 3:
        rounds += 1
        writer = begin(WRITER, path, f"r{rounds}", 10**6)
        stored = kill(writer, after=chance.randrange(40))
        with Sessions(path) as sessions:
            told = said(sessions.load("shared"))
            sessions.delete("shared")

        # One turn may have been stored without having been told of.
        assert told in (list(turns(rounds, stored)), list(turns(rounds, stored + 1)))


@posix
def test_a_killed_maker_of_the_file_leaves_one_that_opens(path: Path) -> None:
    for statement in range(1, 9):
        begin(KILLED_MAKER, path, statement).communicate(timeout=60)

        with Sessions(path) as sessions:
            sessions.append("ada", [Message.user("hi")])
            assert len(sessions.load("ada")) == 1
        path.unlink()


KILLED_MAKER = """
import os, signal, sqlite3, sys
from interlingua import Sessions
left = int(sys.argv[2])
def traced(_):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
real = sqlite3.connect
def connect(*args, **about):
    made = real(*args, **about)
    made.set_trace_callback(traced)
    return made
sqlite3.connect = connect
Sessions(sys.argv[1])
"""

FORKED = """
import os, sys
from interlingua import Message, Sessions
def say(name, number):
    sessions.append("shared", [Message.user(f"{name} {number} ")] * 2)
sessions = Sessions(sys.argv[1])
say("parent", 0)
closed, closing = os.pipe()
child = os.fork()
if child:
    sessions.close()
    os.write(closing, b".")
    status = os.waitpid(child, 0)[1]
    say("parent", 1)
    sys.exit(status)
os.read(closed, 1)
for number in range(3):
    say("child", number)
os._exit(0)
"""


@posix
def test_a_fork_goes_on_when_its_parent_closes_the_file(path: Path) -> None:
    forked = begin(FORKED, path)
    forked.communicate(timeout=60)

    with Sessions(path) as sessions:
        told = said(sessions.load("shared"))
    assert forked.returncode == 0
    assert told == [("parent", 0), *(("child", number) for number in range(3)), ("parent", 1)]


FULL_DISK = """
import resource, sys
from interlingua import Message, Sessions, StorageError
sessions = Sessions(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    sessions.append("shared", [Message.user("new 0 " + "long " * 100_000)] * 2)
except StorageError as error:
    print(error)
"""


@posix
def test_on_a_full_disk_the_turn_is_refused_and_the_others_stay(path: Path) -> None:
    old = [Message.user("old 0 "), Message.assistant("old 0 ")]
    with Sessions(path) as sessions:
        sessions.append("shared", old)

    printed = begin(FULL_DISK, path).communicate(timeout=60)[0]

    with Sessions(path) as sessions:
        assert sessions.load("shared") == tuple(old)
    assert printed.startswith(f"{path}: ")
    assert "disk" in printed


READ_ONLY = """
import os, sys
from interlingua import Message, Sessions, StorageError
sessions = Sessions(sys.argv[1])
print(len(sessions.load("shared")))
try:
    sessions.append("shared", [Message.user("new")])
except StorageError as error:
    print(str(error).partition(" (")[0])
"""


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write all")
def test_a_read_only_file_is_read_and_not_written(path: Path) -> None:
    with Sessions(path) as sessions:
        sessions.append("shared", [Message.user("hi")])
    path.chmod(0o444)
    before = path.read_bytes()

    printed = begin(READ_ONLY, path).communicate(timeout=60)[0].splitlines()

    assert printed == ["1", f"{path}: cannot be written: you may not, or not in its folder"]
    assert path.read_bytes() == before


LIGHT = """
import sys
from interlingua import AsyncClient, Client, SessionStore
print("sqlite3" in sys.modules)
"""


def test_clients_load_no_database() -> None:
    assert begin(LIGHT).communicate(timeout=60)[0] == "False\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "talks.db"


def begin(program: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")


def kill(writer: subprocess.Popen[str], after: int) -> int:
    """Kill it once it has told of that many turns; how many it has told of in the end."""
    assert writer.stdout is not None
    for _ in range(after):
        writer.stdout.readline()
    writer.kill()
    rest = writer.communicate(timeout=60)[0]
    return after + rest.count("\n")


def said(history: Sequence[Message]) -> list[tuple[str, int]]:
    """Who said the how-manieth turn. A turn is two messages of the same text."""
    pairs = list(zip(history[::2], history[1::2], strict=True))
    assert [one.text for one, other in pairs if one.text != other.text] == []
    words = (one.text.split(" ", 2) for one, _ in pairs)
    return [(name, int(number)) for name, number, _ in words]


def turns(round: int, stored: int) -> list[tuple[str, int]]:
    return [(f"r{round}", number) for number in range(stored)]
