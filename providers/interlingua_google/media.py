"""Images, audio, video and files: `inlineData` and `fileData`, both ways."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TypeAlias

from interlingua.loss import At
from interlingua.media import media_type_of
from interlingua.parts import Audio, Document, Image, Part, Video
from interlingua.wire import Json, as_object, as_text, kept, rest_of
from interlingua_google.names import API

Medium: TypeAlias = Image | Audio | Video | Document

KINDS: dict[str, type[Medium]] = {"image": Image, "audio": Audio, "video": Video}
STORED = re.compile(r"https://generativelanguage\.googleapis\.com/(?:[^?#]*/)?files/.+|files/.+")
"""A file in the Files API: nobody else can read it."""

LEVELS = {
    "low": "MEDIA_RESOLUTION_LOW",
    "medium": "MEDIA_RESOLUTION_MEDIUM",
    "high": "MEDIA_RESOLUTION_HIGH",
    "ultra_high": "MEDIA_RESOLUTION_ULTRA_HIGH",
}
DETAILS = {level: detail for detail, level in LEVELS.items()}


# -- to the API


def medium(part: Medium, at: At, *, home: bool, stored: bool) -> Json | None:
    """The part's data field, or None and a loss. `stored`: whether file ids may be of here."""
    label = part.media_type if home and part.media_type else _label(part)
    if part.url is not None or part.file_id is not None:
        made = _file(part, label, at, stored=stored)
    else:
        made = _blob(part, label, at)
    if made is not None and part.name is not None:
        next(iter(made.values()))["displayName"] = part.name
    return made


def resolution(part: Medium, at: At) -> Json:
    """How closely to look."""
    if part.detail is None or part.detail == "auto":
        return {}
    if part.detail not in LEVELS:
        at.of("detail").lose("setting", f"no media resolution {part.detail!r} here")
        return {}
    return {"mediaResolution": {"level": LEVELS[part.detail]}}


def _file(part: Medium, label: str | None, at: At, *, stored: bool) -> Json | None:
    if part.url is None and not stored:
        return at.lose("content", f"file {part.file_id!r} is stored at another vendor")
    made: Json = {"fileUri": part.url or part.file_id}
    if label:
        made["mimeType"] = label
    return {"fileData": made}


def _blob(part: Medium, label: str | None, at: At) -> Json | None:
    data = part.data
    if data is None and isinstance(part, Document):
        data = (part.text or "").encode()
    if data is None or not label:
        return at.lose("content", "the API takes no data of unknown kind; give its media_type")
    return {"inlineData": {"mimeType": label, "data": base64.b64encode(data).decode()}}


def _label(part: Medium) -> str | None:
    """The media type; a label with parameters (`audio/L16;rate=24000`) keeps them."""
    told = media_type_of(part)
    given = part.media_type or ""
    return given if told and given.lower().startswith(f"{told};") else told


# -- from the API


def read_medium(given: Json) -> Part | None:
    """The part that a part with media is; None when it has no readable ones."""
    field = "inlineData" if "inlineData" in given else "fileData"
    inner = as_object(given.get(field))
    source = _data(inner) if field == "inlineData" else _uri(inner)
    if source is None:
        return None
    label = as_text(inner.get("mimeType")) or None
    name = as_text(inner.get("displayName"))
    rest = rest_of(given, field, "mediaResolution")
    if more := rest_of(inner, "data", "fileUri", "mimeType", "displayName"):
        rest[field] = more
    looked = as_object(given.get("mediaResolution"))
    detail = DETAILS.get(as_text(looked.get("level")) or "")
    if more := rest_of(looked, *(("level",) if detail else ())):
        rest["mediaResolution"] = more
    kind = KINDS.get((label or "").partition("/")[0].lower(), Document)
    about: Json = {"media_type": label, "name": name, "detail": detail}
    return kind(**source, **about, extras=kept(API, rest))


def _data(inner: Json) -> Json | None:
    """Either base64 alphabet, with or without padding."""
    text = as_text(inner.get("data"))
    if text is None:
        return None
    plain = text.translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        return {"data": base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)}
    except (binascii.Error, ValueError):
        return None


def _uri(inner: Json) -> Json | None:
    uri = as_text(inner.get("fileUri"))
    if not uri or uri.startswith("data:"):
        return None
    return {"file_id": uri} if STORED.fullmatch(uri) else {"url": uri}
