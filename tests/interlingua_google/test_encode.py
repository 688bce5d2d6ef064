"""A Request in generateContent's JSON, and what it cannot say."""

from __future__ import annotations

import base64
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
    ToolResult,
    Video,
    codec,
)

Json = dict[str, Any]

API = "gemini-generate"
HOME = Origin("google", API)
AWAY = Origin("openai", "openai-responses")
PNG = b"\x89PNG\r\n\x1a\n"
HI = Message.user("hi")


def mark(**fields: Any) -> FrozenDict:
    return FrozenDict({API: fields})


def encoded(*messages: Message | str, model: str = "gemini-2.5-pro", **settings: Any) -> Encoded:
    return codec(API).encode(Request(model, messages, **settings), LossPolicy.allow)


def sent(*messages: Message | str, **settings: Any) -> Json:
    return encoded(*messages, **settings).body


def config(**settings: Any) -> Json:
    return sent(HI, **settings)["generationConfig"]


def lost(*messages: Message | str, **settings: Any) -> list[tuple[str, str, str]]:
    return [(loss.path, loss.kind, loss.action) for loss in encoded(*messages, **settings).losses]


def said(*parts: Json) -> Json:
    return {"role": "user", "parts": list(parts)}


def modelled(*parts: Json) -> Json:
    return {"role": "model", "parts": list(parts)}


def shown(part: Part) -> Json:
    (made,) = sent(Message.user(part))["contents"][0]["parts"]
    return made


# -- the conversation


def test_the_model_is_not_in_the_body() -> None:
    assert sent(HI, stream=True) == {"contents": [said({"text": "hi"})]}


def test_each_side_s_words_stand_in_their_turn() -> None:
    body = sent("one", Message.assistant("two"), "three")

    assert body["contents"] == [
        said({"text": "one"}),
        modelled({"text": "two"}),
        said({"text": "three"}),
    ]


def test_neighbours_on_one_side_share_a_turn() -> None:
    assert sent("one", "two")["contents"] == [said({"text": "one"}, {"text": "two"})]


def test_system_and_developer_are_told_beside_the_conversation() -> None:
    body = sent(Message.system("Be brief."), Message.developer("Be kind."), HI)

    assert body == {
        "systemInstruction": {"parts": [{"text": "Be brief.\n\nBe kind."}]},
        "contents": [said({"text": "hi"})],
    }


def test_a_blank_system_message_is_none() -> None:
    assert sent(Message.system("  "), HI) == {"contents": [said({"text": "hi"})]}


def test_a_system_message_in_mid_conversation_is_told_before_it() -> None:
    late = Message.system("Be brief.")

    assert sent(HI, late)["systemInstruction"] == {"parts": [{"text": "Be brief."}]}
    assert lost(HI, late) == [("messages[1]", "content", "merged")]


def test_the_next_turn_is_encoded_as_it_would_be_alone() -> None:
    history = [Message.system("s"), HI, Message.assistant("a"), Message.user("b")]
    encoded(*history[:2])
    encoded(*history[:3])
    again = [Message.from_dict(message.to_dict()) for message in history]

    assert encoded(*history).content == encoded(*again).content


def test_a_picture_for_the_system_is_lost() -> None:
    message = Message.system([Text("Look."), Image(url="https://a.example/b.png")])

    assert lost(message, HI) == [("messages[0].content[1]", "content", "dropped")]


def test_an_empty_text_is_left_out() -> None:
    assert sent("", HI, Message.assistant(""))["contents"] == [said({"text": "hi"})]


def test_white_space_is_kept() -> None:
    assert sent(" \n")["contents"] == [said({"text": " \n"})]


def test_names_of_participants_are_lost() -> None:
    assert lost(Message.user("hi", name="Ada")) == [("messages[0].name", "setting", "dropped")]


