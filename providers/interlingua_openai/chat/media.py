"""Images, audio and files in Chat Completions."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Literal, cast

from interlingua.loss import At
from interlingua.media import media_type_of
from interlingua.message import Origin
from interlingua.parts import Audio, Document, Image
from interlingua.wire import Json
from interlingua_openai.chat.names import API

if TYPE_CHECKING:
    from openai.types.chat import (
        ChatCompletionContentPartImageParam,
        ChatCompletionContentPartInputAudioParam,
    )
    from openai.types.chat.chat_completion_content_part_param import File

Detail = Literal["auto", "low", "high", "original"]
DETAILS: tuple[Detail, ...] = ("auto", "low", "high", "original")

AUDIO: dict[str, Literal["wav", "mp3"]] = {
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/wave": "wav",
    "audio/mpeg": "mp3",
    "audio/mp3": "mp3",
}


def image(part: Image, at: At, origin: Origin | None) -> Json | None:
    """The block of an image: by URL, or as a data URL."""
    url = part.url or _data_url(part, origin)
    if url is None:
        return at.lose("content", "Chat Completions takes no stored image, only a URL or the data")
    made: ChatCompletionContentPartImageParam = {"type": "image_url", "image_url": {"url": url}}
    for detail in DETAILS:
        if part.detail == detail:
            made["image_url"]["detail"] = detail
    if part.detail and part.detail not in DETAILS:
        at.lose("setting", f"image detail {part.detail!r}")
    return cast("Json", made)


def audio(part: Audio, at: At) -> Json | None:
    """The block of a sound: WAV or MP3 data."""
    kind = AUDIO.get(media_type_of(part) or "")
    if part.data is None or kind is None:
        return at.lose("content", "Chat Completions takes audio only as WAV or MP3 data")
    made: ChatCompletionContentPartInputAudioParam = {
        "type": "input_audio",
        "input_audio": {"data": base64.b64encode(part.data).decode(), "format": kind},
    }
    return cast("Json", made)


def file(part: Document, at: At, origin: Origin | None) -> Json | None:
    """The block of a file: its data or its id. Plain text becomes a text block."""
    if part.text is not None:
        at.lose("content", "Chat Completions takes no plain-text document; sent as text", "lowered")
        return {"type": "text", "text": part.text}
    if part.url is not None:
        return at.lose("content", "Chat Completions takes no file by URL")
    if part.file_id is not None and origin is not None and origin.api != API:
        return at.lose("content", "the file is stored at another vendor")
    made: File = {"type": "file", "file": {}}
    if part.file_id is not None:
        made["file"]["file_id"] = part.file_id
    elif url := _data_url(part, origin):
        made["file"]["file_data"] = url
    if part.name is not None:
        made["file"]["filename"] = part.name
    return cast("Json", made)


def _data_url(part: Image | Document, origin: Origin | None) -> str | None:
    """The part's data as a data URL; what came from here keeps the very type it came with."""
    if part.data is None:
        return None
    home = origin is not None and origin.api == API
    media_type = part.media_type if home and part.media_type else media_type_of(part)
    data = base64.b64encode(part.data).decode()
    return f"data:{media_type or 'application/octet-stream'};base64,{data}"
