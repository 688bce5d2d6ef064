"""Servers on loopback: a test decides every byte they answer, and sees who hangs up."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Generator
from http import HTTPStatus
from typing import Any, NamedTuple

LONGEST_WAIT = 20.0
"""Seconds that a test waits for what is long due."""

LEFT = (ConnectionError, asyncio.IncompleteReadError)
"""What reading and writing raise when the client has gone."""


class Asked(NamedTuple):
    """A request, whole."""

    path: str
    headers: dict[str, str]
    body: bytes


class Link:
    """One request, and the way back to the client that made it."""

    def __init__(
        self, asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.asked = asked
        self._reader, self._writer = reader, writer

    async def send(self, *chunks: bytes) -> None:
        """Write, and wait while the client does not read."""
        for chunk in chunks:
            self._writer.write(chunk)
            await self._writer.drain()

    async def left(self, seconds: float) -> bool:
        """Whether the client hangs up within these seconds."""
        try:
            async with asyncio.timeout(seconds):
                return await self._reader.read(1) == b""
        except TimeoutError:
            return False
        except ConnectionError:
            return True

    def drop(self) -> None:
        """Reset the connection."""
        self._writer.transport.abort()

    def close(self) -> None:
        """End the connection when all is written."""
        self._writer.close()


Script = Callable[[Link], Awaitable[None]]
"""What a server does with a request. The connection lives on unless the script ends it."""


class Server:
    """Listens on a free port, in a thread of its own."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self.connected = 0
        """How many connections there have been."""
        self._open: set[asyncio.StreamWriter] = set()
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._listening = self._run(
            asyncio.start_server(self._serve, "127.0.0.1", limit=2**26, backlog=512)
        )
        self.url = f"http://127.0.0.1:{self._listening.sockets[0].getsockname()[1]}"

    @property
    def open(self) -> int:
        """How many connections there are."""
        return len(self._open)

    def is_idle(self, seconds: float = LONGEST_WAIT) -> bool:
        """Whether all clients hang up within these seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._open, seconds)

    def stop(self) -> None:
        """Hang up on everybody."""
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._listening.close()
        for writer in list(self._open):
            writer.transport.abort()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    def _run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(LONGEST_WAIT)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connected += 1
        self._open.add(writer)
        try:
            # A client that leaves in the middle is what many tests are about.
            with contextlib.suppress(*LEFT, asyncio.CancelledError):
                while not writer.is_closing():
                    asked = await _read(reader)
                    self.asked.append(asked)
                    await self.script(Link(asked, reader, writer))
        finally:
            writer.close()
            with contextlib.suppress(*LEFT):
                await writer.wait_closed()
            with self._changed:
                self._open.discard(writer)
                self._changed.notify_all()


async def _read(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Asked(first.split()[1], headers, body)


def head(status: int = 200, **headers: str | int) -> bytes:
    """The first bytes of an answer; an underscore in a header's name is written as a hyphen."""
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def whole(body: bytes, status: int = 200, **headers: str | int) -> bytes:
    """An answer, whole."""
    given = {"content_type": "application/json", "content_length": len(body), **headers}
    return head(status, **given) + body


SSE = head(content_type="text/event-stream", transfer_encoding="chunked")
"""The first bytes of a stream."""

END = b"0\r\n\r\n"
"""The last bytes of a stream that is whole."""


def chunk(data: bytes) -> bytes:
    """A piece of a stream."""
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


@contextlib.contextmanager
def serving(script: Script) -> Generator[Server]:
    """A server for as long as the block lasts."""
    server = Server(script)
    try:
        yield server
    finally:
        server.stop()
