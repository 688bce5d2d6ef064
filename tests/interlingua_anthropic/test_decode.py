"""What the Messages API answers, as a Response; what it was asked, as a Request."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, get_args

import pytest
from anthropic.types import StopReason

from interlingua import (
    DecodeError,
    Document,
    FrozenDict,
    Image,
    Message,
    Opaque,
    Origin,
    OverloadedError,
    Part,
    Reasoning,
    Request,
    ServerTool,
    ServerToolCall,
    ServerToolResult,
    Text,
    Tool,
    ToolCall,
    ToolResult,
    Usage,
    codec,
)
from interlingua_anthropic.decode import FINISH, part

Json = dict[str, Any]
Sample = Callable[[str], Json]

API = "anthropic-messages"
ORIGIN = Origin("anthropic", API, "claude-sonnet-5")
PNG = b"\x89PNG\r\n\x1a\n"


def fields(**given: object) -> FrozenDict:
    """The vendor's own fields, as a part keeps them."""
    return FrozenDict({API: given})


def test_an_answer_in_text_is_read_whole(sample: Sample) -> None:
    response = codec(API).decode(sample("answer_text"))

    assert response.message == Message.assistant("The harbour opens at six.", origin=ORIGIN)
    assert (response.finish_reason, response.raw_finish_reason) == ("stop", "end_turn")
    assert (response.id, response.model) == ("msg_01Harbour", "claude-sonnet-5")
    assert (response.provider, response.api) == ("anthropic", API)
    assert response.raw == sample("answer_text")


def test_input_tokens_count_what_the_cache_read_and_wrote(sample: Sample) -> None:
    response = codec(API).decode(sample("answer_text"))

    assert response.usage == Usage(
        input_tokens=1212,
        output_tokens=40,
        cache_read_tokens=900,
        cache_write_tokens=300,
        reasoning_tokens=25,
        details=FrozenDict(
            cache_creation={"ephemeral_5m_input_tokens": 300, "ephemeral_1h_input_tokens": 0},
            service_tier="standard",
        ),
    )


def test_tokens_that_were_not_counted_are_unknown() -> None:
    assert codec(API).decode({"content": []}).usage == Usage()


def test_parts_keep_the_order_of_their_blocks(sample: Sample) -> None:
    response = codec(API).decode(sample("answer_tools"))

    assert response.message.content == (
        Reasoning("Two ferries, two lookups.", "c2VhbC1vbmU="),
        Reasoning(redacted="aGlkZGVuLXRob3VnaHQ="),
        Text("Let me look. "),
        ToolCall("toolu_01A", "ferry_times", {"line": 3}),
        Text("And the other one."),
        ToolCall(
            "toolu_01B", "ferry_times", {"line": 7.0}, extras=fields(caller={"type": "direct"})
        ),
    )
    assert response.finish_reason == "tool_calls"


def test_what_the_vendors_own_tools_did_is_read(sample: Sample) -> None:
    given = sample("answer_search")["content"]

    read = [part(block) for block in given]

    assert read == [
        ServerToolCall("srvtoolu_01", "web_search", FrozenDict(query="harbour hours")),
        ServerToolResult("srvtoolu_01", "web_search", given[1]["content"]),
        ServerToolCall("srvtoolu_02", "web_fetch", FrozenDict(given[2]["input"])),
        ServerToolResult("srvtoolu_02", "web_fetch", given[3]["content"], is_error=True),
        ServerToolCall(
            "mcptoolu_01", "tides", extras=fields(type="mcp_tool_use", server_name="sea")
        ),
        ServerToolResult("mcptoolu_01", "mcp", given[5]["content"], extras=fields(is_error=False)),
        Text("It opens at six.", citations=given[6]["citations"]),
        Opaque("container_upload", FrozenDict(given[7])),
        Opaque("lighthouse", FrozenDict(given[8])),
    ]


@pytest.mark.parametrize(
    "block",
    [
        {"type": "tool_use", "id": "", "name": "f", "input": {}},
        {"type": "tool_use", "id": "t", "name": "f", "input": [1]},
        {"type": "server_tool_use", "id": "t", "name": "f", "input": "x"},
        {"type": "thinking", "thinking": "hm", "signature": 7},
        {"type": "text", "text": None},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "?"}},
        {"type": "image", "source": {"type": "text", "media_type": "text/plain", "data": "x"}},
        {"type": "document", "source": {"type": "url", "url": "data:text/plain;base64,eA=="}},
        {"type": "document", "source": {"type": "content", "content": [{"type": "image"}]}},
        {"type": 7},
        {},
    ],
    ids=json.dumps,
)
def test_a_block_in_an_unknown_shape_is_kept_whole(block: Json) -> None:
    kind = block.get("type")

    assert part(block) == Opaque(kind if isinstance(kind, str) else "", FrozenDict(block))


def test_a_block_keeps_the_fields_that_have_no_home_here() -> None:
    block = {"type": "text", "text": "hi", "cache_control": {"type": "ephemeral"}, "later": None}

    assert part(block) == Text("hi", extras=fields(cache_control={"type": "ephemeral"}))


