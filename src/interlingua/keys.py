"""Secrets that a configuration names and does not hold: `env:NAME`, `file:PATH`, `cmd:COMMAND`."""

from __future__ import annotations

import os
from pathlib import Path

from interlingua.errors import ConfigError

REFERENCES = ("env:", "file:", "cmd:")

PATIENCE = 60.0
"""Seconds that a command may take."""


def resolved(told: str, folder: Path) -> str:
    """The secret that is named; paths count from the folder. Raises `ConfigError`."""
    kind, _, name = told.partition(":")
    match kind:
        case "env":
            value, nothing = os.environ.get(name, ""), f"{name} is not set in the environment"
        case "file":
            path = folder / Path(name).expanduser()
            value, nothing = _read(path), f"{path} is empty"
        case _:
            value, nothing = _printed(name), f"the command {name!r} prints nothing"
    if not value.strip():
        raise ConfigError(nothing)
    return value.strip()


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeError) as error:
        words = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise ConfigError(f"{path} cannot be read: {words}") from None


def _printed(command: str) -> str:
    """What a command prints; it runs without a shell."""
    import shlex
    import subprocess

    try:
        done = subprocess.run(
            shlex.split(command),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        # Its output may be the key, so neither that nor the error's words are repeated.
        raise ConfigError(f"the command {command!r} fails: {type(error).__name__}") from None
    return done.stdout
