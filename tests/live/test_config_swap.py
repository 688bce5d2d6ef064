"""One conversation in a file, one program: one line of the configuration says who answers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from interlingua import (
    Client,
    Message,
    ToolCall,
    read_conversation,
    save_conversation,
)
from interlingua_local import model, server

TALK = (
    Message.system("You are a helpful assistant."),
    Message.user("What is the weather in Paris?"),
    Message.assistant(["Let me look.", ToolCall("call_1", "get_weather", {"city": "Paris"})]),
    Message.tool("call_1", "21 degrees and sunny"),
    Message.assistant("It is sunny, and 21 degrees."),
)
QUESTION = "Think first"
"""What aimock's script has an answer to."""

LLAMA = """\
default = "swapped"

[models.swapped]
model = "{name}:smollm2-135m"
max_tokens = 16

[providers.chat]
like = "llamacpp"
base_url = "{address}/v1"
api_key_env = "SERVER_KEY"

[providers.responses]
like = "llamacpp-responses"
base_url = "{address}/v1"
api_key_env = "SERVER_KEY"

[providers.messages]
api = "anthropic-messages"
base_url = "{address}"
api_key_env = "SERVER_KEY"
"""

AIMOCK = """\
default = "{name}:m"

[providers.chat]
api = "openai-chat"
base_url = "{address}/v1"

[providers.responses]
api = "openai-responses"
base_url = "{address}/v1"

[providers.messages]
api = "anthropic-messages"
base_url = "{address}"

[providers.gemini]
api = "gemini-generate"
base_url = "{address}"
options = {{ api_version = "v1beta" }}
"""


@pytest.fixture(scope="module")
def engine(local_model: str) -> server.Running:
    """The engine that `Client("local")` has started."""
    return server.start(model.find_model())


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The conversation in its file, which nobody changes."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "talk.json"
    save_conversation(path, TALK)
    return path


def configured(text: str, name: str, address: str) -> None:
    Path("interlingua.toml").write_text(text.format(name=name, address=address), "utf-8")


@pytest.mark.parametrize("name", ["chat", "responses", "messages"])
def test_llama_cpp_answers_through_each_of_its_apis(
    engine: server.Running, talk: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("SERVER_KEY", engine.key)
    configured(LLAMA, name, engine.address)

    with Client.from_config() as client:
        asked = (*read_conversation(talk), Message.user("Is it warm?"))
        response = client.generate(asked)
    said = command("ask", "Is it warm?", SERVER_KEY=engine.key)
    gone_on = command("chat", str(talk), piped="Is it warm?\n", SERVER_KEY=engine.key)

    assert (response.provider, bool(response.text)) == (name, True)
    assert [loss for loss in response.losses if loss.kind == "content"] == []
    assert (said.returncode, bool(said.stdout)) == (0, True)
    assert (gone_on.returncode, bool(gone_on.stdout)) == (0, True)


@pytest.mark.parametrize("name", ["chat", "responses", "messages", "gemini"])
def test_every_api_gives_the_same_answer(aimock: str, talk: Path, name: str) -> None:
    configured(AIMOCK, name, aimock)

    with Client.from_config() as client:
        asked = (*read_conversation(talk), Message.user(QUESTION))
        response = client.generate(asked, max_tokens=100)
    said = command("ask", QUESTION)
    gone_on = command("chat", str(talk), piped=f"{QUESTION}\n/save new.json\n")

    assert (response.provider, response.text, response.losses) == (name, "Four.", ())
    assert (said.returncode, said.stdout, said.stderr) == (0, "Four.\n", "")
    assert (gone_on.returncode, gone_on.stdout) == (0, "Four.\n")
    assert read_conversation("new.json")[:-1] == (*TALK, Message.user(QUESTION))


def command(
    *arguments: str, piped: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command in the working directory."""
    kept: Mapping[str, str] = {
        key: value for key, value in os.environ.items() if not key.startswith("INTERLINGUA_")
    }
    return subprocess.run(
        [sys.executable, "-m", "interlingua", *arguments],
        env={**kept, **environment},
        input=piped,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
