"""A Request as Chat Completions JSON."""

from __future__ import annotations

from typing import Any

import pytest

from interlingua import (
    Audio,
    Document,
    FrozenDict,
    Image,
    Loss,
    LossPolicy,
    Message,
    Opaque,
    Origin,
    Part,
    Reasoning,
    Refusal,
    Request,
    ServerTool,
    ServerToolCall,
    ServerToolResult,
    Text,
    Tool,
    ToolCall,
    ToolResult,
    Video,
    codec,
)

Json = dict[str, Any]

API = "openai-chat"
HOME = Origin("openai", API, "gpt-6")
ELSEWHERE = Origin("anthropic", "anthropic-messages", "claude")
PNG = b"\x89PNG\r\n\x1a\n"

chat = codec(API)


def written(*messages: Message, **settings: Any) -> tuple[Json, tuple[Loss, ...]]:
    """The body without its model, and the losses."""
    encoded = chat.encode(Request("gpt-6", messages, **settings), LossPolicy.allow)
    body = dict(encoded.body)
    assert body.pop("model") == "gpt-6"
    return body, encoded.losses


def said(*messages: Message) -> list[Json]:
    """The messages of the body, of which nothing is lost."""
    body, losses = written(*messages)
    assert losses == ()
    assert body.keys() == {"messages"}
    return body["messages"]


def lost(*messages: Message) -> tuple[list[Json], list[str]]:
    """The messages of the body, and the losses in words."""
    body, losses = written(*messages)
    return body["messages"], [f"{loss.path} {loss.kind} {loss.action}" for loss in losses]


def call(id: str = "call_1", name: str = "f", arguments: str = "{}") -> Json:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


# -- roles and text


@pytest.mark.parametrize("role", ["system", "developer", "user", "assistant"])
def test_text_is_a_string_in_its_own_role(role: Any) -> None:
    assert said(Message(role, "Hello")) == [{"role": role, "content": "Hello"}]


def test_system_messages_stay_where_they_are() -> None:
    talk = [Message.user("a"), Message.system("b"), Message.user("c"), Message.developer("d")]

    assert [message["role"] for message in said(*talk)] == ["user", "system", "user", "developer"]


def test_neighbours_of_one_role_are_not_joined() -> None:
    assert said(Message.user("a"), Message.user("b")) == [
        {"role": "user", "content": "a"},
        {"role": "user", "content": "b"},
    ]


def test_several_texts_are_several_blocks() -> None:
    assert said(Message.user(["a", " b "])) == [
        {
            "role": "user",
            "content": [{"type": "text", "text": "a"}, {"type": "text", "text": " b "}],
        }
    ]


def test_a_message_of_nothing_says_the_empty_text() -> None:
    assert said(Message.user(None), Message.user("")) == [{"role": "user", "content": ""}] * 2


def test_names_go_along() -> None:
    assert said(Message.user("a", name="ada"), Message.assistant("b", name="bob")) == [
        {"role": "user", "content": "a", "name": "ada"},
        {"role": "assistant", "content": "b", "name": "bob"},
    ]


def test_metadata_of_the_application_is_not_sent() -> None:
    assert said(Message.user("a", metadata={"id": 1})) == [{"role": "user", "content": "a"}]


# -- media


@pytest.mark.parametrize(
    ("part", "block"),
    [
        (
            Image("https://example.org/a.png", detail="low"),
            {
                "type": "image_url",
                "image_url": {"url": "https://example.org/a.png", "detail": "low"},
            },
        ),
        (
            Image(data=PNG),
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
        ),
        (
            Audio(data=b"RIFF\0\0\0\0WAVE"),
            {"type": "input_audio", "input_audio": {"data": "UklGRgAAAABXQVZF", "format": "wav"}},
        ),
        (
            Audio(data=b"ID3\x03"),
            {"type": "input_audio", "input_audio": {"data": "SUQzAw==", "format": "mp3"}},
        ),
        (
            Document(data=b"%PDF-", name="a.pdf"),
            {
                "type": "file",
                "file": {"file_data": "data:application/pdf;base64,JVBERi0=", "filename": "a.pdf"},
            },
        ),
        (Document(file_id="file-1"), {"type": "file", "file": {"file_id": "file-1"}}),
    ],
)
def test_media_have_blocks(part: Part, block: Json) -> None:
    assert said(Message.user(part)) == [{"role": "user", "content": [block]}]


