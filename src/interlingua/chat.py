"""A chat platform's thread as messages for a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from interlingua import fields
from interlingua.chat_order import places
from interlingua.errors import MessageError, shown
from interlingua.frozen import is_mapping
from interlingua.message import Message
from interlingua.parts import Audio, Document, Image, Part, Text, Video
from interlingua.symbols import by_symbol, symbol
from interlingua.user_message import UserMessage as UserMessage

UNKNOWN = "application/octet-stream"

Json: TypeAlias = dict[str, Any]
Made = TypeVar("Made")


class PlatformAuthor(Protocol):
    """Who wrote a message, as any platform's library has it."""

    @property
    def name(self) -> str | None: ...
    @property
    def is_bot(self) -> object: ...


class PlatformMessage(Protocol):
    """A message of a thread, as any platform's library has it."""

    @property
    def id(self) -> object: ...
    @property
    def text(self) -> str | None: ...
    @property
    def author(self) -> PlatformAuthor | None: ...
    @property
    def timestamp(self) -> object: ...
    @property
    def attachments(self) -> Any: ...


@dataclass(frozen=True)
class Author:
    """Who wrote a message. Two are equal when `id` and `platform` are."""

    id: str
    name: str | None = field(default=None, compare=False)
    is_bot: bool = field(default=False, compare=False)
    platform: str | None = None
    locale: str | None = field(default=None, compare=False)
    raw: object = field(default=None, compare=False)
    """What the platform itself sent."""


@dataclass(frozen=True)
class ChatMessage:
    """A message of a thread. Two are equal when `id` and `platform` are."""

    id: str
    text: str | None = field(default=None, compare=False)
    author: PlatformAuthor | None = field(default=None, compare=False)
    timestamp: object = field(default=None, compare=False)
    """A datetime, a number or a text that says one."""
    attachments: Sequence[object] = field(default=(), compare=False)
    """Mappings or objects with `url`, `mime_type` and `filename`."""
    platform: str | None = None
    thread_id: str | None = field(default=None, compare=False)
    channel_id: str | None = field(default=None, compare=False)
    raw: object = field(default=None, compare=False)
    """What the platform itself sent."""


Given: TypeAlias = PlatformMessage | Mapping[str, Any]


def to_ai_messages(
    messages: Iterable[Given],
    *,
    include_names: bool = False,
    transform: Callable[[Json, Any], Json | Literal[False] | None] | None = None,
    keep_attachment_only: bool = False,
    is_assistant: Callable[[Any], object] | None = None,
) -> list[Json]:
    """The thread as plain dicts with `role` and `content`, oldest first.

    What a bot wrote is the assistant's; `is_assistant`, asked with the platform's message, decides
    otherwise. Blank messages are left out, and the attachments of an assistant. `include_names`
    puts `[name]: ` before what users wrote. `transform` is given each dict with the platform's
    message and gives the dict to use, or None to leave it out.
    """
    thread = _thread(messages, include_names, keep_attachment_only, is_assistant)
    made = ((turn, {"role": turn.role, "content": _content(turn)}) for turn in thread)
    return list(_transformed(made, transform, _as_dict))


def chat_to_messages(
    messages: Iterable[Given],
    *,
    include_names: bool = False,
    transform: Callable[[Message, Any], Message | Literal[False] | None] | None = None,
    keep_attachment_only: bool = False,
    is_assistant: Callable[[Any], object] | None = None,
) -> tuple[Message, ...]:
    """The same as `to_ai_messages`, as messages that a codec or a client takes."""
    thread = _thread(messages, include_names, keep_attachment_only, is_assistant)
    made = ((turn, _message(turn)) for turn in thread)
    return tuple(_transformed(made, transform, _as_message))


class _Turn(NamedTuple):
    path: str
    role: Literal["user", "assistant"]
    text: str
    attachments: tuple[object, ...]
    source: Any


def _thread(
    messages: Iterable[Given],
    include_names: bool,
    keep_attachment_only: bool,
    is_assistant: Callable[[Any], object] | None,
) -> Iterator[_Turn]:
    """The messages that say something, in order."""
    given = list(messages)
    order = places([_get(one, "timestamp") for one in given], [_get(one, "id") for one in given])
    for index in order:
        message, path = given[index], f"messages[{index}]"
        author = _get(message, "author")
        by_model = _is_bot(author) if is_assistant is None else is_assistant(message)
        text = _text(message, path)
        attachments = () if by_model else _attachments(message)
        if not text.strip() and not (keep_attachment_only and attachments):
            continue
        if include_names and not by_model and author is not None:
            text = f"[{_plain(_get(author, 'name'))}]: {text}"
        yield _Turn(path, "assistant" if by_model else "user", text, attachments, message)


