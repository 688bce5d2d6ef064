"""The SQLite file of sessions: opened, checked, and shared by threads, processes and forks."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from urllib.parse import quote
from weakref import WeakSet

from interlingua.errors import StorageError

VERSION = 1
"""Of the tables that are written, and the newest that are read."""

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

FAULTS = {
    sqlite3.SQLITE_BUSY: "another program has been writing to it for too long",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; is there such a folder, and may you write in it?",
    sqlite3.SQLITE_CORRUPT: "is damaged; restore it from a copy",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "cannot be read or written; is the disk full?",
    sqlite3.SQLITE_NOTADB: "holds no sessions: it is no SQLite file",
    sqlite3.SQLITE_READONLY: "cannot be written: you may not, or not in its folder",
}


class Database:
    """A file with the tables of sessions, made if need be. Used by one thread at a time.

    What is not ours to write raises `StorageError` and stays as it is. A closed file opens again
    when it is used.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        _all.add(self)

    @contextmanager
    def using(self) -> Generator[sqlite3.Connection]:
        """The open file. What SQLite raises becomes a `StorageError` that names it."""
        try:
            with self._lock:
                if self._connection is None:
                    self._connection = _opened(self.path)
                yield self._connection
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            told = f"{FAULTS[code]} ({error})" if code in FAULTS else str(error)
            raise StorageError(f"{self.path}: {told}") from error

    def close(self) -> None:
        """Close the file."""
        self.hold()
        self.release()

    def hold(self) -> None:
        """Close the file, and let nobody open it until it is released."""
        self._lock.acquire()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def release(self) -> None:
        """Let it be opened again."""
        self._lock.release()


# -- opening


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

_all: WeakSet[Database] = WeakSet()
_held: list[Database] = []


def _before_fork() -> None:
    """SQLite's locks do not survive a fork, not even for files opened after it: none stays open."""
    for database in tuple(_all):
        database.hold()
        _held.append(database)


def _after_fork() -> None:
    while _held:
        _held.pop().release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork
    )