def test_a_plain_document_is_sent_as_text() -> None:
    messages, losses = lost(Message.user(Document(text="Once.")))

    assert messages == [{"role": "user", "content": "Once."}]
    assert losses == ["messages[0].content[0] content lowered"]


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        (Image(file_id="file-1"), "content"),
        (Audio("https://example.org/a.wav"), "content"),
        (Audio(data=b"fLaC"), "content"),
        (Video("https://example.org/a.mp4"), "content"),
        (Document("https://example.org/a.pdf"), "content"),
    ],
)
def test_media_that_the_api_does_not_take_are_losses(part: Part, kind: str) -> None:
    messages, losses = lost(Message.user(["see", part]))

    assert messages == [{"role": "user", "content": "see"}]
    assert losses == [f"messages[0].content[1] {kind} dropped"]


def test_media_stand_in_user_messages_only() -> None:
    messages, losses = lost(
        Message.system(["a", Image(data=PNG)]), Message.assistant(Image(data=PNG))
    )

    assert messages == [{"role": "system", "content": "a"}]
    assert losses == [
        "messages[0].content[1] content dropped",
        "messages[1].content[0] content dropped",
    ]


def test_a_detail_the_api_does_not_have_is_a_lost_setting() -> None:
    messages, losses = lost(Message.user(Image("https://example.org/a.png", detail="ultra")))

    assert messages[0]["content"] == [
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    ]
    assert losses == ["messages[0].content[0] setting dropped"]


# -- what the model said


def test_calls_follow_the_text_in_their_order() -> None:
    talk = [
        Message.assistant("Wait.", tool_calls=[ToolCall("a", "f", {"x": 1}), ToolCall("b", "g")]),
        Message.tool("a", "1"),
        Message.tool("b", "2"),
    ]

    assert said(*talk) == [
        {
            "role": "assistant",
            "content": "Wait.",
            "tool_calls": [call("a", "f", '{"x":1}'), call("b", "g")],
        },
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "tool", "tool_call_id": "b", "content": "2"},
    ]


def test_a_call_alone_has_no_content() -> None:
    talk = [Message.assistant(tool_calls=[ToolCall("a", "f")]), Message.tool("a", "1")]

    assert said(*talk)[0] == {"role": "assistant", "tool_calls": [call("a")]}


def test_the_text_of_arguments_goes_back_as_the_model_wrote_it() -> None:
    made = ToolCall("a", "f", '{"x":  1.0}')

    assert said(Message.assistant(made, origin=HOME))[0]["tool_calls"] == [
        call("a", "f", '{"x":  1.0}')
    ]


def test_arguments_that_are_no_json_object_are_sent_as_they_are_and_told() -> None:
    talk = [Message.assistant(ToolCall("a", "f", '{"x":')), Message.tool("a", "1")]

    messages, losses = lost(*talk)

    assert messages[0]["tool_calls"] == [call("a", "f", '{"x":')]
    assert losses == ["messages[0].content[0] content lowered"]


def test_text_after_a_call_moves_before_it() -> None:
    talk = [Message.assistant([ToolCall("a", "f"), Text("after")]), Message.tool("a", "1")]

    messages, losses = lost(*talk)

    assert messages[0] == {"role": "assistant", "content": "after", "tool_calls": [call("a")]}
    assert losses == ["messages[0].content[1] content merged"]


def test_a_refusal_has_its_field() -> None:
    assert said(Message.assistant(Refusal("No."))) == [
        {"role": "assistant", "content": "", "refusal": "No."}
    ]


def test_reasoning_and_citations_of_another_vendor_stay_behind() -> None:
    talk = Message.assistant(
        [Reasoning("thinking", "seal"), Text("Four.", (FrozenDict(url="x"),))], origin=ELSEWHERE
    )

    messages, losses = lost(talk)

    assert messages == [{"role": "assistant", "content": "Four."}]
    assert losses == [
        "messages[0].content[0] provenance dropped",
        "messages[0].content[1] provenance dropped",
    ]


def test_reasoning_goes_back_to_the_host_it_came_from() -> None:
    talk = Message.assistant([Reasoning("thinking"), Text("Four.")], origin=HOME)

    assert said(talk) == [
        {"role": "assistant", "reasoning_content": "thinking", "content": "Four."}
    ]


@pytest.mark.parametrize(
    "part",
    [
        ServerToolCall("s", "web_search"),
        ServerToolResult("s", "web_search", []),
        Opaque("new", FrozenDict(type="new")),
        Audio(data=b"ID3"),
        Document(text="x"),
    ],
)
def test_what_the_api_cannot_say_of_a_turn_is_lost_content(part: Part) -> None:
    messages, losses = lost(Message.assistant([part, Text("a")], origin=ELSEWHERE))

    assert messages == [{"role": "assistant", "content": "a"}]
    assert losses == ["messages[0].content[0] content dropped"]


def test_a_turn_of_which_nothing_can_be_said_is_left_out() -> None:
    messages, losses = lost(Message.user("a"), Message.assistant(Reasoning("x"), origin=ELSEWHERE))

    assert messages == [{"role": "user", "content": "a"}]
    assert losses == ["messages[1].content[0] provenance dropped"]


