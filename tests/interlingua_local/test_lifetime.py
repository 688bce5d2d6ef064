"""The server ends with the program that started it, however that ends."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

# A program that has the server running, with an answer under way in a thread.
BUSY = """
import http.client, json, sys, threading, time, urllib.request
from pathlib import Path
from interlingua_local import server

running = server.start(Path(sys.argv[1]))
asked = {"messages": [{"role": "user", "content": "Go on."}], "max_tokens": 2000, "ignore_eos": True}
request = urllib.request.Request(
    running.address + "/v1/chat/completions",
    json.dumps({**asked, "stream": True}).encode(),
    {"authorization": f"Bearer {running.key}", "content-type": "application/json"},
)
answer = urllib.request.urlopen(request)
answer.readline()

def read():
    try:
        answer.read()
    except (OSError, http.client.HTTPException):
        pass

threading.Thread(target=read, daemon=True).start()
print(running.address, flush=True)
"""


def is_gone(address: str) -> bool:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", urlsplit(address).port or 0)).close()
        except ConnectionRefusedError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("ending", ["", "raise SystemExit", "import os; os._exit(0)"])
def test_a_program_ends_at_once_and_in_silence_while_an_answer_is_under_way(
    embedded: Path, ending: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", BUSY + ending, str(embedded)],
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert is_gone(done.stdout.strip())


@pytest.mark.skipif(os.name != "posix", reason="kills with a signal")
def test_the_server_goes_when_its_parent_is_killed(embedded: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", BUSY + "time.sleep(60)", str(embedded)],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        process.kill()

    assert is_gone(address)


FORKING = """
import os, sys, warnings
from pathlib import Path
from interlingua_local import server

model = Path(sys.argv[1])
before = server.start(model)
# Python 3.12 and later advise against forking beside threads; there are none here.
child = os.fork()
if child == 0:
    own = server.start(model)
    print(own.address != before.address and own.key != before.key, flush=True)
    sys.exit(0)
_, status = os.waitpid(child, 0)
print(status, server.start(model) == before)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_forked_child_starts_its_own_server_and_ends_in_silence(embedded: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", FORKING, str(embedded)],
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n0 True\n", "")
