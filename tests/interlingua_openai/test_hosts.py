"""Hosts compatible with OpenAI: where they are, and what they need of a request."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import httpx
import pytest
import respx

from interlingua import (
    AuthenticationError,
    Client,
    ConfigError,
    Image,
    Message,
    Origin,
    Reasoning,
    Refusal,
    Request,
    Text,
    Tool,
    ToolCall,
    ToolResult,
)
from interlingua.loss import Loss
from interlingua.registry import PROVIDERS, names, provider
from interlingua_openai.hosts import HOSTS
from interlingua_openai.prepare import Host

Json = dict[str, Any]

KEY = "canary-key-0123456789"
AZURE = {"AZURE_OPENAI_ENDPOINT": "https://mine.openai.azure.com/"}
ADDRESSES = {
    "alibaba": "https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions",
    "azure": "https://mine.openai.azure.com/openai/v1/responses",
    "azure-chat": "https://mine.openai.azure.com/openai/v1/chat/completions",
    "cerebras": "https://api.cerebras.ai/v1/chat/completions",
    "deepseek": "https://api.deepseek.com/chat/completions",
    "fireworks": "https://api.fireworks.ai/inference/v1/chat/completions",
    "groq": "https://api.groq.com/openai/v1/chat/completions",
    "huggingface": "https://router.huggingface.co/v1/chat/completions",
    "litellm": "http://localhost:4000/chat/completions",
    "llamacpp": "http://localhost:8080/v1/chat/completions",
    "llamacpp-responses": "http://localhost:8080/v1/responses",
    "lmstudio": "http://localhost:1234/v1/chat/completions",
    "mistral": "https://api.mistral.ai/v1/chat/completions",
    "moonshot": "https://api.moonshot.ai/v1/chat/completions",
    "nvidia": "https://integrate.api.nvidia.com/v1/chat/completions",
    "ollama": "http://localhost:11434/v1/chat/completions",
    "openrouter": "https://openrouter.ai/api/v1/chat/completions",
    "perplexity": "https://api.perplexity.ai/v1/responses",
    "together": "https://api.together.ai/v1/chat/completions",
    "vllm": "http://localhost:8000/v1/chat/completions",
    "xai": "https://api.x.ai/v1/responses",
    "zai": "https://api.z.ai/api/paas/v4/chat/completions",
}
CHAT = {"choices": [{"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]}
RESPONSE: Json = {
    "status": "completed",
    "output": [
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "Hi", "annotations": []}],
        }
    ],
}


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*os.environ]:
        if name.endswith(("_KEY", "_TOKEN")) or name.startswith(("OPENAI_", "AZURE_")):
            monkeypatch.delenv(name)


def sent(name: str, *messages: Message | str, **settings: Any) -> tuple[Json, list[Loss]]:
    """What a host is sent, and what that loses."""
    host = provider(name)
    request, losses = host.prepare(Request("m", messages or ["Hi"], **settings), name)
    encoded = host.codec.encode(request)
    return encoded.body, [*losses, *encoded.losses]


def said(name: str, *parts: object, model: str = "m", **about: Any) -> Message:
    """What a model at a host has said."""
    return Message("assistant", parts, origin=Origin(name, "openai-chat", model), **about)


# -- the table


def test_every_host_is_installed() -> None:
    assert {host.name for host in HOSTS} <= set(names(PROVIDERS))


def test_the_table_is_sorted() -> None:
    named = [host.name for host in HOSTS]

    assert named == sorted(named)


def test_every_host_has_an_address_here() -> None:
    assert {host.name for host in HOSTS} == set(ADDRESSES)


def test_a_host_that_is_none_is_no_attribute() -> None:
    import interlingua_openai.hosts as module

    assert not hasattr(module, "nobody")


# -- the way there


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.name)
def test_a_host_is_asked_at_its_address_with_its_key(
    host: Host, wire: respx.Router, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(host.keys[0], KEY)
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", AZURE["AZURE_OPENAI_ENDPOINT"])
    body = CHAT if host.api == "openai-chat" else RESPONSE
    route = wire.post(ADDRESSES[host.name]).mock(return_value=httpx.Response(200, json=body))

    with Client(f"{host.name}:some/model:1") as client:
        response = client.generate("Hello")

    asked = route.calls.last.request
    assert response.message == Message.assistant(
        "Hi",
        extras=response.message.extras,
        origin=Origin(host.name, host.api, None),
    )
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert json.loads(asked.content)["model"] == "some/model:1"


@pytest.mark.parametrize("host", [one for one in HOSTS if one.needs_key], ids=lambda one: one.name)
def test_a_missing_key_is_named(host: Host) -> None:
    with pytest.raises(ConfigError, match=f"{host.name} has no key: .* set {host.keys[0]}"):
        Client(f"{host.name}:m")


def test_a_server_of_ones_own_needs_no_key(wire: respx.Router) -> None:
    route = wire.post(ADDRESSES["ollama"]).mock(return_value=httpx.Response(200, json=CHAT))

    with Client("ollama:gpt-oss:20b") as client:
        client.generate("Hello")

    assert route.calls.last.request.headers["authorization"] == "Bearer none"


def test_azure_without_an_address_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", KEY)

    with pytest.raises(ConfigError, match=r"azure has no address: .* AZURE_OPENAI_ENDPOINT"):
        Client("azure:m")


def test_another_address_and_key_can_be_given(wire: respx.Router) -> None:
    route = wire.post("http://127.0.0.1:9/v1/chat/completions").mock(
        return_value=httpx.Response(200, json=CHAT)
    )

    with Client("groq:m", api_key=KEY, base_url="http://127.0.0.1:9/v1") as client:
        client.generate("Hello")

    assert route.calls.last.request.headers["authorization"] == f"Bearer {KEY}"


def test_what_is_openais_own_is_not_told_to_others(
    wire: respx.Router, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-mine")
    route = wire.post(ADDRESSES["ollama"]).mock(return_value=httpx.Response(200, json=CHAT))

    with Client("ollama:m") as client:
        client.generate("Hello")

    told = " ".join(route.calls.last.request.headers.values())
    assert not any(secret in told for secret in (KEY, "org-mine", "proj-mine"))


def test_a_hosts_error_says_whose_it_is(wire: respx.Router) -> None:
    body = {"error": {"message": "no such key", "type": "invalid_request_error"}}
    wire.post(ADDRESSES["groq"]).mock(return_value=httpx.Response(401, json=body))

    with (
        Client("groq:m", api_key=KEY) as client,
        pytest.raises(AuthenticationError) as caught,
    ):
        client.generate("Hello")

    assert caught.value.provider == "groq"


# -- settings


def test_a_host_gets_the_fields_it_knows() -> None:
    body, losses = sent("deepseek", max_tokens=9, user="u7")

    assert body == {
        "model": "m",
        "messages": [{"role": "user", "content": "Hi"}],
        "max_tokens": 9,
        "user_id": "u7",
    }
    assert losses == []


def test_moonshot_has_the_names_of_today() -> None:
    body, losses = sent("moonshot", max_tokens=9, user="u7", cache={"key": "c1"})

    assert body == {
        "model": "m",
        "messages": [{"role": "user", "content": "Hi"}],
        "max_completion_tokens": 9,
        "safety_identifier": "u7",
        "prompt_cache_key": "c1",
    }
    assert losses == []


def test_mistral_gets_its_own_words() -> None:
    wanted: Json = {"max_tokens": 9, "seed": 3, "top_k": 7, "tool_choice": "required"}

    body, losses = sent("mistral", **wanted, metadata={"a": "b"}, stream=True)

    assert body == {
        "model": "m",
        "messages": [{"role": "user", "content": "Hi"}],
        "max_tokens": 9,
        "random_seed": 3,
        "top_k": 7,
        "metadata": {"a": "b"},
        "tool_choice": "any",
        "stream": True,
    }
    assert losses == []


def test_what_a_host_refuses_is_left_out_and_reported() -> None:
    body, losses = sent("groq", metadata={"a": "b"}, cache={"key": "c1"})

    assert body.keys() == {"model", "messages"}
    assert losses == [
        Loss("metadata", "setting", "groq refuses it"),
        Loss("cache.key", "setting", "groq refuses it"),
    ]


def test_a_choice_that_a_host_does_not_have_is_reported() -> None:
    body, losses = sent("moonshot", tool_choice="required")

    assert "tool_choice" not in body
    assert losses == [Loss("tool_choice", "setting", "moonshot does not have 'required'")]


@pytest.mark.parametrize("choice", ["required", "none", {"name": "look"}], ids=str)
@pytest.mark.parametrize("name", ["ollama", "zai"])
def test_a_host_that_decides_itself_about_tools_is_not_told(name: str, choice: Any) -> None:
    body, losses = sent(name, tool_choice=choice)

    assert "tool_choice" not in body
    assert [(loss.path, loss.action) for loss in losses] == [("tool_choice", "dropped")]


def test_a_tool_that_a_host_cannot_be_told_to_call_is_any_tool() -> None:
    body, losses = sent("llamacpp", tool_choice="look")

    assert body["tool_choice"] == "required"
    assert losses == [
        Loss("tool_choice", "setting", "llamacpp cannot be told which tool to call", "lowered")
    ]


def test_a_models_message_says_that_it_is_one_where_the_host_cannot_tell() -> None:
    origin = Origin("llamacpp-responses", "openai-responses", "m")
    texts = [Text("Yes."), Text("No.")]
    here, elsewhere = Message("assistant", texts, origin=origin), Message.assistant("Perhaps.")

    body, losses = sent("llamacpp-responses", "Hi", here, elsewhere)
    usual, _ = sent("xai", "Hi", elsewhere)

    assert body["input"] == [
        {"role": "user", "content": "Hi"},
        {"type": "message", "role": "assistant", "content": [output("Yes.")]},
        {"type": "message", "role": "assistant", "content": [output("No.")]},
        {"type": "message", "role": "assistant", "content": "Perhaps."},
    ]
    assert losses == []
    assert usual["input"][1] == {"role": "assistant", "content": "Perhaps."}


def output(text: str) -> Json:
    return {"type": "output_text", "text": text, "annotations": []}


def test_a_choice_in_the_hosts_own_json_is_sent_whatever_the_host_is_known_for() -> None:
    own = {"thinking": {"type": "disabled"}, "tool_choice": "required"}

    body, losses = sent("deepseek", tool_choice="auto", extras={"openai-chat": own})

    assert (body["thinking"], body["tool_choice"]) == ({"type": "disabled"}, "required")
    assert losses == []


def test_openrouter_takes_a_budget_for_reasoning() -> None:
    body, losses = sent("openrouter", reasoning={"budget_tokens": 2000}, top_k=7)

    assert body["reasoning"] == {"max_tokens": 2000}
    assert body["top_k"] == 7
    assert losses == []


def test_the_users_own_fields_win() -> None:
    body, _ = sent("deepseek", max_tokens=9, extras={"openai-chat": {"max_tokens": 7}})

    assert body["max_tokens"] == 7


def test_strict_is_left_out_where_no_tool_can_be() -> None:
    tool = Tool("look", parameters={"type": "object"}, strict=True)

    body, losses = sent("moonshot", tools=[tool])

    assert body["tools"] == [
        {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
    ]
    assert losses == [Loss("tools[0].strict", "setting", "moonshot takes no strict tools")]


def test_openai_itself_gets_what_the_codec_writes() -> None:
    request = Request("m", ["Hi"], max_tokens=9, user="u7", stream=True)

    assert provider("openai-chat").prepare(request, "openai-chat") == (request, [])


# -- messages


def test_a_developer_is_the_system_where_the_role_is_unknown() -> None:
    body, losses = sent("groq", Message.developer("Be brief."), "Hi")

    assert body["messages"][0] == {"role": "system", "content": "Be brief."}
    assert losses == [
        Loss("messages[0].role", "setting", "groq has no developer role", "lowered"),
    ]


def test_a_developer_stays_one_where_the_role_is_known() -> None:
    body, losses = sent("openrouter", Message.developer("Be brief."), "Hi")

    assert body["messages"][0] == {"role": "developer", "content": "Be brief."}
    assert losses == []


def test_names_of_speakers_are_left_out_where_they_are_refused() -> None:
    body, losses = sent("groq", Message.user("Hi", name="Ada"))

    assert body["messages"] == [{"role": "user", "content": "Hi"}]
    assert losses == [
        Loss("messages[0].name", "setting", "groq takes no names of speakers"),
    ]


@pytest.mark.parametrize("author", ["openai", "deepseek"])
def test_a_refusal_from_elsewhere_is_a_text(author: str) -> None:
    body, losses = sent("groq", "Hi", said(author, Refusal("No.")), "So?")

    assert body["messages"][1] == {"role": "assistant", "content": "No."}
    assert losses == [
        Loss(
            "messages[1].content[0]",
            "content",
            "groq did not refuse this; sent as text",
            "lowered",
        ),
    ]


@pytest.mark.parametrize(
    ("name", "author"),
    [("openrouter", "openrouter"), ("azure-chat", "openai"), ("openai-chat", "openai")],
)
def test_a_refusal_stays_one_where_it_is_known(name: str, author: str) -> None:
    body, losses = sent(name, "Hi", said(author, Refusal("No.")), "So?")

    assert body["messages"][1] == {"role": "assistant", "content": "", "refusal": "No."}
    assert losses == []


def test_texts_of_one_message_are_one_where_a_list_would_not_be_read() -> None:
    result = ToolResult("c1", [Text("4"), Text("°C")])

    body, losses = sent(
        "zai",
        Message("user", [Text("Hi"), Text("there")]),
        Message("assistant", [Text("Let me"), Text("look."), ToolCall("c1", "look", {})]),
        Message("tool", [result]),
    )

    assert [message["content"] for message in body["messages"]] == [
        "Hi\n\nthere",
        "Let me\n\nlook.",
        "4\n\n°C",
    ]
    assert losses == []


def test_texts_around_an_image_stay_a_list() -> None:
    image = Image(url="https://example.org/a.png")

    body, _ = sent("zai", Message("user", [Text("Look:"), image, Text("Well?")]))

    assert [block["type"] for block in body["messages"][0]["content"]] == [
        "text",
        "image_url",
        "text",
    ]


@pytest.mark.parametrize("name", ["deepseek", "moonshot"])
def test_a_turn_with_calls_has_reasoning_where_it_must(name: str) -> None:
    call, result = ToolCall("c1", "look", {}), Message("tool", [ToolResult("c1", "4")])

    body, losses = sent(name, "Hi", said("groq", Reasoning("hm"), call), result)

    assert body["messages"][1]["reasoning_content"] == " "
    assert body["messages"][1]["tool_calls"][0]["function"]["name"] == "look"
    assert losses == [
        Loss("messages[1]", "provenance", f"{name} wants reasoning with calls", "synthesised"),
        Loss("messages[1].content[0]", "provenance", "reasoning of another vendor"),
    ]


def test_reasoning_that_is_there_needs_no_stand_in() -> None:
    call, result = ToolCall("c1", "look", {}), Message("tool", [ToolResult("c1", "4")])

    body, losses = sent("deepseek", "Hi", said("deepseek", Reasoning("hm"), call), result)

    assert body["messages"][1]["reasoning_content"] == "hm"
    assert losses == []


def test_perplexity_gets_back_what_was_said_and_not_what_was_searched() -> None:
    found: Json = {"type": "search_results", "results": [], "queries": ["weather"]}
    answer = provider("perplexity").codec.decode(
        {**RESPONSE, "output": [found, *RESPONSE["output"]]}
    )
    own = Origin("perplexity", "openai-responses", "m")

    body, losses = sent("perplexity", "Hello", answer.message.replace(origin=own), "So?")

    assert body["input"][1:-1] == [{"role": "assistant", "content": "Hi"}]
    assert losses == [
        Loss("messages[1].content[0]", "provenance", "perplexity does not take it back"),
    ]


def test_mistral_gets_ids_of_nine_letters() -> None:
    call = ToolCall("call_0123456789", "look", {})

    body, losses = sent(
        "mistral",
        "Hi",
        Message("assistant", [call]),
        Message("tool", [ToolResult("call_0123456789", "4")]),
    )

    [_, assistant, tool] = body["messages"]
    assert assistant["tool_calls"][0]["id"] == tool["tool_call_id"]
    assert len(tool["tool_call_id"]) == 9
    assert tool["tool_call_id"].isalnum()
    assert losses == []


def test_mistrals_own_ids_stay() -> None:
    body, _ = sent(
        "mistral",
        "Hi",
        Message("assistant", [ToolCall("g6fVbXS8K", "look", {})]),
        Message("tool", [ToolResult("g6fVbXS8K", "4")]),
    )

    assert body["messages"][2]["tool_call_id"] == "g6fVbXS8K"


def test_reasoning_goes_back_to_the_host_it_came_from() -> None:
    body, losses = sent("deepseek", "Hi", said("deepseek", Reasoning("hm"), Text("Ho")), "So?")

    assert body["messages"][1] == {
        "role": "assistant",
        "reasoning_content": "hm",
        "content": "Ho",
    }
    assert losses == []


def test_reasoning_and_fields_of_one_host_do_not_go_to_another() -> None:
    details = {"openai-chat": {"reasoning_details": [{"type": "reasoning.encrypted"}]}}
    turn = said("openrouter", Reasoning("hm"), Text("Ho"), extras=details)

    body, losses = sent("deepseek", "Hi", turn, "So?")

    assert body["messages"][1] == {"role": "assistant", "content": "Ho"}
    assert losses == [
        Loss("messages[1]", "provenance", "reasoning_details: belongs to openrouter"),
        Loss("messages[1].content[0]", "provenance", "reasoning of another vendor"),
    ]


def test_what_a_host_said_is_another_vendors_to_openai() -> None:
    body, losses = sent("openai-chat", "Hi", said("groq", Reasoning("hm"), Text("Ho")), "So?")

    assert body["messages"][1] == {"role": "assistant", "content": "Ho"}
    assert losses == [
        Loss("messages[1].content[0]", "provenance", "reasoning of another vendor"),
    ]


def test_what_the_codec_alone_decoded_is_openais_own() -> None:
    body, losses = sent("openai-chat", "Hi", said("openai", Reasoning("hm"), Text("Ho")), "So?")

    assert body["messages"][1]["reasoning_content"] == "hm"
    assert losses == []


def test_groq_gets_reasoning_back_for_the_same_model_only() -> None:
    own, other = said("groq", Reasoning("hm"), Text("Ho")), "So?"

    same, _ = sent("groq", "Hi", own, other)
    changed, losses = sent("groq", "Hi", own.replace(origin=Origin("groq", "openai-chat", "n")))

    assert same["messages"][1]["reasoning_content"] == "hm"
    assert changed["messages"][1] == {"role": "assistant", "content": "Ho"}
    assert losses == [
        Loss("messages[1].content[0]", "provenance", "reasoning of another model"),
    ]


def test_a_turn_is_prepared_once() -> None:
    turn = said("groq", Reasoning("hm"), Text("Ho"))

    first, _ = provider("deepseek").prepare(Request("m", ["Hi", turn]), "deepseek")
    second, _ = provider("deepseek").prepare(Request("m", ["Hi", turn, "So?"]), "deepseek")

    assert first.messages[1] is second.messages[1]


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.name)
def test_a_host_stands_in_the_documentation(host: Host) -> None:
    page = Path(__file__).parents[2] / "docs" / "providers" / "hosts.md"
    [row] = [line for line in page.read_text("utf-8").splitlines() if f"| `{host.name}` |" in line]

    assert all(f"`{told}`" in row for told in (host.api, host.base_url, *host.keys))