def test_turns_that_come_later_change_nothing_before_them() -> None:
    history = [
        HI,
        Message.assistant("look", tool_calls=[{"id": "a", "name": "f", "arguments": {}}]),
        Message.tool("a", "x", name="f"),
        Message.assistant("done"),
    ]
    before, after = encoded(*history), encoded(*history, "more")

    assert after.content.startswith(before.content.rstrip(b"]}"))


# -- media


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (
            Image(data=PNG),
            {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}},
        ),
        (
            Image(url="https://a.example/b.jpg"),
            {"fileData": {"fileUri": "https://a.example/b.jpg", "mimeType": "image/jpeg"}},
        ),
        (
            Image(url="https://a.example/b", media_type="image/webp", detail="high"),
            {
                "fileData": {"fileUri": "https://a.example/b", "mimeType": "image/webp"},
                "mediaResolution": {"level": "MEDIA_RESOLUTION_HIGH"},
            },
        ),
        (
            Image(file_id="files/abc", detail="auto"),
            {"fileData": {"fileUri": "files/abc"}},
        ),
        (
            Audio(data=b"RIFF\x00\x00\x00\x00WAVE"),
            {"inlineData": {"mimeType": "audio/wav", "data": "UklGRgAAAABXQVZF"}},
        ),
        (
            Audio(data=b"\x00\x01", media_type="audio/L16;rate=24000"),
            {"inlineData": {"mimeType": "audio/L16;rate=24000", "data": "AAE="}},
        ),
        (
            Video(url="https://youtu.be/abc", media_type="video/mp4"),
            {"fileData": {"fileUri": "https://youtu.be/abc", "mimeType": "video/mp4"}},
        ),
        (
            Document(data=b"%PDF-1.7", name="chart.pdf"),
            {
                "inlineData": {
                    "mimeType": "application/pdf",
                    "data": "JVBERi0xLjc=",
                    "displayName": "chart.pdf",
                }
            },
        ),
        (
            Document(text="deep"),
            {"inlineData": {"mimeType": "text/plain", "data": "ZGVlcA=="}},
        ),
        (
            Video(data=b"\x00", media_type="video/mp4", extras=mark(videoMetadata={"fps": 2})),
            {
                "inlineData": {"mimeType": "video/mp4", "data": "AA=="},
                "videoMetadata": {"fps": 2},
            },
        ),
    ],
)
def test_a_medium_is_sent_as_its_data_or_its_address(part: Part, expected: Json) -> None:
    assert shown(part) == expected


def test_data_whose_kind_nothing_tells_is_lost() -> None:
    assert lost(Message.user([Text("x"), Document(data=b"\x00")])) == [
        ("messages[0].content[1]", "content", "dropped")
    ]


def test_a_file_stored_elsewhere_is_lost() -> None:
    message = Message.user([Text("x"), Image(file_id="file-1")], origin=AWAY)

    assert lost(message) == [("messages[0].content[1]", "content", "dropped")]


def test_a_detail_without_a_resolution_is_lost() -> None:
    message = Message.user(Image(url="https://a.example/b.png", detail="original"))

    assert lost(message) == [("messages[0].content[0].detail", "setting", "dropped")]


# -- what the model said


def test_calls_go_with_their_id_name_and_arguments() -> None:
    message = Message.assistant([Text("so"), ToolCall("toolu_1", "f", {"n": 1})])

    assert sent(HI, message, Message.tool("toolu_1", "x"))["contents"][1] == modelled(
        {"text": "so"},
        {"functionCall": {"id": "toolu_1", "name": "f", "args": {"n": 1}}},
    )


def test_arguments_that_are_no_object_go_as_one_of_a_text() -> None:
    messages = [HI, Message.assistant(ToolCall("a", "f", "{oops")), Message.tool("a", "x")]

    assert sent(*messages)["contents"][1] == modelled(
        {"functionCall": {"id": "a", "name": "f", "args": {"input": "{oops"}}}
    )
    assert lost(*messages) == [("messages[1].content[0]", "content", "lowered")]


