"""Sessions: conversations by id in an SQLite file, one row a turn, added and never changed."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import quote
from weakref import WeakSet

from interlingua import fields
from interlingua.errors import StorageError
from interlingua.message import Message
from interlingua.storage import (
    AnyPath,
    dump_conversation,
    load_conversation,
    save_conversation,
)

VERSION = 1
"""Of the file's tables that are written, and the newest that are read."""

APPLICATION = 0x694C5353
"""SQLite's mark of whose file it is."""

PATIENCE = 60.0
"""Seconds to wait for a program that is writing."""

TABLES = (
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
    "CREATE TABLE turns (number INTEGER PRIMARY KEY, session TEXT NOT NULL, added_at TEXT NOT NULL,"
    " messages INTEGER NOT NULL, conversation TEXT NOT NULL)",
    "CREATE INDEX turns_of_sessions ON turns (session)",
)

SETTINGS = (
    # A turn that has been stored outlasts a power cut, and one that was deleted is overwritten.
    "PRAGMA synchronous = FULL",
    "PRAGMA secure_delete = ON",
)

OWNER = """
SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)
FROM pragma_application_id, pragma_user_version
"""

LISTING = """
SELECT session, count(*), sum(messages), min(added_at), max(added_at)
FROM turns GROUP BY session ORDER BY min(number)
"""

FAULTS = {
    sqlite3.SQLITE_BUSY: "another program has been writing to it for too long",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; is there such a folder, and may you write in it?",
    sqlite3.SQLITE_CORRUPT: "is damaged; restore it from a copy",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "cannot be read or written; is the disk full?",
    sqlite3.SQLITE_NOTADB: "holds no sessions: it is no SQLite file",
    sqlite3.SQLITE_READONLY: "cannot be written: you may not, or not in its folder",
}


class SessionInfo(NamedTuple):
    """What is stored under an id, without the messages."""

    id: str
    turns: int
    messages: int
    created_at: datetime
    updated_at: datetime


class Sessions:
    """Conversations in a file, which is made if need be. For many threads and processes at once.

    All methods raise `StorageError`, naming the file, when it is damaged, cannot be written, or is
    another program's or a later interlingua's; that file stays as it is. Closing is for the end of
    a program: what is used again opens again.
    """

    def __init__(self, path: AnyPath) -> None:
        self._path = os.path.abspath(os.fspath(path))
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        _all.add(self)
        with self._using():
            pass

    def load(self, session_id: str, /) -> tuple[Message, ...]:
        """All messages of the session, in order; none for an id that is not there."""
        name = fields.filled(session_id)
        with self._using() as connection:
            rows = connection.execute(
                "SELECT number, conversation FROM turns WHERE session = ? ORDER BY number", (name,)
            ).fetchall()
        return tuple(message for number, text in rows for message in self._turn(number, text))

    def append(self, session_id: str, messages: Iterable[Message], /) -> None:
        """Add a turn's messages at the end: all of them or, when it fails, none."""
        turn = tuple(messages)
        row = (fields.filled(session_id), _now(), len(turn), dump_conversation(turn))
        with self._using() as connection:
            connection.execute(
                "INSERT INTO turns (session, added_at, messages, conversation) VALUES (?, ?, ?, ?)",
                row,
            )

    def list(self) -> tuple[SessionInfo, ...]:
        """What is stored, in the order in which it began."""
        with self._using() as connection:
            rows = connection.execute(LISTING).fetchall()
        return tuple(map(_info, rows))

    def export(self, session_id: str, path: AnyPath) -> None:
        """Write the session to a file of its own, which `read_conversation` reads."""
        history = self.load(session_id)
        if not history:
            raise StorageError(f"{self._path}: there is no session {session_id!r}")
        save_conversation(path, history)

    def delete(self, session_id: str) -> bool:
        """Remove the session and overwrite what it said; whether it was there."""
        with self._using() as connection:
            found = connection.execute(
                "DELETE FROM turns WHERE session = ?", (fields.filled(session_id),)
            )
            # The log still holds the text until it is emptied.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return found.rowcount > 0

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._shut()

    def __enter__(self) -> Sessions:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Sessions({self._path!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Sessions, (self._path,)

    @contextmanager
    def _using(self) -> Generator[sqlite3.Connection]:
        """The open file, for one thread at a time; what SQLite raises names the file."""
        try:
            with self._lock:
                if self._connection is None:
                    self._connection = _opened(self._path)
                yield self._connection
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            told = f"{FAULTS[code]} ({error})" if code in FAULTS else str(error)
            raise StorageError(f"{self._path}: {told}") from error

    def _turn(self, number: int, text: str) -> tuple[Message, ...]:
        try:
            return load_conversation(text)
        except StorageError as error:
            raise StorageError(
                f"{self._path}: turn {number}: {error}", errors=error.errors
            ) from None

    def _shut(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _hold(self) -> None:
        """Close the file and let nobody open it until `_go_on`."""
        self._lock.acquire()
        self._shut()

    def _go_on(self) -> None:
        self._lock.release()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _info(row: tuple[str, int, int, str, str]) -> SessionInfo:
    session, turns, messages, first, last = row
    return SessionInfo(
        session, turns, messages, datetime.fromisoformat(first), datetime.fromisoformat(last)
    )


# -- opening a file


def _opened(path: str) -> sqlite3.Connection:
    """The file, with its tables."""
    if os.path.exists(f"{path}-wal"):
        # What another program left unfinished would be finished by closing: look before writing.
        with closing(_connected(path, "ro")) as looking:
            _is_ours(looking, path)
    connection = _connected(path, "rwc")
    try:
        if not _is_ours(connection, path):
            _make(connection, path)
        _write_ahead(connection)
        for setting in SETTINGS:
            connection.execute(setting)
    except BaseException:
        connection.close()
        raise
    return connection


def _connected(path: str, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{quote(path)}?mode={mode}",
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=False,
        uri=True,
    )


def _is_ours(connection: sqlite3.Connection, path: str) -> bool:
    """Whether the tables are there; an empty file has none yet. Raises for any other file."""
    [(application, version, tables)] = connection.execute(OWNER).fetchall()
    if (application, version, tables) == (0, 0, 0):
        return False
    if application != APPLICATION:
        raise StorageError(f"{path}: holds no sessions: it is another program's SQLite file")
    if version != VERSION:
        reads = f"this interlingua reads up to {VERSION}: upgrade it"
        raise StorageError(f"{path}: written in version {version} of the tables, and {reads}")
    return True


def _make(connection: sqlite3.Connection, path: str) -> None:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        # Somebody else may have been faster.
        if not _is_ours(connection, path):
            for statement in TABLES:
                connection.execute(statement)


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Let readers and a writer work at the same time: a mode that the file keeps."""
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        # Others open the new file just now. It works in the old mode too, and the next one tries.
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise


# -- forks

_all: WeakSet[Sessions] = WeakSet()
_held: list[Sessions] = []


def _before_fork() -> None:
    """SQLite's locks do not survive a fork, not even for files opened after it: none stays open."""
    for sessions in tuple(_all):
        sessions._hold()
        _held.append(sessions)


def _after_fork() -> None:
    while _held:
        _held.pop()._go_on()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork
    )
