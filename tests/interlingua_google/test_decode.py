"""generateContent answers and requests as a Response and a Request."""

from __future__ import annotations

import json
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
    NotFoundError,
    Opaque,
    Origin,
    Part,
    Reasoning,
    Request,
    ServerTool,
    ServerToolCall,
    ServerToolResult,
    Text,
    Tool,
    ToolResult,
    Usage,
    Video,
    codec,
)

Json = dict[str, Any]
Sample = Callable[[str], Json]

API = "gemini-generate"
PNG = b"\x89PNG\r\n\x1a\n"


def mark(**fields: Any) -> FrozenDict:
    return FrozenDict({API: fields})


def answer(*parts: Json, **fields: Any) -> Json:
    content = {"role": "model", "parts": list(parts)}
    candidate = {"content": content, "finishReason": "STOP", **fields}
    return {"candidates": [candidate], "responseId": "r"}


def read(*parts: Json) -> tuple[Part, ...]:
    return codec(API).decode(answer(*parts)).message.content


def echoed(*parts: Json) -> list[Json]:
    message = codec(API).decode(answer(*parts)).message
    return codec(API).encode(Request("gemini-3-pro", ["hi", message])).body["contents"][1]["parts"]


def asked(*contents: Json, **fields: Any) -> Request:
    return codec(API).decode_request({"contents": list(contents), **fields})


def said(*parts: Json) -> Json:
    return {"role": "user", "parts": list(parts)}


def modelled(*parts: Json) -> Json:
    return {"role": "model", "parts": list(parts)}


# -- answers


def test_an_answer_keeps_thoughts_text_and_their_seals(sample: Sample) -> None:
    response = codec(API).decode(sample("answer_text"))

    about = {
        "safetyRatings": [{"category": "HARM_CATEGORY_HARASSMENT", "probability": "NEGLIGIBLE"}],
        "citationMetadata": {
            "citations": [{"startIndex": 0, "endIndex": 6, "uri": "https://charts.example/11"}]
        },
    }
    assert response.message == Message(
        "assistant",
        [
            Reasoning(text="The harbour chart lists it."),
            Text("Eleven metres at low tide.", extras=mark(thoughtSignature="c2VhbA==")),
        ],
        origin=Origin("google", API, "gemini-3-flash"),
        extras=mark(candidate=about),
    )


def test_an_answer_has_the_vendor_s_ids_and_words(sample: Sample) -> None:
    response = codec(API).decode(sample("answer_text"))

    assert (response.id, response.model, response.provider, response.api) == (
        "answer-1",
        "gemini-3-flash",
        "google",
        API,
    )
    assert (response.finish_reason, response.raw_finish_reason) == ("stop", "STOP")
    assert response.raw == sample("answer_text")


def test_thoughts_count_as_output_and_the_cache_as_input(sample: Sample) -> None:
    assert codec(API).decode(sample("answer_text")).usage == Usage(
        input_tokens=10,
        output_tokens=12,
        cache_read_tokens=4,
        reasoning_tokens=7,
        details=FrozenDict({"promptTokensDetails": [{"modality": "TEXT", "tokenCount": 10}]}),
    )


def test_results_of_the_vendor_s_tools_count_as_input(sample: Sample) -> None:
    assert codec(API).decode(sample("answer_calls")).usage == Usage(42, 8)


def test_a_count_that_is_missing_is_unknown() -> None:
    assert codec(API).decode(answer({"text": "x"})).usage == Usage()


def test_calls_without_an_id_get_one_of_their_own(sample: Sample) -> None:
    calls = codec(API).decode(sample("answer_calls")).tool_calls

    assert [(call.name, call.arguments) for call in calls] == [
        ("depth", {"place": "quay"}),
        ("depth", {"place": "pier"}),
        ("tide", {}),
    ]
    assert len({call.id for call in calls}) == 3
    assert calls[2].id == "call_77"


def test_derived_ids_are_the_same_every_time(sample: Sample) -> None:
    first, second = (codec(API).decode(sample("answer_calls")) for _ in range(2))

    assert first == second


def test_derived_ids_differ_from_answer_to_answer(sample: Sample) -> None:
    other = {**sample("answer_calls"), "responseId": "answer-9"}
    one, two = (
        codec(API).decode(body).tool_calls[0].id for body in (sample("answer_calls"), other)
    )

    assert one != two