def test_names_that_the_api_refuses_are_replaced_everywhere() -> None:
    own = "look up/now"
    made = encoded(
        HI,
        Message.assistant(ToolCall("a", own)),
        Message.tool("a", "x"),
        tools=[Tool(own)],
        tool_choice={"name": own},
    )
    (wire,) = made.names

    assert made.names == {wire: own}
    assert made.body["contents"][1]["parts"][0]["functionCall"]["name"] == wire
    assert made.body["contents"][2]["parts"][0]["functionResponse"]["name"] == wire
    assert made.body["tools"][0]["functionDeclarations"][0]["name"] == wire
    assert made.body["toolConfig"]["functionCallingConfig"]["allowedFunctionNames"] == [wire]


@pytest.mark.parametrize("name", ["f", "_f", "a.b:c-d", "f" * 128])
def test_names_that_the_api_takes_stay(name: str) -> None:
    assert encoded(HI, tools=[Tool(name)]).names == {}


@pytest.mark.parametrize("name", ["1f", "f g", "é", "f" * 129])
def test_names_that_the_api_refuses_are_told(name: str) -> None:
    assert list(encoded(HI, tools=[Tool(name)]).names.values()) == [name]


def test_a_thought_from_here_goes_back_with_its_seal() -> None:
    message = Message.assistant(
        [Reasoning(text="hm", signature="c2VhbA=="), Text("so")], origin=HOME
    )

    assert sent(HI, message)["contents"][1] == modelled(
        {"text": "hm", "thought": True, "thoughtSignature": "c2VhbA=="},
        {"text": "so"},
    )


@pytest.mark.parametrize("origin", [AWAY, None])
def test_a_thought_from_elsewhere_is_left_out(origin: Origin | None) -> None:
    message = Message.assistant([Reasoning(text="hm", signature="s"), Text("so")], origin=origin)

    assert sent(HI, message)["contents"][1] == modelled({"text": "so"})
    assert lost(HI, message) == [("messages[1].content[0]", "provenance", "dropped")]


def test_each_call_keeps_its_own_seal() -> None:
    message = Message.assistant(
        [ToolCall("a", "f", extras=mark(thoughtSignature="c2ln")), ToolCall("b", "f")],
        origin=HOME,
    )
    body = sent(HI, message, Message.tool("a", "1"), Message.tool("b", "2"))

    assert body["contents"][1:] == [
        modelled(
            {"functionCall": {"id": "a", "name": "f", "args": {}}, "thoughtSignature": "c2ln"},
            {"functionCall": {"id": "b", "name": "f", "args": {}}},
        ),
        said(
            {"functionResponse": {"id": "a", "name": "f", "response": {"output": "1"}}},
            {"functionResponse": {"id": "b", "name": "f", "response": {"output": "2"}}},
        ),
    ]


@pytest.mark.parametrize("model", ["gemini-3-pro", "models/gemini-3.8-flash", "something-new"])
def test_a_call_that_newer_models_want_sealed_is_told(model: str) -> None:
    call = Message.assistant(ToolCall("a", "f"), origin=AWAY)
    (loss,) = encoded(HI, call, Message.tool("a", "1"), model=model).losses

    assert loss == Loss(
        "messages[1]",
        "provenance",
        "tool call 'a' was not made here, so it has no thoughtSignature; "
        "Gemini 3 and later may refuse it",
    )


@pytest.mark.parametrize(
    "model", ["gemini-2.5-pro", "models/gemini-2.0-flash", "p/models/gemini-1.5-pro"]
)
def test_older_models_take_calls_without_a_seal(model: str) -> None:
    call = Message.assistant(ToolCall("a", "f"), origin=AWAY)

    assert lost(HI, call, Message.tool("a", "1"), model=model) == []


def test_calls_before_the_user_spoke_last_need_no_seal() -> None:
    call = Message.assistant(ToolCall("a", "f"), origin=AWAY)

    assert lost(HI, call, Message.tool("a", "1"), "so?", model="gemini-3-pro") == []


