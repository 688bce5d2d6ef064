"""What a response's JSON becomes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from interlingua.codec import Codec
from interlingua.errors import DecodeError, RateLimitError
from interlingua.frozen import FrozenDict
from interlingua.message import Message, Origin
from interlingua.parts import (
    Opaque,
    Part,
    Reasoning,
    Refusal,
    ServerToolCall,
    Text,
    ToolCall,
)
from interlingua.response import Usage

API = "openai-responses"
Sample = Callable[[str], Any]


def answer(*output: object, **about: object) -> dict[str, Any]:
    return {"id": "resp", "object": "response", "status": "completed", "output": [*output], **about}


def extras(**fields: object) -> FrozenDict:
    return FrozenDict({API: fields})


def said(*blocks: object, **about: object) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [*blocks], **about}


def text(words: str) -> dict[str, Any]:
    return {"type": "output_text", "text": words, "annotations": []}


def test_an_answer_is_one_message_whose_parts_keep_the_order_of_the_items(
    codec: Codec, sample: Sample
) -> None:
    body = sample("answer.json")

    message = codec.decode(body).message

    item = {"id": "msg_1", "status": "completed", "phase": "commentary"}
    cited = body["output"][2]["content"][0]
    assert message == Message(
        "assistant",
        (
            Reasoning(
                signature="c2VhbA==",
                summary=("Two tools will do.", "First the search."),
                extras=extras(id="rs_1"),
            ),
            ServerToolCall(
                "ws_1",
                "web_search",
                FrozenDict(body["output"][1]["action"]),
                extras=extras(type="web_search_call", status="completed"),
            ),
            Text(
                "High water is at noon.",
                (FrozenDict(cited["annotations"][0]),),
                extras=extras(logprobs=cited["logprobs"], item=item),
            ),
            Text(" I ask the harbour.", extras=extras(item=item, continues=True)),
            ToolCall(
                "call_1",
                "harbour",
                {"place": "Brest"},
                '{ "place": "Brest" }',
                extras=extras(id="fc_1", status="completed"),
            ),
            ToolCall(
                "call_2",
                "note",
                None,
                "tide at noon",
                extras=extras(id="ctc_1", type="custom_tool_call", status="completed"),
            ),
            Opaque("telepathy_call", FrozenDict(body["output"][5])),
        ),
        origin=Origin("openai", API, "gpt-6-sol-2026-10-01"),
    )


def test_an_answer_says_who_made_it_and_when(codec: Codec, sample: Sample) -> None:
    response = codec.decode(sample("answer.json"))

    assert (response.id, response.model) == ("resp_1", "gpt-6-sol-2026-10-01")
    assert (response.provider, response.api) == ("openai", API)
    assert response.message.created_at == datetime.fromtimestamp(1790000000, UTC)
    assert response.raw == sample("answer.json")


def test_usage_counts_caches_and_reasoning_as_subsets(codec: Codec, sample: Sample) -> None:
    usage = codec.decode(sample("answer.json")).usage

    assert usage == Usage(
        input_tokens=100,
        output_tokens=40,
        cache_read_tokens=60,
        cache_write_tokens=20,
        reasoning_tokens=25,
        details=FrozenDict(
            {
                "input_tokens_details": {"cache_write_tokens_details": {"ttl_30m_tokens": 20}},
                "tool_usage": {"web_search": {"num_requests": 1}},
            }
        ),
    )


def test_unknown_counts_are_none(codec: Codec) -> None:
    assert codec.decode(answer(usage={"input_tokens": "many"})).usage == Usage()


CALL = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
FINISH: list[tuple[dict[str, Any], str, str | None]] = [
    (answer(said(text("hi"))), "stop", "completed"),
    (answer(CALL), "tool_calls", "completed"),
    (answer({**CALL, "type": "custom_tool_call", "input": "x"}), "tool_calls", "completed"),
    (answer({"type": "computer_call", "call_id": "c"}), "tool_calls", "completed"),
    (answer({"type": "local_shell_call", "call_id": "c"}), "tool_calls", "completed"),
    (answer({"type": "apply_patch_call", "call_id": "c"}), "tool_calls", "completed"),
    (answer({"type": "tool_search_call", "execution": "client"}), "tool_calls", "completed"),
    (answer({"type": "tool_search_call", "execution": "server"}), "stop", "completed"),
    (
        answer(
            {"type": "shell_call", "call_id": "c"}, {"type": "shell_call_output", "call_id": "c"}
        ),
        "stop",
        "completed",
    ),
    (answer(said({"type": "refusal", "refusal": "no"})), "refusal", "completed"),
    (answer(status="queued"), "pause", "queued"),
    (answer(status="in_progress"), "pause", "in_progress"),
    (answer(status="failed"), "error", "failed"),
    (answer(status="cancelled"), "other", "cancelled"),
    (answer(status="levitating"), "other", "levitating"),
    (answer(status=None), "other", None),
    *(
        (answer(status="incomplete", incomplete_details={"reason": reason}), ours, reason)
        for reason, ours in (
            ("max_output_tokens", "length"),
            ("max_messages", "length"),
            ("content_filter", "content_filter"),
            ("steered", "pause"),
            ("bored", "other"),
        )
    ),
]


@pytest.mark.parametrize(("body", "ours", "raw"), FINISH)
def test_every_end_has_its_reason_and_keeps_the_raw_word(
    codec: Codec, body: dict[str, Any], ours: str, raw: str | None
) -> None:
    response = codec.decode(body)

    assert (response.finish_reason, response.raw_finish_reason) == (ours, raw)


PARTS: list[tuple[dict[str, Any], Part]] = [
    (said(text("hi")), Text("hi")),
    ({"type": "message", "role": "assistant", "content": "hi"}, Text("hi")),
    (
        said({"type": "refusal", "refusal": "no"}, id="m"),
        Refusal("no", extras=extras(item={"id": "m"})),
    ),
    (
        said({"type": "output_hologram", "ray": 1}),
        Opaque(
            "output_hologram",
            FrozenDict({"type": "output_hologram", "ray": 1}),
            extras=extras(item={}),
        ),
    ),
    (
        {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "hm"}]},
        Reasoning("hm"),
    ),
    (
        {
            "type": "file_search_call",
            "id": "fs",
            "status": "completed",
            "queries": ["q"],
            "results": [{"text": "found"}],
        },
        ServerToolCall(
            "fs",
            "file_search",
            FrozenDict({"queries": ["q"]}),
            extras=extras(type="file_search_call", status="completed", results=[{"text": "found"}]),
        ),
    ),
    (
        {
            "type": "code_interpreter_call",
            "id": "ci",
            "code": "1+1",
            "container_id": "k",
            "outputs": [],
        },
        ServerToolCall(
            "ci",
            "code_interpreter",
            FrozenDict({"code": "1+1"}),
            extras=extras(type="code_interpreter_call", container_id="k", outputs=[]),
        ),
    ),
    (
        {"type": "image_generation_call", "id": "ig", "result": "iVBORw0KGgo="},
        ServerToolCall(
            "ig",
            "image_generation",
            extras=extras(type="image_generation_call", result="iVBORw0KGgo="),
        ),
    ),
    (
        {"type": "mcp_call", "id": "mc", "name": "ask", "arguments": '{"a":1}', "output": "b"},
        ServerToolCall(
            "mc",
            "ask",
            FrozenDict({"a": 1}),
            extras=extras(type="mcp_call", name="ask", arguments='{"a":1}', output="b"),
        ),
    ),
    ({"id": "rs"}, Opaque("item_reference", FrozenDict({"id": "rs"}))),
]


@pytest.mark.parametrize(("item", "part"), PARTS)
def test_an_item_becomes_its_part(codec: Codec, item: dict[str, Any], part: Part) -> None:
    assert codec.decode(answer(item)).message.content == (part,)


@pytest.mark.parametrize(
    "item",
    [
        {"type": "message", "content": []},
        {"type": "message", "content": [3]},
        {"type": "function_call", "call_id": "", "name": "f", "arguments": "{}"},
        {"type": "custom_tool_call", "call_id": "c", "name": "f", "input": 3},
        {"type": "reasoning", "encrypted_content": 3},
        {"type": "compaction", "encrypted_content": "x"},
    ],
)
def test_a_known_item_in_an_unknown_shape_is_kept_whole(codec: Codec, item: dict[str, Any]) -> None:
    assert codec.decode(answer(item)).message.content == (Opaque(item["type"], FrozenDict(item)),)


def test_arguments_that_are_no_json_are_kept_as_they_came(codec: Codec) -> None:
    (call,) = codec.decode(answer({**CALL, "arguments": '{"a":'})).tool_calls

    assert (call.arguments, call.raw_arguments, call.is_valid) == ({}, '{"a":', False)


def test_arguments_that_came_as_an_object_are_read_and_go_back_so(codec: Codec) -> None:
    (call,) = codec.decode(answer({**CALL, "arguments": {"a": 1}})).tool_calls

    assert call == ToolCall("c", "f", {"a": 1}, extras=extras(arguments={"a": 1}))


def test_a_response_that_failed_is_an_error_with_what_there_was(codec: Codec) -> None:
    error = {"code": "rate_limit_exceeded", "message": "slow down"}
    body = answer(said(text("half")), status="failed", error=error)

    with pytest.raises(RateLimitError, match="slow down") as caught:
        codec.decode(body)

    assert caught.value.response is not None
    assert caught.value.response.text == "half"
    assert caught.value.response.finish_reason == "error"


@pytest.mark.parametrize("body", [{}, {"output": 3}, {"output": "text", "object": "response"}])
def test_what_is_no_response_is_a_decode_error(codec: Codec, body: dict[str, Any]) -> None:
    with pytest.raises(DecodeError, match="output"):
        codec.decode(body)


def test_a_queued_response_has_no_output_yet(codec: Codec) -> None:
    body = {"id": "resp", "object": "response", "status": "queued", "output": None}

    response = codec.decode(body)

    assert (response.message.content, response.finish_reason) == ((), "pause")