def test_fields_of_another_vendor_stay_behind() -> None:
    part = Text("a", extras=FrozenDict({"gemini-generate": {"thoughtSignature": "x"}}))
    talk = Message.user(part, extras={"gemini-generate": {"role": "x"}})

    messages, losses = lost(talk)

    assert messages == [{"role": "user", "content": "a"}]
    assert losses == [
        "messages[0] provenance dropped",
        "messages[0].content[0] provenance dropped",
    ]


def test_fields_of_this_api_are_merged_back() -> None:
    part = Text("a", extras=FrozenDict({API: {"prompt_cache_breakpoint": {"mode": "explicit"}}}))
    talk = Message.user(part, extras={API: {"x": 1}})

    block = {"type": "text", "text": "a", "prompt_cache_breakpoint": {"mode": "explicit"}}
    assert said(talk) == [{"role": "user", "content": [block], "x": 1}]


# -- what tools gave


def test_each_result_is_a_message_of_its_own() -> None:
    results = (ToolResult("a", "1"), ToolResult("b", [Text("2"), Text("3")]))
    talk = [
        Message.assistant([ToolCall("a", "f"), ToolCall("b", "f")]),
        Message(role="tool", content=results),
    ]

    assert said(*talk)[1:] == [
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {
            "role": "tool",
            "tool_call_id": "b",
            "content": [{"type": "text", "text": "2"}, {"type": "text", "text": "3"}],
        },
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("boom", "Error: boom"),
        (
            [Text("a"), Text("b")],
            [{"type": "text", "text": text} for text in ("Error: ", "a", "b")],
        ),
    ],
)
def test_a_failed_tool_says_so_in_words(content: object, expected: object) -> None:
    talk = [Message.assistant(ToolCall("a", "f")), Message.tool("a", content, is_error=True)]

    messages, losses = lost(*talk)

    assert messages[1] == {"role": "tool", "tool_call_id": "a", "content": expected}
    assert losses == ["messages[1].content[0] setting lowered"]


def test_media_of_results_are_shown_by_the_user_after_all_results() -> None:
    talk = [
        Message.assistant([ToolCall("a", "f"), ToolCall("b", "f")]),
        Message.tool("a", ["see", Image(data=PNG)]),
        Message.tool("b", "2"),
        Message.user("Go on."),
    ]

    messages, losses = lost(*talk)

    assert messages[1:] == [
        {"role": "tool", "tool_call_id": "a", "content": "see"},
        {"role": "tool", "tool_call_id": "b", "content": "2"},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What tool call a gave:"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
            ],
        },
        {"role": "user", "content": "Go on."},
    ]
    assert losses == ["messages[1].content[0].content[1] content lowered"]


def test_video_of_a_result_is_lost() -> None:
    talk = [
        Message.assistant(ToolCall("a", "f")),
        Message.tool("a", ["see", Video("https://example.org/a.mp4")]),
    ]

    messages, losses = lost(*talk)

    assert messages[1:] == [{"role": "tool", "tool_call_id": "a", "content": "see"}]
    assert losses == ["messages[1].content[0].content[1] content dropped"]


def test_a_long_id_is_replaced_the_same_in_call_and_result() -> None:
    long = "toolu_" + "x" * 60
    talk = [Message.assistant(ToolCall(long, "f")), Message.tool(long, "1")]

    messages = said(*talk)

    wire = messages[0]["tool_calls"][0]["id"]
    assert messages[1]["tool_call_id"] == wire
    assert len(wire) <= 40
    assert said(*talk) == messages


# -- tools and settings


def test_tools_are_functions() -> None:
    schema = {"type": "object", "properties": {"x": {"type": "integer"}}}
    tools = [Tool("f", "Does it.", schema, strict=True), Tool("g")]

    body, losses = written(tools=tools)

    assert body["tools"] == [
        {
            "type": "function",
            "function": {
                "name": "f",
                "description": "Does it.",
                "parameters": schema,
                "strict": True,
            },
        },
        {
            "type": "function",
            "function": {"name": "g", "parameters": {"type": "object", "properties": {}}},
        },
    ]
    assert losses == ()


def test_a_name_the_api_refuses_is_replaced_everywhere_and_known() -> None:
    talk = [Message.assistant(ToolCall("a", "my tool!")), Message.tool("a", "1", name="my tool!")]
    request = Request("gpt-6", talk, [Tool("my tool!")], {"name": "my tool!"})

    encoded = chat.encode(request)

    wire = encoded.body["tools"][0]["function"]["name"]
    assert encoded.names == {wire: "my tool!"}
    assert encoded.body["tool_choice"] == {"type": "function", "function": {"name": wire}}
    assert encoded.body["messages"][0]["tool_calls"] == [call("a", wire)]


