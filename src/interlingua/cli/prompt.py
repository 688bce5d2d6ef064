"""What the user says: words from the command line, files, and what is piped in."""

from __future__ import annotations

import codecs
import sys
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from interlingua.cli.faults import Misuse, tell
from interlingua.media import media_type_of
from interlingua.parts import Audio, Document, Image, Part, Text, Video

MEDIA: dict[str, type[Image | Audio | Video | Document]] = {
    "image": Image,
    "audio": Audio,
    "video": Video,
    "application/pdf": Document,
}

PATIENCE = 3.0
"""Seconds after which a user who may have meant no standard input is told what is waited for."""

NOTHING = "there is no prompt: write it after `ask`, name a file with -f, or pipe it in"


def said(words: Sequence[str], files: Iterable[Path]) -> tuple[Part, ...]:
    """The words, the files in order, and standard input when it is no terminal or `-` asks for it.

    Texts beside each other are joined with a blank line. Raises `Misuse`.
    """
    wants_input = tuple(words[-1:]) == ("-",)
    parts: list[Part] = [Text(" ".join(words[:-1] if wants_input else words))]
    parts += [_file(path) for path in files]
    if wants_input or _is_piped():
        parts.append(_part(_piped(), "standard input"))
    joined = tuple(_joined(parts))
    if not joined:
        raise Misuse(NOTHING)
    return joined


def _joined(parts: Iterable[Part]) -> list[Part]:
    """The parts without blank texts, and with neighbouring texts as one."""
    held: list[Part] = []
    for part in parts:
        if isinstance(part, Text):
            text = part.text.rstrip("\r\n")
            if not text.strip():
                continue
            if held and isinstance(held[-1], Text):
                held[-1] = Text(f"{held[-1].text}\n\n{text}")
                continue
            part = Text(text)
        held.append(part)
    return held


def _file(path: Path) -> Part:
    data = path.read_bytes()
    if not data:
        raise Misuse(f"the file {str(path)!r} is empty")
    return _part(data, f"the file {str(path)!r}", path.name)


def _part(data: bytes, what: str, name: str | None = None) -> Part:
    text = _text(data)
    if text is not None:
        return Text(text)
    media_type = media_type_of(Document(data=data, name=name)) or ""
    kind = MEDIA.get(media_type) or MEDIA.get(media_type.partition("/")[0])
    if kind is None:
        raise Misuse(f"{what} is neither text in UTF-8 nor an image, a PDF, a sound or a film")
    return kind(data=data, media_type=media_type, name=name)


def _text(data: bytes) -> str | None:
    """The text that the bytes are; None when they are none. A PDF may be nothing but ASCII."""
    is_utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text or text.startswith("%PDF-") else text


def _is_piped() -> bool:
    # A process may be started without a standard input.
    return bool(sys.stdin) and not sys.stdin.isatty()


def _piped() -> bytes:
    notice = threading.Timer(PATIENCE, tell, ["reading standard input until it ends"])
    notice.daemon = True
    notice.start()
    try:
        return sys.stdin.buffer.read()
    finally:
        notice.cancel()
