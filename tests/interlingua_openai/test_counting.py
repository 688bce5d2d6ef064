"""What OpenAI is asked for its models and for the tokens of a prompt: whole requests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from openai.types.responses.input_token_count_params import InputTokenCountParams

from interlingua import Client, ConfigError, FrozenDict, Message, Model, Tool, codec
from interlingua.request import Request
from interlingua_openai.catalog import COUNTED
from loopback import Vendor, says, vendor

KEY = "canary-key-0123456789"
TALK = [Message.system("Be brief."), Message.user("Grüße")]
TOOL = Tool("weather", "The weather", {"type": "object", "properties": {}})
LLAMA: dict[str, Any] = {"id": "llama", "created": 0, "meta": {"n_ctx": 2048}}


def client(server: Vendor, spec: str = "openai:gpt-6") -> Client:
    return Client(spec, api_key=KEY, base_url=f"{server.url}/v1", max_retries=0)


def test_what_is_counted_is_what_a_call_would_send_as_far_as_it_counts() -> None:
    with vendor(says({"input_tokens": 41})) as server, client(server) as made:
        count = made.count_tokens(TALK, tools=[TOOL], max_tokens=9)

    called = codec("openai-responses").encode(Request("gpt-6", TALK, [TOOL])).body
    (asked,) = server.asked
    assert count == 41
    assert (asked.method, asked.path) == ("POST", "/v1/responses/input_tokens")
    assert asked.body == {key: called[key] for key in ("model", "instructions", "input", "tools")}
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["content-type"] == "application/json"


def test_the_fields_that_count_are_those_that_the_sdk_knows() -> None:
    assert set(InputTokenCountParams.__annotations__) == COUNTED


def test_chat_completions_does_not_count_and_says_who_does() -> None:
    with (
        vendor() as server,
        client(server, "openai-chat:gpt-6") as made,
        pytest.raises(ConfigError, match="'openai:gpt-6' counts them"),
    ):
        made.count_tokens("Hi")

    assert server.asked == []


@pytest.mark.parametrize("spec", ["openai:gpt-6", "openai-chat:gpt-6"])
def test_models_are_read_with_what_hosts_say_of_them(spec: str) -> None:
    given: list[dict[str, Any]] = [
        {"id": "gpt-6", "object": "model", "created": 1790000000, "owned_by": "openai"},
        {"id": "open/model", "name": "Open Model", "context_length": 131072},
        LLAMA,
    ]

    with vendor(says({"object": "list", "data": given})) as server, client(server, spec) as made:
        listed = made.list_models()

    raw = [FrozenDict(one) for one in given]
    made_at = datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)
    assert listed == (
        Model("gpt-6", created_at=made_at, raw=raw[0]),
        Model("open/model", "Open Model", input_tokens=131072, raw=raw[1]),
        Model("llama", input_tokens=2048, raw=raw[2]),
    )
    assert [(asked.method, asked.path) for asked in server.asked] == [("GET", "/v1/models")]
