"""aimock, in a process of its own."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

# Workers of one test run fetch it once.
fcntl: Any = pytest.importorskip("fcntl")

VERSION = "1.43.0"
PACKAGE = f"@copilotkit/aimock@{VERSION}"
HOME = Path(__file__).parents[2] / ".ci" / "node"
MODULE = HOME / "node_modules" / "@copilotkit" / "aimock"
SCRIPT = Path(__file__).parent / "aimock.json"


@contextlib.contextmanager
def running(program: Path) -> Generator[str]:
    """The address of a running aimock."""
    command = ["node", program, "--port", "0", "--fixtures", SCRIPT, "--strict"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield address(process)
        finally:
            process.kill()


def installed() -> Path:
    """The program, fetched once; other workers wait until it is there. Raises without Node."""
    HOME.mkdir(parents=True, exist_ok=True)
    with (HOME / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with contextlib.suppress(FileNotFoundError):
            if json.loads((MODULE / "package.json").read_text())["version"] == VERSION:
                return MODULE / "dist" / "cli.js"
        npm = ["npm", "install", "--prefix", HOME, "--ignore-scripts", "--no-save", "--no-audit"]
        subprocess.run(
            [*npm, "--no-fund", "-E", PACKAGE], check=True, capture_output=True, timeout=120
        )
        return MODULE / "dist" / "cli.js"


def address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"listening on (\S+)", line):
            return found[1]
    raise AssertionError("aimock did not start")