def test_a_call_that_came_under_a_replaced_name_goes_back_under_it() -> None:
    request = Request("gpt-6", [], [Tool("my tool!")])
    wire = next(iter(chat.encode(request).names))
    turn = Message.assistant(ToolCall("a", "my tool!"), origin=HOME)

    assert said(turn)[0]["tool_calls"] == [call("a", wire)]


def test_a_tool_of_another_vendor_is_lost_content() -> None:
    tools = [ServerTool("anthropic-messages", "web_search_20260209")]

    assert written(tools=tools) == (
        {"messages": []},
        (
            Loss(
                "tools[0]", "content", "tool 'web_search_20260209' runs only at anthropic-messages"
            ),
        ),
    )


def test_a_tool_in_this_apis_own_words_is_sent_as_it_is() -> None:
    tools = [ServerTool(API, "custom", {"custom": {"name": "query"}})]

    body, _ = written(tools=tools)

    assert body["tools"] == [{"type": "custom", "custom": {"name": "query"}}]


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        ("tool_choice", "auto", {"tool_choice": "auto"}),
        ("tool_choice", "none", {"tool_choice": "none"}),
        ("tool_choice", "required", {"tool_choice": "required"}),
        ("tool_choice", "f", {"tool_choice": {"type": "function", "function": {"name": "f"}}}),
        ("parallel_tool_calls", False, {"parallel_tool_calls": False}),
        ("max_tokens", 5, {"max_completion_tokens": 5}),
        ("temperature", 0, {"temperature": 0}),
        ("top_p", 0.0, {"top_p": 0.0}),
        ("stop", "END", {"stop": ["END"]}),
        ("seed", 0, {"seed": 0}),
        ("reasoning", "low", {"reasoning_effort": "low"}),
        ("response_format", "json", {"response_format": {"type": "json_object"}}),
        (
            "response_format",
            {"type": "object"},
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "response", "schema": {"type": "object"}},
                }
            },
        ),
        (
            "response_format",
            {"schema": {"type": "object"}, "name": "it", "strict": True},
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "it", "schema": {"type": "object"}, "strict": True},
                }
            },
        ),
        ("user", "u", {"safety_identifier": "u"}),
        ("metadata", {"a": "b"}, {"metadata": {"a": "b"}}),
        ("cache", {"key": "k"}, {"prompt_cache_key": "k"}),
        ("stream", True, {"stream": True, "stream_options": {"include_usage": True}}),
        ("extras", {API: {"n": 2, "logit_bias": {"1": 5}}}, {"n": 2, "logit_bias": {"1": 5}}),
    ],
)
def test_settings_have_their_parameters(setting: str, value: Any, expected: Json) -> None:
    assert written(**{setting: value}) == ({"messages": []} | expected, ())


@pytest.mark.parametrize(
    ("setting", "value", "path"),
    [
        ("top_k", 5, "top_k"),
        ("reasoning", {"budget_tokens": 9}, "reasoning.budget_tokens"),
        ("reasoning", {"summary": "auto"}, "reasoning.summary"),
        ("cache", {"ttl": "1h"}, "cache.ttl"),
    ],
)
def test_settings_the_api_lacks_are_lost_settings(setting: str, value: Any, path: str) -> None:
    body, losses = written(**{setting: value})

    assert body == {"messages": []}
    assert [(loss.path, loss.kind, loss.action) for loss in losses] == [
        (path, "setting", "dropped")
    ]


def test_parameters_in_the_apis_own_words_win() -> None:
    extras = {API: {"max_tokens": 5, "max_completion_tokens": None, "temperature": 1}}

    body, losses = written(max_tokens=9, temperature=0.5, extras=extras)

    assert body == {"messages": [], "max_tokens": 5, "temperature": 1}
    assert losses == ()


def test_parameters_of_another_api_stay_behind() -> None:
    body, losses = written(extras={"gemini-generate": {"safetySettings": []}})

    assert body == {"messages": []}
    assert [loss.kind for loss in losses] == ["provenance"]


def test_a_request_without_a_model_names_none() -> None:
    assert chat.encode(Request("", ["a"])).body == {"messages": [{"role": "user", "content": "a"}]}


def test_the_next_turn_starts_with_the_bytes_of_this_one() -> None:
    talk = [
        Message.system("s"),
        Message.user(["a", Image(data=PNG)]),
        Message.assistant(tool_calls=[ToolCall("a", "f", {"x": 1})]),
        Message.tool("a", "1"),
    ]

    now = chat.encode(Request("gpt-6", talk)).content
    later = chat.encode(Request("gpt-6", [*talk, Message.user("b")])).content

    assert later.startswith(now.removesuffix(b"]}"))
