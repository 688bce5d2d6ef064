"""Images and documents in the Messages API, both ways."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any, Literal, cast

from interlingua.loss import At
from interlingua.media import media_type_of
from interlingua.parts import Document, Image
from interlingua.wire import Json, as_object, as_text, kept, objects, rest_of
from interlingua_anthropic.names import API

if TYPE_CHECKING:
    from anthropic.types import (
        Base64ImageSourceParam,
        Base64PDFSourceParam,
        DocumentBlockParam,
        FileDocumentSourceParam,
        FileImageSourceParam,
        ImageBlockParam,
        PlainTextSourceParam,
        URLImageSourceParam,
        URLPDFSourceParam,
    )

    ImageSource = Base64ImageSourceParam | URLImageSourceParam | FileImageSourceParam
    DocumentSource = (
        Base64PDFSourceParam | PlainTextSourceParam | URLPDFSourceParam | FileDocumentSourceParam
    )
    ImageType = Literal["image/jpeg", "image/png", "image/gif", "image/webp"]

IMAGE_TYPES = ("image/jpeg", "image/png", "image/gif", "image/webp")
PDF = "application/pdf"
TEXT_TYPES = ("application/json", "application/xml", "application/yaml", "application/javascript")
"""Types beside `text/…` whose bytes are text."""

OVERSIZED: tuple[Literal["downsize", "error"], ...] = ("downsize", "error")
"""What `detail` may say here: what happens to an image that is too large."""


# -- to the API


def image(part: Image, at: At, *, home: bool, stored: bool) -> Json | None:
    """The block of an image, or None and a loss. `stored`: its file may lie at this vendor."""
    source = _image_source(part, at, home=home, stored=stored)
    if source is None:
        return None
    made: ImageBlockParam = {"type": "image", "source": source}
    for word in OVERSIZED:
        if part.detail == word:
            made["transformations"] = {"oversized_image": word}
    if part.detail and part.detail not in (*OVERSIZED, "auto"):
        at.of("detail").lose("setting", f"the API has no image detail {part.detail!r}")
    return cast("Json", made)


def _image_source(part: Image, at: At, *, home: bool, stored: bool) -> ImageSource | None:
    if part.file_id is not None:
        return {"type": "file", "file_id": part.file_id} if stored else _elsewhere(part, at)
    if part.url is not None:
        fetched = home or _is_web(part.url)
        return {"type": "url", "url": part.url} if fetched else _unreachable(at)
    kind = part.media_type if home and part.media_type else media_type_of(part)
    if part.data is None or (kind not in IMAGE_TYPES and not home):
        return at.lose("content", f"the API takes JPEG, PNG, GIF and WebP, not {kind or 'this'}")
    return {"type": "base64", "media_type": cast("ImageType", kind), "data": _spelt(part.data)}


def document(part: Document, at: At, *, home: bool, stored: bool) -> Json | None:
    """The block of a document, or None and a loss. `stored`: its file may lie at this vendor."""
    source = _document_source(part, at, home=home, stored=stored)
    if source is None:
        return None
    made: DocumentBlockParam = {"type": "document", "source": source}
    if part.name is not None:
        made["title"] = part.name
    return cast("Json", made)


def _document_source(part: Document, at: At, *, home: bool, stored: bool) -> DocumentSource | None:
    if part.text is not None:
        return {"type": "text", "media_type": "text/plain", "data": part.text}
    if part.file_id is not None:
        return {"type": "file", "file_id": part.file_id} if stored else _elsewhere(part, at)
    kind = part.media_type if home and part.media_type else media_type_of(part)
    if part.url is not None:
        if not home and kind not in (PDF, None):
            return at.lose("content", f"the API takes PDF by URL, not {kind}")
        fetched = home or _is_web(part.url)
        return {"type": "url", "url": part.url} if fetched else _unreachable(at)
    data = part.data or b""
    if kind == PDF or home:
        return {"type": "base64", "media_type": cast("Any", kind), "data": _spelt(data)}
    text = _text_of(data, kind)
    if text is None:
        return at.lose("content", f"the API takes PDF and plain text, not {kind or 'this'}")
    return {"type": "text", "media_type": "text/plain", "data": text}


def _elsewhere(part: Image | Document, at: At) -> None:
    at.lose("content", f"file {part.file_id!r} is stored at another vendor")


def _unreachable(at: At) -> None:
    at.lose("content", "the API fetches by http and https only")


def _is_web(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))


def _text_of(data: bytes, kind: str | None) -> str | None:
    """The text that a file of a textual type is."""
    if kind is None or not (kind.startswith("text/") or kind in TEXT_TYPES):
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _spelt(data: bytes) -> str:
    return base64.b64encode(data).decode()


# -- from the API


def read_image(block: Json) -> Image | None:
    """The image that a block holds; None for a shape that is not known."""
    found = _read_source(as_object(block.get("source")))
    if found is None or "text" in found[0]:
        return None
    fields, more = found
    rest = rest_of(block, "type", "source")
    if more:
        rest["source"] = more
    match rest.get("transformations"):
        case {"oversized_image": str(word), **others} if not others:
            del rest["transformations"]
            return Image(**fields, detail=word, extras=kept(API, rest))
        case _:
            return Image(**fields, extras=kept(API, rest))


def read_document(block: Json) -> Document | None:
    """The document that a block holds; None for a shape that is not known."""
    found = _read_source(as_object(block.get("source")))
    if found is None:
        return None
    fields, more = found
    rest = rest_of(block, "type", "source", "title")
    if more:
        rest["source"] = more
    title = as_text(block.get("title"))
    return Document(**fields, name=title, extras=kept(API, rest))


def _read_source(source: Json) -> tuple[dict[str, Any], Json] | None:
    """A part's fields from a source, and what of the source has no home here."""
    match source:
        case {"type": "base64", "media_type": str(kind), "data": str(text)}:
            data = _bytes(text)
            if data is None:
                return None
            more = rest_of(source, "type", "media_type", "data")
            exact = {} if _spelt(data) == text else {"data": text}
            return {"data": data, "media_type": kind}, more | exact
        case {"type": "text", "media_type": str(kind), "data": str(text)}:
            more = rest_of(source, "type", "media_type", "data")
            return {"text": text, "media_type": kind}, more
        case {"type": "url", "url": str(url)} if not url.startswith("data:"):
            return {"url": url}, rest_of(source, "type", "url")
        case {"type": "file", "file_id": str(file_id)}:
            return {"file_id": file_id}, rest_of(source, "type", "file_id")
        case {"type": "content", "content": str() | list()}:
            return _read_blocks(source)
        case _:
            return None


def _read_blocks(source: Json) -> tuple[dict[str, Any], Json] | None:
    """A document given as text blocks: their text, and the source as it stands to lay over it."""
    content = source["content"]
    texts = [content] if isinstance(content, str) else [one.get("text") for one in objects(content)]
    said = [text for text in texts if isinstance(text, str)]
    if len(said) < len(texts):
        return None
    return {"text": "\n\n".join(said)}, {**source, "media_type": None, "data": None}


def _bytes(text: str) -> bytes | None:
    """The bytes that a base64 text holds, with or without line breaks and padding."""
    plain = "".join(text.split()).rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