def test_what_others_ran_sealed_or_invented_is_lost() -> None:
    message = Message.assistant(
        [
            Text("so"),
            ServerToolCall(id="s", name="web_search"),
            ServerToolResult(tool_call_id="s", name="web_search", content=[]),
            Opaque(kind="compaction", payload=FrozenDict({"type": "compaction"})),
        ],
        origin=AWAY,
    )

    assert lost(HI, message) == [
        (f"messages[1].content[{place}]", "content", "dropped") for place in (1, 2, 3)
    ]


def test_a_tool_s_stand_in_name_is_used_in_turns_from_here_too() -> None:
    own = "look up/now"
    message = Message.assistant(ToolCall("a", own), origin=HOME)
    (wire,) = encoded(HI, tools=[Tool(own)]).names

    body = sent(HI, message, Message.tool("a", "x"))

    assert body["contents"][1]["parts"][0]["functionCall"]["name"] == wire
    assert body["contents"][2]["parts"][0]["functionResponse"]["name"] == wire


def test_a_refusal_goes_as_text() -> None:
    message = Message.assistant(Refusal(text="I will not."))

    assert sent(HI, message)["contents"][1] == modelled({"text": "I will not."})
    assert lost(HI, message) == [("messages[1].content[0]", "content", "lowered")]


def test_citations_of_others_are_left_out() -> None:
    message = Message.assistant(Text("so", (FrozenDict({"url": "https://a.example"}),)))

    assert lost(HI, message) == [("messages[1].content[0]", "provenance", "dropped")]


def test_fields_of_others_are_told_wherever_they_stand() -> None:
    away = FrozenDict({"openai-chat": {"x": 1}})
    messages = [
        Message.system(Text("s", extras=away), extras=away),
        Message.user(Text("hi", extras=away), extras=away),
    ]

    assert lost(*messages, tools=[Tool("f", extras=away)], extras=away) == [
        ("messages[1]", "provenance", "dropped"),
        ("messages[1].content[0]", "provenance", "dropped"),
        ("messages[0]", "provenance", "dropped"),
        ("messages[0].content[0]", "provenance", "dropped"),
        ("extras", "provenance", "dropped"),
        ("tools[0]", "provenance", "dropped"),
    ]


# -- what tools gave


def asked(*names: str) -> Message:
    return Message.assistant([ToolCall(name, name) for name in names])


def test_results_are_named_after_their_calls() -> None:
    body = sent(HI, Message.assistant(ToolCall("c1", "get_weather")), Message.tool("c1", "7C"))

    assert body["contents"][2] == said(
        {"functionResponse": {"id": "c1", "name": "get_weather", "response": {"output": "7C"}}}
    )


def test_all_results_of_a_turn_lead_one_turn() -> None:
    body = sent(HI, asked("f", "g"), Message.tool("f", "1"), Message.tool("g", "2"), "and?")

    assert body["contents"][2] == said(
        {"functionResponse": {"id": "f", "name": "f", "response": {"output": "1"}}},
        {"functionResponse": {"id": "g", "name": "g", "response": {"output": "2"}}},
        {"text": "and?"},
    )


@pytest.mark.parametrize(
    ("result", "response"),
    [
        ("7C", {"output": "7C"}),
        ("", {"output": ""}),
        ({"deg": 7}, {"output": '{"deg":7}'}),
        ([1, 2], {"output": "[1,2]"}),
        ([Text("a"), Text("b")], {"output": "a\n\nb"}),
    ],
)
def test_a_response_is_always_an_object(result: object, response: Json) -> None:
    body = sent(HI, asked("f"), Message.tool("f", result))

    assert body["contents"][2]["parts"][0]["functionResponse"]["response"] == response


def test_a_tool_that_failed_says_so() -> None:
    body = sent(HI, asked("f"), Message.tool("f", "boom", is_error=True))

    assert body["contents"][2]["parts"][0]["functionResponse"]["response"] == {"error": "boom"}


