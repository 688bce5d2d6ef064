"""Stream events as values."""

from __future__ import annotations

from typing import Any, cast, get_args

import msgspec
import pytest

from interlingua import (
    Event,
    Finished,
    Message,
    PartDone,
    ReasoningDelta,
    Response,
    Started,
    Text,
    TextDelta,
    ToolCallDelta,
    Usage,
    UsageUpdate,
)

AS_JSON: list[tuple[Event, dict[str, Any]]] = [
    (Started("r1", "m"), {"type": "started", "id": "r1", "model": "m"}),
    (TextDelta(0, "a"), {"type": "text_delta", "index": 0, "text": "a"}),
    (ReasoningDelta(1, "t"), {"type": "reasoning_delta", "index": 1, "text": "t"}),
    (
        ToolCallDelta(2, "c", None, '{"a'),
        {"type": "tool_call_delta", "index": 2, "id": "c", "name": None, "arguments": '{"a'},
    ),
    (
        PartDone(0, Text("a")),
        {"type": "part_done", "index": 0, "part": {"type": "text", "text": "a"}},
    ),
    (UsageUpdate(Usage(3)), {"type": "usage_update", "usage": {"input_tokens": 3}}),
    (
        Finished(Response(Message.assistant("a"), "stop")),
        {
            "type": "finished",
            "response": {
                "message": {
                    "role": "assistant",
                    "content": [{"type": "text", "text": "a"}],
                    "metadata": {},
                },
                "finish_reason": "stop",
            },
        },
    ),
]


@pytest.mark.parametrize(("event", "written"), AS_JSON)
def test_an_event_is_written_with_its_type(event: Event, written: dict[str, Any]) -> None:
    assert msgspec.json.decode(msgspec.json.encode(event)) == written


@pytest.mark.parametrize("event", [event for event, _ in AS_JSON])
def test_an_event_is_a_value(event: Event) -> None:
    again, held = msgspec.structs.replace(event), cast("Any", event)

    assert again == event
    assert {event: 1}[again] == 1
    with pytest.raises(AttributeError):
        held.index = 5


def test_every_event_stands_among_these() -> None:
    assert {type(event) for event, _ in AS_JSON} == set(get_args(Event))


def test_whoever_only_prints_the_answer_needs_one_kind() -> None:
    events = [Started(), ReasoningDelta(0, "hm"), TextDelta(1, "Hel"), TextDelta(1, "lo")]

    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Hello"