def test_without_a_response_id_calls_still_get_ids_of_their_own() -> None:
    call = {"functionCall": {"name": "f", "args": {"n": 1}}}
    body = answer(call, call)
    del body["responseId"]

    ids = [one.id for one in codec(API).decode(body).tool_calls]

    assert len(set(ids)) == 2


def test_the_vendor_s_own_tools_media_and_new_parts_are_read(sample: Sample) -> None:
    assert codec(API).decode(sample("answer_code")).message.content == (
        ServerToolCall(
            id="run_1",
            name="code_execution",
            arguments=FrozenDict({"language": "PYTHON", "code": "print(6 * 7)"}),
            extras=mark(thoughtSignature="Y29kZQ=="),
        ),
        ServerToolResult(
            tool_call_id="run_1",
            name="code_execution",
            content={"outcome": "OUTCOME_OK", "output": "42\n"},
        ),
        ServerToolCall(id="find_1", name="FILE_SEARCH", arguments=FrozenDict({"query": "tides"})),
        ServerToolResult(
            tool_call_id="find_1", name="FILE_SEARCH", content={"result": ["high at noon"]}
        ),
        Image(data=PNG, media_type="image/png"),
        Opaque(
            kind="hologram",
            payload=FrozenDict({"hologram": {"data": "AAAA"}, "thoughtSignature": "bmV3"}),
        ),
        Text("", extras=mark(text=None, thoughtSignature="ZW5k")),
    )


def test_failed_code_is_an_error() -> None:
    (part,) = read({"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "boom"}})

    assert part == ServerToolResult(
        tool_call_id="",
        name="code_execution",
        content={"outcome": "OUTCOME_FAILED", "output": "boom"},
        is_error=True,
    )


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("image/webp", Image),
        ("audio/L16;codec=pcm;rate=24000", Audio),
        ("video/mp4", Video),
        ("application/pdf", Document),
        ("text/csv", Document),
    ],
)
def test_the_media_type_decides_what_data_is(label: str, kind: type[Image]) -> None:
    assert read({"inlineData": {"mimeType": label, "data": "AAEC"}}) == (
        kind(data=b"\x00\x01\x02", media_type=label),
    )


@pytest.mark.parametrize("text", ["-_8=", "-_8", "+/8=", "+/8"])
def test_both_base64_alphabets_are_read(text: str) -> None:
    (part,) = read({"inlineData": {"mimeType": "image/png", "data": text}})

    assert isinstance(part, Image)
    assert part.data == b"\xfb\xff"


def test_data_that_is_no_base64_is_kept_whole() -> None:
    given = {"inlineData": {"mimeType": "image/png", "data": "*"}}

    assert read(given) == (Opaque(kind="inlineData", payload=FrozenDict(given)),)


@pytest.mark.parametrize("kind", ["functionCall", "toolCall"])
def test_a_known_part_in_an_unknown_shape_is_kept_whole(kind: str) -> None:
    given = {kind: {"name": "f", "toolType": "X", "args": "text"}}

    assert read(given) == (Opaque(kind=kind, payload=FrozenDict(given)),)


FINISHED = {
    "stop": ["STOP"],
    "length": ["MAX_TOKENS"],
    "content_filter": [
        *("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE"),
        *("IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "MODEL_ARMOR"),
        "ESCALATION",
    ],
    "pause": ["CONTINUATION"],
    "error": [
        *("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"),
        *("MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE"),
    ],
    "other": [
        *("OTHER", "NO_IMAGE", "IMAGE_OTHER", "PUP_LIMITED_DISABLED"),
        *("FINISH_REASON_UNSPECIFIED", "SOMETHING_NEW"),
    ],
}


@pytest.mark.parametrize(
    ("word", "reason"), [(word, reason) for reason, words in FINISHED.items() for word in words]
)
def test_a_finish_word_has_our_reason_and_is_kept(word: str, reason: str) -> None:
    response = codec(API).decode(answer({"text": "x"}, finishReason=word))

    assert (response.finish_reason, response.raw_finish_reason) == (reason, word)


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        *((word, "content_filter") for word in ("SAFETY", "BLOCKLIST", "PROHIBITED_CONTENT")),
        *((word, "content_filter") for word in ("IMAGE_SAFETY", "MODEL_ARMOR", "JAILBREAK")),
        *((word, "other") for word in ("OTHER", "BLOCKED_REASON_UNSPECIFIED", "NEW")),
    ],
)
def test_a_blocked_prompt_is_an_empty_answer_with_its_reason(word: str, reason: str) -> None:
    response = codec(API).decode({"promptFeedback": {"blockReason": word}})

    assert (response.finish_reason, response.raw_finish_reason) == (reason, word)
    assert response.message.content == ()