def test_media_stand_beside_the_response() -> None:
    result = [Text("here"), Image(data=PNG), Document(url="https://a.example/b.pdf")]
    body = sent(HI, asked("f"), Message.tool("f", result))

    assert body["contents"][2]["parts"][0]["functionResponse"] == {
        "id": "f",
        "name": "f",
        "response": {"output": "here"},
        "parts": [
            {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}},
            {"fileData": {"fileUri": "https://a.example/b.pdf", "mimeType": "application/pdf"}},
        ],
    }


def test_what_a_result_cannot_hold_is_lost() -> None:
    result = [Text("x"), Opaque(kind="search_result")]

    assert lost(HI, asked("f"), Message.tool("f", result)) == [
        ("messages[2].content[0].content[1]", "content", "dropped")
    ]


def test_a_missing_result_is_made_up() -> None:
    body = encoded(HI, asked("f"), "never mind")

    assert "functionResponse" in body.body["contents"][2]["parts"][0]
    assert [loss.action for loss in body.losses] == ["synthesised"]


def test_a_derived_id_is_left_out_of_call_and_result() -> None:
    answer = codec(API).decode(
        {
            "candidates": [{"content": modelled({"functionCall": {"name": "f", "args": {}}})}],
            "responseId": "r",
        }
    )
    result = ToolResult(answer.tool_calls[0].id, "1")

    assert sent(HI, answer.message, Message("tool", result))["contents"][1:] == [
        modelled({"functionCall": {"name": "f", "args": {}}}),
        said({"functionResponse": {"name": "f", "response": {"output": "1"}}}),
    ]


# -- tools


def test_functions_stand_together_and_the_vendor_s_own_tools_apart() -> None:
    schema: Json = {
        "type": "object",
        "properties": {"n": {"$ref": "#/$defs/N"}},
        "$defs": {"N": {}},
    }
    tools = [
        Tool("f", "Does f.", schema),
        ServerTool(API, "googleSearch"),
        ServerTool(API, "file_search", {"topK": 3}),
        Tool("ping"),
    ]

    assert sent(HI, tools=tools)["tools"] == [
        {
            "functionDeclarations": [
                {"name": "f", "description": "Does f.", "parametersJsonSchema": schema},
                {"name": "ping"},
            ]
        },
        {"googleSearch": {}},
        {"fileSearch": {"topK": 3}},
    ]


def test_another_vendor_s_tool_is_lost() -> None:
    with pytest.raises(LossError):
        codec(API).encode(Request("m", [HI], [ServerTool("anthropic-messages", "web_search")]))


def test_a_changed_schema_wins_over_the_one_that_came() -> None:
    given = {"name": "f", "parameters": {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}}
    body = {"contents": [said({"text": "x"})], "tools": [{"functionDeclarations": [given]}]}
    (tool,) = codec(API).decode_request(body).tools
    assert isinstance(tool, Tool)
    schema = {"type": "object", "properties": {"b": {"type": "string"}}}
    changed = Tool(tool.name, tool.description, schema, extras=tool.extras)

    assert sent(HI, tools=[changed])["tools"] == [
        {"functionDeclarations": [{"name": "f", "parametersJsonSchema": schema}]}
    ]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("auto", {"mode": "AUTO"}),
        ("none", {"mode": "NONE"}),
        ("required", {"mode": "ANY"}),
        ({"name": "f"}, {"mode": "ANY", "allowedFunctionNames": ["f"]}),
    ],
)
def test_a_choice_of_tools_is_a_mode(choice: Any, expected: Json) -> None:
    body = sent(HI, tools=[Tool("f")], tool_choice=choice)

    assert body["toolConfig"] == {"functionCallingConfig": expected}
    assert codec(API).decode_request(body).tool_choice == choice


@pytest.mark.parametrize(
    ("choice", "mode"), [(None, "VALIDATED"), ("auto", "VALIDATED"), ("required", "ANY")]
)
def test_strict_tools_are_held_to_their_schemas(choice: Any, mode: str) -> None:
    body = sent(HI, tools=[Tool("f", strict=True)], tool_choice=choice)

    assert body["toolConfig"] == {"functionCallingConfig": {"mode": mode}}


