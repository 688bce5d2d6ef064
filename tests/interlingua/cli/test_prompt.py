"""What the user says: each file and each byte of standard input as what it is."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from interlingua.cli.faults import Misuse
from interlingua.cli.options import settings_of
from interlingua.cli.prompt import said
from interlingua.parts import Audio, Document, Image, Part, Text, Video

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"

FILES: dict[str, tuple[bytes, Part]] = {
    "bom.txt": (b"\xef\xbb\xbfOne.", Text("One.")),
    "utf16.txt": ("Zwölf.".encode("utf-16"), Text("Zwölf.")),
    "windows.txt": (b"One.\r\nTwo.\r\n", Text("One.\r\nTwo.")),
    "program.py": (b"print(1)\n", Text("print(1)")),
    "like_a_sound.txt": (b"The sea WAVES.", Text("The sea WAVES.")),
    "picture": (PNG, Image(data=PNG, media_type="image/png", name="picture")),
    "ascii.pdf": (
        b"%PDF-1.7\n%%EOF\n",
        Document(data=b"%PDF-1.7\n%%EOF\n", media_type="application/pdf", name="ascii.pdf"),
    ),
    "sound.mp3": (
        b"ID3\0\xff",
        Audio(data=b"ID3\0\xff", media_type="audio/mpeg", name="sound.mp3"),
    ),
    "film.webm": (
        b"\x1aE\xdf\xa3\0",
        Video(data=b"\x1aE\xdf\xa3\0", media_type="video/webm", name="film.webm"),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_what_its_bytes_say(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, part = FILES[name]
    (tmp_path / name).write_bytes(content)
    pipe(monkeypatch, b"")

    assert said((), [tmp_path / name]) == (part,)


def test_an_image_may_be_piped_in(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, PNG)

    assert said(("What is this?",), []) == (
        Text("What is this?"),
        Image(data=PNG, media_type="image/png"),
    )


def test_words_are_joined_and_a_dash_among_them_is_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, b"")

    assert said(("What", "is", "5", "-", "3?"), []) == (Text("What is 5 - 3?"),)


def test_a_process_without_standard_input_has_the_words_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", None)

    assert said(("Hi",), []) == (Text("Hi"),)


def test_piped_bytes_that_are_nothing_known_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, b"\0\xfe\xfd")

    with pytest.raises(Misuse, match="standard input is neither text in UTF-8 nor an image"):
        said((), [])


def test_options_are_json_where_they_can_be_and_strings_else() -> None:
    given = ["base_url=http://h/v1?a=b", "threads=2", 'project="7"', 'headers={"x-a": "b"}']

    assert settings_of(given) == {
        "base_url": "http://h/v1?a=b",
        "threads": 2,
        "project": "7",
        "headers": {"x-a": "b"},
    }


def pipe(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Let standard input be a pipe that holds these bytes."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
