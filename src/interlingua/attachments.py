"""The parts that hold a file: by `url`, `data`, `file_id`, and a Document also as `text`."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import force_setattr

from interlingua import fields
from interlingua.errors import MessageError
from interlingua.fields import Rule
from interlingua.part import PartBase, conflict


class Media(PartBase, frozen=True):
    """What all files have in common: exactly one of `url`, `data` and `file_id`."""

    url: str | None = None
    """Where it lies. A base64 `data:` URL is read into `data` and `media_type`."""
    data: bytes | None = None
    """The file itself; a string is read as base64."""
    file_id: str | None = None
    """A file stored at a vendor, by that vendor's id."""
    media_type: str | None = None
    name: str | None = None
    detail: str | None = None
    """How closely to look, in the vendor's word."""

    rules: ClassVar[dict[str, Rule]] = {
        "url": fields.optional(fields.filled),
        "data": fields.optional(fields.data),
        "file_id": fields.optional(fields.filled),
        "media_type": fields.optional(fields.filled),
        "name": fields.optional(fields.string),
        "detail": fields.optional(fields.string),
        "extras": fields.extras,
    }
    sources: ClassVar[tuple[str, ...]] = ("url", "data", "file_id")

    def __post_init__(self) -> None:
        fields.settle(self, self.rules)
        given = [name for name in self.sources if getattr(self, name) is not None]
        if len(given) != 1:
            came = " and ".join(given) or "none"
            raise conflict(self, "", f"needs exactly one of {', '.join(self.sources)}; got {came}")
        if self.url is not None and self.url[:5].lower() == "data:":
            _read_data_url(self, self.url)


class Image(Media, frozen=True, tag="image"):
    """A picture."""


class Audio(Media, frozen=True, tag="audio"):
    """A sound."""


class Video(Media, frozen=True, tag="video"):
    """A film."""


class Document(Media, frozen=True, tag="document"):
    """A PDF or another file to read; plain text may stand in `text`."""

    text: str | None = None

    rules: ClassVar[dict[str, Rule]] = {**Media.rules, "text": fields.optional(fields.string)}
    sources: ClassVar[tuple[str, ...]] = (*Media.sources, "text")


def _read_data_url(part: Media, url: str) -> None:
    head, _, body = url[5:].partition(",")
    media_type, marker, _ = head.rpartition(";base64")
    if not marker:
        raise conflict(part, "url", "a data: URL has to hold base64; pass the bytes as `data`")
    try:
        held = fields.base64(body)
    except MessageError as error:
        raise conflict(part, "url", error.errors[0].reason) from None
    force_setattr(part, "url", None)
    force_setattr(part, "data", held)
    if part.media_type is None and media_type:
        force_setattr(part, "media_type", media_type)
