"""Stored conversations: what is written, what is read, and what is refused."""

from __future__ import annotations

import json
import os
import pickle
import stat
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

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
from interlingua.message import ROLES
from interlingua.parts import PARTS
from interlingua.storage import json_schema

TESTS = Path(__file__).parents[1]
SCHEMA = TESTS.parent / "docs" / "schema" / "conversation-1.json"
EXTRAS = FrozenDict({"anthropic-messages": {"cache_control": {"type": "ephemeral"}}})
VALIDATOR: Any = Draft202012Validator(json_schema())
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

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
filled = words.filter(bool)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | words
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(words, inner, max_size=2),
    max_leaves=4,
)
objects = st.dictionaries(words, values, max_size=2)
extras = st.dictionaries(words, objects, max_size=2)
optional = st.none() | words
about = {"media_type": st.none() | filled, "name": optional, "detail": optional, "extras": extras}
urls = filled.filter(lambda text: not text.lower().startswith("data:"))
sources = [{"url": urls}, {"data": st.binary(max_size=6)}, {"file_id": filled}]
media = st.one_of(
    *(st.builds(kind, **source, **about) for kind in (Image, Audio, Video) for source in sources),
    *(st.builds(Document, **source, **about) for source in (*sources, {"text": words})),
)
texts = st.builds(Text, words, st.lists(objects, max_size=2), extras=extras)
opaques = st.builds(Opaque, words, objects, extras=extras)
anywhere = texts | media | opaques
tool_results = st.builds(
    ToolResult,
    filled,
    st.lists(anywhere, max_size=2).map(tuple),
    optional,
    st.booleans(),
    extras=extras,
)
answers = st.one_of(
    anywhere,
    st.builds(Reasoning, words, optional, st.none(), st.lists(words, max_size=2), extras=extras),
    st.builds(Reasoning, st.just(""), optional, words, extras=extras),
    st.builds(ToolCall, filled, filled, objects, optional, extras=extras),
    st.builds(ToolCall, filled, filled, words, extras=extras),
    st.builds(Refusal, words, extras=extras),
    st.builds(ServerToolCall, words, filled, objects, extras=extras),
    st.builds(ServerToolResult, words, filled, values, st.booleans(), extras=extras),
)
zones = st.integers(-86_399, 86_399).map(lambda seconds: timezone(timedelta(seconds=seconds)))
times = st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=zones)
origins = st.builds(Origin, filled, filled, optional)


def messages_of(role: str) -> st.SearchStrategy[Message]:
    content = {
        "tool": st.lists(tool_results, min_size=1, max_size=2),
        "assistant": st.lists(answers, max_size=3),
    }
    return st.builds(
        Message,
        st.just(role),
        content.get(role, st.lists(anywhere, max_size=3)),
        metadata=objects,
        name=optional,
        id=optional,
        created_at=st.none() | times,
        origin=st.none() | origins,
        extras=extras,
    )


conversations = st.lists(st.sampled_from(ROLES).flatmap(messages_of), max_size=3)


@given(conversations)
def test_what_is_loaded_is_what_was_dumped(messages: list[Message]) -> None:
    loaded = load_conversation(dump_conversation(messages))

    assert told(loaded) == told(messages)


@given(conversations)
def test_a_mapping_gives_the_same_conversation(messages: list[Message]) -> None:
    stored = json.loads(json.dumps(conversation_to_dict(messages)))

    assert told(conversation_from_dict(stored)) == told(messages)


@given(conversations)
def test_dumping_what_was_loaded_gives_the_same_text(messages: list[Message]) -> None:
    text = dump_conversation(messages)

    assert dump_conversation(load_conversation(text)) == text


@given(conversations)
def test_the_schema_takes_whatever_is_stored(messages: list[Message]) -> None:
    assert faults(conversation_to_dict(messages)) == []


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
    with pytest.raises(MessageError) as caught:
        dump_conversation([Message.user("hi"), "hello"])  # pyright: ignore[reportArgumentType]

    assert [problem.path for problem in caught.value.errors] == ["[1]"]


def test_an_error_of_storage_pickles_with_what_it_carries() -> None:
    error = StorageError("a.json: broken", errors=[Problem("messages[0]", "broken")])

    copy = pickle.loads(pickle.dumps(error))

    assert (type(copy), str(copy), copy.errors) == (StorageError, str(error), error.errors)


# -- files


def test_a_saved_file_is_read_again(tmp_path: Path) -> None:
    history = (Message.user("hi"), Message.assistant("hello"))

    save_conversation(tmp_path / "history.json", history)

    assert read_conversation(str(tmp_path / "history.json")) == history