def _transformed(
    turns: Iterable[tuple[_Turn, Made]],
    transform: Callable[[Made, Any], object] | None,
    read: Callable[[object], Made],
) -> Iterator[Made]:
    for turn, made in turns:
        if transform is None:
            yield made
            continue
        changed = transform(made, turn.source)
        if changed is None or changed is False:
            continue
        try:
            yield read(changed)
        except MessageError as error:
            raise MessageError(error.under(turn.path).errors, "transform") from None


def _as_dict(value: object) -> Json:
    if is_mapping(value):
        return dict(value)
    raise fields.wrong("a dict, None or False", value)


def _as_message(value: object) -> Message:
    if isinstance(value, Message) or is_mapping(value):
        return Message.coerce(value)
    raise fields.wrong("a Message, None or False", value)


# -- what a platform's message says


def _get(value: object, name: str) -> Any:
    """A field of a mapping or an object, None when it has none."""
    if is_mapping(value):
        return next((item for key, item in value.items() if symbol(key) == name), None)
    return getattr(value, name, None)


def _text(message: object, path: str) -> str:
    text = _get(message, "text")
    if text is None and not _has(message, "text"):
        raise MessageError.of(f"{shown(message)} has no text; it is no chat message", path)
    if text is not None and not isinstance(text, str):
        raise fields.wrong("a string", text).under(f"{path}.text")
    return text or ""


def _has(value: object, name: str) -> bool:
    return name in map(symbol, value) if is_mapping(value) else hasattr(value, name)


def _is_bot(author: object) -> bool:
    said = _get(author, "is_bot") if _has(author, "is_bot") else _get(author, "bot")
    return bool(said() if callable(said) else said)


def _plain(name: object) -> str:
    """The name without what would end the prefix: line breaks and brackets."""
    return "" if name is None else "".join(str(name).splitlines()).replace("]", "")


def _attachments(message: object) -> tuple[object, ...]:
    given = _get(message, "attachments")
    if given is None:
        return ()
    one = is_mapping(given) or isinstance(given, str | bytes) or not hasattr(given, "__iter__")
    listed: tuple[object, ...] = (given,) if one else tuple(given)
    return tuple(one for one in listed if one is not None)


# -- what the model reads


def _content(turn: _Turn) -> str | list[Json]:
    if not turn.attachments:
        return turn.text
    said = [{"type": "text", "text": turn.text}] if turn.text.strip() else []
    return [*said, *map(_attached, turn.attachments)]


def _attached(attachment: object) -> Json:
    held = _fields(attachment)
    if held is None:
        return {"type": "text", "text": str(attachment)}
    given = held.get("mime_type") or held.get("content_type") or UNKNOWN
    media_type = symbol(given) or str(given)
    url = held.get("url")
    if media_type.startswith("image/"):
        return {"type": "image", "url": url, "media_type": media_type}
    name = held.get("filename")
    return {"type": "file", "url": url, "filename": name, "media_type": media_type}


def _fields(attachment: object) -> Json | None:
    if is_mapping(attachment):
        return by_symbol(attachment)
    if not hasattr(attachment, "url"):
        return None
    names = ("url", "mime_type", "content_type", "filename")
    return {name: getattr(attachment, name, None) for name in names}


def _message(turn: _Turn) -> Message:
    """The turn as a message, under the platform's own id."""
    content = _content(turn)
    id = _get(turn.source, "id")
    try:
        parts = content if isinstance(content, str) else [_part(one) for one in content]
        return Message(turn.role, parts, id=None if id is None else str(id))
    except MessageError as error:
        raise error.under(turn.path) from None


def _part(given: Json) -> Part:
    match given:
        case {"type": "text", "text": text}:
            return Text(text)
        case {"type": "image", "url": None}:
            return Text("[Image]")
        case {"url": None, "filename": name, "media_type": media_type}:
            return Text(f"[File: {name or media_type}]")
        case {"type": "image", "url": url, "media_type": media_type}:
            return Image(str(url), media_type=media_type)
        case _:
            return _file(str(given["url"]), given["filename"], given["media_type"])


KINDS: dict[str, type[Image | Audio | Video]] = {"image": Image, "audio": Audio, "video": Video}


def _file(url: str, name: object, media_type: str) -> Part:
    kind = KINDS.get(media_type.partition("/")[0].lower(), Document)
    return kind(url, name=None if name is None else str(name), media_type=media_type)
