"""The parts of a message: what they take, what they give, what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from pydantic import BaseModel

from interlingua import (
    Audio,
    Document,
    FrozenDict,
    Image,
    MessageError,
    Opaque,
    Part,
    Problem,
    Reasoning,
    Refusal,
    ServerToolCall,
    ServerToolResult,
    Text,
    ToolCall,
    ToolResult,
    Video,
)
from interlingua.parts import PARTS, part_from, parts_from
from strategies import parts

AS_JSON: list[tuple[Part, dict[str, Any]]] = [
    (Text("hi"), {"type": "text", "text": "hi"}),
    (Text(""), {"type": "text", "text": ""}),
    (
        Text("hi", citations=(FrozenDict(url="u"),)),
        {"type": "text", "text": "hi", "citations": [{"url": "u"}]},
    ),
    (
        Text("hi", extras=FrozenDict({"openai-chat": {"a": 1}})),
        {"type": "text", "text": "hi", "extras": {"openai-chat": {"a": 1}}},
    ),
    (Image(url="https://e.com/i.png"), {"type": "image", "url": "https://e.com/i.png"}),
    (Image(data=b"\x00\xff"), {"type": "image", "data": "AP8="}),
    (
        Audio(data=b"a", media_type="audio/wav"),
        {"type": "audio", "data": "YQ==", "media_type": "audio/wav"},
    ),
    (Video(file_id="f1"), {"type": "video", "file_id": "f1"}),
    (Document(text="plain", name="n.txt"), {"type": "document", "name": "n.txt", "text": "plain"}),
    (Reasoning("t", "s"), {"type": "reasoning", "text": "t", "signature": "s"}),
    (Reasoning(redacted="x"), {"type": "reasoning", "redacted": "x"}),
    (Reasoning(summary=("a", "b")), {"type": "reasoning", "summary": ["a", "b"]}),
    (
        ToolCall("c1", "f", {"a": 1}),
        {"type": "tool_call", "id": "c1", "name": "f", "arguments": {"a": 1}},
    ),
    (
        ToolCall("c1", "f", "{"),
        {"type": "tool_call", "id": "c1", "name": "f", "raw_arguments": "{"},
    ),
    (
        ToolResult("c1", "ok", "f", is_error=True),
        {
            "type": "tool_result",
            "tool_call_id": "c1",
            "content": [{"type": "text", "text": "ok"}],
            "name": "f",
            "is_error": True,
        },
    ),
    (Refusal("no"), {"type": "refusal", "text": "no"}),
    (
        ServerToolCall("s1", "web_search", FrozenDict(q="x")),
        {"type": "server_tool_call", "id": "s1", "name": "web_search", "arguments": {"q": "x"}},
    ),
    (
        ServerToolResult("s1", "web_search", ("a",)),
        {
            "type": "server_tool_result",
            "tool_call_id": "s1",
            "name": "web_search",
            "content": ["a"],
        },
    ),
    (Opaque("new", FrozenDict(a=1)), {"type": "opaque", "kind": "new", "payload": {"a": 1}}),
]


@pytest.mark.parametrize(("part", "written"), AS_JSON)
def test_a_part_is_written_with_what_is_set(part: Part, written: dict[str, Any]) -> None:
    assert part.to_dict() == written


@pytest.mark.parametrize(("part", "written"), AS_JSON)
def test_a_part_is_read_from_what_it_writes(part: Part, written: dict[str, Any]) -> None:
    assert part_from(written) == part


def test_every_kind_of_part_stands_among_these() -> None:
    assert {type(part) for part, _ in AS_JSON} == set(PARTS.values())


@given(parts)
def test_any_part_is_read_from_its_json(part: Part) -> None:
    assert part_from(part.to_dict()) == part
    assert type(part).from_json(part.to_json()) == part


# -- parts from other things


def test_parts_come_from_nothing_a_string_a_part_a_mapping_or_a_sequence() -> None:
    text = Text("a")

    assert parts_from(None) == ()
    assert parts_from("") == (Text(""),)
    assert parts_from(" a\n") == (Text(" a\n"),)
    assert parts_from(text) == (text,)
    assert parts_from({"type": "text", "text": "a"}) == (text,)
    assert parts_from([text, "b", {"type": "refusal", "text": "c"}]) == (
        text,
        Text("b"),
        Refusal("c"),
    )
    assert parts_from(iter(["a"])) == (text,)


def test_a_part_stays_the_same_object() -> None:
    text = Text("a")

    assert parts_from([text])[0] is text


KINDS = (
    "text, image, audio, video, document, reasoning, tool_call, tool_result, refusal, "
    "server_tool_call, server_tool_result, opaque"
)
NO_PARTS: list[tuple[Any, str, str]] = [
    (3, "", "expected a sequence, got int 3"),
    ([3], "[0]", "expected a part, a string or a mapping, got int 3"),
    ([None], "[0]", "expected a part, a string or a mapping, got None"),
    ([["a"]], "[0]", "expected a part, a string or a mapping, got list ['a']"),
    ({"type": "zz"}, "type", f"expected one of {KINDS}, got str 'zz'"),
    ({"text": "a"}, "type", f"expected one of {KINDS}, got None"),
    ({"type": ["text"]}, "type", f"expected one of {KINDS}, got list ['text']"),
    ({"type": "text"}, "text", "is missing"),
    ({"type": "text", "text": 1}, "text", "expected a string, got int 1"),
    (
        [{"type": "text", "text": "", "zzz": 1}],
        "[0].zzz",
        "no such field; a Text has text, citations, extras",
    ),
]


@pytest.mark.parametrize(("value", "path", "reason"), NO_PARTS)
def test_what_is_no_part_is_refused_by_name(value: Any, path: str, reason: str) -> None:
    with pytest.raises(MessageError) as caught:
        parts_from(value)

    assert caught.value.errors == (Problem(path, reason),)


def test_all_problems_of_all_parts_are_reported_together() -> None:
    with pytest.raises(MessageError) as caught:
        parts_from([{"type": "text"}, 3, {"type": "tool_call", "id": "", "name": 1}])

    assert [problem.path for problem in caught.value.errors] == [
        "[0].text",
        "[1]",
        "[2].id",
        "[2].name",
    ]


class Note(Text, frozen=True):
    """A part of somebody's own."""


