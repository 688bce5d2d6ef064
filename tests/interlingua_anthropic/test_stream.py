"""Streamed events, as events of ours and as the same Response that comes unstreamed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from interlingua import (
    DecodeError,
    Event,
    FrozenDict,
    Message,
    OverloadedError,
    PartDone,
    Reasoning,
    ReasoningDelta,
    ServerToolCall,
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

API = "anthropic-messages"
START: Json = {"type": "message_start", "message": {"id": "msg_01", "model": "m", "content": []}}
STOP: Json = {"type": "message_stop"}


def fed(given: list[Json]) -> list[Event]:
    decoder = codec(API).stream()
    return [event for one in given for event in decoder.feed(one)]


def test_a_stream_gives_the_answer_that_comes_unstreamed(sample: Sample, events: Events) -> None:
    decoder = codec(API).stream()

    for event in events("stream"):
        decoder.feed(event)

    assert decoder.finish() == codec(API).decode(sample("stream"))


def test_a_stream_tells_what_happens(sample: Sample, events: Events) -> None:
    call = partial(ToolCallDelta, 2, "toolu_01A", "ferry_times")
    cited = sample("stream")["content"][1]["citations"]

    assert fed(events("stream")) == [
        Started("msg_01Ferry", "claude-sonnet-5"),
        UsageUpdate(Usage(100, 1, 20)),
        ReasoningDelta(0, "One "),
        ReasoningDelta(0, "lookup."),
        PartDone(0, Reasoning("One lookup.", "c2VhbA==")),
        TextDelta(1, "Let me "),
        TextDelta(1, "look."),
        PartDone(1, Text("Let me look.", cited)),
        call(""),
        call(""),
        call('{"line": '),
        call("3}"),
        PartDone(2, ToolCall("toolu_01A", "ferry_times", {"line": 3})),
        PartDone(3, ServerToolCall("srvtoolu_01", "web_search", FrozenDict(query="ferry"))),
        UsageUpdate(Usage(100, 61, 20)),
    ]


def test_events_are_not_changed_by_feeding_them(events: Events) -> None:
    given = events("stream")

    fed(given)

    assert given == events("stream")


def test_an_error_in_a_stream_is_raised_with_what_had_arrived(events: Events) -> None:
    with pytest.raises(OverloadedError) as caught:
        fed(events("stream_error"))

    assert caught.value.retryable
    assert caught.value.request_id == "req_01"
    assert caught.value.response is not None
    assert caught.value.response.finish_reason == "error"
    assert caught.value.response.text == "Half of"


@pytest.mark.parametrize("length", range(21))
def test_a_stream_that_stops_early_is_interrupted(events: Events, length: int) -> None:
    decoder = codec(API).stream()
    for event in events("stream")[:length]:
        decoder.feed(event)

    with pytest.raises(StreamInterruptedError) as caught:
        decoder.finish()

    assert caught.value.response is not None
    assert caught.value.response.finish_reason == "error"


def test_an_answer_is_whole_once_its_stop_reason_is_told(events: Events) -> None:
    decoder = codec(API).stream()
    for event in events("stream")[:-1]:
        decoder.feed(event)

    assert decoder.finish().finish_reason == "tool_calls"


def test_a_call_without_arguments_needs_no_pieces() -> None:
    block: Json = {"type": "tool_use", "id": "toolu_01", "name": "refresh", "input": {}}
    decoder = codec(API).stream()
    for event in (START, {"type": "content_block_start", "index": 0, "content_block": block}, STOP):
        decoder.feed(event)

    assert decoder.finish().tool_calls == (ToolCall("toolu_01", "refresh"),)


def test_arguments_that_break_off_are_kept_as_text() -> None:
    block: Json = {"type": "tool_use", "id": "toolu_01", "name": "f", "input": {}}
    piece = {"type": "input_json_delta", "partial_json": '{"city": "Par'}
    decoder = codec(API).stream()
    for event in (
        START,
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": piece},
        {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {}},
        STOP,
    ):
        decoder.feed(event)

    assert decoder.finish().tool_calls == (ToolCall("toolu_01", "f", '{"city": "Par'),)


def test_text_that_a_block_starts_with_is_told() -> None:
    block = {"type": "text", "text": "Hel"}
    rest = {"type": "text_delta", "text": "lo"}
    told = fed(
        [
            START,
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": rest},
        ]
    )

    assert told[1:] == [TextDelta(0, "Hel"), TextDelta(0, "lo")]


def test_pieces_of_a_block_that_never_started_are_kept() -> None:
    decoder = codec(API).stream()
    text = {"type": "text_delta", "text": "hi"}
    for event in (START, {"type": "content_block_delta", "index": 4, "delta": text}, STOP):
        decoder.feed(event)

    assert decoder.finish().text == "hi"


def test_a_block_of_a_new_kind_takes_what_its_pieces_say() -> None:
    decoder = codec(API).stream()
    start = {"type": "content_block_start", "index": 0, "content_block": {"type": "compaction"}}
    delta = {"type": "compaction_delta", "content": "so far"}
    for event in (START, start, {"type": "content_block_delta", "index": 0, "delta": delta}, STOP):
        decoder.feed(event)

    assert decoder.finish().message.to_dict()["content"] == [
        {
            "type": "opaque",
            "kind": "compaction",
            "payload": {"type": "compaction", "content": "so far"},
        }
    ]


@pytest.mark.parametrize(
    "event",
    [
        {"type": "ping"},
        {"type": "weather_report"},
        {"type": None},
        {},
        {"type": "content_block_stop", "index": 9},
        {"type": "content_block_stop"},
        {"type": "message_delta"},
        {"type": "content_block_delta"},
    ],
    ids=repr,
)
def test_events_that_say_nothing_change_nothing(event: Json) -> None:
    decoder = codec(API).stream()
    decoder.feed(START)

    assert decoder.feed(event) == ()

    decoder.feed(STOP)
    assert decoder.finish().text == ""


def test_a_surrogate_pair_that_comes_in_two_pieces_is_joined() -> None:
    decoder = codec(API).stream()
    decoder.feed(START)
    for half in ("\ud83d", "\ude00"):
        delta = {"type": "text_delta", "text": half}
        decoder.feed({"type": "content_block_delta", "index": 0, "delta": delta})
    decoder.feed(STOP)

    assert decoder.finish().text == "😀"


def test_nothing_at_all_is_an_interrupted_stream() -> None:
    with pytest.raises(StreamInterruptedError) as caught:
        codec(API).stream().finish()

    assert caught.value.response is not None
    assert caught.value.response.message.replace(origin=None) == Message.assistant()


def test_an_answer_that_cannot_be_read_raises_decode_error() -> None:
    nested: list[Any] = []
    for _ in range(300):
        nested = [nested]
    decoder = codec(API).stream()
    block = {"type": "text", "text": "x", "deep": nested}
    decoder.feed(START)
    decoder.feed({"type": "content_block_start", "index": 0, "content_block": block})
    decoder.feed({"type": "content_block_stop", "index": 0})
    decoder.feed(STOP)

    with pytest.raises(DecodeError):
        decoder.finish()
