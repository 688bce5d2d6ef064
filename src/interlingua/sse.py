"""Server-sent events: from an answer's bytes to the JSON of its events. Pure, in any chunking."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from interlingua.errors import DecodeError
from interlingua.wire import Json, exact, is_list, parse, read_json

DONE = b"[DONE]"
ENDS = (b"\n\n", b"\r\n\r\n")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

FIRST_HALF = re.compile(rb'(?<!\\)(?:\\\\)*\\u[dD][89abAB][0-9a-fA-F]{2}(?=")')
"""What a text ends with whose last letter, such as an emoji, goes on in the next event."""

OTHER_HALF = re.compile(rb'(?<=")\\u[dD][c-fC-F][0-9a-fA-F]{2}')


class Events:
    """Takes the bytes of a stream as they come and gives the JSON of each event once it is whole.

    Comments, other fields than `data`, and OpenAI's closing `[DONE]` are passed over, and so is an
    event that breaks off where the stream ends. A letter that is split between one event and the
    next is put together in the first. An answer that is one JSON array or object instead of events
    is taken for the events it holds. Raises `DecodeError` for an event that is no JSON.
    """

    def __init__(self, api: str) -> None:
        self._api = api
        self._rest = bytearray()
        self._searched = 0
        """Up to where there is no blank line."""
        self._split = False
        """Whether what is left ends in a CR, which may be half of a line's end."""
        self._torn = b""
        """An event that ends in half a letter, until the next one is there."""
        self._plain: bool | None = None

    def feed(self, chunk: bytes) -> Iterator[Json]:
        """The events that this chunk completes."""
        for block in self._whole(chunk).split(b"\n\n"):
            data = _data(block).strip()
            if data and data != DONE:
                event = None if self._torn else exact(data)
                if event is None:
                    yield from self._mended(data)
                else:
                    yield event

    def _whole(self, chunk: bytes) -> bytes:
        """The events that are whole with this chunk, without the blank line after the last."""
        rest = self._rest
        if not rest and self._plain is False and chunk.endswith(ENDS):
            # Mostly a chunk is whole events, and nothing of it has to be kept.
            return _unified(chunk)[:-2]
        rest += chunk
        if self._plain or (self._plain is None and not self._begun()):
            return b""
        if self._split or b"\r" in chunk:
            self._unify()
        end = rest.rfind(b"\n\n", max(0, self._searched - 1))
        if end < 0:
            self._searched = len(rest)
            return b""
        whole = bytes(rest[:end])
        del rest[: end + 2]
        self._searched = 0
        return whole

    def end(self) -> Iterator[Json]:
        """The events that were still open when the stream ended."""
        if not self._plain:
            with suppress(DecodeError):
                yield from self.feed(b"\n\n")
            if self._torn:
                yield parse(self._torn, self._api)
            return
        whole = read_json(self._rest, self._api)
        for event in whole if is_list(whole) else [whole]:
            yield parse(event, self._api)

    def _mended(self, data: bytes) -> Iterator[Json]:
        """The event before, if it was torn, and this one, unless it is."""
        torn, self._torn = self._torn, b""
        if torn:
            torn, data = _joined(torn, data)
            yield parse(torn, self._api)
        if FIRST_HALF.search(data):
            self._torn = data
        else:
            yield parse(data, self._api)

    def _begun(self) -> bool:
        """Whether enough is there to tell events from one JSON value."""
        if BYTE_ORDER_MARK.startswith(self._rest):
            return False
        if self._rest.startswith(BYTE_ORDER_MARK):
            del self._rest[: len(BYTE_ORDER_MARK)]
        lead = bytes(self._rest.lstrip()[:1])
        if lead:
            self._plain = lead in (b"{", b"[")
        return bool(lead)

    def _unify(self) -> None:
        """Write line ends as LF."""
        held = bytes(self._rest)
        self._split = held.endswith(b"\r")
        whole = held[:-1] if self._split else held
        self._rest[:] = _unified(whole)
        if self._split:
            self._rest += b"\r"
        self._searched = 0


def _unified(text: bytes) -> bytes:
    """The text with LF at every line's end."""
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in text else text


def _joined(torn: bytes, data: bytes) -> tuple[bytes, bytes]:
    """Two events, with a letter that is split between them in the first."""
    first, other = FIRST_HALF.search(torn), OTHER_HALF.search(data)
    if first is None or other is None:
        return torn, data
    whole = torn[: first.end()] + other[0] + torn[first.end() :]
    return whole, data[: other.start()] + data[other.end() :]


def _data(block: bytes) -> bytes:
    """The data of an event; mostly it is one line, the last."""
    before, _, data = block.partition(b"data: ")
    if b"\n" not in data and (not before or before.endswith(b"\n")):
        return data
    lines: list[bytes] = []
    for line in block.split(b"\n"):
        if line.startswith(b"data:"):
            lines.append(line[6:] if line[5:6] == b" " else line[5:])
    return b"\n".join(lines)
