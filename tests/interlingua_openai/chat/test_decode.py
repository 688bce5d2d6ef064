"""What Chat Completions answers, as a Response."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, get_args

import pytest
from openai.types.chat import ChatCompletion
from openai.types.chat.chat_completion import Choice

from interlingua import (
    Audio,
    DecodeError,
    FrozenDict,
    LossPolicy,
    Message,
    Opaque,
    Origin,
    Part,
    RateLimitError,
    Reasoning,
    Refusal,
    Request,
    Response,
    Text,
    ToolCall,
    Usage,
    codec,
)
from interlingua_openai.chat.decode import FINISH

Json = dict[str, Any]
Sample = Callable[[str], Json]

API = "openai-chat"
chat = codec(API)


def answer(message: Json, finish: object = "stop", **more: Any) -> Json:
    return {
        "id": "chatcmpl-1",
        "model": "gpt-6",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        **more,
    }


def decoded(message: Json, finish: object = "stop") -> Response:
    return chat.decode(answer({"role": "assistant", **message}, finish))


def extras(**fields: Any) -> FrozenDict:
    return FrozenDict({API: fields})


def echoed(response: Response) -> Json:
    """The turn as it goes back."""
    request = Request("gpt-6", [response.message])
    return chat.encode(request, LossPolicy.strict).body["messages"][0]


def test_a_whole_answer_is_a_response(sample: Sample) -> None:
    body = sample("answer_text")

    response = chat.decode(body)

    assert response == Response(
        Message(
            "assistant",
            Text(
                "Oslo is cold.",
                tuple(map(FrozenDict, body["choices"][0]["message"]["annotations"])),
            ),
            origin=Origin("openai", API, "gpt-6-2026"),
        ),
        "stop",
        "stop",
        Usage(
            20,
            12,
            8,
            4,
            5,
            FrozenDict(
                prompt_tokens_details={"audio_tokens": 0},
                completion_tokens_details={"accepted_prediction_tokens": 0},
            ),
        ),
        model="gpt-6-2026",
        id="chatcmpl-1",
        provider="openai",
        api=API,
        raw=FrozenDict(body),
    )


def test_the_time_is_in_utc(sample: Sample) -> None:
    assert chat.decode(sample("answer_text")).message.created_at == datetime(
        2026, 9, 21, 14, 13, 20, tzinfo=UTC
    )


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ({"content": "Hi"}, [Text("Hi")]),
        ({"content": ""}, []),
        ({"content": " \n"}, [Text(" \n")]),
        ({"content": None}, []),
        ({"content": None, "refusal": "No."}, [Refusal("No.")]),
        (
            {"reasoning_content": "Hm.", "content": "Hi"},
            [Reasoning("Hm."), Text("Hi")],
        ),
        (
            {"reasoning": "Hm.", "content": "Hi"},
            [Reasoning("Hm.", extras=extras(key="reasoning")), Text("Hi")],
        ),
        (
            {"content": [{"type": "text", "text": "a"}, {"type": "refusal", "refusal": "No."}]},
            [Text("a"), Refusal("No.", extras=extras(type="refusal"))],
        ),
        (
            {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]},
            [Reasoning("Hm.", extras=extras(type="thinking"))],
        ),
        (
            {"content": [{"type": "new", "x": [1]}]},
            [Opaque("new", FrozenDict(type="new", x=[1]))],
        ),
        (
            {
                "tool_calls": [
                    {
                        "id": "a",
                        "type": "function",
                        "function": {"name": "f", "arguments": '{"x":1}'},
                    }
                ]
            },
            [ToolCall("a", "f", '{"x":1}')],
        ),
        (
            {
                "tool_calls": [
                    {"id": "a", "type": "custom", "custom": {"name": "f", "input": '{"x":1}'}}
                ]
            },
            [ToolCall("a", "f", {}, '{"x":1}', extras=extras(type="custom"))],
        ),
        (
            {"audio": {"id": "au_1", "data": "SUQz", "transcript": "Hi", "expires_at": 1}},
            [Audio(data=b"ID3", extras=extras(id="au_1", transcript="Hi", expires_at=1))],
        ),
    ],
)
def test_what_a_message_holds_is_its_parts(message: Json, parts: list[Part]) -> None:
    response = decoded(message)

    assert response.message == Message("assistant", parts, origin=Origin("openai", API, "gpt-6"))


TURNS: list[Json] = [
    {"content": "Hi"},
    {"content": [{"type": "text", "text": "a", "x": 1}, {"type": "new", "x": [1]}]},
    {"content": "", "refusal": "No."},
    {"content": [{"type": "refusal", "refusal": "No.", "x": 1}]},
    {"content": "Hi", "reasoning": "Hm."},
    {"content": "Hi", "reasoning_content": "Hm.", "reasoning": "Hm."},
    {"content": "Hi", "annotations": [{"type": "url_citation"}]},
    {"content": "Hi", "reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]},
    {"tool_calls": [{"id": "a", "type": "custom", "custom": {"name": "f", "input": "x"}}]},
    {"tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{"}}]},
    {
        "tool_calls": [
            {
                "id": "a",
                "type": "function",
                "function": {"name": "a.b/c", "arguments": "", "x": 1},
                "extra_content": {"y": 2},
            }
        ]
    },
    {
        "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "f", "arguments": {"x": 1}}}
        ]
    },
    {"tool_calls": [{"id": "a", "type": "unheard", "unheard": {}}]},
    {"function_call": {"name": "f", "arguments": "{}"}},
]


@pytest.mark.parametrize("message", TURNS)
def test_a_turn_goes_back_as_it_came(message: Json) -> None:
    sent = {"role": "assistant", **message}

    assert echoed(chat.decode(answer(sent))) == sent


def test_of_spoken_audio_only_the_id_goes_back() -> None:
    response = decoded({"audio": {"id": "au_1", "data": "SUQz", "transcript": "Hi"}})

    assert echoed(response) == {"role": "assistant", "audio": {"id": "au_1"}}


def test_calls_without_ids_get_their_own_and_lose_them_on_the_way_back() -> None:
    function = {"name": "f", "arguments": "{}"}
    response = decoded({"tool_calls": [{"function": function}, {"function": function}]})

    first, second = response.tool_calls
    assert first.id != second.id
    assert response == decoded({"tool_calls": [{"function": function}, {"function": function}]})
    assert [call.get("id") for call in echoed(response)["tool_calls"]] == [None, None]


@pytest.mark.parametrize(
    "word", sorted(set(get_args(Choice.model_fields["finish_reason"].annotation)))
)
def test_every_finish_reason_of_the_sdk_has_a_row(word: str) -> None:
    assert word in FINISH


@pytest.mark.parametrize(
    ("word", "message", "reason"),
    [
        ("stop", {"content": "a"}, "stop"),
        ("eos", {"content": "a"}, "stop"),
        ("length", {"content": "a"}, "length"),
        ("model_length", {"content": "a"}, "length"),
        ("tool_calls", {"tool_calls": [{"id": "a", "function": {"name": "f"}}]}, "tool_calls"),
        ("stop", {"tool_calls": [{"id": "a", "function": {"name": "f"}}]}, "tool_calls"),
        ("function_call", {"function_call": {"name": "f"}}, "tool_calls"),
        ("content_filter", {"content": ""}, "content_filter"),
        ("stop", {"refusal": "No."}, "refusal"),
        ("error", {"content": "a"}, "error"),
        ("brand_new", {"content": "a"}, "other"),
        (None, {"content": "a"}, "other"),
        (7, {"content": "a"}, "other"),
    ],
)
def test_finish_reasons(word: object, message: Json, reason: str) -> None:
    response = decoded(message, word)

    raw = word if isinstance(word, str) else None
    assert (response.finish_reason, response.raw_finish_reason) == (reason, raw)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"prompt_tokens": 5, "completion_tokens": 2}, Usage(5, 2)),
        ({"prompt_tokens": 5.0, "completion_tokens": None}, Usage(5)),
        ({}, Usage()),
        (None, Usage()),
        (
            {"prompt_tokens": 5, "completion_tokens": 2, "prompt_cache_hit_tokens": 3},
            Usage(5, 2, 3, details=FrozenDict(prompt_cache_hit_tokens=3)),
        ),
        (
            {
                "prompt_tokens": 5,
                "completion_tokens": 2,
                "total_tokens": 10,
                "completion_tokens_details": {"reasoning_tokens": 3},
            },
            Usage(5, 5, reasoning_tokens=3),
        ),
        (
            {
                "prompt_tokens": 5,
                "completion_tokens": 4,
                "total_tokens": 9,
                "completion_tokens_details": {"reasoning_tokens": 3},
            },
            Usage(5, 4, reasoning_tokens=3),
        ),
    ],
)
def test_usage_counts_all_and_guesses_nothing(given: Json | None, expected: Usage) -> None:
    assert chat.decode(answer({"content": "a"}, usage=given)).usage == expected


def test_every_choice_is_a_candidate() -> None:
    choices = [
        {"index": number, "message": {"content": text}, "finish_reason": "stop"}
        for number, text in enumerate("ab")
    ]

    response = chat.decode({"choices": choices})

    assert [(one.text, one.finish_reason) for one in response.candidates] == [
        ("a", "stop"),
        ("b", "stop"),
    ]
    assert response.text == "a"


def test_no_choice_at_all_is_an_empty_answer() -> None:
    response = chat.decode({"choices": []})

    assert (response.message.content, response.finish_reason) == ((), "other")


def test_an_error_dressed_as_an_answer_is_raised() -> None:
    with pytest.raises(RateLimitError) as caught:
        chat.decode({"error": {"message": "Slow down.", "code": "rate_limit_exceeded"}})

    assert (str(caught.value), caught.value.status, caught.value.retryable) == (
        "Slow down.",
        200,
        True,
    )


@pytest.mark.parametrize("body", [{}, {"choices": None}, {"choices": {"a": 1}}, "[]", b"no", "7"])
def test_what_is_no_answer_is_a_decode_error(body: object) -> None:
    with pytest.raises(DecodeError, match="openai-chat"):
        chat.decode(body)


def test_an_answer_may_be_bytes_text_a_mapping_or_the_sdks_object(sample: Sample) -> None:
    body = sample("answer_text")
    whole = chat.decode(body)

    assert chat.decode(json.dumps(body)) == whole
    assert chat.decode(json.dumps(body).encode()) == whole
    assert chat.decode(whole.raw) == whole
    assert chat.decode(ChatCompletion.model_validate(body)) == whole


def test_lone_surrogates_are_replaced_and_pairs_joined() -> None:
    body = (
        r'{"choices": [{"message": {"content": "\ud83d\ude00 \ud83d!"}, "finish_reason": "stop"}]}'
    )

    assert chat.decode(body).text == "\N{GRINNING FACE} \N{REPLACEMENT CHARACTER}!"
