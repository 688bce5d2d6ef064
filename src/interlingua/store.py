"""The port to stored conversations: what a store supplies, and a turn in one. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from msgspec import Struct

from interlingua import fields
from interlingua.errors import ConfigError, MessageError
from interlingua.message import Message


class SessionStore(Protocol):
    """Keeps conversations by id. Called from any thread; a turn is kept whole or not at all."""

    def load(self, session_id: str, /) -> Sequence[Message]:
        """All messages of the session, in order; none for an id that is not there."""
        ...

    def append(self, session_id: str, messages: Sequence[Message], /) -> None:
        """Add a turn's messages at the end, all of them together."""
        ...


class Turn(Struct, frozen=True):
    """What the user says in a stored conversation."""

    store: SessionStore
    session_id: str
    said: Message
    prompt: tuple[Message, ...] = ()
    """Stands in the place of the stored system prompt, in this turn alone."""

    def after(self, history: Sequence[Message]) -> Iterable[Message]:
        """The conversation as the model is to see it."""
        if not self.prompt:
            return (*history, self.said)
        from interlingua.conversation import split_system

        return (*self.prompt, *split_system(history)[1], self.said)


def turn_of(messages: object, sessions: SessionStore | None) -> Turn | None:
    """The turn that a client's arguments stand for; None when nothing is to be stored.

    Raises `ConfigError` when there is a store and no session is named.
    """
    if sessions is None:
        return None
    from interlingua.user_message import UserMessage

    if not isinstance(messages, UserMessage) or messages.session_id is None:
        raise ConfigError("sessions= does not know which: pass a UserMessage with a session_id")
    *prompt, said = messages.to_messages()
    return Turn(sessions, _name(messages.session_id), said, tuple(prompt))


def _name(session_id: object) -> str:
    try:
        return fields.filled(session_id)
    except MessageError as error:
        raise error.under("session_id") from None
