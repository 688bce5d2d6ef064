"""The real command in a process of its own, and a vendor on loopback for it to ask."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeAlias

import pytest

COMMAND = (sys.executable, "-m", "interlingua")

PATIENCE = 120
"""Seconds; a loaded machine is slow to import a vendor's SDK."""

NOWHERE = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME"), os.devnull)
"""No folders of the user's own."""

FOREIGN = ("OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_", "INTERLINGUA_", "NO_COLOR", "LINES")


class Running:
    """The command while it runs."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self.process, self.output, self.errors = process, process.stdout, process.stderr

    def rest(self) -> tuple[int, str, str]:
        """Its exit status, and what it wrote since."""
        output, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, output, errors


Start: TypeAlias = Callable[..., Running]
Run: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]


class Vendor:
    """A vendor that speaks Chat Completions: what it is asked, and how it answers."""

    def __init__(self) -> None:
        self.address = ""
        self.asked: list[dict[str, Any]] = []
        self.reached = threading.Event()
        """Set when somebody asks."""
        self.gone = threading.Event()
        """As a step: wait until the caller has dropped the connection."""
        self.says("Nine ", "metres.")

    @property
    def options(self) -> tuple[str, ...]:
        """The arguments with which the command asks this vendor."""
        return ("-m", "openai-chat:test", "-o", f"base_url={self.address}", "-o", "max_retries=0")

    def says(self, *steps: str | threading.Event, finish: str = "stop", **message: Any) -> None:
        """Answer with these pieces; before the next one, wait for an event that stands between."""
        self._steps, self._finish, self._message = steps, finish, message
        self._fault: tuple[int, dict[str, Any]] | None = None

    def fails(self, status: int, **error: Any) -> None:
        """Answer with an error."""
        self._fault = status, {"error": error}

    def respond(self, handler: BaseHTTPRequestHandler, asked: dict[str, Any]) -> None:
        self.asked.append(asked)
        self.reached.set()
        if not asked.get("stream") and self.gone in self._steps:
            self._hang(handler)
        elif self._fault is not None:
            _send_body(handler, *self._fault)
        elif asked.get("stream"):
            self._stream(handler)
        else:
            text = "".join(step for step in self._steps if isinstance(step, str)) or None
            message = {"role": "assistant", "content": text, **self._message}
            choice = {"index": 0, "message": message, "finish_reason": self._finish}
            usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
            _send_body(handler, 200, {**_answer(choice), "usage": usage})

    def _stream(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.end_headers()
        if self._message:
            _send_event(handler, {"delta": self._message})
        for step in self._steps:
            if isinstance(step, str):
                _send_event(handler, {"delta": {"content": step}})
            elif step is self.gone:
                return self._hang(handler)
            else:
                assert step.wait(PATIENCE)
        if self._finish:
            _send_event(handler, {"delta": {}, "finish_reason": self._finish})

    def _hang(self, handler: BaseHTTPRequestHandler) -> None:
        # A caller that leaves bytes unread resets the connection.
        with contextlib.suppress(ConnectionResetError):
            assert handler.connection.recv(1) == b""
        self.gone.set()


def _answer(choice: dict[str, Any]) -> dict[str, Any]:
    return {"id": "c1", "object": "chat.completion", "model": "test-1", "choices": [choice]}


def _send_event(handler: BaseHTTPRequestHandler, choice: dict[str, Any]) -> None:
    handler.wfile.write(f"data: {json.dumps(_answer({'index': 0, **choice}))}\n\n".encode())
    handler.wfile.flush()


def _send_body(handler: BaseHTTPRequestHandler, status: int, body: dict[str, Any]) -> None:
    content = json.dumps(body).encode()
    handler.send_response(status)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content)


@pytest.fixture
def vendor() -> Iterator[Vendor]:
    """A vendor that answers `Nine metres.` until it is told otherwise."""
    vendor = Vendor()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["content-length"]))
            vendor.respond(self, json.loads(content))

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        vendor.address = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield vendor
        server.shutdown()
        thread.join()


@pytest.fixture
def command() -> tuple[str, ...]:
    """How the command is started."""
    return COMMAND


@pytest.fixture
def surroundings() -> dict[str, str]:
    """The environment of a command, without what this machine has set for it."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not (name.startswith(FOREIGN) or name.lower().endswith("_proxy"))
    }
    return {**kept, "OPENAI_API_KEY": "test", "COLUMNS": "100", "TERM": "dumb", **NOWHERE}


@pytest.fixture
def start(surroundings: dict[str, str], tmp_path: Path) -> Iterator[Start]:
    """Starts the command with nothing on standard input; what still runs is killed at the end."""
    started: list[Running] = []

    def start(*arguments: str, piped: int = subprocess.DEVNULL, **environment: str) -> Running:
        process = subprocess.Popen(
            [*COMMAND, *arguments],
            cwd=tmp_path,
            env={**surroundings, **environment},
            stdin=piped,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        started.append(Running(process))
        return started[-1]

    # A shell that starts the tests in the background has what they start ignore Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield start
    signal.signal(signal.SIGINT, before)
    for running in started:
        with running.process as process:
            process.kill()


@pytest.fixture
def run(surroundings: dict[str, str], tmp_path: Path) -> Run:
    """Runs the command to its end; standard input is what is piped, or empty."""

    def run(
        *arguments: str, piped: str | bytes = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*COMMAND, *arguments],
            cwd=tmp_path,
            env={**surroundings, **environment},
            input=piped.encode() if isinstance(piped, str) else piped,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        output, errors = done.stdout.decode(), done.stderr.decode()
        return subprocess.CompletedProcess(arguments, done.returncode, output, errors)

    return run