def test_a_finish_word_may_come_as_its_number() -> None:
    response = codec(API).decode(answer({"text": "x"}, finishReason=2))

    assert (response.finish_reason, response.raw_finish_reason) == ("length", 2)


def test_an_answer_that_stops_with_a_call_has_called_tools(sample: Sample) -> None:
    response = codec(API).decode(sample("answer_calls"))

    assert (response.finish_reason, response.raw_finish_reason) == ("tool_calls", "STOP")


def test_a_call_the_vendor_found_wrong_is_an_error() -> None:
    call: Json = {"functionCall": {"name": "f", "args": {}}}

    response = codec(API).decode(answer(call, finishReason="UNEXPECTED_TOOL_CALL"))

    assert response.finish_reason == "error"


def test_every_candidate_is_there_when_there_are_several() -> None:
    body = answer({"text": "one"})
    body["candidates"] += answer({"text": "two"}, finishReason="MAX_TOKENS")["candidates"]

    response = codec(API).decode(body)

    assert [(one.text, one.finish_reason) for one in response.candidates] == [
        ("one", "stop"),
        ("two", "length"),
    ]


def test_an_answer_in_snake_case_is_read_alike(sample: Sample) -> None:
    body = {
        "candidates": [
            {
                "content": {
                    "role": "model",
                    "parts": [
                        {"function_call": {"name": "f", "args": {"snake_key": 1}}},
                        {"text": "x", "thought_signature": "c2VhbA=="},
                    ],
                },
                "finish_reason": "STOP",
            }
        ],
        "usage_metadata": {"prompt_token_count": 1, "candidates_token_count": 2},
        "model_version": "m",
        "response_id": "r",
    }

    response = codec(API).decode(body)

    assert response.tool_calls[0].arguments == {"snake_key": 1}
    assert response.message.content[1] == Text("x", extras=mark(thoughtSignature="c2VhbA=="))
    assert (response.usage, response.id, response.model) == (Usage(1, 2), "r", "m")


def test_an_sdk_object_is_read_like_its_json() -> None:
    types = pytest.importorskip("google.genai.types")
    given = types.GenerateContentResponse.model_validate(answer({"text": "x"}))

    assert codec(API).decode(given).text == "x"


@pytest.mark.parametrize(
    "content", [None, {}, {"parts": None}, {"parts": []}, {"parts": [None]}, "text"]
)
def test_a_candidate_without_parts_is_an_empty_message(content: object) -> None:
    body = {"candidates": [{"content": content, "finishReason": "STOP"}]}

    assert codec(API).decode(body).message.content == ()


@pytest.mark.parametrize("body", [{}, {"text": "x"}, [], "[]", b"", "no JSON", 7])
def test_what_is_no_answer_is_a_decode_error(body: object) -> None:
    with pytest.raises(DecodeError):
        codec(API).decode(body)


def test_json_that_nests_too_deeply_is_a_decode_error() -> None:
    with pytest.raises(DecodeError):
        codec(API).decode('{"candidates":' + "[" * 5000 + "]" * 5000 + "}")


def test_an_error_in_the_clothes_of_an_answer_is_raised() -> None:
    body = {"error": {"code": 404, "message": "no such model", "status": "NOT_FOUND"}}

    with pytest.raises(NotFoundError):
        codec(API).decode(body)


def test_numbers_that_json_does_not_have_are_kept_as_words() -> None:
    body = answer({"text": "x"}, avgLogprobs=float("nan"))

    assert codec(API).decode(body).raw["candidates"][0]["avgLogprobs"] == "NaN"


# -- the echo


