"""Messages: making them, looking at them, writing and reading them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given

from interlingua import (
    Audio,
    Document,
    FrozenDict,
    Image,
    Message,
    MessageError,
    Opaque,
    Origin,
    Part,
    Problem,
    Reasoning,
    Refusal,
    Role,
    ServerToolCall,
    ServerToolResult,
    Text,
    ToolCall,
    ToolResult,
    Video,
)
from interlingua.message import HOLDS, ROLES
from interlingua.parts import PARTS
from strategies import messages

MOMENT = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
ORIGIN = Origin("openai", "openai-chat", "m-1")
NEEDED = "tool_call_id is required for tool messages; use Message.tool(tool_call_id, result)"
ONLY = "tool_call_id is only allowed for tool messages; use Message.tool(tool_call_id, result)"

# -- making one


CONTENTS: list[tuple[object, tuple[Part, ...]]] = [
    (None, ()),
    ("", (Text(""),)),
    (" \n", (Text(" \n"),)),
    ("Hello", (Text("Hello"),)),
    ([], ()),
    (Text("a"), (Text("a"),)),
    ({"type": "text", "text": "a"}, (Text("a"),)),
    (["a", Image(url="u"), {"type": "text", "text": "b"}], (Text("a"), Image(url="u"), Text("b"))),
]


@pytest.mark.parametrize(("content", "parts"), CONTENTS)
def test_content_comes_in_many_forms_and_is_kept_in_one(
    content: object, parts: tuple[Part, ...]
) -> None:
    assert Message("user", content).content == parts


MADE: list[tuple[Message, Role]] = [
    (Message.system("a"), "system"),
    (Message.developer("a"), "developer"),
    (Message.user("a"), "user"),
    (Message.assistant("a"), "assistant"),
]


@pytest.mark.parametrize(("message", "role"), MADE)
def test_each_constructor_gives_its_role(message: Message, role: Role) -> None:
    assert message == Message(role=role, content="a")


def test_a_constructor_takes_the_other_fields_by_name() -> None:
    message = Message.user("a", name="bob", id="m1", created_at=MOMENT, metadata={"k": [1]})

    assert message == Message("user", "a", {"k": [1]}, "bob")
    assert (message.id, message.created_at) == ("m1", MOMENT)


CALLS: list[object] = [
    ToolCall("c", "f", {"a": 1}),
    {"id": "c", "name": "f", "arguments": {"a": 1}},
    {"id": "c", "name": "f", "input": {"a": 1}},
    {"type": "tool_call", "id": "c", "name": "f", "arguments": {"a": 1}},
]


@pytest.mark.parametrize("call", CALLS)
def test_a_call_may_be_a_part_or_a_mapping(call: object) -> None:
    message = Message.assistant("a", tool_calls=[call])

    assert message.content == (Text("a"), ToolCall("c", "f", {"a": 1}))


def test_a_call_may_have_openais_own_shape_and_keeps_its_text() -> None:
    call = {"type": "function", "id": "c", "function": {"name": "f", "arguments": '{"a" : 1}'}}

    assert Message.assistant(None, tool_calls=[call]).content == (ToolCall("c", "f", '{"a" : 1}'),)


def test_calls_come_after_all_of_the_content() -> None:
    call = ToolCall("c", "f")

    message = Message.assistant([Reasoning("t"), Text("a")], tool_calls=[call])

    assert message.content == (Reasoning("t"), Text("a"), call)


def test_a_tool_message_holds_one_result() -> None:
    message = Message.tool("c", {"a": 1}, name="f", is_error=True, metadata={"k": 1})

    assert message == Message("tool", ToolResult("c", '{"a":1}', "f", is_error=True), {"k": 1})


def test_a_tool_that_gave_nothing_or_an_empty_list_says_so() -> None:
    assert Message.tool("c", None).tool_results[0].text == "null"
    assert Message.tool("c", []).tool_results[0].text == "[]"
    assert Message.tool("c", "").tool_results[0].content == (Text(""),)


def test_a_tool_message_may_hold_several_results() -> None:
    message = Message("tool", [ToolResult("c1", "a"), ToolResult("c2", "b")])

    assert [result.tool_call_id for result in message.tool_results] == ["c1", "c2"]
    assert message.tool_call_id is None


# -- where a part may stand


def example(kind: type[Part]) -> Part:
    made: dict[type[Part], Part] = {
        Text: Text("a"),
        Image: Image(url="u"),
        Audio: Audio(url="u"),
        Video: Video(url="u"),
        Document: Document(url="u"),
        Reasoning: Reasoning("a"),
        ToolCall: ToolCall("c", "f"),
        ToolResult: ToolResult("c", "a"),
        Refusal: Refusal("a"),
        ServerToolCall: ServerToolCall("c", "f"),
        ServerToolResult: ServerToolResult("c", "f"),
        Opaque: Opaque("new"),
    }
    return made[kind]


PLACES = [(role, kind) for role in ROLES for kind in PARTS.values()]


@pytest.mark.parametrize(("role", "kind"), PLACES)
def test_a_part_stands_only_where_it_makes_sense(role: Role, kind: type[Part]) -> None:
    message, problems = Message.try_new({"role": role, "content": [example(kind)]})

    assert (message is not None) == (kind in HOLDS[role])
    assert (problems == ()) == (kind in HOLDS[role])


def test_a_misplaced_part_is_named_with_the_way_out() -> None:
    with pytest.raises(MessageError) as caught:
        Message("user", ["a", Reasoning("t"), ToolResult("c")])

    assert caught.value.errors == (
        Problem(
            "content[1]",
            "a Reasoning cannot stand in a message of role 'user', only of 'assistant'",
        ),
        Problem("content[2]", ONLY),
    )


# -- what is no message


WRONG: list[tuple[dict[str, Any], list[Problem]]] = [
    (
        {"role": "nobody", "content": "a"},
        [
            Problem(
                "role",
                "expected one of system, developer, user, assistant, tool, got str 'nobody'",
            )
        ],
    ),
    (
        {"role": "User", "content": "a"},
        [
            Problem(
                "role", "expected one of system, developer, user, assistant, tool, got str 'User'"
            )
        ],
    ),
    (
        {"role": None, "content": 42},
        [
            Problem("role", "expected one of system, developer, user, assistant, tool, got None"),
            Problem("content", "expected a sequence, got int 42"),
        ],
    ),
    ({"content": "a"}, [Problem("role", "is missing")]),
    ({"role": "tool", "content": "a"}, [Problem("content[0]", NEEDED)]),
    ({"role": "tool", "content": None}, [Problem("content", NEEDED)]),
    ({"role": "tool", "content": "a", "tool_call_id": ""}, [Problem("tool_call_id", "is empty")]),
    ({"role": "user", "content": "a", "tool_call_id": "c"}, [Problem("tool_call_id", ONLY)]),
    (
        {"role": "assistant", "content": "a", "tool_calls": [1, {}]},
        [
            Problem("tool_calls[0]", "expected a ToolCall or a mapping, got int 1"),
            Problem("tool_calls[1].id", "is missing"),
            Problem("tool_calls[1].name", "is missing"),
        ],
    ),
    (
        {"role": "assistant", "content": "a", "tool_calls": {"id": "c"}},
        [Problem("tool_calls", "expected a sequence, got dict {'id': 'c'}")],
    ),
    (
        {"role": "user", "content": "a", "created_at": "2026-11-30T10:00:00"},
        [
            Problem(
                "created_at",
                "2026-11-30 10:00:00 has no time zone; use datetime.now().astimezone()",
            )
        ],
    ),
    (
        {"role": "user", "content": "a", "origin": {"api": "", "zz": 1}},
        [
            Problem("origin.zz", "no such field; an Origin has provider, api, model"),
            Problem("origin.provider", "is missing"),
            Problem("origin.api", "is empty"),
        ],
    ),
    (
        {"role": "nobody", "content": [3, {"type": "text"}], "metadata": {"a": {1: 2}}, "name": 5},
        [
            Problem(
                "role", "expected one of system, developer, user, assistant, tool, got str 'nobody'"
            ),
            Problem("content[0]", "expected a part, a string or a mapping, got int 3"),
            Problem("content[1].text", "is missing"),
            Problem("metadata['a'][1]", "the key is int; JSON has only strings for keys"),
            Problem("name", "expected a string, got int 5"),
        ],
    ),
]


@pytest.mark.parametrize(("value", "problems"), WRONG)
def test_try_new_gives_all_problems_of_a_mapping(
    value: dict[str, Any], problems: list[Problem]
) -> None:
    assert Message.try_new(value) == (None, tuple(problems))


@pytest.mark.parametrize(("value", "problems"), WRONG)
def test_from_dict_raises_all_problems_of_a_mapping(
    value: dict[str, Any], problems: list[Problem]
) -> None:
    with pytest.raises(MessageError) as caught:
        Message.from_dict(value)

    assert caught.value.errors == tuple(problems)


def test_the_constructor_raises_all_problems_together() -> None:
    wrong: Any = "nobody"

    with pytest.raises(MessageError) as caught:
        Message(wrong, [3], metadata={"a": float("nan")})

    assert str(caught.value) == (
        "not a Message: "
        "role: expected one of system, developer, user, assistant, tool, got str 'nobody'; "
        "content[0]: expected a part, a string or a mapping, got int 3; "
        "metadata['a']: nan is no JSON number; use None or a string"
    )


def test_the_named_constructors_raise_all_problems_together() -> None:
    nothing: Any = None

    with pytest.raises(MessageError) as tool:
        Message.tool(nothing, object(), metadata=3)
    with pytest.raises(MessageError) as assistant:
        Message.assistant([3], tool_calls=[{"id": ""}], name=4)

    assert [problem.path for problem in tool.value.errors] == [
        "tool_call_id",
        "content",
        "metadata",
    ]
    assert [problem.path for problem in assistant.value.errors] == [
        "tool_calls[0].name",
        "tool_calls[0].id",
        "content[0]",
        "name",
    ]


@pytest.mark.parametrize("make", [Message.user, Message.assistant, Message.system])
def test_options_cannot_change_the_role(make: Callable[..., Message]) -> None:
    with pytest.raises(TypeError):
        make("a", role="system")


# -- coercion


def test_coerce_keeps_a_message() -> None:
    message = Message.user("a")

    assert Message.coerce(message) is message


def test_coerce_reads_mappings_strings_and_parts() -> None:
    assert Message.coerce({"role": "assistant", "content": "a"}) == Message.assistant("a")
    assert Message.coerce("a") == Message.user("a")
    assert Message.coerce(Text("a")) == Message.user("a")
    assert Message.coerce({"type": "text", "text": "a"}) == Message.user("a")
    assert Message.coerce(["a", Image(url="u")]) == Message.user(["a", Image(url="u")])


NO_MESSAGES: list[tuple[object, str]] = [
    (None, "expected a message, a mapping, a string or parts, got None"),
    (3, "not a Message: content: expected a sequence, got int 3"),
    ({"content": "a"}, "not a Message: role: is missing"),
    (
        {"role": "user", "content": "a", "zzz": 1},
        "not a Message: zzz: no such field; a Message has "
        "role, content, metadata, name, id, created_at, origin, extras",
    ),
]


@pytest.mark.parametrize(("value", "said"), NO_MESSAGES)
def test_coerce_refuses_what_is_no_message(value: object, said: str) -> None:
    with pytest.raises(MessageError) as caught:
        Message.coerce(value)

    assert str(caught.value) == said


# -- another one like it


def test_replace_makes_a_new_message_and_checks_it() -> None:
    message = Message.user("a", name="bob")

    assert message.replace(content="b") == Message.user("b", name="bob")
    assert message == Message.user("a", name="bob")
    with pytest.raises(MessageError, match="not a Message: name: expected a string, got int 3"):
        message.replace(name=3)


def test_with_metadata_adds_to_a_new_message() -> None:
    message = Message.user("a", metadata={"k": 1})

    assert message.with_metadata(source="web_ui").metadata == {"k": 1, "source": "web_ui"}
    assert message.metadata == {"k": 1}


def test_without_reasoning_keeps_the_rest() -> None:
    message = Message.assistant([Reasoning("t"), "a"], metadata={"k": 1}, origin=ORIGIN)

    assert message.without_reasoning() == Message.assistant("a", metadata={"k": 1}, origin=ORIGIN)


def test_a_message_without_reasoning_is_itself() -> None:
    message = Message.assistant("a")

    assert message.without_reasoning() is message


# -- looking at it

FULL = Message.assistant(
    [
        Reasoning("hm", "seal"),
        Reasoning(summary=("one", "two")),
        Text("a"),
        Image(url="https://e/i.png"),
        Image(data=b"x"),
        Audio(url="https://e/a.mp3"),
        Video(file_id="v"),
        Document(data=b"x", name="p.pdf"),
        Document(url="https://e/d.pdf"),
        Document(file_id="f1"),
        Document(data=b"x", media_type="application/pdf"),
        Document(text="t"),
        ToolCall("c", "f"),
        ServerToolCall("s", "web_search"),
        ServerToolResult("s", "web_search"),
        Opaque("new"),
        Refusal("no"),
        Text("b"),
    ]
)


def test_the_text_is_what_is_visible() -> None:
    assert FULL.text == "ab"
    assert str(FULL) == "ab"
    assert Message.user(None).text == ""


def test_to_text_stands_in_for_what_is_no_text() -> None:
    assert FULL.to_text() == (
        "[Thinking: hm][Thinking: one two]a[Image: https://e/i.png][Image]"
        "[Audio: https://e/a.mp3][Video][File: p.pdf][File: https://e/d.pdf][File: f1]"
        "[File: application/pdf][File: document]nob"
    )


def test_to_text_shows_what_a_tool_gave() -> None:
    assert Message.tool("c", ["a", Image(url="u")]).to_text() == "a[Image: u]"


def test_reasoning_is_the_thought_or_the_summary_of_it() -> None:
    assert FULL.reasoning == "hmone\n\ntwo"
    assert Message.assistant("a").reasoning == ""


def test_calls_and_results_are_found_in_order() -> None:
    calls = ToolCall("c1", "f"), ToolCall("c2", "g")

    assert Message.assistant(["a", calls[0], "b", calls[1]]).tool_calls == calls
    assert Message.tool("c1", "a").tool_results == (ToolResult("c1", "a"),)
    assert Message.tool("c1", "a").tool_call_id == "c1"
    assert Message.user("a").tool_call_id is None


FLAGS = ("is_system", "is_developer", "is_user", "is_assistant", "is_tool")


@pytest.mark.parametrize("role", ROLES)
def test_each_role_has_its_question(role: Role) -> None:
    message = Message.tool("c", "a") if role == "tool" else Message(role, "a")

    assert [flag for flag in FLAGS if getattr(message, flag)] == [f"is_{role}"]


def test_a_call_and_a_result_are_tool_related() -> None:
    call, result = Message.assistant(None, tool_calls=CALLS[:1]), Message.tool("c", "a")

    assert (call.has_tool_calls, call.is_tool_related) == (True, True)
    assert (result.has_tool_calls, result.is_tool_related) == (False, True)
    assert (Message.user("a").has_tool_calls, Message.user("a").is_tool_related) == (False, False)


# -- as JSON


def test_role_content_and_metadata_are_always_written_and_the_rest_when_set() -> None:
    assert Message.user(None).to_dict() == {"role": "user", "content": [], "metadata": {}}
    assert Message.user("a").to_json() == (
        '{"role":"user","content":[{"type":"text","text":"a"}],"metadata":{}}'
    )


def test_everything_that_is_set_is_written() -> None:
    message = Message.assistant(
        "a",
        metadata={"k": [1, None]},
        name="bob",
        id="m1",
        created_at=MOMENT,
        origin=ORIGIN,
        extras={"openai-chat": {"audio": None}},
    )

    assert message.to_dict() == {
        "role": "assistant",
        "content": [{"type": "text", "text": "a"}],
        "metadata": {"k": [1, None]},
        "name": "bob",
        "id": "m1",
        "created_at": "2026-11-30T10:00:00.123456Z",
        "origin": {"provider": "openai", "api": "openai-chat", "model": "m-1"},
        "extras": {"openai-chat": {"audio": None}},
    }


@given(messages)
def test_any_message_is_read_from_its_json(message: Message) -> None:
    again = Message.from_json(message.to_json())

    assert again == message
    assert (again.id, again.created_at) == (message.id, message.created_at)
    assert Message.from_dict(message.to_dict()) == message
    assert again.to_json() == message.to_json()


def test_a_mapping_with_calls_and_ids_beside_the_content_is_read() -> None:
    assert Message.from_dict(
        {"role": "assistant", "content": "a", "tool_calls": [{"id": "c", "name": "f"}]}
    ) == Message.assistant("a", tool_calls=[ToolCall("c", "f")])
    assert Message.from_dict(
        {"role": "tool", "tool_call_id": "c", "content": "a", "name": "f"}
    ) == Message.tool("c", "a", name="f")
    assert Message.from_dict(
        {"role": "user", "content": "a", "tool_call_id": None, "tool_calls": None}
    ) == Message.user("a")


@pytest.mark.parametrize("text", ["", "{", "[1]", "3", '{"role": "\\ud83d"}'])
def test_what_is_no_json_of_a_message_is_refused(text: str) -> None:
    with pytest.raises(MessageError):
        Message.from_json(text)


def test_text_that_is_no_json_says_what_is_wrong_with_it() -> None:
    with pytest.raises(MessageError, match=r"^no JSON: JSON is malformed: invalid character"):
        Message.from_json('{"role": user}')


def test_json_that_is_no_object_says_so() -> None:
    with pytest.raises(MessageError, match=r"^expected a mapping, got list \[1\]$"):
        Message.from_json("[1]")


# -- as a value


def test_equality_is_by_content_without_id_and_time() -> None:
    assert Message.user("a", id="1", created_at=MOMENT) == Message.user("a")
    assert hash(Message.user("a", id="1", created_at=MOMENT)) == hash(Message.user("a"))


DIFFERENT: list[Message] = [
    Message.user("a"),
    Message.user("b"),
    Message.system("a"),
    Message.user("a", name="bob"),
    Message.user("a", metadata={"k": 1}),
    Message.user("a", origin=ORIGIN),
    Message.user("a", extras={"openai-chat": {"k": 1}}),
]


def test_messages_that_differ_in_anything_else_are_not_equal() -> None:
    assert len(set(DIFFERENT)) == len(DIFFERENT)


def test_a_message_is_no_other_thing() -> None:
    assert Message.user("a") != "a"
    assert Message.user("a") != Message.user("a").to_dict()


def test_the_model_invents_neither_id_nor_time() -> None:
    assert (Message.user("a").id, Message.user("a").created_at) == (None, None)


def test_a_time_keeps_its_zone_and_its_microseconds() -> None:
    created = datetime(2026, 11, 30, 10, 0, 0, 1, tzinfo=timezone(timedelta(hours=-5)))

    again = Message.from_json(Message.user("a", created_at=created).to_json()).created_at

    assert again is not None
    assert again.isoformat() == created.isoformat()


def test_an_origin_may_be_a_mapping() -> None:
    message = Message.assistant("a", origin={"provider": "openai", "api": "openai-chat"})

    assert message.origin == Origin("openai", "openai-chat")


def test_an_empty_mapping_is_the_one_empty_frozen_dict() -> None:
    assert Message.user("a", metadata={}).metadata is Message.user("a").metadata
    assert type(Message.user("a").metadata) is FrozenDict