@pytest.mark.parametrize(("word", "reason"), FINISH.items())
def test_every_stop_reason_has_its_finish_reason(word: str, reason: str) -> None:
    response = codec(API).decode({"content": [], "stop_reason": word})

    assert (response.finish_reason, response.raw_finish_reason) == (reason, word)


def test_every_stop_reason_the_sdk_knows_has_a_row() -> None:
    assert set(get_args(StopReason)) <= set(FINISH)


@pytest.mark.parametrize("word", ["sunset", None])
def test_a_new_stop_reason_is_other(word: str | None) -> None:
    response = codec(API).decode({"content": [], "stop_reason": word})

    assert (response.finish_reason, response.raw_finish_reason) == ("other", word)


def test_an_answer_without_content_says_nothing() -> None:
    response = codec(API).decode({"type": "message", "content": None, "stop_reason": "refusal"})

    assert response.message.content == ()
    assert response.finish_reason == "refusal"


@pytest.mark.parametrize(
    "body", [{}, {"content": 3}, {"message": "no such model"}, b"[]", "no JSON"]
)
def test_what_is_no_answer_raises_decode_error(body: object) -> None:
    with pytest.raises(DecodeError):
        codec(API).decode(body)


def test_an_error_in_the_clothes_of_an_answer_is_raised() -> None:
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}

    with pytest.raises(OverloadedError, match="Overloaded"):
        codec(API).decode(body)


def test_tool_input_that_is_no_object_is_kept_as_text() -> None:
    call = part({"type": "tool_use", "id": "t", "name": "f", "input": '{"a": '})

    assert isinstance(call, ToolCall)
    assert call == ToolCall("t", "f", '{"a": ')
    assert not call.is_valid


def test_a_request_is_read_into_messages(sample: Sample) -> None:
    request = codec(API).decode_request(sample("request_full"))

    assert [message.role for message in request.messages] == [
        *("system", "user", "assistant", "tool", "user", "system", "assistant")
    ]
    assert {message.origin for message in request.messages} == {ORIGIN}
    assert request.messages[0].content == (
        Text("You know the harbour."),
        Text(
            "Answer briefly.",
            extras=fields(cache_control={"type": "ephemeral", "ttl": "1h"}),
        ),
    )
    assert request.messages[3].content == (
        ToolResult("toolu_01", "six"),
        ToolResult(
            "toolu_02",
            (
                Text("no such day"),
                Opaque("tool_reference", FrozenDict(type="tool_reference", tool_name="hours")),
            ),
            is_error=True,
        ),
    )
    assert request.messages[5] == Message.system(
        "From now on in French.", origin=ORIGIN, extras={API: {"role": "system"}}
    )


def test_media_of_a_request_are_read(sample: Sample) -> None:
    request = codec(API).decode_request(sample("request_full"))

    assert request.messages[1].content[:6] == (
        Image(data=PNG, media_type="image/png", detail="downsize"),
        Image(
            "https://harbour.example/map.png",
            extras=fields(cache_control={"type": "ephemeral"}),
        ),
        Image(file_id="file_02"),
        Document(
            text="No swimming.",
            media_type="text/plain",
            name="Rules",
            extras=fields(context="of the port", citations={"enabled": True}),
        ),
        Document(data=b"%PDF-1.4\n", media_type="application/pdf"),
        Document("https://harbour.example/tides"),
    )


def test_a_document_of_text_blocks_is_read_as_its_text(sample: Sample) -> None:
    request = codec(API).decode_request(sample("request_full"))

    read = request.messages[1].content[6]

    assert isinstance(read, Document)
    assert read.text == "One.\n\nTwo."


def test_tools_of_a_request_are_read(sample: Sample) -> None:
    request = codec(API).decode_request(sample("request_full"))

    assert request.tools == (
        Tool(
            "hours",
            "When it opens",
            {
                "type": "object",
                "properties": {"day": {"type": ["string", "null"], "default": None}},
            },
            strict=True,
            extras={API: {"defer_loading": False}},
        ),
        Tool("odd", extras={API: {"input_schema": {"type": None, "properties": None}}}),
        Tool(
            "loose", parameters={"properties": {}}, extras={API: {"input_schema": {"type": None}}}
        ),
        ServerTool(API, "web_search_20260318", {"name": "web_search", "max_uses": 3}),
        ServerTool(API, "computer_toolset_20260801"),
    )


def test_settings_of_a_request_are_read(sample: Sample) -> None:
    request = codec(API).decode_request(sample("request_full"))

    assert request.replace(messages=(), tools=()) == Request(
        "claude-sonnet-5",
        tool_choice="auto",
        parallel_tool_calls=False,
        max_tokens=8000,
        stop="END",
        reasoning={"effort": "high", "budget_tokens": 2048, "summary": "omitted"},
        response_format={"type": "json_schema", "schema": {"type": "object", "default": None}},
        stream=True,
        user="u-7",
        cache={"ttl": "5m"},
        extras={API: {"service_tier": "standard_only"}},
    )


