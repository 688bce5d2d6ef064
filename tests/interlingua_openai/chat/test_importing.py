"""A Chat Completions request, as a Request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interlingua import (
    Audio,
    DecodeError,
    Document,
    FrozenDict,
    Image,
    LossPolicy,
    Message,
    Opaque,
    Origin,
    Reasoning,
    Refusal,
    Request,
    ServerTool,
    Text,
    Tool,
    ToolCall,
    ToolResult,
    codec,
)

Json = dict[str, Any]
Sample = Callable[[str], Json]

API = "openai-chat"
chat = codec(API)


def extras(**fields: Any) -> FrozenDict:
    return FrozenDict({API: fields})


def imported(**body: Any) -> Request:
    return chat.decode_request({"model": "gpt-6", "messages": [], **body})


def blocks(*content: Json) -> tuple[object, ...]:
    """The parts of a user message of these blocks."""
    return imported(messages=[{"role": "user", "content": [*content]}]).messages[0].content


@pytest.mark.parametrize("name", ["request_full", "request_tools", "request_old"])
def test_a_request_is_encoded_as_it_came(name: str, sample: Sample) -> None:
    body = sample(name)

    again = chat.encode(chat.decode_request(body), LossPolicy.strict).body

    assert again == _without_nulls(body)


def _without_nulls(body: Json) -> Json:
    """The body without what says nothing: null, and an assistant's empty list of annotations."""
    messages = [
        {key: item for key, item in message.items() if item is not None and item != []}
        for message in body["messages"]
    ]
    for message in messages:
        if message["role"] == "assistant" and not message.keys() & {"tool_calls", "function_call"}:
            message.setdefault("content", "")
    stop = body.get("stop")
    spelt = {"stop": [stop]} if isinstance(stop, str) else {}
    return {**body, **spelt, "messages": messages}


def test_settings_have_their_fields(sample: Sample) -> None:
    request = chat.decode_request(sample("request_full"))

    assert request.replace(messages=(), tools=()) == Request(
        "gpt-6",
        tool_choice={"name": "look_up"},
        parallel_tool_calls=False,
        max_tokens=100,
        temperature=0,
        top_p=0.5,
        stop="END",
        seed=7,
        reasoning="low",
        response_format={
            "type": "json_schema",
            "name": "answer",
            "schema": {"type": "object"},
            "strict": True,
        },
        stream=True,
        user="user-1",
        metadata={"ticket": "42"},
        cache={"key": "key-1"},
        extras=extras(service_tier="flex", n=2),
    )


def test_tools_are_tools_and_what_is_no_function_is_the_vendors_own(sample: Sample) -> None:
    schema = {"type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"]}

    assert chat.decode_request(sample("request_full")).tools == (
        Tool("look_up", "Looks it up.", schema, strict=True),
        ServerTool(API, "custom", FrozenDict(custom={"name": "query", "format": {"type": "text"}})),
    )


def test_messages_have_their_roles_parts_and_origin(sample: Sample) -> None:
    origin = Origin("openai", API, "gpt-6")

    assert chat.decode_request(sample("request_tools")).messages == (
        Message.system("Use tools.", origin=origin),
        Message.user("Weather in Oslo and Rome?", origin=origin),
        Message.assistant(
            [
                Text("I will look."),
                ToolCall("call_1", "weather", '{"city": "Oslo"}'),
                ToolCall("call_2", "query", {}, "rome now", extras=extras(type="custom")),
            ],
            origin=origin,
        ),
        Message("tool", ToolResult("call_1", "4 degrees"), origin=origin),
        Message("tool", ToolResult("call_2", [Text("19 degrees"), Text("sunny")]), origin=origin),
        Message.assistant(Refusal("I may not say."), origin=origin),
        Message.user("", origin=origin),
    )


def test_old_calls_and_results_are_calls_and_results(sample: Sample) -> None:
    _, asked, told, said = chat.decode_request(sample("request_old")).messages

    assert [(call.name, call.arguments) for call in asked.tool_calls] == [("weather", {})]
    assert told.tool_call_id == asked.tool_calls[0].id
    assert told.tool_results[0].text == "fine"
    assert said.content == (Reasoning("The tool says so."), Text("Fine."))


