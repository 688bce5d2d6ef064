"""Streamed chunks as the answer they stand for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interlingua import (
    Event,
    Finished,
    Message,
    OverloadedError,
    PartDone,
    RateLimitError,
    Reasoning,
    ReasoningDelta,
    Refusal,
    Response,
    Started,
    StreamInterruptedError,
    Text,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    Usage,
    UsageUpdate,
    codec,
)
from interlingua.sse import Events

Json = dict[str, Any]
Sample = Callable[[str], Json]

API = "openai-chat"
SAMPLES = Path(__file__).parents[2] / "wire" / "openai-chat"
chat = codec(API)


def chunk(delta: Json, finish: str | None = None, **more: Any) -> Json:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "chatcmpl-1", "model": "gpt-6", "choices": [choice], **more}


def called(*calls: Json) -> Json:
    return chunk({"tool_calls": [*calls]})


END = chunk({}, "stop")


def streamed(*chunks: Json) -> tuple[list[Event], Response]:
    decoder = chat.stream()
    events = [event for one in chunks for event in decoder.feed(one)]
    return events, decoder.finish()


def parts(*chunks: Json) -> tuple[object, ...]:
    return streamed(*chunks, END)[1].message.content


def read(name: str) -> list[Json]:
    reader = Events(API)
    content = (SAMPLES / f"{name}.sse").read_bytes()
    return [*reader.feed(content), *reader.end()]


@pytest.mark.parametrize("name", ["stream_text", "stream_tools"])
def test_a_stream_is_the_answer_it_would_have_been_unstreamed(name: str, sample: Sample) -> None:
    _, response = streamed(*read(name))

    assert response == chat.decode(sample(name))


def test_events_tell_text_as_it_comes() -> None:
    events, response = streamed(*read("stream_text"))

    assert events == [
        Started("chatcmpl-3", "gpt-6-2026"),
        TextDelta(0, "Grüße, "),
        TextDelta(0, "\N{GRINNING FACE}!"),
        PartDone(0, Text("Grüße, \N{GRINNING FACE}!")),
        UsageUpdate(Usage(5, 4)),
    ]
    assert response.usage == Usage(5, 4)


def test_events_tell_calls_as_they_come() -> None:
    events, response = streamed(*read("stream_tools"))

    first, second = response.tool_calls
    assert events[1:] == [
        ToolCallDelta(0, "call_1", "weather", ""),
        ToolCallDelta(0, "call_1", "weather", '{"city":'),
        ToolCallDelta(0, "call_1", "weather", ' "Oslo"}'),
        ToolCallDelta(1, "call_2", "weather", "{}"),
        PartDone(0, first),
        PartDone(1, second),
    ]


# -- what hosts do


def test_indices_may_have_gaps() -> None:
    function = {"name": "f", "arguments": "{}"}

    assert parts(called({"index": 1, "id": "a", "type": "function", "function": function})) == (
        ToolCall("a", "f", "{}"),
    )


def test_without_an_index_the_id_tells_calls_apart() -> None:
    assert parts(
        called({"id": "a", "function": {"name": "f", "arguments": '{"x"'}}),
        called({"id": "a", "function": {"arguments": ":1}"}}),
        called({"id": "b", "function": {"name": "g", "arguments": "{"}}),
        called({"function": {"arguments": "}"}}),
    ) == (ToolCall("a", "f", '{"x":1}'), ToolCall("b", "g", "{}"))


def test_index_0_for_all_calls_is_seen_through() -> None:
    assert parts(
        called({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}),
        called({"index": 0, "id": "b", "function": {"name": "g", "arguments": "{"}}),
        called({"index": 0, "function": {"arguments": "}"}}),
    ) == (ToolCall("a", "f", "{}"), ToolCall("b", "g", "{}"))


def test_several_calls_in_one_chunk_are_several_calls() -> None:
    assert parts(
        called(
            {"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}},
            {"index": 1, "id": "b", "function": {"name": "g", "arguments": "{}"}},
        )
    ) == (ToolCall("a", "f", "{}"), ToolCall("b", "g", "{}"))


def test_a_name_said_again_is_the_same_name() -> None:
    assert parts(
        called({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}}),
        called({"index": 0, "id": "a", "function": {"name": "f", "arguments": "}"}}),
    ) == (ToolCall("a", "f", "{}"),)


def test_id_and_name_may_come_late() -> None:
    events, response = streamed(
        called({"index": 0, "function": {"arguments": "{"}}),
        called({"index": 0, "id": "a", "function": {"name": "f", "arguments": "}"}}),
        END,
    )

    assert events[1:3] == [ToolCallDelta(0, None, None, "{"), ToolCallDelta(0, "a", "f", "}")]
    assert response.tool_calls == (ToolCall("a", "f", "{}"),)


def test_a_call_without_an_id_has_the_same_one_in_events_and_answer() -> None:
    events, response = streamed(called({"index": 0, "function": {"name": "f"}}), END)

    assert PartDone(0, response.tool_calls[0]) in events


def test_free_text_calls_add_up() -> None:
    custom = {"index": 0, "id": "a", "type": "custom", "custom": {"name": "q", "input": "SEL"}}

    (made,) = parts(called(custom), called({"index": 0, "custom": {"input": "ECT"}}))

    assert isinstance(made, ToolCall)
    assert (made.name, made.raw_arguments, made.arguments) == ("q", "SELECT", {})


def test_the_old_function_call_adds_up() -> None:
    (made,) = parts(
        chunk({"function_call": {"name": "f", "arguments": '{"x"'}}),
        chunk({"function_call": {"arguments": ":1}"}}),
    )

    assert isinstance(made, ToolCall)
    assert (made.name, made.arguments) == ("f", {"x": 1})


def test_chunks_without_choices_are_no_end_and_no_error() -> None:
    events, response = streamed(
        {"id": "", "model": "", "choices": [], "prompt_filter_results": [{"prompt_index": 0}]},
        chunk({"content": "Hi"}),
        END,
        {"id": "chatcmpl-1", "choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}},
    )

    assert events == [
        Started("chatcmpl-1", "gpt-6"),
        TextDelta(0, "Hi"),
        PartDone(0, Text("Hi")),
        UsageUpdate(Usage(7, 2)),
    ]
    assert (response.text, response.id, response.usage) == ("Hi", "chatcmpl-1", Usage(7, 2))


def test_a_host_without_ids_has_started_all_the_same() -> None:
    events, _ = streamed({"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]})

    assert events == [Started(None, None), TextDelta(0, "Hi"), PartDone(0, Text("Hi"))]


def test_thought_text_and_call_in_one_chunk_are_told_in_the_order_of_the_parts() -> None:
    events, response = streamed(
        chunk(
            {
                "tool_calls": [
                    {"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}
                ],
                "content": "Hi",
                "reasoning_content": "Hm",
            }
        ),
        END,
    )

    assert events[1:4] == [
        ReasoningDelta(0, "Hm"),
        TextDelta(1, "Hi"),
        ToolCallDelta(2, "a", "f", "{}"),
    ]
    assert response.message.content == (Reasoning("Hm"), Text("Hi"), ToolCall("a", "f", "{}"))
    assert response.finish_reason == "tool_calls"


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_what_hosts_call_reasoning_is_reasoning(key: str) -> None:
    events, response = streamed(
        chunk({key: "Hm"}), chunk({key: "."}), chunk({"content": "Hi"}), END
    )

    assert events[1:4] == [ReasoningDelta(0, "Hm"), ReasoningDelta(0, "."), TextDelta(1, "Hi")]
    assert (response.message.reasoning, response.text) == ("Hm.", "Hi")


def test_a_thought_said_under_both_names_is_told_once() -> None:
    events, response = streamed(chunk({"reasoning": "Hm", "reasoning_content": "Hm"}), END)

    assert events[1:] == [ReasoningDelta(0, "Hm"), PartDone(0, Reasoning("Hm"))]
    assert response.message.reasoning == "Hm"


def test_content_in_blocks_runs_together() -> None:
    def thought(text: str) -> Json:
        return {"type": "thinking", "thinking": [{"type": "text", "text": text}]}

    def text(text: str) -> Json:
        return {"type": "text", "text": text}

    events, response = streamed(
        chunk({"content": [thought("H")]}),
        chunk({"content": [thought("m")]}),
        chunk({"content": [text("H")]}),
        chunk({"content": "i"}),
        END,
    )

    assert events[1:5] == [
        ReasoningDelta(0, "H"),
        ReasoningDelta(0, "m"),
        TextDelta(1, "H"),
        TextDelta(1, "i"),
    ]
    assert (response.message.reasoning, response.text) == ("Hm", "Hi")


def test_text_that_turns_into_blocks_is_kept() -> None:
    assert parts(
        chunk({"content": "a"}),
        chunk({"content": [{"type": "new", "x": 1}]}),
        chunk({"content": "b"}),
    )[0] == Text("a")


def test_a_refusal_adds_up() -> None:
    _, response = streamed(chunk({"refusal": "N"}), chunk({"refusal": "o."}), END)

    assert response.message.content == (Refusal("No."),)
    assert response.finish_reason == "refusal"


def test_surrogate_pairs_split_between_chunks_are_joined() -> None:
    events, response = streamed(chunk({"content": "\ud83d"}), chunk({"content": "\ude00"}), END)

    assert response.text == "\N{GRINNING FACE}"
    assert PartDone(0, Text("\N{GRINNING FACE}")) in events


def test_several_choices_are_candidates_and_only_the_first_is_told() -> None:
    def piece(index: int, text: str) -> Json:
        return {"index": index, "delta": {"content": text}, "finish_reason": "stop"}

    events, response = streamed({"id": "x", "choices": [piece(1, "b"), piece(0, "a")]})

    assert [event for event in events if isinstance(event, TextDelta)] == [TextDelta(0, "a")]
    assert [one.text for one in response.candidates] == ["a", "b"]


def test_fields_newer_than_this_library_are_kept() -> None:
    _, response = streamed(
        chunk({"content": "Hi", "brand_new": [1]}),
        chunk({"brand_new": [2]}),
        END,
    )

    assert response.message.extras == {API: {"brand_new": [1, 2]}}


def test_log_probabilities_add_up() -> None:
    def piece(token: str, finish: str | None = None) -> Json:
        logprobs = {"content": [{"token": token}], "refusal": None}
        choice = {"index": 0, "delta": {"content": token}, "finish_reason": finish}
        return {"choices": [{**choice, "logprobs": logprobs}]}

    _, response = streamed(piece("a"), piece("b", "stop"))

    assert response.raw["choices"][0]["logprobs"] == {
        "content": [{"token": "a"}, {"token": "b"}],
        "refusal": None,
    }


def test_a_part_is_done_once_even_if_the_end_is_said_twice() -> None:
    events, _ = streamed(chunk({"content": "Hi"}), END, END)

    assert events.count(PartDone(0, Text("Hi"))) == 1


def test_what_is_fed_is_not_changed() -> None:
    chunks = [
        chunk({"audio": {"id": "a", "data": "SU"}, "brand_new": {"x": []}}),
        chunk({"audio": {"data": "Qz"}, "brand_new": {"x": [1]}}),
        called({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{", "x": {"y": 1}}}),
        called({"index": 0, "function": {"arguments": "}", "x": {"z": 2}}}),
    ]
    before = json.dumps(chunks)

    streamed(*chunks, END)

    assert json.dumps(chunks) == before


# -- ends that are none


def test_a_stream_without_an_end_is_an_error_with_what_had_arrived() -> None:
    decoder = chat.stream()
    decoder.feed(chunk({"content": "Once"}))

    with pytest.raises(StreamInterruptedError) as caught:
        decoder.finish()

    held = caught.value.response
    assert held is not None
    assert (held.text, held.finish_reason, held.id) == ("Once", "error", "chatcmpl-1")


def test_an_empty_stream_is_an_error() -> None:
    with pytest.raises(StreamInterruptedError) as caught:
        chat.stream().finish()

    held = caught.value.response
    assert held is not None
    assert (held.message, held.finish_reason) == (
        Message.assistant(origin=held.message.origin),
        "error",
    )


def test_an_answer_is_whole_only_when_every_choice_is() -> None:
    decoder = chat.stream()
    decoder.feed({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    decoder.feed({"choices": [{"index": 1, "delta": {}, "finish_reason": None}]})

    with pytest.raises(StreamInterruptedError):
        decoder.finish()


def test_an_error_among_the_chunks_is_raised_with_what_had_arrived() -> None:
    first, second = read("stream_error")
    decoder = chat.stream()
    decoder.feed(first)

    with pytest.raises(OverloadedError) as caught:
        decoder.feed(second)

    held = caught.value.response
    assert held is not None
    assert (held.text, held.finish_reason) == ("Once", "error")
    assert (str(caught.value), caught.value.status) == ("The server is overloaded.", 200)


def test_an_error_as_the_first_chunk_is_raised() -> None:
    with pytest.raises(RateLimitError):
        chat.stream().feed({"error": {"message": "Slow down.", "type": "rate_limit_error"}})


def test_no_event_is_the_last_one_but_finished() -> None:
    assert not [event for event in streamed(END)[0] if isinstance(event, Finished)]
