"""What kind of file a part holds: told by its bytes, its label, or its name."""

from __future__ import annotations

from typing import NamedTuple

from interlingua.parts import Audio, Document, Image, Video


class _Signature(NamedTuple):
    """Bytes that a kind of file has at a place; `also` are labels that fit the same bytes."""

    at: int
    lead: bytes
    media_type: str
    also: tuple[str, ...] = ()


SIGNATURES = (
    _Signature(0, b"\x89PNG\r\n\x1a\n", "image/png", ("image/apng",)),
    _Signature(0, b"\xff\xd8\xff", "image/jpeg"),
    _Signature(0, b"GIF87a", "image/gif"),
    _Signature(0, b"GIF89a", "image/gif"),
    _Signature(8, b"WEBP", "image/webp"),
    _Signature(4, b"ftypavif", "image/avif"),
    _Signature(4, b"ftypheic", "image/heic", ("image/heif",)),
    _Signature(4, b"ftypmif1", "image/heif", ("image/heic", "image/avif")),
    _Signature(0, b"%PDF-", "application/pdf"),
    _Signature(8, b"WAVE", "audio/wav", ("audio/x-wav", "audio/wave", "audio/vnd.wave")),
    _Signature(8, b"AVI ", "video/avi", ("video/x-msvideo", "video/msvideo")),
    _Signature(0, b"ID3", "audio/mpeg", ("audio/mp3", "audio/aac", "audio/x-aac")),
    _Signature(0, b"\xff\xf1", "audio/aac", ("audio/x-aac", "audio/aacp")),
    _Signature(0, b"\xff\xf9", "audio/aac", ("audio/x-aac", "audio/aacp")),
    _Signature(0, b"\xff\xfb", "audio/mpeg", ("audio/mp3",)),
    _Signature(0, b"\xff\xf3", "audio/mpeg", ("audio/mp3",)),
    _Signature(0, b"\xff\xf2", "audio/mpeg", ("audio/mp3",)),
    _Signature(0, b"fLaC", "audio/flac", ("audio/x-flac",)),
    _Signature(0, b"OggS", "audio/ogg", ("audio/opus", "video/ogg", "application/ogg")),
    _Signature(8, b"AIFF", "audio/aiff", ("audio/x-aiff",)),
    _Signature(4, b"ftypM4A", "audio/mp4", ("audio/m4a", "audio/x-m4a", "video/mp4")),
    _Signature(4, b"ftypqt", "video/quicktime", ("video/mov", "video/mp4")),
    _Signature(4, b"ftyp3g", "video/3gpp", ("audio/3gpp", "video/mp4")),
    _Signature(
        4, b"ftyp", "video/mp4", ("audio/mp4", "audio/m4a", "audio/x-m4a", "video/quicktime")
    ),
    _Signature(0, b"\x1aE\xdf\xa3", "video/webm", ("audio/webm", "video/x-matroska")),
)
"""The first that fits counts; what is no signature of one kind alone is not here."""

SUFFIXES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "heic": "image/heic",
    "pdf": "application/pdf",
    "txt": "text/plain",
    "md": "text/markdown",
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "wav": "audio/wav",
    "mp3": "audio/mpeg",
    "flac": "audio/flac",
    "ogg": "audio/ogg",
    "m4a": "audio/mp4",
    "mp4": "video/mp4",
    "mov": "video/quicktime",
    "webm": "video/webm",
}

SPELLINGS = {
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "application/x-pdf": "application/pdf",
}


def media_type_of(part: Image | Audio | Video | Document) -> str | None:
    """The part's media type in lower case and without parameters; None when nothing tells it.

    Bytes that say clearly what they are win over a label that says something else.
    """
    declared = plain_type(part.media_type) if part.media_type else None
    if part.data is not None:
        return _agreed(part.data, declared) or _by_suffix(part.name)
    if declared is None and isinstance(part, Document) and part.text is not None:
        return "text/plain"
    return declared or _by_suffix(_path(part.url)) or _by_suffix(part.name)


def plain_type(label: str) -> str | None:
    """`IMAGE/JPG; q=1` as `image/jpeg`; None when nothing is left."""
    bare = label.partition(";")[0].strip().lower()
    return SPELLINGS.get(bare, bare) or None


def sniffed(data: bytes) -> str | None:
    """What the bytes themselves say; None when they say nothing clear."""
    found = _signature(data)
    return found.media_type if found else None


def _agreed(data: bytes, declared: str | None) -> str | None:
    found = _signature(data)
    if found is None or declared in found.also:
        return declared
    return found.media_type


def _signature(data: bytes) -> _Signature | None:
    return next((one for one in SIGNATURES if data.startswith(one.lead, one.at)), None)


def _path(url: str | None) -> str | None:
    from urllib.parse import urlsplit

    try:
        return urlsplit(url).path if url else None
    except ValueError:
        return None


def _by_suffix(name: str | None) -> str | None:
    stem, dot, suffix = (name or "").rpartition(".")
    return SUFFIXES.get(suffix.lower()) if dot and stem else None
