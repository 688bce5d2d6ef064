"""What kind of file a part holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlingua import Audio, Document, Image, Video
from interlingua.media import media_type_of, plain_type, sniffed

PNG = b"\x89PNG\r\n\x1a\n...."


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"RIFF....WEBPVP8 ", "image/webp"),
        (b"....ftypheic", "image/heic"),
        (b"....ftypavif", "image/avif"),
        (b"%PDF-1.7", "application/pdf"),
        (b"RIFF....WAVEfmt ", "audio/wav"),
        (b"ID3\x04", "audio/mpeg"),
        (b"\xff\xfb\x90", "audio/mpeg"),
        (b"\xff\xf1\x50", "audio/aac"),
        (b"fLaC", "audio/flac"),
        (b"OggS", "audio/ogg"),
        (b"....ftypM4A ", "audio/mp4"),
        (b"....ftypisom", "video/mp4"),
        (b"....ftypqt  ", "video/quicktime"),
        (b"\x1aE\xdf\xa3", "video/webm"),
        (b"hello", None),
        (b"", None),
    ],
)
def test_bytes_tell_what_they_are(data: bytes, expected: str | None) -> None:
    assert media_type_of(Document(data=data)) == expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("IMAGE/PNG", "image/png"),
        ("image/jpg", "image/jpeg"),
        ("text/plain; charset=utf-8", "text/plain"),
        (" application/pdf ;qs=0.1", "application/pdf"),
        (";", None),
    ],
)
def test_a_label_is_read_without_case_and_parameters(label: str, expected: str | None) -> None:
    assert media_type_of(Document(data=b"x", media_type=label)) == expected


def test_clear_bytes_win_over_a_label() -> None:
    assert media_type_of(Image(data=PNG, media_type="image/jpeg")) == "image/png"


def test_a_label_wins_over_bytes_that_fit_it_too() -> None:
    assert media_type_of(Audio(data=b"OggS", media_type="audio/opus")) == "audio/opus"
    assert media_type_of(Video(data=b"OggS", media_type="video/ogg")) == "video/ogg"
    assert media_type_of(Audio(data=b"....ftypmp42", media_type="audio/mp4")) == "audio/mp4"


def test_the_end_of_a_name_tells_what_nothing_else_does() -> None:
    assert media_type_of(Document(data=b"a,b", name="Table.CSV")) == "text/csv"
    assert media_type_of(Document("https://a.example/x.pdf?v=2")) == "application/pdf"
    assert media_type_of(Document("https://a.example/x", name="x.md")) == "text/markdown"


@pytest.mark.parametrize("url", ["https://a.example/", "https://a.pdf", "https://[", "x:.png"])
def test_a_url_that_tells_nothing_has_no_type(url: str) -> None:
    assert media_type_of(Image(url)) is None


def test_a_document_in_text_is_plain_text() -> None:
    assert media_type_of(Document(text="hello")) == "text/plain"
    assert media_type_of(Document(text="# hello", media_type="text/markdown")) == "text/markdown"


def test_a_stored_file_has_the_type_it_is_said_to_have() -> None:
    assert media_type_of(Image(file_id="f", media_type="image/webp")) == "image/webp"
    assert media_type_of(Image(file_id="f")) is None


def test_a_label_is_spelt_as_the_standard_has_it() -> None:
    assert [plain_type(label) for label in ("IMAGE/JPG; q=1", "application/x-pdf", "", ";")] == [
        "image/jpeg",
        "application/pdf",
        None,
        None,
    ]


@given(st.binary(max_size=40))
def test_what_bytes_say_is_what_they_say_without_a_label(data: bytes) -> None:
    assert sniffed(data) == media_type_of(Document(data=data))