@pytest.mark.parametrize("name", ["answer_text", "answer_calls", "answer_code", "stream_text"])
def test_an_answer_goes_back_as_it_came(name: str, sample: Sample) -> None:
    parts = sample(name)["candidates"][0]["content"]["parts"]

    assert echoed(*parts) == parts


@pytest.mark.parametrize(
    "part",
    [
        {"functionCall": {"name": "f"}},
        {"functionCall": {"id": "", "name": "f", "args": {"n": 1, "deep": {"none": None}}}},
        {
            "functionCall": {"name": "f", "args": {}, "willContinue": False},
            "partMetadata": {"a_b": 1},
        },
        {"functionCall": {"name": "not a name", "args": {}}},
        {"text": "", "thought": True, "thoughtSignature": "c2VhbA=="},
        {"inlineData": {"mimeType": "image/jpg", "data": "AAEC", "displayName": "a.jpg"}},
        {"fileData": {"fileUri": "gs://bucket/film", "mimeType": "video/mp4"}, "thought": True},
        {"executableCode": {"code": "1"}},
        {"toolCall": {"toolType": "URL_CONTEXT"}},
        {"audioTranscription": {"text": "hello", "finished": True}},
    ],
)
def test_a_part_goes_back_as_it_came(part: Json) -> None:
    assert echoed(part) == [part]


# -- requests


def test_a_request_is_read_whole(sample: Sample) -> None:
    request = codec(API).decode_request({"model": "gemini-3-pro", **sample("request_full")})

    assert request.model == "gemini-3-pro"
    assert [message.role for message in request.messages] == [
        *("system", "user", "assistant", "tool", "user"),
    ]
    assert {message.origin for message in request.messages} == {
        Origin("google", API, "gemini-3-pro")
    }
    assert request.replace(messages=(), extras={}) == Request(
        "gemini-3-pro",
        tools=request.tools,
        tool_choice={"name": "depth"},
        max_tokens=800,
        temperature=0,
        top_p=0.9,
        top_k=40,
        stop=["END"],
        seed=7,
        reasoning={"effort": "low", "summary": "auto"},
        response_format={
            "type": "json_schema",
            "schema": {"type": "object", "properties": {"metres": {"type": "number"}}},
        },
        cache={"name": "cachedContents/chart"},
    )


def test_what_a_request_has_no_field_for_is_kept(sample: Sample) -> None:
    assert codec(API).decode_request(sample("request_full")).extras == mark(
        generationConfig={"presencePenalty": 0.5, "thinkingConfig": {"thinkingLevel": "low"}},
        safetySettings=[{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}],
    )


def test_a_request_s_media_are_read(sample: Sample) -> None:
    user = codec(API).decode_request(sample("request_full")).messages[1]

    assert user.content == (
        Text("How deep is it here?"),
        Image(data=PNG, media_type="image/png", detail="high"),
        Video(
            url="https://films.example/quay.mp4",
            media_type="video/mp4",
            extras=mark(videoMetadata={"startOffset": "1s", "endOffset": "9s"}),
        ),
        Document(
            file_id="https://generativelanguage.googleapis.com/v1beta/files/abc123",
            media_type="application/pdf",
        ),
    )


def test_results_answer_the_calls_of_the_turn_before(sample: Sample) -> None:
    request = codec(API).decode_request(sample("request_full"))
    calls, results = request.messages[2].tool_calls, request.messages[3].tool_results

    assert results == (
        ToolResult(calls[0].id, '{"metres":11,"datum":null}', "depth"),
        ToolResult("call_77", "no tide table", "tide", is_error=True),
    )