# -- settings


def test_numbers_and_stops_have_their_place() -> None:
    settings: Json = {"max_tokens": 9, "temperature": 0, "top_p": 0.5, "top_k": 3, "seed": 0}

    assert config(**settings, stop="END") == {
        "maxOutputTokens": 9,
        "temperature": 0,
        "topP": 0.5,
        "topK": 3,
        "seed": 0,
        "stopSequences": ["END"],
    }


@pytest.mark.parametrize(
    ("reasoning", "thinking"),
    [
        ("none", {"thinkingBudget": 0}),
        *((word, {"thinkingLevel": word.upper()}) for word in ("minimal", "low", "medium")),
        *((word, {"thinkingLevel": word.upper()}) for word in ("high", "xhigh")),
        ("max", {"thinkingLevel": "XHIGH"}),
        ({"budget_tokens": 512}, {"thinkingBudget": 512}),
        ({"budget_tokens": 0}, {"thinkingBudget": 0}),
        ({"effort": "low", "budget_tokens": 512}, {"thinkingBudget": 512}),
        ({"effort": "low", "summary": "auto"}, {"includeThoughts": True, "thinkingLevel": "LOW"}),
    ],
)
def test_reasoning_is_a_level_or_a_budget(reasoning: Any, thinking: Json) -> None:
    assert config(reasoning=reasoning) == {"thinkingConfig": thinking}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("json", {"responseMimeType": "application/json"}),
        ({"type": "text"}, {"responseMimeType": "text/plain"}),
        (
            {"type": "json_schema", "schema": {"type": "object"}, "name": "n", "strict": True},
            {"responseMimeType": "application/json", "responseJsonSchema": {"type": "object"}},
        ),
    ],
)
def test_a_format_is_a_type_and_a_schema(wanted: Any, expected: Json) -> None:
    assert config(response_format=wanted) == expected


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"parallel_tool_calls": False}, [("parallel_tool_calls", "setting", "dropped")]),
        ({"parallel_tool_calls": True}, []),
        ({"user": "ada"}, [("user", "setting", "dropped")]),
        ({"metadata": {"a": "b"}}, [("metadata", "setting", "dropped")]),
        ({"cache": {"key": "k"}}, [("cache.key", "setting", "dropped")]),
        ({"cache": {"ttl": "1h"}}, [("cache.ttl", "setting", "dropped")]),
        ({"cache": {"name": "cachedContents/a"}}, []),
        ({"reasoning": "max"}, [("reasoning.effort", "setting", "lowered")]),
        ({"reasoning": "huge"}, [("reasoning.effort", "setting", "dropped")]),
        (
            {"reasoning": {"effort": "low", "budget_tokens": 5}},
            [("reasoning.effort", "setting", "merged")],
        ),
        (
            {"response_format": {"type": "json_schema", "schema": {}, "description": "d"}},
            [("response_format.description", "setting", "dropped")],
        ),
    ],
)
def test_a_setting_that_the_api_lacks_is_told(settings: Json, expected: list[Any]) -> None:
    assert lost(HI, **settings) == expected


def test_a_cache_is_named() -> None:
    assert sent(HI, cache={"name": "cachedContents/a"})["cachedContent"] == "cachedContents/a"


def test_the_api_s_own_parameters_win_and_none_leaves_one_out() -> None:
    own = {
        "generationConfig": {"temperature": None, "topK": 5, "candidateCount": 2},
        "serviceTier": "flex",
    }

    assert sent(HI, temperature=1, top_k=3, max_tokens=9, extras={API: own}) == {
        "contents": [said({"text": "hi"})],
        "generationConfig": {"maxOutputTokens": 9, "topK": 5, "candidateCount": 2},
        "serviceTier": "flex",
    }


def test_large_data_goes_whole() -> None:
    data = bytes(range(256)) * 4096

    assert (
        base64.b64decode(shown(Image(data=data, media_type="image/png"))["inlineData"]["data"])
        == data
    )
