"""Starts llama.cpp's own HTTP server beside this process, on loopback, and stops it with it.

The server is a process of its own: inside this one, llama.cpp hangs or crashes at exit while an
answer is under way, and hangs the exit of every forked child.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from interlingua.errors import ConfigError
from interlingua_local import model as models

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Running:
    """A server that answers: where, with which key, under which model name."""

    address: str
    key: str = field(repr=False)
    model_name: str
    embedded: bool
    """Whether it is SmolLM2 with our chat template, and so with its limits on tools."""


class _Held(NamedTuple):
    process: subprocess.Popen[str]
    running: Running


class _Wanted(NamedTuple):
    model: Path
    threads: int
    port: int


_held: dict[_Wanted, _Held] = {}
_lock = threading.Lock()


def start(model: Path, *, threads: int = 1, port: int = 0) -> Running:
    """The server for `model` in this process: the running one, or one started now.

    More than one thread is faster on an idle machine only: on a busy one it is many times slower.
    """
    wanted = _Wanted(model.expanduser().resolve(), threads, port)
    _check(wanted)
    with _lock:
        held = _held.get(wanted)
        if held is not None and held.process.poll() is None:
            return held.running
        started = _launch(wanted) if held is None else _revive(wanted, held)
        _held[wanted] = started
        return started.running


def _check(wanted: _Wanted) -> None:
    if wanted.threads < 1:
        raise ConfigError(
            f"threads={wanted.threads!r} is no number of threads. Use 1 or more", option="threads"
        )
    if not 0 <= wanted.port <= 65535:
        raise ConfigError(
            f"port={wanted.port!r} is no port. Use 1 to 65535, or 0 for any free one", option="port"
        )


def _revive(wanted: _Wanted, dead: _Held) -> _Held:
    """A new server in the place of one that has died, at its address if that is free."""
    _stop(dead.process)
    port = urlsplit(dead.running.address).port or 0
    reachable = wanted.port or (port if _is_free(port) else 0)
    return _launch(wanted._replace(port=reachable), dead.running.key)


def _launch(wanted: _Wanted, key: str | None = None) -> _Held:
    packages = _packages()
    if wanted.port and not _is_free(wanted.port):
        raise ConfigError(
            f"port {wanted.port!r} on 127.0.0.1 is taken. Choose another, or 0 for any free one"
        )
    embedded = models.is_embedded(wanted.model)
    name = models.NAME if embedded else wanted.model.stem
    key = key or secrets.token_urlsafe(32)
    orders = {
        "packages": packages,
        "model": str(wanted.model),
        "name": name,
        "template": (HERE / "tools.jinja").read_text("utf-8") if embedded else "",
        "key": key,
        "port": wanted.port,
        "threads": wanted.threads,
    }
    process, address = _process(orders, wanted.model)
    return _Held(process, Running(address, key, name, embedded))


def _process(orders: dict[str, str | int], model: Path) -> tuple[subprocess.Popen[str], str]:
    """The server's process and its address. The key goes through a pipe: arguments are public."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as complaints:
        process = subprocess.Popen(
            # -P: the files beside the program must not hide modules of the same name.
            [sys.executable, "-P", str(HERE / "engine.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            encoding="utf-8",
            cwd=HERE,
        )
        try:
            answer = _ask(process, json.dumps(orders))
        except BaseException:
            _stop(process)
            raise
        if answer:
            return process, json.loads(answer)["address"]
        status = process.wait()
        _stop(process)
        complaints.seek(0)
        reason = _reason(complaints.read(), status)
        raise ConfigError(
            f"the model {str(model)!r} cannot be loaded: {reason}. {models.remedy(model)}"
        )


def _ask(process: subprocess.Popen[str], orders: str) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(orders + "\n")
        process.stdin.flush()
    except BrokenPipeError:
        return ""
    return process.stdout.readline()


def _reason(complaints: str, status: int) -> str:
    """What llama.cpp said first (`time E where: what`), or Python last."""
    lines = complaints.splitlines()
    for line in lines:
        _, found, text = line.partition(" E ")
        if found:
            return text.strip()
    return lines[-1] if lines else f"the server ended with status {status}"


def _packages() -> str:
    spec = importlib.util.find_spec("xllamacpp")
    if spec is None or spec.origin is None:
        raise ConfigError(
            "the embedded model needs 'xllamacpp', which is not installed. "
            "Install it: pip install 'interlingua[local]'"
        )
    return str(Path(spec.origin).parent.parent)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _stop(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    _let_go(process)


def _let_go(process: subprocess.Popen[str]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


def _stop_all() -> None:
    for held in _held.values():
        _stop(held.process)
    _held.clear()


def _forget_all() -> None:
    """In a forked child: the servers are the parent's, and so is the lock."""
    global _lock
    _lock = threading.Lock()
    for held in _held.values():
        _let_go(held.process)
        held.process.returncode = 0
    _held.clear()


atexit.register(_stop_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