def test_tools_of_a_request_have_json_schemas(sample: Sample) -> None:
    tools = codec(API).decode_request(sample("request_full")).tools

    assert [(tool.name, tool.parameters) for tool in tools if isinstance(tool, Tool)] == [
        (
            "depth",
            {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
        ),
        ("tide", {"type": "object", "properties": {"day": {"type": ["string", "null"]}}}),
        ("ping", {"type": "object", "properties": {}}),
    ]
    assert tools[3] == ServerTool(API, "googleSearch")


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "STRING", "format": "date"}, {"type": "string", "format": "date"}),
        (
            {"type": "ARRAY", "items": {"type": "NUMBER"}},
            {"type": "array", "items": {"type": "number"}},
        ),
        ({"type": "ARRAY", "min_items": "2"}, {"type": "array", "minItems": 2}),
        (
            {"anyOf": [{"type": "STRING"}, {"type": "OBJECT"}], "nullable": True},
            {"anyOf": [{"type": "string"}, {"type": "object"}, {"type": "null"}]},
        ),
        (
            {"type": "STRING", "enum": ["a"], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        ({"type": "TYPE_UNSPECIFIED", "propertyOrdering": ["a"]}, {}),
        (
            {"type": "OBJECT", "properties": {"some_name": {"type": "STRING"}}},
            {"type": "object", "properties": {"some_name": {"type": "string"}}},
        ),
    ],
)
def test_an_openapi_schema_becomes_a_json_schema(schema: Json, expected: Json) -> None:
    config = {"responseMimeType": "application/json", "responseSchema": schema}
    request = asked(said({"text": "x"}), generationConfig=config)

    assert request.response_format == {"type": "json_schema", "schema": expected}


def test_a_request_goes_back_as_it_came(sample: Sample) -> None:
    body = sample("request_full")

    assert codec(API).encode(codec(API).decode_request(body), LossPolicy.strict).body == body


