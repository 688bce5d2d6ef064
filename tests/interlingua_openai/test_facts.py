"""OpenAI's models: what they refuse, and when Responses is asked instead of Chat Completions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, get_args

import pytest
from openai.types.shared.chat_model import ChatModel
from openai.types.shared.responses_model import ResponsesModel

from interlingua import (
    AsyncClient,
    Client,
    LossError,
    LossPolicy,
    Message,
    Response,
    Tool,
    ToolCall,
)
from interlingua.registry import PROVIDERS, names, provider
from interlingua_openai.facts import facts
from loopback import Vendor, events, says, streams, vendor

Json = dict[str, Any]

TOOL = Tool("depth", parameters={"type": "object"})
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "call_1",
    "name": "depth",
    "arguments": "{}",
    "status": "completed",
}
ANSWER = {"id": "resp_1", "model": "gpt-6-astra", "status": "completed", "output": [CALL]}
CHAT = {"choices": [{"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]}
MOVED = (
    "tools: gpt-6-astra takes them only in Responses, so it is asked there "
    "(OpenAI, guide latest-model, 2026-11) (lowered)"
)


def about(server: Vendor) -> Json:
    return {"api_key": "key", "base_url": f"{server.url}/v1", "max_retries": 0}


def ask(server: Vendor, spec: str, **call: Any) -> Response:
    with Client(spec, **about(server)) as client:
        return client.generate("How deep?", **call)


def ask_async(server: Vendor, spec: str, **call: Any) -> Response:
    async def run() -> Response:
        async with AsyncClient(spec, **about(server)) as client:
            return await client.generate("How deep?", **call)

    return asyncio.run(run())


@pytest.mark.parametrize("asker", [ask, ask_async])
@pytest.mark.parametrize("name", ["openai-chat", "azure-chat"])
def test_tools_that_chat_refuses_go_to_responses(asker: Callable[..., Response], name: str) -> None:
    with vendor(says(ANSWER)) as server:
        response = asker(server, f"{name}:gpt-6-astra", tools=[TOOL])

    assert server.asked[0].path == "/v1/responses"
    assert [call.name for call in response.tool_calls] == ["depth"]
    assert (response.provider, response.api) == (name, "openai-responses")
    assert [str(loss) for loss in response.losses] == [MOVED]


def test_a_stream_goes_to_responses_too() -> None:
    done = events({"type": "response.completed", "response": ANSWER})
    with (
        vendor(streams(done)) as server,
        Client("openai-chat:gpt-6-astra", **about(server)) as client,
        client.stream("How deep?", tools=[TOOL]) as stream,
    ):
        list(stream)

    assert server.asked[0].path == "/v1/responses"
    assert [call.name for call in stream.response.tool_calls] == ["depth"]


@pytest.mark.parametrize("name", ["openai-chat", "azure-chat"])
def test_the_next_turn_sends_back_what_responses_sent(name: str) -> None:
    with (
        vendor(says(ANSWER), says(ANSWER)) as server,
        Client(f"{name}:gpt-6-astra", **about(server)) as client,
    ):
        said = client.generate("How deep?", tools=[TOOL]).message
        result = Message.tool("call_1", "Nine metres.")
        client.generate([Message.user("How deep?"), said, result], tools=[TOOL])

    assert isinstance(said.content[0], ToolCall)
    assert server.asked[1].body["input"][1] == CALL


def test_without_tools_chat_is_asked() -> None:
    with vendor(says(CHAT)) as server:
        response = ask(server, "openai-chat:gpt-6-astra")

    assert server.asked[0].path == "/v1/chat/completions"
    assert response.losses == ()


@pytest.mark.parametrize(
    ("model", "settings", "path"),
    [
        ("gpt-6-sol", {}, "/v1/responses"),
        ("gpt-6-sol", {"reasoning": "none"}, "/v1/chat/completions"),
        ("gpt-5.4", {}, "/v1/chat/completions"),
        ("gpt-5.4", {"reasoning": "low"}, "/v1/responses"),
        ("gpt-5", {"reasoning": "low"}, "/v1/chat/completions"),
        ("unheard-of", {"reasoning": "low"}, "/v1/chat/completions"),
    ],
)
def test_reasoning_decides_where_some_models_are_asked(
    model: str, settings: Json, path: str
) -> None:
    with vendor(says(ANSWER if path == "/v1/responses" else CHAT)) as server:
        ask(server, f"openai-chat:{model}", tools=[TOOL], **settings)

    assert server.asked[0].path == path


def test_a_strict_policy_sends_nothing() -> None:
    with vendor() as server, pytest.raises(LossError, match="takes them only in Responses"):
        ask(server, "openai-chat:gpt-6-astra", tools=[TOOL], on_loss=LossPolicy.strict)

    assert server.asked == []


def test_sampling_is_left_out_while_a_model_reasons() -> None:
    given = {"temperature": 0.5, "top_p": 0.5, "on_loss": LossPolicy.allow}
    with vendor(says(ANSWER), says(ANSWER)) as server:
        ask(server, "openai:gpt-5.6-sol", **given)
        ask(server, "openai:gpt-5.6-sol", reasoning="none", **given)

    assert [{"temperature", "top_p"} & one.body.keys() for one in server.asked] == [
        set(),
        {"temperature", "top_p"},
    ]


def test_every_model_that_the_sdk_has_for_responses_alone_is_known() -> None:
    every = {name for kind in get_args(ResponsesModel) for name in get_args(kind)}
    alone = every - set(get_args(ChatModel))

    known = {name: facts(name) for name in alone}
    assert {name for name, row in known.items() if not row or row.on_chat != "nothing"} == set()


def test_only_openai_itself_and_azure_move() -> None:
    moving = {name for name in names(PROVIDERS) if provider(name).responses}

    assert moving == {"openai-chat", "azure-chat"}
