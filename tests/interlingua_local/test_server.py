"""llama.cpp's own server, started, shared and stopped for real."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from interlingua.errors import ConfigError
from interlingua_local import fetch, server

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    },
}
QUESTION = {"role": "user", "content": "What is the weather in Paris?"}


def ask(running: server.Running, *messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    response = httpx.post(
        f"{running.address}/v1/chat/completions",
        json={"messages": messages, "temperature": 0, "max_tokens": 60, **more},
        headers={"authorization": f"Bearer {running.key}"},
        timeout=60,
    )
    assert response.status_code == 200, response.text
    return response.json()["choices"][0]["message"]


def test_the_embedded_model_says_hello(embedded: Path) -> None:
    running = server.start(embedded)

    said = ask(running, {"role": "user", "content": "Say hello in one short sentence."})

    assert said["content"] == "Hello, I'm here to help with any creative writing project."


def test_the_server_listens_on_loopback_and_only_with_its_key(embedded: Path) -> None:
    running = server.start(embedded)

    answer = httpx.post(f"{running.address}/v1/chat/completions", json={"messages": [QUESTION]})

    assert urlsplit(running.address).hostname == "127.0.0.1"
    assert answer.status_code == 401


def test_the_key_is_in_no_repr(embedded: Path) -> None:
    running = server.start(embedded)

    assert running.key not in repr(running)


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="reads /proc")
def test_the_key_is_in_no_process_list(embedded: Path) -> None:
    running = server.start(embedded)

    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline")]

    assert not any(running.key.encode() in line for line in lines)


def test_the_model_is_listed_under_its_name(embedded: Path) -> None:
    running = server.start(embedded)

    listed = httpx.get(
        f"{running.address}/v1/models", headers={"authorization": f"Bearer {running.key}"}
    ).json()

    assert [model["id"] for model in listed["data"]] == [running.model_name] == ["smollm2-135m"]
    assert running.embedded


def test_threads_that_start_at_once_share_one_server(embedded: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        started = list(pool.map(server.start, [embedded] * 8))

    assert len(set(started)) == 1


def test_a_required_tool_is_called_in_its_schema(embedded: Path) -> None:
    running = server.start(embedded)

    said = ask(running, QUESTION, tools=[WEATHER], tool_choice="required")

    (call,) = said["tool_calls"]
    assert call["function"]["name"] == "get_weather"
    assert json.loads(call["function"]["arguments"]) == {"city": "Paris"}


def test_a_tools_result_becomes_an_answer(embedded: Path) -> None:
    running = server.start(embedded)
    call = {"name": "get_weather", "arguments": '{"city": "Paris"}'}
    called = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "a", "type": "function", "function": call}],
    }
    result = {"role": "tool", "tool_call_id": "a", "content": "21 degrees and sunny"}

    said = ask(running, QUESTION, called, result)

    assert said["content"] == "21 degrees and sunny."


def test_a_developer_message_instructs_as_a_system_message_does(embedded: Path) -> None:
    running = server.start(embedded)
    asked = {"role": "user", "content": "What colour is the sky?"}

    said = [
        ask(running, {"role": role, "content": "Answer in one word."}, asked)["content"]
        for role in ("developer", "system")
    ]

    assert said[0] == said[1]


def test_a_model_of_the_users_own_keeps_its_name_and_its_template(
    embedded: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.gguf"
    shutil.copyfile(embedded, mine)

    running = server.start(mine)

    assert running.model_name == "mine"
    assert not running.embedded


def test_a_server_that_died_is_started_again_at_the_same_address(
    embedded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real: Any = subprocess.Popen
    made: list[subprocess.Popen[str]] = []

    def recorded(*arguments: Any, **options: Any) -> subprocess.Popen[str]:
        made.append(real(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(subprocess, "Popen", recorded)
    before = server.start(embedded, threads=2)
    made[0].kill()
    made[0].wait()

    after = server.start(embedded, threads=2)

    assert after == before
    assert ask(after, {"role": "user", "content": "Hi"})["content"]


def test_a_port_that_is_asked_for_is_used(embedded: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    assert server.start(embedded, port=port).address == f"http://127.0.0.1:{port}"


def test_a_port_that_is_taken_is_named(embedded: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        with pytest.raises(ConfigError, match=f"port {port} on 127.0.0.1 is taken. Choose another"):
            server.start(embedded, port=port)


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_number_that_is_no_port_is_refused(port: int) -> None:
    with pytest.raises(ConfigError, match=f"port={port} is no port"):
        server.start(Path("any.gguf"), port=port)


def test_no_threads_are_refused() -> None:
    with pytest.raises(ConfigError, match="threads=0 is no number of threads"):
        server.start(Path("any.gguf"), threads=0)


def test_a_model_cut_short_is_named_with_the_engines_reason(embedded: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    with embedded.open("rb") as whole:
        cut.write_bytes(whole.read(1_000_000))

    with pytest.raises(ConfigError, match=r"cut\.gguf' cannot be loaded: .*Choose a GGUF file"):
        server.start(cut)


def test_a_damaged_embedded_model_is_told_from_a_wrong_one(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    damaged = tmp_path / fetch.FILE
    damaged.write_bytes(b"GGUF" + bytes(1000))

    with pytest.raises(ConfigError, match=r"cannot be loaded: .*The file is damaged: reinstall it"):
        server.start(damaged)


def test_a_missing_engine_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_spec(_: str) -> None:
        return None

    monkeypatch.setattr("importlib.util.find_spec", find_spec)

    with pytest.raises(ConfigError, match=r"pip install 'interlingua\[local\]'"):
        server.start(Path("any.gguf"))


def test_importing_the_module_loads_no_engine() -> None:
    program = "import sys, interlingua_local.server; print('xllamacpp' in sys.modules)"

    out = subprocess.check_output([sys.executable, "-c", program], text=True)

    assert out == "False\n"
