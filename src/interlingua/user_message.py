"""UserMessage: what a user says, with the session it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid4

from msgspec import field

from interlingua import fields
from interlingua.fields import Rule
from interlingua.frozen import EMPTY, FrozenDict, is_mapping, thaw
from interlingua.message import Message
from interlingua.value import Value
from interlingua.wire import dump


def _id(value: object = None) -> str:
    return str(uuid4()) if value is None else fields.string(value)


def _moment(value: object = None) -> datetime:
    return fields.moment(datetime.now().astimezone() if value is None else value)


class _Said(Value, frozen=True):
    """What may be given without its name."""

    content: str


class UserMessage(_Said, frozen=True, kw_only=True, eq=False):
    """What a user says, as an application receives it: a text, a session, a prompt of its own.

    `content` may be anything: it is kept as `str` gives it, None as `""`. Two are equal when all
    but `id` and `created_at` is. Raises `MessageError` for another field that is wrong.
    """

    session_id: Any = None
    """The conversation it belongs to, as given: any JSON value."""
    system_prompt: str | None = None
    """What the model is told before this message."""
    metadata: FrozenDict = EMPTY
    """The application's own JSON data."""
    id: str = field(default_factory=_id)
    """A UUID when none is given."""
    created_at: datetime = field(default_factory=_moment)
    """The time it was made, in the local zone, when none is given."""

    rules: ClassVar[dict[str, Rule]] = {
        "content": lambda value: fields.string("" if value is None else str(value)),
        "session_id": fields.json,
        "system_prompt": fields.optional(fields.string),
        "metadata": fields.json_object,
        "id": _id,
        "created_at": _moment,
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            content: object,
            *,
            session_id: object = None,
            system_prompt: str | None = None,
            metadata: Mapping[str, Any] | None = None,
            id: str | None = None,
            created_at: datetime | str | None = None,
        ) -> None: ...

    @classmethod
    def coerce(cls, value: object) -> UserMessage:
        """Itself; a mapping's fields, unknown ones ignored; a Message's text; else `str(value)`."""
        if isinstance(value, UserMessage):
            return value
        if isinstance(value, Message):
            return cls(value.text)
        if is_mapping(value):
            given: dict[str, Any] = {"content": None}
            given |= {name: value[name] for name in cls.__struct_fields__ if name in value}
            return cls(**given)
        return cls(value)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: what is None is left out, the time has whole seconds."""
        given = {
            "content": self.content,
            "session_id": thaw(self.session_id),
            "system_prompt": self.system_prompt,
            "metadata": thaw(self.metadata),
            "id": self.id,
            "created_at": self.created_at.isoformat(timespec="seconds"),
        }
        return {name: item for name, item in given.items() if item is not None}

    def to_json(self) -> str:
        """The JSON text of `to_dict`."""
        return dump(self.to_dict()).decode()

    def to_message(self) -> Message:
        """The message of role `user`; the session and the prompt have no place in it."""
        about: dict[str, Any] = {"id": self.id, "created_at": self.created_at}
        return Message("user", self.content, self.metadata, **about)

    def to_messages(self) -> tuple[Message, ...]:
        """The prompt as a system message, unless it is blank, and the message."""
        if not (self.system_prompt or "").strip():
            return (self.to_message(),)
        return (Message.system(self.system_prompt), self.to_message())

    def __str__(self) -> str:
        return self.content

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UserMessage):
            return NotImplemented
        return _compared(self) == _compared(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(_compared(self))


def _compared(message: UserMessage) -> tuple[object, ...]:
    return (message.content, message.session_id, message.system_prompt, message.metadata)