SETTINGS: list[Json] = [
    {"toolConfig": {"functionCallingConfig": {"mode": "any"}}},
    {"toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}}},
    {"toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["a", "b"]}}},
    {"toolConfig": {"includeServerSideToolInvocations": True}},
    {"generationConfig": {"responseModalities": ["TEXT"], "candidateCount": 2}},
    {"generationConfig": {"thinkingConfig": {"thinkingBudget": -1, "includeThoughts": False}}},
    {"generationConfig": {"thinkingConfig": {"thinkingLevel": "LOW", "thinkingBudget": 5}}},
    {"generationConfig": {"responseMimeType": "text/plain"}},
    {
        "generationConfig": {
            "responseMimeType": "text/x.enum",
            "responseSchema": {"enum": ["a"]},
        }
    },
    {
        "generationConfig": {
            "responseMimeType": "application/json",
            "responseSchema": {
                "type": "OBJECT",
                "properties": {"a": {"type": "STRING", "default": None}},
            },
        }
    },
    {"generationConfig": {"temperature": 1.0, "maxOutputTokens": -1, "seed": "seven"}},
    {"labels": {"team_name": "tides"}, "serviceTier": "flex", "store": False},
    {
        "tools": [
            {
                "functionDeclarations": [
                    {"name": "f", "parameters": {"type": "OBJECT", "properties": {}}}
                ]
            }
        ]
    },
    {
        "tools": [
            {
                "functionDeclarations": [
                    {"name": "f", "parametersJsonSchema": {"type": "object", "properties": {}}},
                    {"name": "g", "behavior": "BLOCKING", "response": {"type": "STRING"}},
                ]
            }
        ]
    },
    {
        "tools": [
            {"mcpServers": [{"name": "m", "streamableHttpTransport": {"headers": {"x_y": "1"}}}]}
        ]
    },
    {"tools": [{"functionDeclarations": [{"description": "nameless"}]}]},
]


@pytest.mark.parametrize("fields", SETTINGS)
def test_every_setting_goes_back_as_it_came(fields: Json) -> None:
    body = {"contents": [said({"text": "x"})], **fields}

    assert codec(API).encode(codec(API).decode_request(body)).body == body


@pytest.mark.parametrize(
    "response",
    [
        {"output": "text"},
        {"output": '{"looks": "like an object"}'},
        {"output": ["a", 1, None]},
        {"output": None},
        {"output": "text", "more": 1},
        {"error": "text"},
        {"error": {"code": 7}},
        {"error": "text", "hint": "try again"},
        {"result": {"deep": {"none": None}}},
        {},
    ],
)
def test_a_tool_s_response_goes_back_as_it_came(response: Json) -> None:
    contents = [
        said({"text": "x"}),
        modelled({"functionCall": {"name": "f", "args": {}}}),
        said({"functionResponse": {"name": "f", "response": response}}),
    ]

    assert codec(API).encode(asked(*contents)).body["contents"] == contents


def test_media_and_marks_of_a_response_go_back_as_they_came() -> None:
    contents = [
        modelled({"functionCall": {"id": "a", "name": "f", "args": {}}}),
        said(
            {
                "functionResponse": {
                    "id": "b",
                    "name": "f",
                    "response": {"output": "here"},
                    "parts": [{"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}],
                    "scheduling": "SILENT",
                },
                "partMetadata": {"seen": True},
            }
        ),
    ]

    assert codec(API).encode(asked(*contents)).body["contents"] == contents


def test_the_order_of_results_and_files_stays_as_it_was() -> None:
    contents = [
        modelled(
            {"functionCall": {"name": "f", "args": {}}}, {"functionCall": {"name": "g", "args": {}}}
        ),
        said(
            {"functionResponse": {"name": "f", "response": {"output": "1"}}},
            {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}},
            {"functionResponse": {"name": "g", "response": {"output": "2"}}},
        ),
    ]

    assert codec(API).encode(asked(*contents)).body["contents"] == contents


def test_results_without_ids_find_their_calls_by_name() -> None:
    request = asked(
        modelled(
            {"functionCall": {"name": "f", "args": {}}}, {"functionCall": {"name": "g", "args": {}}}
        ),
        said(
            {"functionResponse": {"name": "g", "response": {"output": "2"}}},
            {"functionResponse": {"name": "f", "response": {"output": "1"}}},
        ),
    )
    calls, results = request.messages[0].tool_calls, request.messages[1].tool_results

    assert [result.tool_call_id for result in results] == [calls[1].id, calls[0].id]


def test_contents_of_the_model_that_follow_one_another_are_one_turn() -> None:
    request = asked(
        modelled({"functionCall": {"id": "1", "name": "f", "args": {}}}),
        modelled({"functionCall": {"id": "2", "name": "g", "args": {}}}),
        said(
            {"functionResponse": {"id": "1", "name": "f", "response": {"output": "1"}}},
            {"functionResponse": {"id": "2", "name": "g", "response": {"output": "2"}}},
        ),
    )

    assert [message.role for message in request.messages] == ["assistant", "tool"]


@pytest.mark.parametrize(
    "contents",
    [
        "hi",
        {"role": "user", "parts": [{"text": "hi"}]},
        [{"parts": [{"text": "hi"}]}],
        [{"parts": {"text": "hi"}}],
        ["hi"],
    ],
)
def test_contents_may_be_one_and_need_no_role(contents: object) -> None:
    request = codec(API).decode_request({"contents": contents})

    assert [(one.role, one.text) for one in request.messages] == [("user", "hi")]


def test_a_request_in_snake_case_is_read_alike() -> None:
    body = {
        "contents": [said({"inline_data": {"mime_type": "image/png", "data": "iVBORw0KGgo="}})],
        "system_instruction": "Be brief.",
        "tools": {
            "function_declarations": [
                {"name": "f", "parameters_json_schema": {"type": "object", "title": "F"}}
            ]
        },
        "generation_config": {"max_output_tokens": 5, "thinking_config": {"thinking_budget": 0}},
    }

    request = codec(API).decode_request(body)

    assert request.replace(messages=(), tools=()) == Request(
        "", max_tokens=5, reasoning={"budget_tokens": 0}
    )
    assert request.tools == (Tool("f", None, {"type": "object", "title": "F"}),)
    assert request.messages[0].text == "Be brief."
    assert request.messages[1].content == (Image(data=PNG, media_type="image/png"),)


def test_a_user_s_part_that_only_a_model_makes_is_kept_whole() -> None:
    part: Json = {"functionCall": {"name": "f", "args": {}}}
    request = asked(said(part))

    assert request.messages[0].content == (Opaque(kind="functionCall", payload=FrozenDict(part)),)
    assert codec(API).encode(request).body["contents"] == [said(part)]


@pytest.mark.parametrize("body", [{}, {"contents": 7}, {"contents": None}])
def test_a_body_without_contents_is_no_request(body: Json) -> None:
    with pytest.raises(DecodeError):
        codec(API).decode_request(body)


def test_a_request_may_be_text() -> None:
    body = json.dumps({"contents": [said({"text": "hi"})]})

    assert codec(API).decode_request(body).messages[0].text == "hi"
