"""What a request becomes on the wire."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from interlingua.codec import Codec
from interlingua.errors import DecodeError
from interlingua.frozen import FrozenDict
from interlingua.loss import Loss, LossPolicy
from interlingua.message import Message, Origin
from interlingua.parts import (
    Audio,
    Document,
    Image,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    ServerToolCall,
    Text,
    ToolCall,
    ToolResult,
)
from interlingua.request import Request
from interlingua.tools import ServerTool, Tool

API = "openai-responses"
HERE = Origin("openai", API, "m")
ELSEWHERE = Origin("anthropic", "anthropic-messages", "claude")
Sample = Callable[[str], Any]
PNG = b"\x89PNG\r\n\x1a\n"


def sent(codec: Codec, *messages: Message, **about: Any) -> list[Any]:
    request = Request("m", messages, **about)
    return codec.encode(request, LossPolicy.allow).body.get("input", [])


def lost(codec: Codec, *messages: Message, **about: Any) -> list[tuple[str, str, str]]:
    losses = codec.encode(Request("m", messages, **about), LossPolicy.allow).losses
    return [(loss.path, loss.kind, loss.action) for loss in losses]


def extras(**fields: object) -> FrozenDict:
    return FrozenDict({API: fields})


# -- requests, both ways

FUNCTION: dict[str, Any] = {
    "type": "function",
    "name": "f",
    "parameters": {"type": "object", "properties": {}},
    "strict": False,
}
SETTINGS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"max_tokens": 5}, {"max_output_tokens": 5}),
    ({"temperature": 0}, {"temperature": 0}),
    ({"top_p": 0.5}, {"top_p": 0.5}),
    ({"parallel_tool_calls": False}, {"parallel_tool_calls": False}),
    ({"stream": True}, {"stream": True}),
    ({"user": "u"}, {"safety_identifier": "u"}),
    ({"metadata": {"a": "b"}}, {"metadata": {"a": "b"}}),
    ({"cache": {"key": "k"}}, {"prompt_cache_key": "k"}),
    (
        {"reasoning": {"effort": "max", "summary": "concise"}},
        {"reasoning": {"effort": "max", "summary": "concise"}},
    ),
    ({"response_format": {"type": "json_object"}}, {"text": {"format": {"type": "json_object"}}}),
    ({"response_format": {"type": "text"}}, {"text": {"format": {"type": "text"}}}),
    (
        {
            "response_format": {
                "type": "json_schema",
                "name": "n",
                "schema": {"type": "object"},
                "strict": True,
            }
        },
        {
            "text": {
                "format": {
                    "type": "json_schema",
                    "name": "n",
                    "schema": {"type": "object"},
                    "strict": True,
                }
            }
        },
    ),
    ({"tools": [Tool("f", strict=False)]}, {"tools": [FUNCTION]}),
    (
        {"tools": [Tool("f", "Does f.", {"type": "object", "properties": {"a": {}}}, True)]},
        {
            "tools": [
                {
                    "type": "function",
                    "name": "f",
                    "description": "Does f.",
                    "parameters": {"type": "object", "properties": {"a": {}}},
                    "strict": True,
                }
            ]
        },
    ),
    (
        {"tools": [ServerTool(API, "web_search", {"search_context_size": "low"})]},
        {"tools": [{"type": "web_search", "search_context_size": "low"}]},
    ),
    ({"tool_choice": "auto"}, {"tool_choice": "auto"}),
    ({"tool_choice": "none"}, {"tool_choice": "none"}),
    ({"tool_choice": "required"}, {"tool_choice": "required"}),
    ({"tool_choice": {"name": "f"}}, {"tool_choice": {"type": "function", "name": "f"}}),
    ({"extras": {API: {"store": False}}}, {"store": False}),
    ({"extras": {API: {"previous_response_id": "resp"}}}, {"previous_response_id": "resp"}),
    ({"extras": {API: {"text": {"verbosity": "low"}}}}, {"text": {"verbosity": "low"}}),
    ({"extras": {API: {"reasoning": {"context": "auto"}}}}, {"reasoning": {"context": "auto"}}),
    (
        {"extras": {API: {"tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": []}}}},
        {"tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": []}},
    ),
]


@pytest.mark.parametrize(("ours", "theirs"), SETTINGS)
def test_a_setting_has_its_place_on_the_wire(
    codec: Codec, ours: dict[str, Any], theirs: dict[str, Any]
) -> None:
    assert codec.encode(Request("m", **ours)).body == {"model": "m", **theirs}


@pytest.mark.parametrize(("ours", "theirs"), SETTINGS)
def test_a_setting_is_read_from_its_place_on_the_wire(
    codec: Codec, ours: dict[str, Any], theirs: dict[str, Any]
) -> None:
    assert codec.decode_request({"model": "m", **theirs}) == Request("m", **ours)


@pytest.mark.parametrize(
    ("about", "path"),
    [
        ({"stop": ["x"]}, "stop"),
        ({"seed": 0}, "seed"),
        ({"top_k": 5}, "top_k"),
        ({"reasoning": {"budget_tokens": 9}}, "reasoning.budget_tokens"),
        ({"reasoning": {"effort": "heroic"}}, "reasoning.effort"),
        ({"cache": {"name": "caches/1"}}, "cache.name"),
        ({"cache": {"ttl": "1h"}}, "cache.ttl"),
        ({"metadata": {"n": 1}}, "metadata.n"),
    ],
)
def test_a_setting_the_api_lacks_is_a_loss_at_its_name(
    codec: Codec, about: dict[str, Any], path: str
) -> None:
    encoded = codec.encode(Request("m", **about), LossPolicy.allow)

    assert encoded.body == {"model": "m"}
    assert [(loss.path, loss.kind) for loss in encoded.losses] == [(path, "setting")]


def test_a_cache_time_that_the_api_knows_is_an_option(codec: Codec) -> None:
    body = codec.encode(Request("m", cache={"ttl": "12h"})).body

    assert body == {"model": "m", "prompt_cache_options": {"ttl": "12h"}}


def test_a_tool_is_not_strict_unless_it_says_so(codec: Codec) -> None:
    assert codec.encode(Request("m", tools=[Tool("f")])).body["tools"] == [FUNCTION]


def test_a_tools_own_fields_go_back(codec: Codec) -> None:
    tool = {**FUNCTION, "defer_loading": True, "output_schema": {"type": "string"}}

    request = codec.decode_request({"model": "m", "tools": [tool]})

    assert request.tools == (
        Tool(
            "f", strict=False, extras=extras(defer_loading=True, output_schema={"type": "string"})
        ),
    )
    assert codec.encode(request).body["tools"] == [tool]


@pytest.mark.parametrize("missing", ["strict", "parameters"])
def test_a_declaration_without_a_field_stays_without_it(codec: Codec, missing: str) -> None:
    tool = {key: value for key, value in FUNCTION.items() if key != missing}

    request = codec.decode_request({"model": "m", "tools": [tool]})

    assert codec.encode(request).body["tools"] == [tool]


def test_another_vendors_tool_is_left_out_and_reported(codec: Codec) -> None:
    tools = [ServerTool("anthropic-messages", "bash_20250124", {"name": "bash"})]

    encoded = codec.encode(Request("m", tools=tools), LossPolicy.allow)

    assert encoded.body == {"model": "m"}
    assert [(loss.path, loss.kind) for loss in encoded.losses] == [("tools[0]", "content")]


def test_a_tools_name_that_the_api_refuses_is_replaced_everywhere(codec: Codec) -> None:
    request = Request(
        "m",
        (
            Message.user("go"),
            Message.assistant(ToolCall("c", "look.up", {})),
            Message.tool("c", "found", name="look.up"),
        ),
        tools=[Tool("look.up")],
        tool_choice={"name": "look.up"},
    )

    encoded = codec.encode(request)

    wire = encoded.body["tools"][0]["name"]
    assert encoded.names == {wire: "look.up"}
    assert encoded.body["tool_choice"] == {"type": "function", "name": wire}
    assert encoded.body["input"][1]["name"] == wire


def test_a_free_text_tool_is_chosen_as_what_it_is(codec: Codec) -> None:
    tools = [ServerTool(API, "custom", {"name": "note"})]

    body = codec.encode(Request("m", tools=tools, tool_choice="note")).body

    assert body["tool_choice"] == {"type": "custom", "name": "note"}


def test_the_old_name_of_the_user_stays_as_it_was(codec: Codec) -> None:
    request = codec.decode_request({"model": "m", "user": "u"})

    assert request.user == "u"
    assert codec.encode(request).body == {"model": "m", "user": "u"}


def test_a_whole_request_comes_back_as_it_was(codec: Codec, sample: Sample) -> None:
    body = sample("request.json")

    encoded = codec.encode(codec.decode_request(body))

    assert encoded.losses == ()
    assert encoded.body == body


def test_a_requests_messages_are_grouped_by_who_speaks(codec: Codec, sample: Sample) -> None:
    request = codec.decode_request(sample("request.json"))

    assert [
        (one.role, [type(part).__name__ for part in one.content]) for one in request.messages
    ] == [
        ("system", ["Text"]),
        ("developer", ["Text"]),
        ("user", ["Text", "Image", "Image", "Document", "Document", "Opaque"]),
        ("assistant", ["Reasoning", "Text", "Refusal", "Text", "ToolCall", "ToolCall"]),
        ("tool", ["ToolResult", "ToolResult"]),
        ("user", ["Opaque"]),
        ("user", ["Text"]),
    ]
    assert {one.origin for one in request.messages} == {Origin("openai", API, "gpt-6-sol")}


def test_what_has_no_home_is_kept_in_extras(codec: Codec, sample: Sample) -> None:
    request = codec.decode_request(sample("request.json"))

    assert request.extras == extras(
        reasoning={"context": "all_turns"},
        text={"verbosity": "low"},
        store=False,
        include=["reasoning.encrypted_content"],
    )


@pytest.mark.parametrize(
    "body",
    [
        {"model": 3, "input": "hi"},
        {"input": "hi", "tools": "all"},
        {"input": "hi", "tools": [{"type": 3}, {"type": "function", "name": ""}]},
        {
            "input": "hi",
            "tools": [{**FUNCTION, "name": "a.b"}],
            "tool_choice": {"type": "function", "name": "a.b"},
        },
        {"input": "hi", "text": {"format": {"type": "json_schema", "name": "a b", "schema": {}}}},
        {"input": "hi", "text": {"format": {"type": "grammar"}}, "reasoning": {"effort": "heroic"}},
        {"input": "hi", "tool_choice": {"type": "mcp", "server_label": "s"}, "metadata": {"n": 1}},
        {"input": [{"role": "critic", "content": "bad"}, {"role": "user", "content": 3}]},
        {"input": [{"type": "function_call_output", "output": "no call"}]},
        {"input": [{"type": "function_call_output", "call_id": "c", "output": {"a": 1}}]},
        {"prompt": {"id": "pmpt"}},
    ],
)
def test_a_request_in_an_odd_shape_comes_back_as_it_was(codec: Codec, body: dict[str, Any]) -> None:
    given = body.get("input")
    text = [{"role": "user", "content": given}] if isinstance(given, str) else given

    assert codec.encode(codec.decode_request(body), LossPolicy.allow).body == {
        **body,
        **({"input": text} if text else {}),
    }


@pytest.mark.parametrize("given", [3, {"role": "user"}, ["hi"], [None]])
def test_an_input_that_is_none_is_a_decode_error(codec: Codec, given: object) -> None:
    with pytest.raises(DecodeError, match="input"):
        codec.decode_request({"model": "m", "input": given})


# -- instructions


def test_a_plain_system_message_that_comes_first_is_the_instructions(codec: Codec) -> None:
    request = Request("m", (Message.system("Be brief."), Message.user("hi")))

    assert codec.encode(request).body == {
        "model": "m",
        "instructions": "Be brief.",
        "input": [{"role": "user", "content": "hi"}],
    }


def test_other_system_and_developer_messages_stay_where_they_are(codec: Codec) -> None:
    messages = (
        Message.developer("A"),
        Message.user("hi"),
        Message.system("B"),
        Message.developer("C"),
    )

    assert sent(codec, *messages) == [
        {"role": "developer", "content": "A"},
        {"role": "user", "content": "hi"},
        {"role": "system", "content": "B"},
        {"role": "developer", "content": "C"},
    ]


def test_a_system_message_that_came_inline_stays_inline(codec: Codec) -> None:
    body = {"model": "m", "input": [{"type": "message", "role": "system", "content": "Be brief."}]}

    assert codec.encode(codec.decode_request(body)).body == body


def test_empty_instructions_stay_empty(codec: Codec) -> None:
    body = {"model": "m", "instructions": "", "input": [{"role": "user", "content": "hi"}]}

    assert codec.encode(codec.decode_request(body)).body == body


# -- parts, both ways

BLOCKS: list[tuple[Part, dict[str, Any]]] = [
    (Text("a"), {"type": "input_text", "text": "a"}),
    (
        Image("https://a.example/b.png", detail="high"),
        {"type": "input_image", "image_url": "https://a.example/b.png", "detail": "high"},
    ),
    (
        Image(data=PNG, media_type="image/png", detail="auto"),
        {
            "type": "input_image",
            "image_url": "data:image/png;base64,iVBORw0KGgo=",
            "detail": "auto",
        },
    ),
    (
        Image(file_id="file-1", detail="auto"),
        {"type": "input_image", "file_id": "file-1", "detail": "auto"},
    ),
    (
        Document(data=b"%PDF-", media_type="application/pdf", name="a.pdf"),
        {
            "type": "input_file",
            "file_data": "data:application/pdf;base64,JVBERi0=",
            "filename": "a.pdf",
        },
    ),
    (
        Document(data=b"%PDF-", name="a.pdf"),
        {"type": "input_file", "file_data": "JVBERi0=", "filename": "a.pdf"},
    ),
    (
        Document("https://a.example/b.pdf", detail="low"),
        {"type": "input_file", "file_url": "https://a.example/b.pdf", "detail": "low"},
    ),
    (Document(file_id="file-2"), {"type": "input_file", "file_id": "file-2"}),
    (
        Text("b", extras=extras(prompt_cache_breakpoint={"mode": "explicit"})),
        {"type": "input_text", "text": "b", "prompt_cache_breakpoint": {"mode": "explicit"}},
    ),
    (
        Opaque("input_smell", FrozenDict({"type": "input_smell", "scent": "sea"})),
        {"type": "input_smell", "scent": "sea"},
    ),
    (
        Opaque("input_file", FrozenDict({"type": "input_file", "file_data": "no base64!"})),
        {"type": "input_file", "file_data": "no base64!"},
    ),
]


@pytest.mark.parametrize(("part", "block"), BLOCKS)
def test_a_part_has_its_block(codec: Codec, part: Part, block: dict[str, Any]) -> None:
    message = Message("user", (Text("x"), part), origin=HERE)

    assert sent(codec, message)[0]["content"][1] == block


@pytest.mark.parametrize(("part", "block"), BLOCKS)
def test_a_block_is_read_as_its_part(codec: Codec, part: Part, block: dict[str, Any]) -> None:
    body = {"model": "m", "input": [{"role": "user", "content": [block]}]}

    assert codec.decode_request(body).messages[0].content == (part,)


@pytest.mark.parametrize(("part", "block"), BLOCKS)
def test_a_tools_result_takes_the_same_blocks(
    codec: Codec, part: Part, block: dict[str, Any]
) -> None:
    item = {"type": "function_call_output", "call_id": "c", "output": [block, block]}
    message = Message("tool", ToolResult("c", (part, part)), origin=HERE)

    assert sent(codec, message) == [item]
    assert codec.decode_request({"model": "m", "input": [item]}).messages == (message,)


def test_a_plain_text_document_is_sent_as_text(codec: Codec) -> None:
    message = Message.user((Text("x"), Document(text="notes")))

    assert sent(codec, message)[0]["content"][1] == {"type": "input_text", "text": "notes"}
    assert lost(codec, message) == [("messages[0].content[1]", "content", "lowered")]


def test_a_file_without_a_name_is_given_one(codec: Codec) -> None:
    message = Message.user(Document(data=b"%PDF-"))

    assert sent(codec, message)[0]["content"] == [
        {
            "type": "input_file",
            "file_data": "data:application/pdf;base64,JVBERi0=",
            "filename": "document.pdf",
        }
    ]
    assert lost(codec, message) == [("messages[0].content[0]", "setting", "synthesised")]


@pytest.mark.parametrize(
    "part",
    [Audio(data=b"RIFF"), Image(file_id="f"), Document(file_id="f"), Opaque("search_result")],
)
def test_what_the_api_cannot_take_is_lost_content(codec: Codec, part: Part) -> None:
    message = Message("user", (Text("x"), part), origin=ELSEWHERE)

    assert sent(codec, message) == [{"role": "user", "content": "x"}]
    assert lost(codec, message) == [("messages[0].content[1]", "content", "dropped")]


def test_a_detail_the_api_does_not_know_is_a_lost_setting(codec: Codec) -> None:
    message = Message.user(Image("https://a.example/b.png", detail="MEDIA_RESOLUTION_HIGH"))

    assert sent(codec, message)[0]["content"] == [
        {"type": "input_image", "image_url": "https://a.example/b.png", "detail": "auto"}
    ]
    assert lost(codec, message) == [("messages[0].content[0]", "setting", "dropped")]


def test_a_speakers_name_is_a_lost_setting(codec: Codec) -> None:
    assert lost(codec, Message.user("hi", name="ann")) == [
        ("messages[0].name", "setting", "dropped")
    ]


# -- what the model said


def test_an_answer_goes_back_as_it_came(codec: Codec, sample: Sample) -> None:
    body = sample("answer.json")
    history = (Message.user("tides?"), codec.decode(body).message)

    encoded = codec.encode(Request("m", history))

    assert encoded.body["input"][1:] == body["output"]
    assert encoded.losses == ()


SERVER: list[dict[str, Any]] = [
    {
        "type": "web_search_call",
        "id": "ws",
        "status": "completed",
        "action": {"type": "search", "query": "q"},
    },
    {"type": "web_search_call", "id": "ws", "status": "failed"},
    {
        "type": "file_search_call",
        "id": "fs",
        "status": "completed",
        "queries": ["q"],
        "results": [{"text": "t"}],
    },
    {
        "type": "code_interpreter_call",
        "id": "ci",
        "code": "1",
        "container_id": "k",
        "outputs": [{"type": "logs", "logs": "1"}],
    },
    {"type": "image_generation_call", "id": "ig", "status": "completed", "result": "iVBORw0KGgo="},
    {
        "type": "mcp_call",
        "id": "mc",
        "name": "ask",
        "arguments": '{ "a": 1 }',
        "output": "b",
        "server_label": "s",
    },
    {"type": "mcp_list_tools", "id": "ml", "server_label": "s", "tools": []},
    {"type": "computer_call", "id": "cc", "call_id": "c", "action": {"type": "screenshot"}},
    {"type": "compaction", "id": "cmp", "encrypted_content": "x"},
    {"type": "item_reference", "id": "msg"},
    {"id": "msg"},
    {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": []},
    {
        "type": "message",
        "id": "m",
        "role": "assistant",
        "status": "completed",
        "content": [
            {"type": "output_hologram"},
            {"type": "output_text", "text": "a", "annotations": []},
        ],
    },
    {
        "type": "function_call",
        "call_id": "c",
        "name": "no such.name",
        "arguments": '{"a":',
        "namespace": "n",
    },
]


@pytest.mark.parametrize("item", SERVER, ids=lambda item: item.get("type"))
def test_an_item_goes_back_as_it_came(codec: Codec, item: dict[str, Any]) -> None:
    message = codec.decode({"output": [item]}).message

    assert sent(codec, Message.user("hi"), message)[1:] == [item]
    assert lost(codec, message) == []


def test_messages_of_the_model_that_stand_side_by_side_stay_apart(codec: Codec) -> None:
    items = [{"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}]

    request = codec.decode_request({"model": "m", "input": items})

    assert request.messages == (Message("assistant", (Text("a"), Text("b")), origin=HERE),)
    assert codec.encode(request).body["input"] == items


def test_texts_of_another_vendors_answer_run_together(codec: Codec) -> None:
    message = Message("assistant", (Text("a "), Text("b"), Text("")), origin=ELSEWHERE)

    assert sent(codec, message) == [{"role": "assistant", "content": "a b"}]


def test_another_vendors_answer_keeps_what_can_be_said(codec: Codec) -> None:
    message = Message(
        "assistant",
        (
            Reasoning("hm", "seal"),
            Text("a", (FrozenDict({"type": "char_location"}),)),
            ServerToolCall("s", "web_search"),
            Refusal("no"),
            ToolCall("toolu_1", "f", {"a": 1}),
            Opaque("fallback"),
        ),
        origin=ELSEWHERE,
    )

    assert sent(codec, message, Message.tool("toolu_1", "done")) == [
        {"role": "assistant", "content": "ano"},
        {"type": "function_call", "call_id": "toolu_1", "name": "f", "arguments": '{"a":1}'},
        {"type": "function_call_output", "call_id": "toolu_1", "output": "done"},
    ]
    assert lost(codec, message, Message.tool("toolu_1", "done")) == [
        ("messages[0].content[0]", "provenance", "dropped"),
        ("messages[0].content[1]", "provenance", "dropped"),
        ("messages[0].content[2]", "content", "dropped"),
        ("messages[0].content[3]", "content", "lowered"),
        ("messages[0].content[5]", "content", "dropped"),
    ]


def test_an_items_id_stays_out_of_a_message_that_did_not_come_from_here(codec: Codec) -> None:
    message = Message.assistant(Text("a", extras=extras(item={"id": "msg_1"})))

    assert sent(codec, message) == [{"role": "assistant", "content": "a"}]
    assert lost(codec, message) == [("messages[0].content[0]", "provenance", "dropped")]


# -- reasoning


def thought(**fields: object) -> dict[str, Any]:
    return {"type": "reasoning", "id": "rs", "summary": [], **fields}


SAID: dict[str, Any] = {
    "type": "message",
    "id": "m",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "a", "annotations": []}],
}


def test_reasoning_goes_back_in_front_of_what_it_led_to(codec: Codec) -> None:
    items = [thought(encrypted_content="x"), thought(encrypted_content="y"), SAID]

    assert sent(codec, codec.decode({"output": items}).message) == items


def test_reasoning_that_led_to_nothing_is_left_out_and_reported(codec: Codec) -> None:
    message = codec.decode({"output": [SAID, thought(encrypted_content="x")]}).message

    assert sent(codec, message) == [SAID]
    assert lost(codec, message) == [("messages[0].content[1]", "provenance", "dropped")]


def test_reasoning_whose_item_was_written_anew_is_left_out_and_reported(codec: Codec) -> None:
    message = codec.decode({"output": [thought(encrypted_content="x"), SAID]}).message
    rewritten = message.replace(content=(message.content[0], Text("b")))

    assert sent(codec, rewritten) == [{"role": "assistant", "content": "b"}]
    assert lost(codec, rewritten) == [("messages[0].content[0]", "provenance", "dropped")]


def test_encrypted_reasoning_without_an_id_stands_before_anything(codec: Codec) -> None:
    items: list[dict[str, Any]] = [
        {"type": "reasoning", "summary": [], "encrypted_content": "x"},
        {"role": "assistant", "content": "b"},
    ]
    request = codec.decode_request({"model": "m", "input": items, "store": False})

    assert codec.encode(request).body["input"] == items


@pytest.mark.parametrize(
    ("item", "goes_back"),
    [
        (thought(), False),
        (thought(encrypted_content="x"), True),
        (thought(content=[{"type": "reasoning_text", "text": "hm"}]), True),
    ],
)
def test_where_nothing_is_stored_only_reasoning_that_holds_itself_goes_back(
    codec: Codec, item: dict[str, Any], goes_back: bool
) -> None:
    message = codec.decode({"output": [item, SAID]}).message

    items = sent(codec, message, extras={API: {"store": False}})

    assert items == ([item, SAID] if goes_back else [SAID])
    assert sent(codec, message) == [item, SAID]


@pytest.mark.parametrize(
    "fields",
    [
        {
            "content": [
                {"type": "reasoning_text", "text": "a"},
                {"type": "reasoning_text", "text": "b"},
            ]
        },
        {"content": [{"type": "reasoning_text", "text": "a", "heat": 1}]},
        {"summary": [{"type": "summary_text", "text": "a", "heat": 1}]},
        {"status": "completed"},
    ],
)
def test_reasoning_in_an_odd_shape_goes_back_as_it_came(
    codec: Codec, fields: dict[str, Any]
) -> None:
    items = [thought(**fields), SAID]

    assert sent(codec, codec.decode({"output": items}).message) == items


# -- calls and results


def test_a_result_of_a_free_text_call_says_so(codec: Codec) -> None:
    call = {"type": "custom_tool_call", "id": "ct", "call_id": "c", "name": "n", "input": "x"}
    answered = codec.decode({"output": [call]}).message

    assert sent(codec, answered, Message.tool("c", "done")) == [
        call,
        {"type": "custom_tool_call_output", "call_id": "c", "output": "done"},
    ]


def test_a_failed_result_says_so_in_its_text(codec: Codec) -> None:
    history = (
        Message.assistant(ToolCall("c", "f")),
        Message.tool("c", "no such file", is_error=True),
    )

    assert sent(codec, *history)[1]["output"] == "Error: no such file"
    assert lost(codec, *history) == [("messages[1].content[0]", "setting", "lowered")]


def test_a_call_without_a_result_is_answered(codec: Codec) -> None:
    history = (Message.assistant(ToolCall("c", "f")), Message.user("well?"))

    assert [item.get("type", "message") for item in sent(codec, *history)] == [
        "function_call",
        "function_call_output",
        "message",
    ]


@pytest.mark.parametrize("state", ["previous_response_id", "conversation"])
def test_a_result_whose_call_the_vendor_keeps_stands_alone(codec: Codec, state: str) -> None:
    items = sent(codec, Message.tool("c", "done"), extras={API: {state: "x"}})

    assert items == [{"type": "function_call_output", "call_id": "c", "output": "done"}]


def test_free_text_arguments_from_elsewhere_are_sent_as_they_are(codec: Codec) -> None:
    call = ToolCall("c", "f", "a patch")
    history = (Message.assistant(call), Message.tool("c", "done"))

    assert sent(codec, *history)[0]["arguments"] == "a patch"
    assert lost(codec, *history) == [("messages[0].content[0]", "content", "lowered")]


# -- bytes


def test_a_longer_conversation_starts_with_the_bytes_of_the_shorter(codec: Codec) -> None:
    first = (Message.user("a"), Message.assistant("b"))

    shorter = codec.encode(Request("m", first)).content
    longer = codec.encode(Request("m", (*first, Message.user("c")))).content

    assert longer.startswith(shorter.removesuffix(b"]}"))


def test_the_same_request_gives_the_same_bytes(codec: Codec, sample: Sample) -> None:
    body = sample("request.json")

    one, other = (codec.encode(codec.decode_request(body)) for _ in range(2))

    assert one.content == other.content
    assert one.body == json.loads(one.content)


def test_another_apis_fields_are_reported(codec: Codec) -> None:
    foreign = FrozenDict({"anthropic-messages": {"cache_control": {"type": "ephemeral"}}})
    request = Request(
        "m", (Message.user(Text("a", extras=foreign)),), extras={"openai-chat": {"n": 2}}
    )

    losses = codec.encode(request).losses

    assert [(loss.path, loss.kind) for loss in losses] == [
        ("messages[0].content[0]", "provenance"),
        ("extras", "provenance"),
    ]
    assert all(isinstance(loss, Loss) for loss in losses)
