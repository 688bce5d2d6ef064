"""What Anthropic is asked for its models and for the tokens of a prompt: whole requests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from anthropic.types import MessageCountTokensParams

from interlingua import Client, FrozenDict, Message, Model, Request, Tool, codec
from interlingua_anthropic.catalog import COUNTED
from loopback import Vendor, says, vendor

KEY = "canary-key-0123456789"
TALK = [Message.system("Be brief."), Message.user("Grüße")]
TOOL = Tool("weather", "The weather", {"type": "object", "properties": {}})
SONNET: dict[str, Any] = {
    "type": "model",
    "id": "claude-sonnet-5",
    "display_name": "Claude Sonnet 5",
    "created_at": "2026-09-21T14:13:20Z",
    "max_input_tokens": 1000000,
    "max_tokens": 128000,
}
HEADERS = {"user_profile_id", "workspace_id"}
"""Arguments of the SDK's method that are sent as headers."""


def client(server: Vendor) -> Client:
    return Client("anthropic:claude-sonnet-5", api_key=KEY, base_url=server.url, max_retries=0)


def test_what_is_counted_is_what_a_call_would_send_as_far_as_it_counts() -> None:
    with vendor(says({"input_tokens": 41})) as server, client(server) as made:
        count = made.count_tokens(TALK, tools=[TOOL], max_tokens=9)

    called = codec("anthropic-messages").encode(Request("claude-sonnet-5", TALK, [TOOL])).body
    (asked,) = server.asked
    assert count == 41
    assert (asked.method, asked.path) == ("POST", "/v1/messages/count_tokens")
    assert asked.body == {key: called[key] for key in ("model", "messages", "system", "tools")}
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["content-type"] == "application/json"


def test_the_fields_that_count_are_those_that_the_sdk_knows() -> None:
    assert set(MessageCountTokensParams.__annotations__) - HEADERS == COUNTED - {"prefill"}


def test_models_are_read_page_by_page() -> None:
    first = says({"data": [SONNET], "has_more": True, "last_id": "claude-sonnet-5"})
    second = says({"data": [{"id": "claude-new"}], "has_more": False, "last_id": "claude-new"})

    with vendor(first, second) as server, client(server) as made:
        listed = made.list_models()

    made_at = datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)
    assert listed == (
        Model("claude-sonnet-5", "Claude Sonnet 5", made_at, 1000000, 128000, FrozenDict(SONNET)),
        Model("claude-new", raw=FrozenDict({"id": "claude-new"})),
    )
    assert [(asked.method, asked.path) for asked in server.asked] == [
        ("GET", "/v1/models?limit=1000"),
        ("GET", "/v1/models?limit=1000&after_id=claude-sonnet-5"),
    ]