def test_a_subclass_of_a_part_is_no_part() -> None:
    with pytest.raises(MessageError) as caught:
        parts_from([Note("a")])

    assert str(caught.value).startswith("[0]: expected a part, a string or a mapping, got Note")


def test_a_part_is_not_read_from_the_json_of_another_kind() -> None:
    with pytest.raises(MessageError) as caught:
        Image.from_dict({"type": "audio", "url": "u"})

    assert str(caught.value) == "not an Image: type: expected the type image, got str 'audio'"
    assert Image.from_dict({"url": "u"}) == Image(url="u")


# -- files


@pytest.mark.parametrize("kind", [Image, Audio, Video, Document])
def test_a_file_has_one_source(kind: type[Image | Audio | Video | Document]) -> None:
    with pytest.raises(MessageError, match=r"needs exactly one of url, data, file_id.*; got none"):
        kind()
    with pytest.raises(MessageError, match=r"needs exactly one of .*; got url and data"):
        kind(url="https://e.com", data=b"a")


def test_only_a_document_may_stand_as_text() -> None:
    wrong: Any = {"text": "a"}

    assert Document(**wrong).text == "a"
    with pytest.raises(TypeError):
        Image(**wrong)


def test_a_data_url_is_read_into_data_and_media_type() -> None:
    image = Image(url="data:image/png;base64,AP8=")

    assert image == Image(data=b"\x00\xff", media_type="image/png")


