"""The blocks of content: text, media, and what is newer than this library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlingua.loss import At
from interlingua.message import Message
from interlingua.parts import Audio, Document, Image, Opaque, Part, Text, Video
from interlingua.wire import Json, merged
from interlingua_openai.chat.media import audio, file, image
from interlingua_openai.chat.names import API

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionContentPartTextParam


def home(message: Message) -> bool:
    """Whether this API made the message."""
    return message.origin is not None and message.origin.api == API


def block(part: Part, message: Message, at: At) -> list[Json]:
    """The block that says what a part says, or none and a loss."""
    made = _made(part, message, at)
    if part.extras:
        at.foreign(part.extras, API)
        made = made and merged(made, part.extras.get(API))
    return [] if made is None else [made]


def plain(blocks: list[Json]) -> str | list[Json]:
    """One bare text block as the string it is."""
    if not blocks:
        return ""
    if len(blocks) == 1 and blocks[0].keys() == {"type", "text"}:
        return blocks[0]["text"]
    return blocks


def text(part: Text) -> ChatCompletionContentPartTextParam:
    """The block of a text."""
    return {"type": "text", "text": part.text}


def opaque(part: Opaque, at: At, *, ours: bool) -> Json | None:
    """The block as it came, if this API sent it."""
    if not ours:
        return at.lose("content", f"{part.kind!r} is a block of another API")
    return merged(part.payload, None)


def _made(part: Part, message: Message, at: At) -> Json | None:
    match part:
        case Text():
            return merged(text(part), None)
        case Opaque():
            return opaque(part, at, ours=home(message))
        case Image() if message.role == "user":
            return image(part, at, message.origin)
        case Audio() if message.role == "user":
            return audio(part, at)
        case Document() if message.role == "user":
            return file(part, at, message.origin)
        case Video() if message.role == "user":
            return at.lose("content", "Chat Completions takes no video")
        case _:
            return at.lose("content", f"{type(part).__name__} in a {message.role} message")