def test_an_error_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    path.write_text('{"interlingua": 1, "messages": [{}]}', "utf-8")

    with pytest.raises(StorageError) as caught:
        read_conversation(path)

    assert str(caught.value) == f"{path}: messages[0].role: is missing"
    assert caught.value.errors == (Problem("messages[0].role", "is missing"),)


def test_a_missing_file_is_reported_as_python_does(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_conversation(tmp_path / "history.json")


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    path.write_text(dump_conversation([Message.user("hi")]), "utf-8-sig")

    assert read_conversation(path) == (Message.user("hi"),)


def test_saving_leaves_nothing_but_the_file(tmp_path: Path) -> None:
    save_conversation(tmp_path / "history.json", [Message.user("hi")])
    save_conversation(tmp_path / "history.json", [Message.user("hi again")])

    assert os.listdir(tmp_path) == ["history.json"]


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_saving_keeps_the_permissions_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    path.touch()
    path.chmod(0o640)

    save_conversation(path, [Message.user("hi")])

    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name != "posix", reason="other systems ask for rights to make links")
def test_saving_through_a_link_changes_the_file_it_points_to(tmp_path: Path) -> None:
    target, link = tmp_path / "history.json", tmp_path / "latest.json"
    target.touch()
    link.symlink_to(target)

    save_conversation(link, [Message.user("hi")])

    assert link.is_symlink()
    assert read_conversation(target) == (Message.user("hi"),)


FULL_DISK = """
import resource, sys
from interlingua import Message, save_conversation
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    save_conversation(sys.argv[1], [Message.user("long " * 1000)])
except OSError as error:
    print(type(error).__name__)
"""

LOST_MACHINE = """
import os, signal, sys
from interlingua import Message, save_conversation
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
save_conversation(sys.argv[1], [Message.user("new")])
"""


@pytest.mark.skipif(os.name != "posix", reason="other systems set no limit to files")
def test_on_a_full_disk_the_old_file_stays_and_nothing_else_does(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    save_conversation(path, [Message.user("old")])

    printed = run(FULL_DISK, path)

    assert printed == "OSError"
    assert os.listdir(tmp_path) == ["history.json"]
    assert read_conversation(path) == (Message.user("old"),)


@pytest.mark.skipif(os.name != "posix", reason="other systems have other signals")
def test_when_the_process_is_killed_while_saving_the_old_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    save_conversation(path, [Message.user("old")])

    run(LOST_MACHINE, path)

    assert read_conversation(path) == (Message.user("old"),)


# -- the schema


def test_the_published_schema_is_the_one_the_types_give() -> None:
    published = json.loads(SCHEMA.read_text("utf-8"))

    assert published == json_schema(), (
        "write it anew: python -c 'import json; from interlingua.storage import json_schema; "
        f"print(json.dumps(json_schema(), indent=2))' > {SCHEMA.relative_to(TESTS.parent)}"
    )


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(json_schema())


@pytest.mark.parametrize("name", GOLDEN)
def test_the_schema_takes_every_file_of_version_1(name: str) -> None:
    assert faults(json.loads(golden(name).read_bytes())) == []


@pytest.mark.parametrize(
    "messages",
    [
        [{"content": []}],
        [{"role": "bot", "content": []}],
        [{"role": "user", "content": [], "voice": 1}],
        [{"role": "user", "content": [{"type": "hologram"}]}],
        [{"role": "user", "content": [{"type": "text"}]}],
        [{"role": "user", "content": [{"type": "text", "text": "hi", "voice": 1}]}],
        [{"role": "user", "content": [{"type": "image"}]}],
        [{"role": "user", "content": [{"type": "image", "url": "u", "file_id": "f"}]}],
        [{"role": "user", "content": [], "extras": {"openai-chat": 1}}],
    ],
    ids=json.dumps,
)
def test_the_schema_and_the_reader_refuse_the_same(messages: list[object]) -> None:
    stored: dict[str, object] = {"interlingua": 1, "messages": messages}

    assert faults(stored) != []
    with pytest.raises(StorageError):
        conversation_from_dict(stored)


def golden(name: str) -> Path:
    return TESTS / "golden" / f"conversation-1-{name}.json"


def told(messages: Sequence[Message]) -> list[tuple[Message, datetime | None, str]]:
    """All that there is to know: also what equality leaves out, and int, float and bool apart."""
    return [(one, one.created_at, repr(one.replace(created_at=None))) for one in messages]


def faults(stored: object) -> list[str]:
    return [error.message for error in VALIDATOR.iter_errors(stored)]


def run(program: str, path: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return done.stdout.strip()
