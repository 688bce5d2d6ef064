"""What a stream of events becomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interlingua.codec import Codec
from interlingua.errors import QuotaError, ServerError, StreamInterruptedError
from interlingua.events import (
    Event,
    PartDone,
    ReasoningDelta,
    Started,
    TextDelta,
    ToolCallDelta,
    UsageUpdate,
)
from interlingua.frozen import FrozenDict
from interlingua.parts import Reasoning, Refusal, Text, ToolCall
from interlingua.response import Usage

API = "openai-responses"
Sample = Callable[[str], Any]


def fed(codec: Codec, events: list[dict[str, Any]]) -> list[Event]:
    decoder = codec.stream()
    return [told for event in events for told in decoder.feed(event)]


def finished(codec: Codec, events: list[dict[str, Any]]) -> Any:
    decoder = codec.stream()
    for event in events:
        decoder.feed(event)
    return decoder.finish()


def extras(**fields: object) -> FrozenDict:
    return FrozenDict({API: fields})


def delta(text: str, **about: object) -> dict[str, Any]:
    return {
        "type": "response.output_text.delta",
        "output_index": 0,
        "content_index": 0,
        "delta": text,
        **about,
    }


def test_a_stream_gives_the_response_that_its_last_event_holds(
    codec: Codec, sample: Sample
) -> None:
    events = sample("stream.sse")

    assert finished(codec, events) == codec.decode(events[-1]["response"])


def test_a_stream_tells_what_happens(codec: Codec, sample: Sample) -> None:
    item = {"id": "msg_1", "status": "completed"}

    assert fed(codec, sample("stream.sse")) == [
        Started("resp_2", "gpt-6-sol"),
        ReasoningDelta(0, "Ask "),
        ReasoningDelta(0, "first."),
        ReasoningDelta(0, "\n\nThen tell."),
        PartDone(
            0,
            Reasoning(
                signature="d2hvbGU=", summary=("Ask first.", "Then tell."), extras=extras(id="rs_1")
            ),
        ),
        TextDelta(1, "One "),
        TextDelta(1, "moment."),
        PartDone(1, Text("One moment.", extras=extras(item=item))),
        ToolCallDelta(2, "call_1", "harbour", ""),
        ToolCallDelta(2, "call_1", "harbour", '{"place":'),
        ToolCallDelta(2, "call_1", "harbour", '"Brest"}'),
        PartDone(
            2,
            ToolCall(
                "call_1",
                "harbour",
                {"place": "Brest"},
                '{"place":"Brest"}',
                extras=extras(id="fc_1", status="completed"),
            ),
        ),
        UsageUpdate(
            Usage(input_tokens=10, output_tokens=8, cache_read_tokens=0, reasoning_tokens=3)
        ),
    ]


def test_a_stream_that_stops_early_keeps_what_had_arrived(codec: Codec, sample: Sample) -> None:
    decoder = codec.stream()
    for event in sample("stream.sse")[:17]:
        decoder.feed(event)

    with pytest.raises(StreamInterruptedError) as caught:
        decoder.finish()

    response = caught.value.response
    assert response is not None
    assert (response.id, response.finish_reason) == ("resp_2", "error")
    assert response.text == "One moment."
    assert response.tool_calls[0].raw_arguments == '{"place":'
    assert response.message.reasoning == "Ask first.\n\nThen tell."


def test_deltas_alone_are_enough_for_what_had_arrived(codec: Codec) -> None:
    decoder = codec.stream()
    for event in (
        {"type": "response.reasoning_text.delta", "output_index": 0, "delta": "hm"},
        delta("a", output_index=1),
        {"type": "response.refusal.delta", "output_index": 1, "content_index": 1, "delta": "no"},
    ):
        decoder.feed(event)

    assert decoder.partial().message.content == (
        Reasoning("hm"),
        Text("a"),
        Refusal("no", extras=extras(continues=True)),
    )


def test_a_text_that_comes_whole_is_told_whole(codec: Codec) -> None:
    item = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "ab"}],
    }
    done = {"type": "response.output_item.done", "output_index": 0, "item": item}
    ended = {"type": "response.completed", "response": {"status": "completed", "output": [item]}}

    told = [TextDelta(0, "ab"), PartDone(0, Text("ab"))]
    assert fed(codec, [done, ended]) == told
    assert fed(codec, [delta("ab"), done]) == told
    assert fed(codec, [ended]) == told


def test_the_index_counts_the_parts_of_earlier_items(codec: Codec) -> None:
    two = [{"type": "output_text", "text": "a"}, {"type": "output_text", "text": "b"}]
    done = {
        "type": "response.output_item.done",
        "output_index": 0,
        "item": {"type": "message", "content": two},
    }

    events = fed(codec, [done, delta("c", output_index=1)])

    assert [event.index for event in events if isinstance(event, TextDelta)] == [0, 1, 2]


def test_an_ending_without_items_takes_those_that_were_done(codec: Codec) -> None:
    item = {"type": "message", "id": "m", "content": [{"type": "output_text", "text": "a"}]}
    events: list[dict[str, Any]] = [
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"status": "completed", "output": []}},
    ]

    assert finished(codec, events).text == "a"


def test_an_incomplete_response_is_whole(codec: Codec) -> None:
    response: dict[str, Any] = {
        "status": "incomplete",
        "incomplete_details": {"reason": "max_output_tokens"},
        "output": [],
    }

    ended = finished(codec, [{"type": "response.incomplete", "response": response}])

    assert ended.finish_reason == "length"


@pytest.mark.parametrize(
    "event",
    [
        {"type": "error", "code": "insufficient_quota", "message": "spent"},
        {"type": "error", "error": {"code": "insufficient_quota", "message": "spent"}},
        {
            "type": "response.failed",
            "response": {
                "status": "failed",
                "error": {"code": "insufficient_quota", "message": "spent"},
                "output": [],
            },
        },
    ],
)
def test_an_error_in_the_stream_is_raised_with_what_had_arrived(
    codec: Codec, event: dict[str, Any]
) -> None:
    decoder = codec.stream()
    decoder.feed(delta("half"))

    with pytest.raises(QuotaError, match="spent") as caught:
        decoder.feed(event)

    assert caught.value.response is not None
    assert caught.value.response.text == "half"
    assert caught.value.response.finish_reason == "error"


def test_an_error_without_a_code_is_the_servers(codec: Codec) -> None:
    with pytest.raises(ServerError, match="oops"):
        codec.stream().feed({"type": "error", "code": None, "message": "oops"})


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"type": 3},
        {"type": "response.telepathy.delta", "delta": "x"},
        {"type": "keepalive"},
        {"type": "response.output_item.added", "output_index": "one", "item": None},
        {"type": "response.output_text.delta", "output_index": [0], "delta": None},
        {"type": "response.content_part.added", "part": "none"},
    ],
)
def test_events_that_say_nothing_known_tell_nothing(codec: Codec, event: dict[str, Any]) -> None:
    assert fed(codec, [event]) == []


def test_what_is_fed_is_not_changed(codec: Codec, sample: Sample) -> None:
    events = sample("stream.sse")

    finished(codec, events)

    assert events == sample("stream.sse")
