"""Sessions: conversations by id in an SQLite file, one row a turn, added and never changed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from interlingua import fields
from interlingua.database import Database
from interlingua.errors import StorageError
from interlingua.message import Message
from interlingua.storage import (
    AnyPath,
    dump_conversation,
    load_conversation,
    save_conversation,
)

LOAD = "SELECT number, conversation FROM turns WHERE session = ? ORDER BY number"
APPEND = "INSERT INTO turns (session, added_at, messages, conversation) VALUES (?, ?, ?, ?)"
DELETE = "DELETE FROM turns WHERE session = ?"
LIST = """
SELECT session, count(*), sum(messages), min(added_at), max(added_at)
FROM turns GROUP BY session ORDER BY min(number)
"""


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
    another program's or a later interlingua's; that file stays as it is.
    """

    def __init__(self, path: AnyPath) -> None:
        self._path: str = os.path.abspath(path)
        self._database = Database(self._path)
        with self._database.using():
            pass  # It opens, or says now why it does not.

    def load(self, session_id: str, /) -> tuple[Message, ...]:
        """All messages of the session, in order; none for an id that is not there."""
        name = fields.filled(session_id)
        with self._database.using() as connection:
            rows = connection.execute(LOAD, (name,)).fetchall()
        return tuple(message for number, text in rows for message in self._turn(number, text))

    def append(self, session_id: str, messages: Iterable[Message], /) -> None:
        """Add a turn's messages at the end: all of them or, when it fails, none."""
        name, turn = fields.filled(session_id), tuple(messages)
        text = dump_conversation(turn)
        if not turn:
            return
        with self._database.using() as connection:
            now = datetime.now(UTC).isoformat(timespec="microseconds")
            connection.execute(APPEND, (name, now, len(turn), text))

    def list(self) -> tuple[SessionInfo, ...]:
        """What is stored, in the order in which it began."""
        with self._database.using() as connection:
            rows = connection.execute(LIST).fetchall()
        return tuple(map(_info, rows))

    def export(self, session_id: str, path: AnyPath) -> None:
        """Write the session to a file of its own, which `read_conversation` reads."""
        history = self.load(session_id)
        if not history:
            raise StorageError(f"{self._path}: there is no session {session_id!r}")
        save_conversation(path, history)

    def delete(self, session_id: str) -> bool:
        """Remove the session and overwrite what it said; whether it was there."""
        name = fields.filled(session_id)
        with self._database.using() as connection:
            deleted = connection.execute(DELETE, (name,)).rowcount
            # The log still holds the text until it is emptied.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return deleted > 0

    def close(self) -> None:
        """Close the file. What is used again opens it again."""
        self._database.close()

    def __enter__(self) -> Sessions:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Sessions({self._path!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Sessions, (self._path,)

    def _turn(self, number: int, text: str) -> tuple[Message, ...]:
        try:
            return load_conversation(text)
        except StorageError as error:
            reason = f"{self._path}: turn {number}: {error}"
            raise StorageError(reason, errors=error.errors) from None


def _info(row: tuple[str, int, int, str, str]) -> SessionInfo:
    name, turns, messages, *times = row
    first, last = map(datetime.fromisoformat, times)
    return SessionInfo(name, turns, messages, first, last)
