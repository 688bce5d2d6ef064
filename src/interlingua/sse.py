"""Server-sent events: from an answer's bytes to the JSON of its events. Pure; any chunking will do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from interlingua.errors import DecodeError
from interlingua.wire import Json, parse

DONE = b"[DONE]"


class Events:
    """Takes the bytes of a stream as they come and gives the JSON of each event once it is whole.

    Comments, other fields than `data`, and OpenAI's closing `[DONE]` are passed over. An answer that
    is one JSON array or object instead of events is taken for the events it holds.
    Raises `DecodeError` for an event that is no JSON.
    """

    def __init__(self, api: str) -> None:
        self._api = api
        self._rest = bytearray()
        self._searched = 0
        self._plain: bool | None = None

    def feed(self, chunk: bytes) -> Iterator[Json]:
        """The events that this chunk completes."""
        rest = self._rest
        rest += chunk
        if self._plain is None:
            lead = rest.lstrip()[:1]
            if not lead:
                return
            self._plain = lead in (b"{", b"[")
        if self._plain:
            return
        if b"\r" in chunk:
            self._unify()
        end = rest.rfind(b"\n\n", max(0, self._searched - 1))
        if end < 0:
            self._searched = len(rest)
            return
        whole = bytes(rest[:end])
        del rest[: end + 2]
        self._searched = 0
        for block in whole.split(b"\n\n"):
            data = block[6:] if block.startswith(b"data: ") and b"\n" not in block else _data(block)
            if data and data != DONE:
                yield parse(data, self._api)

    def end(self) -> Iterator[Json]:
        """The events that were still open when the stream ended."""
        if not self._plain:
            yield from self.feed(b"\n\n")
            return
        whole = parse(b'{"events":' + bytes(self._rest) + b"}", self._api)["events"]
        for event in cast("list[Any]", whole) if isinstance(whole, list) else [whole]:
            if not isinstance(event, dict):
                raise DecodeError("the stream holds something that is no object", api=self._api)
            yield cast("Json", event)

    def _unify(self) -> None:
        """Line ends as LF; a CR at the very end may be half of one."""
        held = bytes(self._rest)
        half = held.endswith(b"\r")
        held = (held[:-1] if half else held).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        self._rest[:] = held + (b"\r" if half else b"")
        self._searched = 0


def _data(block: bytes) -> bytes:
    """The data of an event of several lines."""
    lines: list[bytes] = []
    for line in block.split(b"\n"):
        if line.startswith(b"data:"):
            lines.append(line[6:] if line[5:6] == b" " else line[5:])
    return b"\n".join(lines).strip()
