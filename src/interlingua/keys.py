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
            value = os.environ.get(name, "")
        case "file":
            value = _read(folder / Path(name).expanduser())
        case _:
            value = _printed(name)
    if not value.strip():
        raise ConfigError(f"{told!r} gives nothing")
    return value.strip()


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"{path} cannot be read: {type(error).__name__}") from None


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