def test_a_data_url_keeps_its_parameters_and_gives_way_to_a_given_media_type() -> None:
    assert Image(url="data:image/png;foo=bar;base64,AP8=").media_type == "image/png;foo=bar"
    assert Image(url="data:;base64,AP8=", media_type="image/gif").media_type == "image/gif"
    assert Image(url="DATA:image/png;base64,AP8=").data == b"\x00\xff"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("data:image/png,abc", "a data: URL has to hold base64; pass the bytes as `data`"),
        ("data:", "a data: URL has to hold base64; pass the bytes as `data`"),
        ("data:image/png;base64,A", "no base64 (Invalid base64-encoded string: "),
        ("data:image/png;base64,%%", "no base64 ("),
    ],
)
def test_a_data_url_without_base64_is_refused(url: str, said: str) -> None:
    with pytest.raises(MessageError) as caught:
        Image(url=url)

    assert caught.value.errors[0].path == "url"
    assert caught.value.errors[0].reason.startswith(said)


def test_data_is_given_as_bytes_a_buffer_or_base64() -> None:
    buffer: Any = bytearray(b"\x00\xff")
    text: Any = "AP8="

    assert Image(data=buffer) == Image(data=text) == Image(data=b"\x00\xff")


# -- reasoning


def test_changed_words_lose_the_signature_that_sealed_them() -> None:
    thought = Reasoning("a", "seal")

    assert thought.replace(text="b") == Reasoning("b")
    assert thought.replace(summary=("c",)) == Reasoning("a", summary=("c",))
    assert thought.replace(text="b", signature="new") == Reasoning("b", "new")
    assert thought.replace(extras={"openai-chat": {"a": 1}}).signature == "seal"


def test_redacted_reasoning_has_no_text() -> None:
    with pytest.raises(MessageError) as caught:
        Reasoning("a", redacted="b")

    assert str(caught.value) == "not a Reasoning: redacted: cannot stand beside text"


# -- tool calls


def test_arguments_may_be_a_mapping_or_json_text() -> None:
    assert ToolCall("c", "f", {"a": [1]}).arguments == {"a": [1]}
    assert ToolCall("c", "f", '{"a": [1]}').arguments == {"a": [1]}
    assert ToolCall("c", "f", raw_arguments='{"a": [1]}').arguments == {"a": [1]}
    assert ToolCall("c", "f").arguments == {}
    assert ToolCall("c", "f", None).arguments == {}


def test_the_text_of_arguments_is_kept_as_it_came() -> None:
    assert ToolCall("c", "f", '{"a" : 1.10}').raw_arguments == '{"a" : 1.10}'
    assert ToolCall("c", "f", {"a": 1}).raw_arguments is None


@pytest.mark.parametrize("text", ["{broken", "[1]", '"a"', "null", '{"a": 1e400}'])
def test_text_that_is_no_json_object_is_kept_and_called_invalid(text: str) -> None:
    call = ToolCall("c", "f", text)

    assert (call.arguments, call.raw_arguments, call.is_valid) == ({}, text, False)


@pytest.mark.parametrize("text", ["{}", "", "  ", '{"a": 1}'])
def test_a_json_object_and_no_text_at_all_are_valid(text: str) -> None:
    assert ToolCall("c", "f", text).is_valid


def test_new_arguments_lose_the_text_of_the_old_ones() -> None:
    call = ToolCall("c", "f", '{"a": 1}')

    assert call.replace(arguments={"a": 2}) == ToolCall("c", "f", {"a": 2})
    assert call.replace(id="d").raw_arguments == '{"a": 1}'


def test_a_call_needs_an_id_and_a_name() -> None:
    with pytest.raises(MessageError) as caught:
        ToolCall("", "")

    assert caught.value.errors == (Problem("id", "is empty"), Problem("name", "is empty"))


# -- tool results


class Colour(Enum):
    RED = "red"


@dataclass
class Point:
    x: int
    when: datetime


class Model(BaseModel):
    a: int


