"""Every program of the documentation runs and prints the lines it promises."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[2] / "docs" / "samples"
PROMISE = "# =>"
ALL = sorted(SAMPLES.glob("*.py"))
LOCAL = [path for path in ALL if 'Client("local")' in path.read_text("utf-8")]
VENDOR = [path for path in ALL if (SAMPLES / "replies" / f"{path.stem}.json").exists()]
OFFLINE = [path for path in ALL if path not in LOCAL and path not in VENDOR]


@pytest.mark.parametrize("sample", OFFLINE, ids=lambda path: path.stem)
def test_a_sample_prints_what_it_promises(sample: Path, tmp_path: Path) -> None:
    printed = run(sample, tmp_path)

    assert printed == promised(sample)


@pytest.mark.usefixtures("local_model")
@pytest.mark.parametrize("sample", LOCAL, ids=lambda path: path.stem)
def test_a_sample_with_the_local_model_prints_what_it_promises(
    sample: Path, tmp_path: Path
) -> None:
    printed = run(sample, tmp_path)

    assert printed == promised(sample)


@pytest.mark.parametrize("sample", VENDOR, ids=lambda path: path.stem)
def test_a_sample_with_a_recorded_answer_prints_what_it_promises(
    sample: Path, tmp_path: Path
) -> None:
    answer = (SAMPLES / "replies" / f"{sample.stem}.json").read_bytes()

    with serving(answer) as address:
        printed = run(sample, tmp_path, OPENAI_BASE_URL=f"{address}/v1", OPENAI_API_KEY="test")

    assert printed == promised(sample)


def test_every_recorded_answer_belongs_to_a_sample() -> None:
    replies = {path.stem for path in (SAMPLES / "replies").glob("*.json")}

    assert replies == {path.stem for path in VENDOR}


def test_every_sample_promises_something() -> None:
    assert [path.name for path in ALL if not promised(path)] == []


def test_every_program_of_the_readme_is_a_sample() -> None:
    readme = (SAMPLES.parents[1] / "README.md").read_text("utf-8")
    programs = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)

    assert [one for one in programs if one not in {path.read_text("utf-8") for path in ALL}] == []


def promised(sample: Path) -> list[str]:
    lines = sample.read_text("utf-8").splitlines()
    return [line.partition(PROMISE)[2].strip() for line in lines if PROMISE in line]


def run(sample: Path, folder: Path, **environment: str) -> list[str]:
    """Run a sample in an empty folder, warnings shown as errors; give the lines it prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", str(sample)],
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [line.strip() for line in done.stdout.splitlines()]


@contextlib.contextmanager
def serving(answer: bytes) -> Generator[str]:
    """A vendor on loopback that gives every caller the same answer; yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
