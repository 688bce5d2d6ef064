"""From bytes to the JSON of server-sent events."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlingua import DecodeError
from interlingua.sse import Events

Json = dict[str, Any]

STREAM = (
    ": welcome\n\n"
    "event: greeting\n"
    "id: 7\n"
    'data: {"text": "Grüße 你好 \N{GRINNING FACE}"}\n'
    "\n"
    "retry: 10\n"
    "\n"
    'data:{"no": "space"}\n\n'
    'data: {"two":\ndata:  "lines"}\n\n'
    "\n\n"
    "data:\n\n"
    "data: [DONE]\n\n"
).encode()

EVENTS: list[Json] = [
    {"text": "Grüße 你好 \N{GRINNING FACE}"},
    {"no": "space"},
    {"two": "lines"},
]

ENDS = {"LF": b"\n", "CRLF": b"\r\n", "CR": b"\r"}


def read(*chunks: bytes) -> list[Json]:
    reader = Events("some-api")
    return [*(event for chunk in chunks for event in reader.feed(chunk)), *reader.end()]


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
def test_all_line_ends_are_read(end: bytes) -> None:
    assert read(STREAM.replace(b"\n", end)) == EVENTS


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
def test_byte_by_byte_is_the_same(end: bytes) -> None:
    stream = STREAM.replace(b"\n", end)

    assert read(*(stream[at : at + 1] for at in range(len(stream)))) == EVENTS


@given(st.sampled_from([*ENDS.values()]), st.lists(st.integers(0, len(STREAM) * 2)))
def test_any_chunking_of_the_same_bytes_gives_the_same_events(end: bytes, cuts: list[int]) -> None:
    stream = STREAM.replace(b"\n", end)
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})

    chunks = [stream[one:other] for one, other in pairwise(places)]

    assert read(*chunks) == EVENTS


@pytest.mark.parametrize("end", [b"\n\n", b"\r\n\r\n"])
def test_an_event_is_told_as_soon_as_its_blank_line_is_there(end: bytes) -> None:
    reader = Events("some-api")
    stream = b'data: {"a": 1}' + end

    assert [*reader.feed(stream[:-1])] == []
    assert [*reader.feed(stream[-1:])] == [{"a": 1}]


@pytest.mark.parametrize("end", [b"", b"\n", b"\r", b"\r\n"])
def test_the_last_blank_line_may_be_missing(end: bytes) -> None:
    assert read(b'data: {"a": 1}' + end) == [{"a": 1}]


SPLIT = {
    "in two events": ([r"a\ud83d", r"\ude00b"], ["a\N{GRINNING FACE}", "b"]),
    "in capitals": ([r"\uD83D", r"\uDE00"], ["\N{GRINNING FACE}", ""]),
    "one after the other": (
        [r"\ud83d", r"\ude00\ud83d", r"\ude01"],
        ["\N{GRINNING FACE}", "\N{GRINNING FACE WITH SMILING EYES}", ""],
    ),
    "and never whole": ([r"a\ud83d", "b"], ["a\N{REPLACEMENT CHARACTER}", "b"]),
    "at the end": ([r"a\ud83d"], ["a\N{REPLACEMENT CHARACTER}"]),
    "and half of it missing": (["a", r"\ude00b"], ["a", "\N{REPLACEMENT CHARACTER}b"]),
    "in words only": ([r"a\\ud83d", r"\\ude00b"], [r"a\ud83d", r"\ude00b"]),
    "after a backslash": ([r"\\\ud83d", r"\ude00"], ["\\\N{GRINNING FACE}", ""]),
}


@pytest.mark.parametrize(("sent", "told"), SPLIT.values(), ids=SPLIT.keys())
def test_a_letter_that_a_server_splits_is_put_together(sent: list[str], told: list[str]) -> None:
    stream = "".join(f'data: {{"text": "{text}"}}\n\n' for text in sent)

    assert [event["text"] for event in read(stream.encode())] == told


def test_an_event_that_breaks_off_after_half_a_letter_is_no_event() -> None:
    assert read(b'data: {"a": "\\ud83d"}\n\ndata: {"a": "\\ude') == [
        {"a": "\N{REPLACEMENT CHARACTER}"}
    ]


def test_an_event_that_breaks_off_is_no_event() -> None:
    assert read(b'data: {"a": 1}\n\ndata: {"a": ') == [{"a": 1}]


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_a_byte_order_mark_is_passed_over(size: int) -> None:
    stream = b'\xef\xbb\xbfdata: {"a": 1}\n\n'

    assert read(*(stream[at : at + size] for at in range(0, len(stream), size))) == [{"a": 1}]


@pytest.mark.parametrize(
    ("body", "events"),
    [
        (b'{"error": "x"}', [{"error": "x"}]),
        (b' \n[{"a": 1},\n {"b": 2}]', [{"a": 1}, {"b": 2}]),
        (b"[]", []),
        (b"", []),
        (b"\n \n", []),
        (b"<html>busy</html>", []),
    ],
)
def test_one_json_value_instead_of_events_is_read_at_the_end(
    body: bytes, events: list[Json]
) -> None:
    assert read(body) == events
    assert read(*(body[at : at + 1] for at in range(len(body)))) == events


@pytest.mark.parametrize("body", [b"data: {\n\ndata: {}\n\n", b"data: 7\n\n", b"[7]", b'{"a": '])
def test_what_is_no_json_object_is_a_decode_error(body: bytes) -> None:
    with pytest.raises(DecodeError, match="some-api"):
        read(body)


@given(st.text(st.characters(codec="utf-8")))
def test_whatever_an_event_says_arrives(value: str) -> None:
    data = json.dumps({"value": value}, ensure_ascii=False).encode()

    assert read(b"data: " + data + b"\n\n") == [{"value": value}]
