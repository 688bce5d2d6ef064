"""A Request in the Messages API's JSON, and what it cannot say."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest

from interlingua import (
    Audio,
    Document,
    Encoded,
    FrozenDict,
    Image,
    Loss,
    LossError,
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
    Video,
    codec,
)

Json = dict[str, Any]
Sample = Callable[[str], Json]

API = "anthropic-messages"
HOME = Origin("anthropic", API)
AWAY = Origin("openai", "openai-responses")
PNG = b"\x89PNG\r\n\x1a\n"
JPEG = b"\xff\xd8\xff\xe0"
HI = Message.user("hi")


def encoded(messages: tuple[Message | str, ...], settings: Json) -> Encoded:
    given: Json = {"max_tokens": 9000, **settings}
    return codec(API).encode(Request("m", messages, **given), LossPolicy.allow)


def sent(*messages: Message | str, **settings: Any) -> Json:
    return encoded(messages, settings).body


def turns(*messages: Message | str) -> list[Json]:
    return sent(*messages)["messages"]


def lost(*messages: Message | str, **settings: Any) -> tuple[Loss, ...]:
    return encoded(messages, settings).losses


def text(said: str) -> Json:
    return {"type": "text", "text": said}


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


# -- turns


def test_a_conversation_is_a_list_of_turns() -> None:
    assert sent(HI, Message.assistant("hello"), Message.user("and?")) == {
        "model": "m",
        "messages": [
            {"role": "user", "content": [text("hi")]},
            {"role": "assistant", "content": [text("hello")]},
            {"role": "user", "content": [text("and?")]},
        ],
        "max_tokens": 9000,
    }


def test_neighbours_of_one_side_share_a_turn() -> None:
    assert turns(HI, Message.user("there"), Message.assistant("a"), Message.assistant("b")) == [
        {"role": "user", "content": [text("hi"), text("there")]},
        {"role": "assistant", "content": [text("a"), text("b")]},
    ]


def test_results_of_parallel_calls_come_first_in_one_turn() -> None:
    calls = Message.assistant("", tool_calls=[ToolCall("t1", "f", {"n": 1}), ToolCall("t2", "f")])
    made = turns("go", calls, Message.tool("t1", "one"), Message.tool("t2", "two"), "thanks")

    assert made[1:] == [
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "t1", "name": "f", "input": {"n": 1}},
                {"type": "tool_use", "id": "t2", "name": "f", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": [text("one")]},
                {"type": "tool_result", "tool_use_id": "t2", "content": [text("two")]},
                text("thanks"),
            ],
        },
    ]


def test_a_call_without_a_result_gets_one_that_says_so() -> None:
    made = turns("go", Message.assistant(tool_calls=[ToolCall("t1", "f")]), "never mind")

    result = made[2]["content"][0]
    assert (result["tool_use_id"], result["is_error"]) == ("t1", True)


def test_an_id_that_the_api_refuses_is_replaced_in_call_and_result() -> None:
    call = Message.assistant(tool_calls=[ToolCall("call|1", "f")])
    made = turns("go", call, Message.tool("call|1", "x"))

    wire = made[1]["content"][0]["id"]
    assert wire != "call|1"
    assert made[2]["content"][0]["tool_use_id"] == wire


@pytest.mark.parametrize("blank", ["", "  \n"])
def test_blank_text_is_not_sent(blank: str) -> None:
    call = Message.assistant((blank, ToolCall("t1", "f")))
    made = turns("go", call, Message.tool("t1", blank), Message.assistant(blank), "and?")

    assert made == [
        {"role": "user", "content": [text("go")]},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {}}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1"}, text("and?")]},
    ]


def test_blank_text_is_no_loss() -> None:
    assert lost(HI, Message.assistant(" ")) == ()


def test_blank_text_of_this_apis_own_goes_back() -> None:
    assert turns(HI, Message.assistant(("\n", "a"), origin=HOME))[1] == {
        "role": "assistant",
        "content": [text("\n"), text("a")],
    }


def test_the_last_answer_loses_its_trailing_space_in_the_request_only() -> None:
    answer = Message.assistant("<doc>\n")

    assert turns("write xml", answer)[1]["content"] == [text("<doc>")]
    assert answer.text == "<doc>\n"


def test_an_answer_of_this_apis_own_keeps_its_trailing_space() -> None:
    assert turns(HI, Message.assistant("<doc>\n", origin=HOME))[1]["content"] == [text("<doc>\n")]


def test_a_conversation_that_grows_keeps_its_beginning() -> None:
    messages: list[Message] = []
    before = b""
    for number in range(4):
        messages += [Message.user(f"q{number}"), Message.assistant(f"a{number} ")]
        request = Request("m", messages, max_tokens=1)
        content = codec(API).encode(request).content
        start, end = content.index(b"[{"), content.rindex(b"]}]")
        assert content[start:].startswith(before)
        before = content[start:end]


def test_names_of_speakers_are_lost() -> None:
    assert lost(Message.user("hi", name="Ada")) == (
        Loss("messages[0].name", "setting", "the Messages API has no names of speakers"),
    )


# -- system


def test_system_and_developer_messages_are_joined_with_a_blank_line() -> None:
    made = sent(
        Message.system("Be brief."),
        HI,
        Message.assistant("hello"),
        Message.developer("In French."),
        Message.system("  "),
        "and?",
    )

    assert made["system"] == [text("Be brief.\n\nIn French.")]
    assert [turn["role"] for turn in made["messages"]] == ["user", "assistant", "user"]


def test_parts_of_one_system_message_stay_apart() -> None:
    assert sent(Message.system(("One.", "Two.")), HI)["system"] == [text("One."), text("Two.")]


def test_a_system_block_with_fields_of_its_own_is_not_joined() -> None:
    marked = Text("Long.", extras=FrozenDict({API: {"cache_control": {"type": "ephemeral"}}}))

    made = sent(Message.system("A."), Message.system(marked), Message.system("B."), HI)

    assert made["system"] == [
        text("A."),
        {"type": "text", "text": "Long.", "cache_control": {"type": "ephemeral"}},
        text("B."),
    ]


def test_no_system_message_gives_no_system() -> None:
    assert "system" not in sent(Message.system(""), HI)


def test_a_system_message_stays_in_place_when_it_is_told_to() -> None:
    inline = Message.system("In French.", extras={API: {"role": "system"}})

    assert sent(HI, inline, "and?")["messages"] == [
        {"role": "user", "content": [text("hi")]},
        {"role": "system", "content": [text("In French.")]},
        {"role": "user", "content": [text("and?")]},
    ]


# -- parts


@pytest.mark.parametrize(
    ("part", "block"),
    [
        (Text("a"), text("a")),
        (
            Image("https://a.example/x.png"),
            {"type": "image", "source": {"type": "url", "url": "https://a.example/x.png"}},
        ),
        (
            Image(data=PNG, detail="downsize"),
            {
                "type": "image",
                "source": {"type": "base64", "media_type": "image/png", "data": b64(PNG)},
                "transformations": {"oversized_image": "downsize"},
            },
        ),
        (
            Image(data=JPEG, media_type="image/png"),
            {
                "type": "image",
                "source": {"type": "base64", "media_type": "image/jpeg", "data": b64(JPEG)},
            },
        ),
        (
            Image(file_id="file_1", detail="auto"),
            {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
        ),
        (
            Document("https://a.example/x", name="X"),
            {
                "type": "document",
                "source": {"type": "url", "url": "https://a.example/x"},
                "title": "X",
            },
        ),
        (
            Document(data=b"%PDF-1.4", media_type="application/pdf; version=1"),
            {
                "type": "document",
                "source": {
                    "type": "base64",
                    "media_type": "application/pdf",
                    "data": b64(b"%PDF-1.4"),
                },
            },
        ),
        (
            Document(file_id="file_2"),
            {"type": "document", "source": {"type": "file", "file_id": "file_2"}},
        ),
        (
            Document(text="rules"),
            {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": "rules"},
            },
        ),
        (
            Document(data=b"a,b", name="x.csv"),
            {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": "a,b"},
                "title": "x.csv",
            },
        ),
        (
            Text(
                "a", extras=FrozenDict({API: {"cache_control": {"type": "ephemeral", "ttl": "1h"}}})
            ),
            {"type": "text", "text": "a", "cache_control": {"type": "ephemeral", "ttl": "1h"}},
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_user_part_has_its_block(part: Part, block: Json) -> None:
    assert turns(Message.user(part)) == [{"role": "user", "content": [block]}]
    assert lost(Message.user(part)) == ()


@pytest.mark.parametrize(
    ("part", "kind", "reason"),
    [
        (Audio(data=b"RIFF0000WAVE"), "content", "the Messages API takes no audio"),
        (Video("https://a.example/x.mp4"), "content", "the Messages API takes no video"),
        (
            Image(data=b"x", media_type="image/tiff"),
            "content",
            "the API takes JPEG, PNG, GIF and WebP, not image/tiff",
        ),
        (Image(data=b"x"), "content", "the API takes JPEG, PNG, GIF and WebP, not this"),
        (
            Image("gs://bucket/x.png"),
            "content",
            "the API fetches by http and https only",
        ),
        (
            Document("https://a.example/x.csv"),
            "content",
            "the API takes PDF by URL, not text/csv",
        ),
        (
            Document(data=b"PK", media_type="application/zip"),
            "content",
            "the API takes PDF and plain text, not application/zip",
        ),
        (
            Document(data=b"\xff", media_type="text/plain"),
            "content",
            "the API takes PDF and plain text, not text/plain",
        ),
        (
            Opaque("lighthouse", FrozenDict(type="lighthouse")),
            "content",
            "'lighthouse' is a block of another API",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_user_part_that_cannot_be_said_is_a_loss(part: Part, kind: Any, reason: str) -> None:
    assert lost(Message.user(("look", part))) == (Loss("messages[0].content[1]", kind, reason),)


@pytest.mark.parametrize("part", [Image(file_id="f"), Document(file_id="f")])
def test_a_file_at_another_vendor_is_lost(part: Part) -> None:
    assert lost(Message.user(("look", part), origin=AWAY)) == (
        Loss("messages[0].content[1]", "content", "file 'f' is stored at another vendor"),
    )


def test_an_image_detail_that_the_api_does_not_have_is_lost() -> None:
    assert lost(Message.user(Image(data=PNG, detail="high"))) == (
        Loss("messages[0].content[0].detail", "setting", "the API has no image detail 'high'"),
    )


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (Reasoning("hm", "seal"), "reasoning of another vendor"),
        (
            Text("a", citations=(FrozenDict(type="url"),)),
            "citations go back only in the answer they came in",
        ),
        (Text("a", extras=FrozenDict({"openai-chat": {"x": 1}})), "x: belongs to openai-chat"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_data_of_another_vendor_is_left_out(part: Part, reason: str) -> None:
    answer = Message.assistant((part, "4"), origin=AWAY)

    assert lost(HI, answer) == (Loss("messages[1].content[0]", "provenance", reason),)


@pytest.mark.parametrize(
    "part",
    [ServerToolCall("s", "web_search"), ServerToolResult("s", "web_search")],
    ids=lambda part: type(part).__name__,
)
def test_what_another_vendors_tool_did_is_lost(part: Part) -> None:
    assert lost(HI, Message.assistant((part, "4"), origin=AWAY)) == (
        Loss("messages[1].content[0]", "content", "'web_search' ran at another vendor"),
    )


def test_media_in_an_answer_are_lost() -> None:
    answer = Message.assistant(("look", Document(text="x"), Image(data=PNG)))

    assert lost(HI, answer) == (
        Loss("messages[1].content[1]", "content", "Document in a message of role 'assistant'"),
        Loss("messages[1].content[2]", "content", "Image in a message of role 'assistant'"),
    )


def test_a_refusal_is_said_as_text() -> None:
    answer = Message.assistant(Refusal("I would rather not."))

    assert turns(HI, answer)[1]["content"] == [text("I would rather not.")]
    assert lost(HI, answer) == (
        Loss(
            "messages[1].content[0]",
            "content",
            "the API has no refusal block; sent as text",
            "lowered",
        ),
    )


def test_reasoning_whose_words_were_changed_is_left_out() -> None:
    thought = Reasoning("hm", "seal").replace(text="ha")

    assert lost(HI, Message.assistant((thought, "4"), origin=HOME)) == (
        Loss(
            "messages[1].content[0]", "provenance", "reasoning without the signature that seals it"
        ),
    )


def test_arguments_that_are_no_object_are_sent_as_the_text_they_are() -> None:
    call = Message.assistant(tool_calls=[ToolCall("t1", "f", '{"a": ')])

    made = codec(API).encode(Request("m", (HI, call, Message.tool("t1", "x")), max_tokens=1))

    assert made.body["messages"][1]["content"][0]["input"] == {"input": '{"a": '}
    assert [loss.action for loss in made.losses] == ["lowered"]


def test_a_tool_result_holds_blocks() -> None:
    call = Message.assistant(tool_calls=[ToolCall("t1", "f")])
    result = Message.tool("t1", ("see", Image(data=PNG), Document(text="d")), is_error=True)

    assert turns("go", call, result)[2]["content"] == [
        {
            "type": "tool_result",
            "tool_use_id": "t1",
            "content": [
                text("see"),
                {
                    "type": "image",
                    "source": {"type": "base64", "media_type": "image/png", "data": b64(PNG)},
                },
                {
                    "type": "document",
                    "source": {"type": "text", "media_type": "text/plain", "data": "d"},
                },
            ],
            "is_error": True,
        }
    ]


@pytest.mark.parametrize("name", ["answer_text", "answer_tools", "answer_search"])
def test_an_answer_goes_back_as_it_came(sample: Sample, name: str) -> None:
    given = sample(name)
    answer = codec(API).decode(given).message
    results = [Message.tool(call.id, "x") for call in answer.tool_calls]

    assert turns(HI, answer, *results)[1] == {"role": "assistant", "content": given["content"]}
    assert lost(HI, answer, *results) == ()


ASSISTANT_BLOCKS: list[Json] = [
    {"type": "text", "text": "a", "citations": [{"type": "page_location", "start_page_number": 1}]},
    {"type": "text", "text": "a", "citations": "odd"},
    {"type": "thinking", "thinking": "", "signature": "c2VhbA=="},
    {"type": "redacted_thinking", "data": "aGlkZGVu"},
    {"type": "tool_use", "id": "t", "name": "f", "input": {"a": None}, "toolset_name": "browser"},
    {"type": "server_tool_use", "id": "s", "name": "code_execution", "input": {"code": "1"}},
    {"type": "code_execution_tool_result", "tool_use_id": "s", "content": {"stdout": "1"}},
    {"type": "bash_code_execution_tool_result", "tool_use_id": "s", "content": {"stdout": "1"}},
    {"type": "text_editor_code_execution_tool_result", "tool_use_id": "s", "content": {}},
    {"type": "tool_search_tool_result", "tool_use_id": "s", "content": {"tool_references": []}},
    {"type": "advisor_tool_result", "tool_use_id": "s", "content": {"encrypted_content": "eA=="}},
    {"type": "mcp_tool_use", "id": "m", "name": "f", "server_name": "sea", "input": {}},
    {"type": "mcp_tool_result", "tool_use_id": "m", "content": [], "is_error": True},
    {"type": "mcp_tool_listing", "tools": []},
    {"type": "compaction", "content": "so far", "encrypted_content": "eA=="},
    {"type": "fallback", "from": {"model": "a"}, "to": {"model": "b"}},
    {"type": "container_upload", "file_id": "file_1"},
    {"type": "tool_use", "id": "", "name": "", "input": []},
    {"type": "lighthouse", "beam": [1, {"two": None}]},
]

USER_BLOCKS: list[Json] = [
    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0"}},
    {"type": "image", "source": {"type": "base64", "media_type": "image/odd", "data": "iVBO"}},
    {"type": "image", "source": {"type": "url", "url": "ftp://a.example/x.png"}},
    {"type": "image", "source": {"type": "file", "file_id": "f", "later": 1}},
    {"type": "image", "source": {"type": "moon"}, "transformations": {"oversized_image": "error"}},
    {
        "type": "image",
        "source": {"type": "file", "file_id": "f"},
        "transformations": {"oversized_image": "error", "later": 1},
    },
    {"type": "document", "source": {"type": "content", "content": "One."}, "title": "T"},
    {"type": "document", "source": {"type": "content", "content": [{"type": "image"}]}},
    {"type": "document", "source": {"type": "base64", "media_type": "text/odd", "data": "eA=="}},
    {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "x"}},
    {"type": "search_result", "source": "s", "title": "t", "content": [{"type": "text"}]},
    {"type": "container_upload", "file_id": "file_1"},
    {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "moon"}], "later": 1},
]


@pytest.mark.parametrize("block", ASSISTANT_BLOCKS, ids=lambda block: block["type"])
def test_a_block_of_an_answer_goes_back_as_it_came(block: Json) -> None:
    answer = codec(API).decode({"content": [block]}).message

    assert turns(HI, answer)[1] == {"role": "assistant", "content": [block]}


@pytest.mark.parametrize("block", USER_BLOCKS, ids=lambda block: block["type"])
def test_a_block_of_a_request_goes_out_as_it_came(block: Json) -> None:
    body: Json = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": [block]}]}

    made = codec(API).encode(codec(API).decode_request(body))

    assert made.body == body
    assert made.losses == ()


def test_a_citations_file_id_is_refused_in_requests() -> None:
    cited = FrozenDict(type="char_location", cited_text="six", file_id="file_1")
    answer = Message.assistant(Text("six", citations=(cited,)), origin=HOME)

    assert turns(HI, answer)[1]["content"] == [
        {**text("six"), "citations": [{"type": "char_location", "cited_text": "six"}]}
    ]
    assert [loss.kind for loss in lost(HI, answer)] == ["provenance"]


# -- tools


def test_a_tool_is_declared() -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    tools = [
        Tool("weather", "How it is", schema, strict=True, extras={API: {"defer_loading": True}}),
        Tool("now"),
        Tool("loose", parameters={"properties": {}}),
        ServerTool(API, "web_search_20260318", {"name": "web_search"}),
    ]

    assert sent(HI, tools=tools)["tools"] == [
        {
            "name": "weather",
            "input_schema": schema,
            "description": "How it is",
            "strict": True,
            "defer_loading": True,
        },
        {"name": "now", "input_schema": {"type": "object", "properties": {}}},
        {"name": "loose", "input_schema": {"type": "object", "properties": {}}},
        {"type": "web_search_20260318", "name": "web_search"},
    ]


def test_another_vendors_tool_is_lost() -> None:
    assert lost(HI, tools=[ServerTool("openai-responses", "web_search")]) == (
        Loss("tools[0]", "content", "tool 'web_search' runs only at openai-responses"),
    )


def test_a_name_that_the_api_refuses_is_replaced_everywhere() -> None:
    call = Message.assistant(tool_calls=[ToolCall("t1", "files.read")])
    request = Request(
        "m",
        ("go", call, Message.tool("t1", "x")),
        tools=[Tool("files.read"), Tool("files_read"), Tool("x" * 129)],
        tool_choice="files.read",
        max_tokens=1,
    )

    made = codec(API).encode(request)

    names = [tool["name"] for tool in made.body["tools"]]
    assert made.names == {names[0]: "files.read", names[2]: "x" * 129}
    assert names[1] == "files_read"
    assert max(map(len, names)) <= 128
    assert made.body["messages"][1]["content"][0]["name"] == names[0]
    assert made.body["tool_choice"] == {"type": "tool", "name": names[0]}


def test_a_call_of_this_apis_own_keeps_its_id_and_goes_out_under_a_name_the_api_takes() -> None:
    call = Message.assistant(tool_calls=[ToolCall("t.1", "files.read")], origin=HOME)

    assert turns("go", call, Message.tool("t.1", "x"))[1]["content"][0] == {
        "type": "tool_use",
        "id": "t.1",
        "name": "files_read_7ea8548342",
        "input": {},
    }


def test_an_odd_name_that_this_api_sent_goes_back_as_it_came() -> None:
    block: Json = {"type": "tool_use", "id": "t.1", "name": "files.read", "input": {}}
    answer: Json = {"type": "message", "role": "assistant", "content": [block]}

    decoded = codec(API).decode(answer).message

    assert turns("go", decoded, Message.tool("t.1", "x"))[1]["content"][0] == block


@pytest.mark.parametrize(
    ("choice", "parallel", "expected"),
    [
        (None, None, None),
        (None, True, None),
        (None, False, {"type": "auto", "disable_parallel_tool_use": True}),
        ("auto", None, {"type": "auto"}),
        ("none", False, {"type": "none"}),
        ("required", None, {"type": "any"}),
        ("required", True, {"type": "any", "disable_parallel_tool_use": False}),
        ({"name": "f"}, False, {"type": "tool", "name": "f", "disable_parallel_tool_use": True}),
    ],
)
def test_every_tool_choice_is_said(choice: Any, parallel: bool | None, expected: object) -> None:
    made = sent(HI, tools=[Tool("f")], tool_choice=choice, parallel_tool_calls=parallel)

    assert made.get("tool_choice") == expected


# -- settings


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"stop": ("A", "B")}, {"stop_sequences": ["A", "B"]}),
        ({"stream": True}, {"stream": True}),
        ({"user": "u"}, {"metadata": {"user_id": "u"}}),
        ({"cache": {"ttl": "1h"}}, {"cache_control": {"type": "ephemeral", "ttl": "1h"}}),
        (
            {"response_format": {"type": "json_schema", "name": "x", "schema": {"type": "object"}}},
            {"output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}}},
        ),
        ({"response_format": {"type": "text"}}, {}),
        ({"max_tokens": 0}, {}),
        ({"reasoning": "none"}, {"thinking": {"type": "disabled"}}),
        (
            {"reasoning": "high"},
            {"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}},
        ),
        (
            {"reasoning": {"budget_tokens": 2000, "summary": "auto"}},
            {
                "thinking": {
                    "type": "enabled",
                    "budget_tokens": 2000,
                    "display": "summarized",
                }
            },
        ),
        ({"reasoning": {"budget_tokens": 0}}, {"thinking": {"type": "disabled"}}),
        ({"reasoning": {"budget_tokens": -1}}, {"thinking": {"type": "adaptive"}}),
        (
            {"reasoning": {"summary": "none"}},
            {"thinking": {"type": "adaptive", "display": "omitted"}},
        ),
    ],
)
def test_a_setting_is_said(settings: Json, expected: Json) -> None:
    made = sent(HI, **settings)

    assert made == {
        "model": "m",
        "messages": [{"role": "user", "content": [text("hi")]}],
        "max_tokens": settings.get("max_tokens", 9000),
        **expected,
    }
    assert lost(HI, **settings) == ()


@pytest.mark.parametrize(
    ("settings", "path", "reason"),
    [
        ({"temperature": 0}, "temperature", "the Messages API no longer takes temperature"),
        ({"top_p": 0.5}, "top_p", "the Messages API no longer takes top_p"),
        ({"top_k": 3}, "top_k", "the Messages API no longer takes top_k"),
        ({"seed": 3}, "seed", "the Messages API has no seed"),
        (
            {"metadata": {"a": "b"}},
            "metadata",
            "the Messages API has no metadata but the user's id",
        ),
        ({"cache": {"key": "k"}}, "cache.key", "the Messages API has no cache key 'k'"),
        ({"cache": {"ttl": "30m"}}, "cache.ttl", "the Messages API has no cache ttl '30m'"),
        ({"stop": " "}, "stop", "the Messages API takes no blank stop sequence"),
        (
            {"response_format": "json"},
            "response_format",
            "the Messages API has JSON only with a schema",
        ),
        (
            {"reasoning": "blinding"},
            "reasoning.effort",
            "the Messages API has no effort 'blinding'",
        ),
        (
            {"reasoning": {"effort": "low", "summary": "rhymed"}},
            "reasoning.summary",
            "the Messages API has no display 'rhymed'",
        ),
        (
            {"reasoning": {"budget_tokens": 2000}, "max_tokens": 1000},
            "reasoning.budget_tokens",
            "no budget fits into max_tokens 1000",
        ),
    ],
)
def test_a_setting_that_the_api_does_not_have_is_lost(
    settings: Json, path: str, reason: str
) -> None:
    assert lost(HI, **settings) == (Loss(path, "setting", reason),)


@pytest.mark.parametrize(
    ("settings", "path", "action"),
    [
        ({"max_tokens": None}, "max_tokens", "synthesised"),
        ({"reasoning": "minimal"}, "reasoning.effort", "lowered"),
        ({"reasoning": {"budget_tokens": 500}}, "reasoning.budget_tokens", "lowered"),
        ({"reasoning": {"budget_tokens": 9000}}, "reasoning.budget_tokens", "lowered"),
    ],
)
def test_a_setting_that_has_to_change_is_told(settings: Json, path: str, action: str) -> None:
    assert [(loss.path, loss.action) for loss in lost(HI, **settings)] == [(path, action)]


def test_a_missing_limit_is_made_up() -> None:
    assert sent(HI, max_tokens=None)["max_tokens"] == 4096


def test_a_limit_that_is_made_up_leaves_room_for_thought() -> None:
    made = sent(HI, max_tokens=None, reasoning={"budget_tokens": 5000})

    assert made["max_tokens"] == 9096
    assert made["thinking"] == {"type": "enabled", "budget_tokens": 5000}


def test_a_forced_tool_and_reasoning_exclude_each_other() -> None:
    settings = {
        "tools": [Tool("f")],
        "tool_choice": "f",
        "parallel_tool_calls": False,
        "reasoning": {"budget_tokens": 2000},
    }

    made = sent(HI, **settings)

    assert made["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}
    assert made["thinking"] == {"type": "enabled", "budget_tokens": 2000}
    assert lost(HI, **settings) == (
        Loss(
            "tool_choice",
            "setting",
            "forcing 'f' and reasoning exclude each other; sent as auto",
        ),
    )


def test_extras_of_this_api_are_merged_last() -> None:
    extras: Json = {
        API: {"max_tokens": None, "temperature": 0.5, "output_config": {"task_budget": {}}},
        "openai-chat": {"n": 2},
    }
    made = sent(HI, extras=extras, reasoning="low", temperature=0.5)

    assert made == {
        "model": "m",
        "messages": [{"role": "user", "content": [text("hi")]}],
        "temperature": 0.5,
        "thinking": {"type": "adaptive"},
        "output_config": {"effort": "low", "task_budget": {}},
    }
    assert lost(HI, extras=extras, temperature=0.5) == (
        Loss("extras", "provenance", "n: belongs to openai-chat"),
    )


def test_lost_content_raises_before_anything_is_sent() -> None:
    with pytest.raises(LossError, match="takes no audio"):
        codec(API).encode(Request("m", (Message.user(Audio(data=b"x")),), max_tokens=1))


def test_the_same_request_gives_the_same_bytes(sample: Sample) -> None:
    once, again = (codec(API).decode_request(sample("request_full")) for _ in range(2))

    assert codec(API).encode(once).content == codec(API).encode(again).content