def test_settings_of_an_old_request_are_read_and_keep_their_spelling(sample: Sample) -> None:
    request = codec(API).decode_request(sample("request_old"))

    assert request.replace(messages=(), tools=()) == Request(
        "",
        tool_choice={"name": "f"},
        max_tokens=2000,
        temperature=0,
        top_p=0.9,
        top_k=40,
        reasoning={"budget_tokens": 1024},
        response_format={"type": "json_schema", "schema": {"type": "object"}},
        extras={
            API: {
                "anthropic_version": "bedrock-2023-05-31",
                "temperature": 0,
                "top_p": 0.9,
                "top_k": 40,
                "output_config": None,
                "output_format": {"type": "json_schema", "schema": {"type": "object"}},
                "tool_choice": {"type": "tool", "name": "f"},
            }
        },
    )


@pytest.mark.parametrize(
    ("given", "choice", "parallel"),
    [
        ({"type": "auto"}, "auto", None),
        ({"type": "none"}, "none", None),
        ({"type": "any"}, "required", None),
        ({"type": "tool", "name": "f"}, {"name": "f"}, None),
        ({"type": "any", "disable_parallel_tool_use": True}, "required", False),
        ({"type": "auto", "disable_parallel_tool_use": False}, "auto", True),
    ],
)
def test_every_tool_choice_is_read(given: Json, choice: object, parallel: bool | None) -> None:
    request = codec(API).decode_request({"messages": [], "max_tokens": 1, "tool_choice": given})

    assert (request.tool_choice, request.parallel_tool_calls) == (choice, parallel)


@pytest.mark.parametrize(
    ("given", "reasoning"),
    [
        ({"thinking": {"type": "disabled"}}, {"effort": "none"}),
        ({"thinking": {"type": "enabled", "budget_tokens": 2000}}, {"budget_tokens": 2000}),
        ({"output_config": {"effort": "max"}}, {"effort": "max"}),
        ({"thinking": {"type": "adaptive"}}, None),
    ],
)
def test_every_way_of_thinking_is_read(given: Json, reasoning: Json | None) -> None:
    request = codec(API).decode_request({"messages": [], "max_tokens": 9000, **given})

    assert request.reasoning == reasoning


@pytest.mark.parametrize("name", ["request_full", "request_old"])
def test_a_request_goes_out_as_it_came_in(sample: Sample, name: str) -> None:
    given = sample(name)

    sent = codec(API).encode(codec(API).decode_request(given)).body

    assert sent == with_blocks(given)


@pytest.mark.parametrize("name", ["request_full", "request_old"])
def test_a_request_that_came_in_loses_nothing(sample: Sample, name: str) -> None:
    request = codec(API).decode_request(sample(name))

    assert codec(API).encode(request).losses == ()


def test_a_field_of_a_turn_keeps_the_turn_apart() -> None:
    turns = [
        {"role": "user", "content": [{"type": "text", "text": "a"}], "later": 1},
        {"role": "user", "content": [{"type": "text", "text": "b"}]},
    ]
    request = codec(API).decode_request({"model": "m", "max_tokens": 1, "messages": turns})

    assert codec(API).encode(request).body["messages"] == turns


def test_a_limit_that_was_not_there_is_not_made_up() -> None:
    body: Json = {"model": "m", "messages": []}

    assert codec(API).encode(codec(API).decode_request(body)).body == body


def test_streaming_can_be_turned_on_in_a_request_that_had_it_off() -> None:
    body: Json = {"model": "m", "max_tokens": 1, "messages": [], "stream": False}

    request = codec(API).decode_request(body).replace(stream=True)

    assert codec(API).encode(request).body["stream"] is True


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "messages"),
        ({"messages": [{"role": "stranger", "content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": 4}]}, "messages[0].content"),
        ({"messages": [], "system": 4}, "system"),
    ],
)
def test_what_is_no_request_raises_decode_error_with_its_place(body: Json, path: str) -> None:
    with pytest.raises(DecodeError) as caught:
        codec(API).decode_request(body)

    assert caught.value.path == path


@pytest.mark.parametrize(
    "block",
    [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "tool_use", "id": "t", "name": "f", "input": {}},
        {"type": "tool_result", "tool_use_id": "", "content": "x"},
    ],
    ids=lambda block: block["type"],
)
def test_a_block_that_cannot_stand_in_a_user_turn_is_kept_whole(block: Json) -> None:
    body = {"messages": [{"role": "user", "content": [block]}]}

    expected: tuple[Part, ...] = (Opaque(block["type"], FrozenDict(block)),)
    assert codec(API).decode_request(body).messages[0].content == expected


def with_blocks(body: Json) -> Json:
    """The body with strings as the text blocks they stand for."""
    made = json.loads(json.dumps(body))
    for holder in [made, *made["messages"], *made["messages"][-1:]]:
        key = "system" if holder is made else "content"
        if isinstance(holder.get(key), str):
            holder[key] = [{"type": "text", "text": holder[key]}]
    for message in made["messages"]:
        for block in message["content"]:
            if block["type"] == "tool_result" and isinstance(block["content"], str):
                block["content"] = [{"type": "text", "text": block["content"]}]
    return made