@pytest.mark.parametrize(
    ("block", "part"),
    [
        ({"type": "text", "text": "a"}, Text("a")),
        (
            {
                "type": "image_url",
                "image_url": {"url": "https://example.org/a.png", "detail": "low"},
            },
            Image("https://example.org/a.png", detail="low"),
        ),
        (
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
            Image(data=b"\x89PNG\r\n\x1a\n", media_type="image/png"),
        ),
        (
            {"type": "input_audio", "input_audio": {"data": "SUQz", "format": "mp3"}},
            Audio(data=b"ID3", media_type="audio/mpeg"),
        ),
        (
            {"type": "file", "file": {"file_id": "file-1", "filename": "a.pdf"}},
            Document(file_id="file-1", name="a.pdf"),
        ),
        (
            {"type": "file", "file": {"file_data": "data:application/pdf;base64,JVBERi0="}},
            Document(data=b"%PDF-", media_type="application/pdf"),
        ),
    ],
)
def test_blocks_are_parts(block: Json, part: object) -> None:
    assert blocks(block) == (part,)


@pytest.mark.parametrize(
    "block",
    [
        {"type": "text", "text": None},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,?"}},
        {"type": "input_audio", "input_audio": {"data": "?", "format": "wav"}},
        {"type": "input_audio", "input_audio": {"data": "SUQz", "format": "ogg"}},
        {"type": "file", "file": {}},
        {"type": "video_url", "video_url": {"url": "https://example.org/a.mp4"}},
        {"no": "type"},
    ],
)
def test_a_block_in_an_unknown_shape_is_kept_whole(block: Json) -> None:
    assert blocks(block) == (Opaque(str(block.get("type")), FrozenDict(block)),)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": [{"type": "text", "text": "a", "x": 1}], "y": {"z": None}},
        {
            "role": "user",
            "content": [{"type": "image_url", "image_url": {"url": "https://a.b", "x": 1}}],
        },
        {
            "role": "user",
            "content": [
                {"type": "image_url", "image_url": {"url": "data:IMAGE/PNG;base64,iVBORw0KGgo="}}
            ],
        },
        {"role": "user", "content": [{"type": "file", "file": {"file_data": "no data URL"}}]},
        {"role": "user", "content": ["a string among blocks"]},
        {"role": "user", "content": 7},
        {"role": "user", "content": "a", "name": 7},
        {"role": "assistant", "content": ["a string among blocks"]},
        {"role": "assistant", "content": "a", "audio": {"id": "au_1"}},
        {"role": "tool", "tool_call_id": "a", "content": "b", "name": "f"},
        {
            "role": "tool",
            "tool_call_id": "a",
            "content": [{"type": "image_url", "image_url": {"url": "https://a.b"}}],
        },
    ],
)
def test_what_has_no_home_goes_back_as_it_came(message: Json) -> None:
    request = imported(messages=[message])

    assert chat.encode(request, LossPolicy.strict).body["messages"] == [message]


@pytest.mark.parametrize(
    "tool",
    [
        {"type": "function", "function": {"name": "f"}},
        {"type": "function", "function": {"name": "f", "parameters": {}}},
        {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}, "x": 1},
        {"type": "function", "function": {"name": "a.b", "parameters": {}, "description": 7}},
        {"type": "function", "function": {"name": "f", "parameters": [], "strict": "yes"}},
        {"type": "web_search"},
        {"function": 7},
    ],
)
def test_a_tool_goes_back_as_it_came(tool: Json) -> None:
    again = chat.encode(imported(tools=[tool]), LossPolicy.strict).body["tools"]

    assert again in ([tool], [{"type": "function", **tool}])


@pytest.mark.parametrize(
    "settings",
    [
        {"max_tokens": 5},
        {"max_tokens": 5, "max_completion_tokens": 6},
        {"user": "u"},
        {"user": "u", "safety_identifier": "v"},
        {"stream": True},
        {"stream": True, "stream_options": {"include_usage": False}},
        {"stream": True, "stream_options": {"include_obfuscation": False}},
        {"stream": False},
        {"stop": [1]},
        {"tools": {"no": "list"}},
        {"tool_choice": {"type": "function", "function": {"name": "a.b"}}},
        {"tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": []}}},
        {"response_format": {"type": "json_object"}},
        {"response_format": {"type": "json_schema", "json_schema": {"name": "a"}}},
        {"response_format": {"type": "grammar", "grammar": "x"}},
        {"reasoning_effort": "xhigh", "verbosity": "low"},
        {"logit_bias": {"1": -100}},
    ],
)
def test_settings_go_back_as_they_came(settings: Json) -> None:
    body: Json = {"model": "gpt-6", "messages": [], **settings}

    assert chat.encode(chat.decode_request(body), LossPolicy.strict).body == body


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "messages"),
        ({"messages": "a"}, "messages"),
        ({"messages": [{"role": "judge", "content": "a"}]}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": "a"}, 7]}, "messages[1].role"),
        ({"messages": [], "temperature": "hot"}, "temperature"),
    ],
)
def test_what_is_no_request_is_named_with_its_place(body: Json, path: str) -> None:
    with pytest.raises(DecodeError) as caught:
        chat.decode_request(body)

    assert (caught.value.api, caught.value.path) == (API, path)
