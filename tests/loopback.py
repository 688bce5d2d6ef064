"""A vendor on loopback: it answers each request with the next answer of its script."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias, cast

PATIENCE = 20.0
"""Seconds after which a wait is a failed test."""


class Act(Enum):
    """What happens to the connection instead of more bytes."""

    DROP = "the vendor breaks it off"
    LEAVE = "the vendor waits for the client to leave"


Piece: TypeAlias = bytes | threading.Event | Act


@dataclass(frozen=True)
class Answer:
    """A status, headers, and a body in pieces; an event among them holds the rest back till set."""

    pieces: tuple[Piece, ...]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


def says(value: object, status: int = 200, **headers: str) -> Answer:
    """An answer that is one JSON value; `_` in a header's name stands for `-`."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    body = json.dumps(value).encode()
    return Answer((body,), status, {"content-type": "application/json", **named})


def streams(*pieces: Piece, **headers: str) -> Answer:
    """An answer of server-sent events in these very pieces."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Answer(pieces, 200, {"content-type": "text/event-stream", **named})


def events(*values: object) -> bytes:
    """JSON values as server-sent events."""
    return b"".join(b"data: " + json.dumps(value).encode() + b"\n\n" for value in values)


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    path: str
    headers: Mapping[str, str]
    content: bytes
    connection: int
    """The client's port: two requests with the same one shared a connection."""
    method: str = "POST"

    @property
    def body(self) -> Any:
        return json.loads(self.content)


class Vendor:
    """The server: its address, its script, and what it was asked."""

    def __init__(self) -> None:
        self.script: list[Answer] = []
        self.asked: list[Asked] = []
        self.left = threading.Event()
        """Set when a client has gone while the vendor was waiting for it to leave."""
        self.last: Answer | None = None
        """Given to every request once the script has ended."""
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.vendor = self

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def next_answer(self, asked: Asked) -> Answer:
        with self._lock:
            self.asked.append(asked)
            if self.script:
                return self.script.pop(0)
        return self.last or says({"error": {"message": "the script has ended"}}, 400)

    def run(self) -> None:
        self._server.serve_forever(poll_interval=0.01)

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def vendor(*script: Answer, last: Answer | None = None) -> Generator[Vendor]:
    """A vendor that runs while the block does."""
    made = Vendor()
    made.script += script
    made.last = last
    thread = threading.Thread(target=made.run)
    thread.start()
    try:
        yield made
    finally:
        made.stop()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    vendor: Vendor

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing: a client that leaves is no error here."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        content = self.rfile.read(length)
        asked = Asked(self.path, headers, content, self.client_address[1], self.command)
        answer = self._vendor.next_answer(asked)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for piece in answer.pieces:
            self._act(piece)
            if self.close_connection:
                return
        self.wfile.write(b"0\r\n\r\n")

    do_GET = do_POST

    def _act(self, piece: Piece) -> None:
        match piece:
            case bytes():
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece) if piece else b"")
                self.wfile.flush()
            case threading.Event():
                assert piece.wait(PATIENCE)
            case Act.DROP:
                # A reset instead of an orderly end.
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.close_connection = True
            case Act.LEAVE:
                self.connection.settimeout(PATIENCE)
                try:
                    gone = self.connection.recv(1) == b""
                except OSError as error:
                    gone = not isinstance(error, TimeoutError)
                if gone:
                    self._vendor.left.set()
                self.close_connection = True

    @property
    def _vendor(self) -> Vendor:
        return cast("_Server", self.server).vendor

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""
