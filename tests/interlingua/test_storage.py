"""Stored conversations: what is written, what is read, and what is refused."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlingua import (
    Audio,
    Document,
    FrozenDict,
    Image,
    Message,
    MessageError,
    Opaque,
    Origin,
    Problem,
    Reasoning,
    Refusal,
    ServerToolCall,
    ServerToolResult,
    StorageError,
    Text,
    ToolCall,
    ToolResult,
    Video,
    conversation_from_dict,
    conversation_to_dict,
    dump_conversation,
    load_conversation,
    read_conversation,
    save_conversation,
)
from interlingua.parts import PARTS
from strategies import messages

TESTS = Path(__file__).parents[1]
EXTRAS = FrozenDict({"anthropic-messages": {"cache_control": {"type": "ephemeral"}}})
CLAUDE = Origin("anthropic", "anthropic-messages", "claude-sonnet-5")

GOLDEN: dict[str, tuple[Message, ...]] = {
    "empty": (),
    "words": (
        Message.system("Be brief."),
        Message.developer("Use metric units."),
        Message.user("Wie tief ist der Hafen? 🚢\n", name="Ada", metadata={"seen": [1, 2.5, None]}),
        Message.assistant(None),
        Message.assistant(
            "Nine metres.",
            id="msg_1",
            created_at=datetime(2026, 11, 30, 12, 0, 1, 250000, timezone(timedelta(hours=1))),
            origin=CLAUDE,
            extras={"anthropic-messages": {"stop_sequence": None}},
        ),
    ),
    "tools": (
        Message.user("How deep, and who lies there?"),
        Message.assistant(
            [
                Reasoning("Two tools.", signature="c2ln", extras=EXTRAS),
                Reasoning(redacted="ZW5j"),
                Reasoning(summary=("Look it up.", "Then answer.")),
                Text("One moment."),
                ToolCall("call_1", "measure", {"place": "harbour"}),
                ToolCall("call_2", "ships", '{"place": "harbour", "limit": 10}'),
                ToolCall("call_3", "ships", "{broken"),
            ],
            origin=CLAUDE,
        ),
        Message.tool("call_1", {"metres": 9}, name="measure"),
        Message(
            "tool",
            [
                ToolResult("call_2", [Text("Three."), Image(data=b"\x89PNG", name="berths.png")]),
                ToolResult("call_3", "no JSON", is_error=True, extras=EXTRAS),
                ToolResult("call_4", ()),
            ],
        ),
    ),
    "media": (
        Message.user(
            [
                Image(url="https://example.org/map.png", detail="high"),
                Image(data=bytes(range(6)), media_type="image/png"),
                Audio(data=b"RIFF", media_type="audio/wav"),
                Video(file_id="file_1", media_type="video/mp4"),
                Document(text="Depths, in metres.", name="depths.txt"),
                Document(data=b"%PDF-", extras=EXTRAS),
            ]
        ),
    ),
    "vendor": (
        Message.assistant(
            [
                ServerToolCall("srv_1", "web_search", FrozenDict(query="harbour")),
                ServerToolResult("srv_1", "web_search", [{"url": "https://example.org"}, None]),
                ServerToolResult("srv_2", "web_search", {"code": "unavailable"}, is_error=True),
                Text("Nine.", citations=(FrozenDict(url="https://example.org", at=3),)),
                Refusal("I cannot say more."),
                Opaque("hologram", FrozenDict(type="hologram", depth=9.0)),
            ],
            origin=Origin("anthropic", "anthropic-messages"),
        ),
    ),
}
"""What the files of version 1 hold. The files never change: they stand for those of users."""


# -- the format


@pytest.mark.parametrize("name", GOLDEN)
def test_a_file_of_version_1_is_read(name: str) -> None:
    loaded = read_conversation(golden(name))

    assert told(loaded) == told(GOLDEN[name])


@pytest.mark.parametrize("name", GOLDEN)
def test_version_1_is_written_byte_for_byte(name: str, tmp_path: Path) -> None:
    save_conversation(tmp_path / "saved.json", GOLDEN[name])

    assert (tmp_path / "saved.json").read_bytes() == golden(name).read_bytes()


def test_every_file_of_version_1_is_tried() -> None:
    names = {path.stem for path in (TESTS / "golden").glob("*.json")}

    assert names == {golden(name).stem for name in GOLDEN}


def test_the_files_of_version_1_hold_every_kind_of_part() -> None:
    held = {
        type(part)
        for messages in GOLDEN.values()
        for message in messages
        for part in message.content
    }

    assert held == set(PARTS.values())


def test_the_text_is_an_object_with_the_version_and_the_messages() -> None:
    text = dump_conversation([Message.user("hi")])

    assert text == (
        '{"interlingua":1,"messages":'
        '[{"role":"user","content":[{"type":"text","text":"hi"}],"metadata":{}}]}'
    )


# -- every conversation comes back

histories = st.lists(messages, max_size=3)


@given(histories)
def test_what_is_loaded_is_what_was_dumped(history: list[Message]) -> None:
    loaded = load_conversation(dump_conversation(history))

    assert told(loaded) == told(history)


@given(histories)
def test_a_mapping_gives_the_same_conversation(history: list[Message]) -> None:
    stored = json.loads(json.dumps(conversation_to_dict(history)))

    assert told(conversation_from_dict(stored)) == told(history)


@given(histories)
def test_dumping_what_was_loaded_gives_the_same_text(history: list[Message]) -> None:
    text = dump_conversation(history)

    assert dump_conversation(load_conversation(text)) == text


@pytest.mark.parametrize("seconds", [0, 1, -3599, 86_399, -86_399])
def test_a_time_stays_the_same_whatever_its_zone(seconds: int) -> None:
    zone = timezone(timedelta(seconds=seconds))
    message = Message.user("hi", created_at=datetime(1900, 1, 1, 12, 0, 0, 1, zone))

    [loaded] = load_conversation(dump_conversation([message]))

    assert loaded.created_at == message.created_at == datetime(1900, 1, 1, 12, 0, 0, 1, zone)


# -- what is refused


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no JSON: Expecting value at line 1, column 1"),
        ('{"interlingua": 1,\n "messages": [}', "no JSON: Expecting value at line 2, column 15"),
        (
            '{"interlingua": 1, "messa',
            "no JSON: Unterminated string starting at at line 1, column 20",
        ),
        (b'{"interlingua": "\xff"}', "no JSON: Invalid UTF-8 encoded string"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", 'expected an object with the key "interlingua", got []'),
        (
            '{"messages": []}',
            "expected an object with the key \"interlingua\", got {'messages': []}",
        ),
        (
            '{"interlingua": 2, "messages": [], "voices": []}',
            "written in version 2 of the format, and this interlingua reads up to 1: upgrade it",
        ),
        (
            '{"interlingua": "1", "messages": []}',
            "'1' is no version of the format; the newest is 1",
        ),
        (
            '{"interlingua": true, "messages": []}',
            "True is no version of the format; the newest is 1",
        ),
        ('{"interlingua": 0, "messages": []}', "0 is no version of the format; the newest is 1"),
        ('{"interlingua": 1}', "messages: expected an array, got None"),
        (
            '{"interlingua": 1, "messages": [], "voices": []}',
            "unknown keys 'voices'; a later interlingua may have written it",
        ),
    ],
)
def test_text_that_is_no_conversation_is_refused(text: str | bytes, says: str) -> None:
    with pytest.raises(StorageError) as caught:
        load_conversation(text)

    assert str(caught.value) == says
    assert caught.value.errors == ()


def test_all_that_is_wrong_with_the_first_bad_message_is_named() -> None:
    sound = {"role": "user", "content": "hi"}
    bad: dict[str, Any] = {
        "role": "tool",
        "content": [
            {
                "type": "tool_result",
                "tool_call_id": "",
                "content": [{"type": "text"}, {"type": "text", "text": 3}],
            }
        ],
    }

    with pytest.raises(StorageError) as caught:
        conversation_from_dict({"interlingua": 1, "messages": [sound, bad, {}]})

    assert caught.value.errors == (
        Problem("messages[1].content[0].content[0].text", "is missing"),
        Problem("messages[1].content[0].content[1].text", "expected a string, got int 3"),
        Problem("messages[1].content[0].tool_call_id", "is empty"),
    )
    assert str(caught.value) == "; ".join(map(str, caught.value.errors))


@pytest.mark.parametrize(
    ("role", "part", "path"),
    [
        ("user", {"type": "hologram", "depth": 9}, "messages[0].content[0].type"),
        (
            "tool",
            {"type": "tool_result", "tool_call_id": "a", "content": [{"type": "hologram"}]},
            "messages[0].content[0].content[0].type",
        ),
    ],
)
def test_a_kind_of_part_from_a_later_version_is_named(
    role: str, part: dict[str, Any], path: str
) -> None:
    with pytest.raises(StorageError) as caught:
        conversation_from_dict({"interlingua": 1, "messages": [{"role": role, "content": [part]}]})

    known = ", ".join(PARTS)
    assert caught.value.errors == (Problem(path, f"expected one of {known}, got str 'hologram'"),)
    assert str(caught.value) == (
        f"{caught.value.errors[0]}; a later interlingua may have written it"
    )


def test_a_field_from_a_later_version_is_named() -> None:
    part = {"type": "refusal", "text": "No.", "why": "policy"}

    with pytest.raises(StorageError) as caught:
        conversation_from_dict(
            {"interlingua": 1, "messages": [{"role": "assistant", "content": [part]}]}
        )

    assert caught.value.errors == (
        Problem("messages[0].content[0].why", "no such field; a Refusal has text, extras"),
    )


def test_only_messages_are_dumped() -> None:
    messages: list[Any] = [Message.user("hi"), "hello"]

    with pytest.raises(MessageError) as caught:
        dump_conversation(messages)

    assert [problem.path for problem in caught.value.errors] == ["[1]"]


def test_an_error_of_storage_pickles_with_what_it_carries() -> None:
    error = StorageError("a.json: broken", errors=[Problem("messages[0]", "broken")])

    copy = pickle.loads(pickle.dumps(error))

    assert (type(copy), str(copy), copy.errors) == (StorageError, str(error), error.errors)


def golden(name: str) -> Path:
    return TESTS / "golden" / f"conversation-1-{name}.json"


def told(messages: Sequence[Message]) -> list[tuple[Message, datetime | None, str]]:
    """All that there is to know: also what equality leaves out, and int, float and bool apart."""
    return [(one, one.created_at, repr(one.replace(created_at=None))) for one in messages]
