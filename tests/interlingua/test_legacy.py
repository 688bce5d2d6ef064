"""Legacy tuples: what they may look like, and writing them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from enum import Enum, StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlingua import (
    Audio,
    Document,
    FrozenDict,
    Image,
    LegacyFormatError,
    Loss,
    Message,
    Origin,
    Part,
    Problem,
    Reasoning,
    Text,
    ToolCall,
    ToolResult,
    Video,
    messages_from_legacy,
    messages_to_legacy,
)
from strategies import (
    bytestrings,
    conversations,
    ids,
    json_objects,
    messages,
    names,
    raw_arguments,
    texts,
)

Json = dict[str, Any]
MOMENT = datetime(2026, 11, 30, 10, tzinfo=UTC)
CITED = FrozenDict({"n": 1})


# -- what they may look like


class Tag(Enum):
    USER = "user_prompt"
    TEXT = ":text"


class Word(StrEnum):
    USER = "user_prompt"


class Plain(str):
    pass


SPELT: list[object] = [
    ("user_prompt", "a"),
    ["user_prompt", "a"],
    (":user_prompt", "a"),
    (Tag.USER, "a"),
    (Word.USER, "a"),
    (Plain("user_prompt"), "a"),
    ("user_prompt", [(Tag.TEXT, "a")]),
    ("user_prompt", [[":text", "a"]]),
    {"parts": [("user_prompt", "a")]},
    {":parts": [[":user_prompt", "a"]]},
]


@pytest.mark.parametrize("item", SPELT, ids=repr)
def test_a_tag_is_a_string_a_symbol_or_an_enums_member_in_a_tuple_or_a_list(item: object) -> None:
    assert Message.from_legacy(item) == Message.user("a")


CALLS: list[Json] = [
    {"id": "c", "name": "f", "arguments": {"a": 1}},
    {":id": "c", ":name": "f", ":arguments": {"a": 1}},
    {"id": "c", "name": "f", "input": {"a": 1}},
    {"tool_call_id": "c", "tool_name": "f", "args": {"a": 1}},
    {"id": "c", "function": {"name": "f", "arguments": {"a": 1}}},
]


@pytest.mark.parametrize("call", CALLS, ids=repr)
def test_a_call_is_read_in_every_spelling_of_its_keys(call: Json) -> None:
    item = {"parts": [("tool_call", call)]}

    assert Message.from_legacy(item).tool_calls == (ToolCall("c", "f", {"a": 1}),)


def test_argument_text_is_read_and_kept() -> None:
    item = {"parts": [("tool_call", {"id": "c", "name": "f", "arguments": "{broken"})]}

    (call,) = Message.from_legacy(item).tool_calls

    assert (call.arguments, call.raw_arguments, call.is_valid) == ({}, "{broken", False)


def test_two_spellings_of_a_key_may_not_disagree() -> None:
    same = {"call_id": "c", "tool_call_id": "c", "result": "r"}

    assert Message.from_legacy(("tool_return", same)) == Message.tool("c", "r")
    with pytest.raises(LegacyFormatError, match="call_id and tool_call_id say different things"):
        Message.from_legacy(("tool_return", {**same, "call_id": "d"}))


def test_fields_without_a_home_are_kept_and_written_again() -> None:
    call = {"id": "c", "name": "f", "arguments": {}, "metadata": {"seal": "x"}}
    items: list[Any] = [
        {"parts": [("tool_call", call)], "model_name": "m", "run": 7},
        ("tool_return", {"call_id": "c", "result": "r", "name": "f", "took": 3}),
    ]

    read = messages_from_legacy(items)

    assert read == (
        Message.assistant(
            ToolCall("c", "f", extras={"legacy": {"metadata": {"seal": "x"}}}),
            metadata={"model_name": "m", "run": 7},
        ),
        Message("tool", ToolResult("c", "r", "f", extras={"legacy": {"took": 3}})),
    )
    assert messages_to_legacy(read) == (tuple(items), ())


TIMES: list[tuple[object, datetime | None]] = [
    (MOMENT, MOMENT),
    ("2026-11-30T10:00:00Z", MOMENT),
    ("2026-11-30T10:00:00", None),
    ("yesterday", None),
    (7, None),
]


@pytest.mark.parametrize(("timestamp", "created_at"), TIMES)
def test_a_timestamp_is_the_messages_time_when_it_is_one(
    timestamp: object, created_at: datetime | None
) -> None:
    message = Message.from_legacy({"parts": [("text", "a")], "timestamp": timestamp})

    assert message.created_at == created_at
    assert "timestamp" in message.metadata


def test_messages_pass_through() -> None:
    result = Message.tool("c", "r")
    call = Message.assistant(tool_calls=[ToolCall("c", "f")])

    read = messages_from_legacy([call, result, ("tool_return", {"call_id": "c", "result": "r"})])

    assert read[0] is call
    assert read[1] is result
    assert read[2] == Message.tool("c", "r", name="f")


def test_a_return_is_named_after_the_nearest_call_before_it() -> None:
    def call(name: str) -> Json:
        return {"parts": [("tool_call", {"id": "c", "name": name})]}

    result = ("tool_return", {"call_id": "c", "result": "r"})

    read = messages_from_legacy([result, call("f"), result, call("g"), result])

    assert [one.tool_results[0].name for one in read if one.is_tool] == [None, "f", "g"]


def test_all_problems_of_a_list_are_named() -> None:
    items: list[object] = [("user_prompt", [1, ("bogus", 2)]), "a", {"parts": [("tool_call", {})]}]

    with pytest.raises(LegacyFormatError) as caught:
        messages_from_legacy(items)

    assert [problem.path for problem in caught.value.errors] == [
        "[0][0]",
        "[0][1]",
        "[1]",
        "[2].parts[0].id",
    ]


def test_two_strings_that_may_be_a_part_are_refused() -> None:
    with pytest.raises(LegacyFormatError, match="may be one part or two strings"):
        Message.from_legacy(("user_prompt", ("text", "a")))


@pytest.mark.parametrize("url", ["", "/a.png", "file:///a.png", "https://", "https://a b", 3, None])
@pytest.mark.parametrize("tag", ["image_url", "audio_url", "document_url"])
def test_what_is_no_url_is_refused(tag: str, url: object) -> None:
    with pytest.raises(LegacyFormatError):
        Message.from_legacy(("user_prompt", [(tag, url)]))


def test_an_option_that_nobody_has_is_refused() -> None:
    option: Any = "ignore"

    with pytest.raises(LegacyFormatError, match="expected one of error, text, skip"):
        messages_from_legacy([], option)


# -- writing them


WRITTEN: list[tuple[Message, object]] = [
    (Message.system("s"), ("system_prompt", "s")),
    (Message.user("u"), ("user_prompt", "u")),
    (Message.user(None), ("user_prompt", [])),
    (
        Message.user(["a", Image("https://e.com/i.png")]),
        ("user_prompt", [("text", "a"), ("image_url", "https://e.com/i.png")]),
    ),
    (
        Message.user(Image(data=b"\x00\x00\x00", media_type="image/png")),
        ("user_prompt", [("image_url", "data:image/png;base64,AAAA")]),
    ),
    (Message.user("u", metadata={"k": 1}), {"parts": [("user_prompt", "u")], "k": 1}),
    (
        Message.tool("c", "r", name="f"),
        ("tool_return", {"call_id": "c", "result": "r", "name": "f"}),
    ),
    (
        Message.tool("c", "r", is_error=True),
        ("tool_return", {"call_id": "c", "result": "r", "is_error": True}),
    ),
    (
        Message.assistant([Reasoning("T"), "A", ToolCall("c", "f", {"a": 1})]),
        {
            "parts": [
                ("thinking", "T"),
                ("text", "A"),
                ("tool_call", {"id": "c", "name": "f", "arguments": {"a": 1}}),
            ],
            "model_name": None,
        },
    ),
    (
        Message.assistant("A", metadata={"model_name": "m", "usage": {"total_tokens": 3}}),
        {"parts": [("text", "A")], "model_name": "m", "usage": {"total_tokens": 3}},
    ),
]


@pytest.mark.parametrize(("message", "item"), WRITTEN, ids=lambda one: type(one).__name__)
def test_a_message_is_written_as_the_tuple_that_says_it(message: Message, item: object) -> None:
    assert message.to_legacy() == item
    assert Message.from_legacy(item) == message


LOST: list[tuple[Message, str]] = [
    (Message.developer("d"), "role"),
    (Message.user("u", name="n"), "name"),
    (Message.user("u", id="i"), "id"),
    (Message.user("u", created_at=MOMENT), "metadata"),
    (Message.user("u", metadata={"parts": 1}), "metadata"),
    (Message.user("u", metadata={"model_name": "m"}), "metadata"),
    (Message.assistant("a", metadata={"k": None}), "metadata"),
    (Message.assistant("a", origin=Origin("openai", "openai-chat")), "origin"),
    (Message.assistant("a", extras={"openai-chat": {"x": 1}}), ""),
    (Message.user(Text("a", citations=(CITED,))), "content[0].citations"),
    (Message.user(Text("a", extras=FrozenDict({"openai-chat": {"x": 1}}))), "content[0]"),
    (Message.user(Image("https://e.com/i.png", detail="low")), "content[0].detail"),
    (Message.user(Image("gs://e/i.png")), "content[0]"),
    (Message.user(Audio(file_id="f")), "content[0]"),
    (Message.user(["a", Video("https://e.com/v.mp4")]), "content[1]"),
    (Message.user(Document(text="a")), "content[0]"),
    (Message.assistant(Reasoning("T", signature="s")), "content[0].signature"),
    (Message.assistant(Reasoning(redacted="x")), "content[0]"),
    (Message.assistant(Image("https://e.com/i.png")), "content[0]"),
    (Message("tool", ToolResult("c", ())), "content[0].content"),
    (Message("tool", ToolResult("c", Image("https://e.com/i.png"))), "content[0].content"),
    (Message("tool", (ToolResult("c", "r"), ToolResult("d", "s"))), ""),
]


@pytest.mark.parametrize(("message", "path"), LOST, ids=repr)
def test_what_no_tuple_holds_is_refused_and_reported(message: Message, path: str) -> None:
    with pytest.raises(LegacyFormatError, match=r"^no legacy tuple says all of this") as caught:
        message.to_legacy()
    losses = messages_to_legacy([message]).losses

    assert caught.value.errors[0].path == path
    assert [loss.path for loss in losses] == [
        ".".join(filter(None, ["messages[0]", problem.path])) for problem in caught.value.errors
    ]


def test_a_report_says_what_became_of_each_thing() -> None:
    seen = Message.assistant([Text("a", citations=(CITED,)), Image("https://e.com/i.png")])

    exported = messages_to_legacy([Message.developer("d"), seen])

    assert exported.items == (
        ("system_prompt", "d"),
        {"parts": [("text", "a")], "model_name": None},
    )
    assert exported.losses == (
        Loss("messages[0].role", "content", "comes back as 'system'", "lowered"),
        Loss("messages[1].content[0].citations", "content", "no legacy tuple holds it"),
        Loss("messages[1].content[1]", "content", "no tag holds an Image"),
    )


def test_several_results_are_written_one_by_one() -> None:
    results = Message("tool", (ToolResult("c", "r"), ToolResult("d", "s")))

    assert messages_to_legacy([results]).items == (
        ("tool_return", {"call_id": "c", "result": "r"}),
        ("tool_return", {"call_id": "d", "result": "s"}),
    )


def test_a_refusal_names_every_problem() -> None:
    message = Message.developer(Text("a", citations=(CITED,)), id="i")

    with pytest.raises(LegacyFormatError) as caught:
        message.to_legacy()

    assert caught.value.errors == (
        Problem("content[0].citations", "no legacy tuple holds it"),
        Problem("role", "comes back as 'system'"),
        Problem("id", "no legacy tuple holds it"),
    )


# -- import after export is the identity


urls = ids.map(lambda id: f"https://example.com/{id}")


def _prompts() -> st.SearchStrategy[list[Part]]:
    media = [
        st.builds(kind, url=urls) | st.builds(kind, data=bytestrings, media_type=st.just(label))
        for kind, label in ((Image, "image/png"), (Audio, "audio/wav"), (Document, "text/plain"))
    ]
    return st.lists(st.one_of(st.builds(Text, texts), *media), max_size=4)


extras = st.dictionaries(st.sampled_from(["took", "metadata"]), json_objects, max_size=1).map(
    lambda held: {"legacy": held} if held else {}
)
calls = st.builds(ToolCall, ids, names, json_objects | raw_arguments, extras=extras)
answers = st.one_of(st.builds(Text, texts), st.builds(Reasoning, texts), calls)
results = st.builds(ToolResult, ids, texts, names, st.booleans(), extras=extras)
notes = st.dictionaries(st.sampled_from(["run", "timestamp", "note"]), texts, max_size=2)
sayable: st.SearchStrategy[Message] = st.one_of(
    st.builds(Message, st.sampled_from(["system", "user"]), _prompts(), notes),
    st.builds(Message, st.just("assistant"), st.lists(answers, max_size=4), notes),
    st.builds(Message, st.just("tool"), results, notes),
)


@given(sayable)
def test_a_message_that_a_tuple_can_say_comes_back(message: Message) -> None:
    item = message.to_legacy()

    assert Message.from_legacy(item) == message
    assert Message.from_legacy(json.loads(json.dumps(item))) == message


@settings(max_examples=30)
@given(conversations)
def test_a_conversation_comes_back_through_json(history: tuple[Message, ...]) -> None:
    exported = messages_to_legacy(history)

    assert exported.losses == ()
    assert messages_from_legacy(json.loads(json.dumps(exported.items))) == history


@settings(max_examples=30)
@given(messages)
def test_any_message_is_exported_and_comes_back_unless_a_loss_is_reported(message: Message) -> None:
    exported = messages_to_legacy([message])

    read = messages_from_legacy(exported.items)

    assert exported.losses or read == (message,)
