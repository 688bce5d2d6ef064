"""Images and files in Responses, both ways."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Literal, cast

from interlingua.loss import At
from interlingua.media import media_type_of
from interlingua.message import Message
from interlingua.parts import Document, Image
from interlingua.wire import Json, kept, rest_of
from interlingua_openai.responses.names import API

if TYPE_CHECKING:
    from openai.types.responses import ResponseInputFileParam, ResponseInputImageParam

ImageDetail = Literal["auto", "low", "high", "original"]
FileDetail = Literal["auto", "low", "high"]
IMAGE_DETAILS: dict[str, ImageDetail] = {
    "auto": "auto",
    "low": "low",
    "high": "high",
    "original": "original",
}
FILE_DETAILS: dict[str, FileDetail] = {"auto": "auto", "low": "low", "high": "high"}

UNNAMED = "document.pdf"
"""The name of a file that has none: the API wants one beside the data."""


# -- to the wire


def image(part: Image, message: Message, at: At) -> Json | None:
    """The block of an image: by URL, as a data URL, or by its id."""
    made: ResponseInputImageParam = {"type": "input_image", "detail": "auto"}
    if part.detail in IMAGE_DETAILS:
        made["detail"] = IMAGE_DETAILS[part.detail]
    elif part.detail:
        at.lose("setting", f"image detail {part.detail!r}")
    if part.file_id is not None:
        if not _stored_here(message):
            return at.lose("content", f"file {part.file_id!r} is stored at another vendor")
        made["file_id"] = part.file_id
    else:
        made["image_url"] = part.url or _data_url(part, message)
    return cast("Json", made)


def file(part: Document, message: Message, at: At) -> Json | None:
    """The block of a file: its data, its URL or its id. Plain text becomes a text block."""
    if part.text is not None:
        at.lose("content", "Responses takes no plain-text document; sent as text", "lowered")
        return {"type": "input_text", "text": part.text}
    made: ResponseInputFileParam = {"type": "input_file"}
    if part.detail in FILE_DETAILS:
        made["detail"] = FILE_DETAILS[part.detail]
    elif part.detail:
        at.lose("setting", f"file detail {part.detail!r}")
    if part.name is not None:
        made["filename"] = part.name
    if part.file_id is not None:
        if not _stored_here(message):
            return at.lose("content", f"file {part.file_id!r} is stored at another vendor")
        made["file_id"] = part.file_id
    elif part.url is not None:
        made["file_url"] = part.url
    else:
        made["file_data"] = _data_url(part, message)
        if part.name is None and not home(message):
            made["filename"] = UNNAMED
            at.lose("setting", f"a file needs a name: {UNNAMED}", "synthesised")
    return cast("Json", made)


def home(message: Message) -> bool:
    """Whether the message came from this API."""
    return message.origin is not None and message.origin.api == API


def _stored_here(message: Message) -> bool:
    return message.origin is None or message.origin.api == API


def _data_url(part: Image | Document, message: Message) -> str:
    """The part's data as a data URL; what came from here is spelt as it came."""
    text = base64.b64encode(part.data or b"").decode()
    if not home(message):
        return f"data:{media_type_of(part) or 'application/octet-stream'};base64,{text}"
    return text if part.media_type is None else f"data:{part.media_type};base64,{text}"


# -- from the wire


def image_part(given: Json) -> Image | None:
    """The image that an `input_image` block is, None for what is none."""
    known = ("image_url", "file_id", "detail")
    if not _all_text(given, known):
        return None
    url, file_id, detail = map(given.get, known)
    extras = kept(API, rest_of(given, "type", *known))
    if url is None or file_id is not None:
        return Image(file_id=file_id, detail=detail, extras=extras) if url is None else None
    made = Image(url, detail=detail, extras=extras)
    return made if made.data is None or _spelt(made.data, made.media_type) == url else None


def file_part(given: Json) -> Document | None:
    """The document that an `input_file` block is, None for what is none."""
    known = ("file_data", "file_url", "file_id", "filename", "detail")
    if not _all_text(given, known):
        return None
    data, url, file_id, name, detail = map(given.get, known)
    held = None if data is None or data.startswith("data:") else _bytes(data)
    made = Document(
        url=url if data is None else data if held is None else None,
        data=held,
        file_id=file_id,
        name=name,
        detail=detail,
        extras=kept(API, rest_of(given, "type", *known)),
    )
    if data is None:
        return made if url is None or made.url == url else None
    same = made.data is not None and data in (
        _spelt(made.data, made.media_type),
        _spelt(made.data, None),
    )
    return made if same and url is None else None


def _all_text(given: Json, keys: tuple[str, ...]) -> bool:
    return all(isinstance(given.get(key), str | None) for key in keys)


def _spelt(data: bytes, media_type: str | None) -> str:
    text = base64.b64encode(data).decode()
    return text if media_type is None else f"data:{media_type};base64,{text}"


def _bytes(text: str) -> bytes | None:
    """The bytes that a base64 text holds."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
