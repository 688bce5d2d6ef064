"""What has been said in a conversation, and the session that it is stored in."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from interlingua.conversation import split_system
from interlingua.message import Message
from interlingua.sessions import Sessions

SESSIONS = "INTERLINGUA_SESSIONS"
"""The environment's choice of a file of sessions."""


class History:
    """The messages so far. A prompt of the command line stands in the place of a stored one."""

    def __init__(
        self, path: Path | None, prompt: str | None, messages: tuple[Message, ...]
    ) -> None:
        self._path, self._prompt = path, prompt
        self.messages = self._prompted(messages)
        self.session: str | None = None
        """The session that they are stored in; None when they are stored nowhere."""
        self._stored = 0

    @cached_property
    def sessions(self) -> Sessions:
        """The file of sessions, opened when it is needed. Raises `StorageError`."""
        return Sessions(self._path or _users_own())

    @property
    def is_unstored(self) -> bool:
        """Whether something has been said that is stored nowhere."""
        return self.session is None and any(message.is_user for message in self.messages)

    def add(self, *turn: Message) -> None:
        """Go on with a turn, and store it. Raises `StorageError`; the next turn tries again."""
        self.messages = (*self.messages, *turn)
        self._store()

    def open(self, session: str) -> None:
        """Go on with a session. A new one takes what has been said and is stored nowhere."""
        held = self.sessions.load(session)
        if held or self.session is not None:
            self.messages = self._prompted(held)
        self.session, self._stored = session, len(self.messages) if held else 0
        if any(message.is_user for message in self.messages):
            self._store()

    def _store(self) -> None:
        if self.session is not None:
            self.sessions.append(self.session, self.messages[self._stored :])
            self._stored = len(self.messages)

    def _prompted(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        if self._prompt is None:
            return messages
        return (Message.system(self._prompt), *split_system(messages)[1])


def _users_own() -> Path:
    """The file in the user's folder for data, which nobody else may look into."""
    import platformdirs

    folder = platformdirs.user_data_path("interlingua", appauthor=False)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / "sessions.sqlite"
