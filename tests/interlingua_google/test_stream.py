"""Streamed chunks, as events of ours and as the same Response that comes unstreamed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interlingua import (
    Event,
    FrozenDict,
    OverloadedError,
    PartDone,
    Reasoning,
    ReasoningDelta,
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

Json = dict[str, Any]
Sample = Callable[[str], Json]
Events = Callable[[str], list[Json]]

API = "gemini-generate"


def mark(**fields: Any) -> FrozenDict:
    return FrozenDict({API: fields})


def chunk(*parts: Json, **fields: Any) -> Json:
    return {"candidates": [{"content": {"role": "model", "parts": list(parts)}, **fields}]}


def streamed(*chunks: Json) -> tuple[list[Event], Response]:
    decoder = codec(API).stream()
    events = [event for one in chunks for event in decoder.feed(one)]
    return events, decoder.finish()


def folded(*parts: Json) -> list[Json]:
    """The parts of the answer that these chunks of one part each stand for."""
    chunks = [*map(chunk, parts), chunk(finishReason="STOP")]
    return list(streamed(*chunks)[1].raw["candidates"][0]["content"]["parts"])


def test_a_stream_gives_the_answer_that_comes_unstreamed(sample: Sample, events: Events) -> None:
    _, response = streamed(*events("stream_text"))

    assert response == codec(API).decode(sample("stream_text"))


def test_a_stream_tells_what_happens(events: Events) -> None:
    told, _ = streamed(*events("stream_text"))

    assert told == [
        Started("answer-4", "gemini-3-flash"),
        ReasoningDelta(0, "The chart "),
        ReasoningDelta(0, "lists it."),
        PartDone(0, Reasoning(text="The chart lists it.")),
        TextDelta(1, "Eleven "),
        TextDelta(1, "metres."),
        PartDone(1, Text("Eleven metres.")),
        PartDone(2, Text("", extras=mark(thoughtSignature="c2VhbA=="))),
        UsageUpdate(
            Usage(input_tokens=10, output_tokens=12, reasoning_tokens=7),
        ),
    ]


def test_calls_come_whole_or_value_by_value(events: Events) -> None:
    told, response = streamed(*events("stream_calls"))
    first, second = response.tool_calls

    assert (first.name, first.arguments) == ("depth", {"place": "quay"})
    assert (second.name, second.arguments) == (
        "note",
        {"lines": [{"text": "deep water", "metres": 11}, None], "sure": True},
    )
    assert told[1:-1] == [
        ToolCallDelta(0, first.id, "depth", '{"place":"quay"}'),
        PartDone(0, first),
        ToolCallDelta(
            1,
            second.id,
            "note",
            '{"lines":[{"text":"deep water","metres":11},null],"sure":true}',
        ),
        PartDone(1, second),
    ]


def test_a_stream_that_stops_with_a_call_has_called_tools(events: Events) -> None:
    _, response = streamed(*events("stream_calls"))

    assert (response.finish_reason, response.raw_finish_reason, response.text) == (
        "tool_calls",
        "STOP",
        "",
    )


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([{"text": "a"}, {"text": "b"}], [{"text": "ab"}]),
        ([{"text": "a"}, {"text": ""}, {"text": "b"}], [{"text": "ab"}]),
        (
            [{"text": "a", "thought": True}, {"text": "b"}],
            [{"text": "a", "thought": True}, {"text": "b"}],
        ),
        (
            [{"text": "a"}, {"text": "b", "thoughtSignature": "s"}, {"text": "c"}],
            [{"text": "a"}, {"text": "b", "thoughtSignature": "s"}, {"text": "c"}],
        ),
        (
            [
                {"text": "", "thought": True},
                {"text": "a", "thought": True},
                {"text": "", "thought": True},
            ],
            [{"text": "a", "thought": True}],
        ),
        (
            [{"text": "a"}, {"executableCode": {"code": "1"}}, {"text": "b"}],
            [{"text": "a"}, {"executableCode": {"code": "1"}}, {"text": "b"}],
        ),
        (
            [{"text": "a"}, {"text": "", "thoughtSignature": "s"}],
            [{"text": "a"}, {"text": "", "thoughtSignature": "s"}],
        ),
    ],
)
def test_neighbouring_text_of_one_kind_runs_together(
    parts: list[Json], expected: list[Json]
) -> None:
    assert folded(*parts) == expected


def test_a_blocked_prompt_ends_the_stream() -> None:
    _, response = streamed({"promptFeedback": {"blockReason": "SAFETY"}, "responseId": "r"})

    assert (response.finish_reason, response.raw_finish_reason) == ("content_filter", "SAFETY")


def test_the_last_count_of_each_kind_counts() -> None:
    counts = ({"promptTokenCount": 9, "candidatesTokenCount": 1}, {"candidatesTokenCount": 4})
    _, response = streamed(
        {**chunk({"text": "a"}), "usageMetadata": counts[0]},
        {**chunk({"text": "b"}, finishReason="STOP"), "usageMetadata": counts[1]},
    )

    assert response.usage == Usage(9, 4)


def test_counts_after_the_end_are_told() -> None:
    told, response = streamed(
        chunk({"text": "a"}, finishReason="STOP"), {"usageMetadata": {"promptTokenCount": 9}}
    )

    assert told[-1] == UsageUpdate(Usage(9))
    assert response.usage == Usage(9)


def test_only_the_first_candidate_is_told_but_all_are_kept() -> None:
    two = [
        {"index": 0, "content": {"parts": [{"text": "one"}]}, "finishReason": "STOP"},
        {"index": 1, "content": {"parts": [{"text": "two"}]}, "finishReason": "STOP"},
    ]
    told, response = streamed({"candidates": two})

    assert [event.text for event in told if isinstance(event, TextDelta)] == ["one"]
    assert [one.text for one in response.candidates] == ["one", "two"]


def test_chunks_in_snake_case_are_read_alike() -> None:
    call = {"function_call": {"name": "f", "args": {"a_b": 1}}, "thought_signature": "s"}
    _, response = streamed(
        chunk(call), {**chunk(finish_reason="STOP"), "response_id": "r", "model_version": "m"}
    )

    assert (response.id, response.model, response.finish_reason) == ("r", "m", "tool_calls")
    assert response.tool_calls[0].arguments == {"a_b": 1}
    assert response.tool_calls[0].extras == mark(thoughtSignature="s")


def test_a_stream_that_is_cut_short_raises_and_keeps_what_came(events: Events) -> None:
    decoder = codec(API).stream()
    for event in events("stream_text")[:4]:
        decoder.feed(event)

    with pytest.raises(StreamInterruptedError) as caught:
        decoder.finish()

    assert caught.value.response is not None
    assert caught.value.response.text == "Eleven metres."
    assert caught.value.response.finish_reason == "error"


def test_a_finish_word_that_says_nothing_is_no_end() -> None:
    with pytest.raises(StreamInterruptedError):
        streamed(chunk({"text": "a"}, finishReason="FINISH_REASON_UNSPECIFIED"))


def test_a_stream_without_chunks_is_cut_short() -> None:
    with pytest.raises(StreamInterruptedError):
        streamed()


def test_an_error_in_the_stream_is_raised_with_what_came(events: Events) -> None:
    with pytest.raises(OverloadedError) as caught:
        streamed(*events("stream_error"))

    assert caught.value.response is not None
    assert caught.value.response.text == "Eleven "


def test_chunks_stay_as_they_were(events: Events) -> None:
    chunks, before = events("stream_calls"), events("stream_calls")
    streamed(*chunks)

    assert chunks == before


@pytest.mark.parametrize(
    "path", ["", "$", "$.a[99999999999]", "$.a.b", "$[0]", "nonsense", 7, "$.lines[5].x"]
)
def test_a_value_at_a_strange_path_breaks_nothing(path: object) -> None:
    call = {"functionCall": {"name": "f", "args": {"a": 1}, "willContinue": True}}
    more = {"functionCall": {"partialArgs": [{"jsonPath": path, "stringValue": "x"}]}}
    _, response = streamed(chunk(call), chunk(more), chunk(finishReason="STOP"))

    assert isinstance(response.message.content[0], ToolCall)


@pytest.mark.parametrize("event", [{}, {"candidates": None}, {"candidates": [None, 7]}, {"new": 1}])
def test_a_chunk_that_says_nothing_changes_nothing(event: Json) -> None:
    _, response = streamed(chunk({"text": "a"}), event, chunk({"text": "b"}, finishReason="STOP"))

    assert response.text == "ab"