MOMENT = datetime(2026, 11, 30, 10, tzinfo=UTC)
RESULTS: list[tuple[object, str]] = [
    (42, "42"),
    (None, "null"),
    (True, "true"),
    ([1, ("a", 1)], '[1,["a",1]]'),
    ({"a": 1}, '{"a":1}'),
    (
        {"t": MOMENT, 1: 2, None: 3, 2.5: 5},
        '{"t":"2026-11-30T10:00:00+00:00","1":2,"null":3,"2.5":5}',
    ),
    ({10, 9}, "[9,10]"),
    ({"b", "a"}, '["a","b"]'),
    (Point(1, MOMENT), '{"x":1,"when":"2026-11-30T10:00:00+00:00"}'),
    (Model(a=1), '{"a":1}'),
    (Colour.RED, '"red"'),
    ({Colour.RED: 1}, '{"red":1}'),
    (Decimal("1.5"), '"1.5"'),
    (UUID(int=0), '"00000000-0000-0000-0000-000000000000"'),
    ("é", "é"),
    ({"a": "é"}, '{"a":"é"}'),
    ({"type": "product", "id": 3}, '{"type":"product","id":3}'),
    ({"type": "text"}, '{"type":"text"}'),
    ({"type": "text", "text": "a", "price": 3}, '{"type":"text","text":"a","price":3}'),
]


@pytest.mark.parametrize(("value", "text"), RESULTS)
def test_a_result_that_is_no_part_becomes_json_text(value: object, text: str) -> None:
    assert ToolResult("c", value).content == (Text(text),)


def test_a_result_may_be_a_string_a_part_or_several_parts() -> None:
    image = Image(data=b"a")

    assert ToolResult("c", "a").content == (Text("a"),)
    assert ToolResult("c", "").content == (Text(""),)
    assert ToolResult("c", image).content == (image,)
    assert ToolResult("c", ["a", image]).content == (Text("a"), image)
    assert ToolResult("c", {"type": "text", "text": "a"}).content == (Text("a"),)
    assert ToolResult("c").content == ()


BAD_RESULTS: list[tuple[object, str]] = [
    (b"a", "content: bytes is no JSON value; use str, int, float, bool, None, list or dict"),
    ({"a": [float("nan")]}, "content['a'][0]: nan is no JSON number; use None or a string"),
    (
        {"a": object},
        "content['a']: type is no JSON value; use str, int, float, bool, None, list or dict",
    ),
    ({(1, 2): 3}, "content: the key (1, 2) has no JSON form"),
]


@pytest.mark.parametrize(("value", "said"), BAD_RESULTS)
def test_a_result_without_a_json_form_is_refused(value: object, said: str) -> None:
    with pytest.raises(MessageError) as caught:
        ToolResult("c", value)

    assert str(caught.value) == f"not a ToolResult: {said}"


def test_a_result_that_contains_itself_is_refused() -> None:
    value: list[object] = []
    value.append(value)

    with pytest.raises(
        MessageError, match="content: is nested more than 200 levels deep, or contains"
    ):
        ToolResult("c", value)


@pytest.mark.parametrize(
    "part",
    [ToolCall("c", "f"), ToolResult("c"), Reasoning("a"), Refusal("a"), ServerToolCall("", "f")],
)
def test_what_only_a_turn_can_hold_stands_in_no_result(part: Part) -> None:
    with pytest.raises(MessageError, match=r"content\[0\]: an? \w+ cannot stand in a result"):
        ToolResult("c", [part])


def test_the_text_of_a_result_is_that_of_its_text_parts() -> None:
    assert ToolResult("c", ["a", Image(data=b"x"), "b"]).text == "ab"


# -- all parts


CHANGED: list[Callable[[Any], object]] = [
    lambda part: setattr(part, "text", "b"),
    lambda part: setattr(part, "new", "b"),
    lambda part: delattr(part, "text"),
]


@pytest.mark.parametrize("change", CHANGED)
def test_a_part_cannot_be_changed(change: Callable[[Any], object]) -> None:
    text = Text("a")

    with pytest.raises(AttributeError):
        change(text)

    assert text == Text("a")


def test_replace_makes_a_new_part_and_checks_it() -> None:
    text = Text("a")

    assert text.replace(text="b") == Text("b")
    with pytest.raises(MessageError, match="not a Text: text: expected a string, got int 3"):
        text.replace(text=3)


def test_extras_are_objects_by_api() -> None:
    wrong: Any = {"openai-chat": 3}

    with pytest.raises(MessageError) as caught:
        Text("a", extras=wrong)

    assert str(caught.value) == "not a Text: extras['openai-chat']: expected a mapping, got int 3"
