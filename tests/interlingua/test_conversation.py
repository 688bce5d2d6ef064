"""Functions over conversations."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlingua import (
    Image,
    Loss,
    Message,
    MessageError,
    Origin,
    Problem,
    Reasoning,
    Role,
    Text,
    ToolCall,
    ToolResult,
    count_by_role,
    extract_text,
    extract_tool_calls,
    find_by_role,
    last_message,
    repair,
    split_system,
    validate_conversation,
)
from interlingua.links import INTERRUPTED

HISTORY = (
    Message.system("Be brief."),
    Message.user("How deep?"),
    Message.assistant("Wait.", tool_calls=[ToolCall("a", "measure"), ToolCall("b", "ships")]),
    Message.tool("b", "three"),
    Message.tool("a", "nine"),
    Message.developer("Use metres."),
    Message.assistant("Nine metres."),
)


def calls(*ids: str) -> Message:
    return Message("assistant", [ToolCall(one, "look") for one in ids])


def results(*ids: str) -> Message:
    return Message("tool", [ToolResult(one, f"seen by {one}") for one in ids])


# -- the system's words


def test_the_prompt_is_all_that_system_and_developer_say_in_order() -> None:
    prompt, rest = split_system(HISTORY)

    assert prompt == "Be brief.\n\nUse metres."
    assert rest == (*HISTORY[1:5], HISTORY[6])


@pytest.mark.parametrize(
    "messages", [[], [Message.user("hi")], [Message.system(""), Message.developer(" \n\u2003")]]
)
def test_there_is_no_prompt_when_nothing_is_left(messages: list[Message]) -> None:
    assert split_system(messages) == (None, tuple(one for one in messages if one.is_user))


def test_blank_words_of_the_system_are_skipped_and_the_others_kept_exactly() -> None:
    prompt, _ = split_system([Message.system(text) for text in (" a\n", "", " ", "b")])

    assert prompt == " a\n\n\nb"


def test_what_is_no_text_shows_in_the_prompt() -> None:
    shown = Message.system([Text("See "), Image(url="https://example.org/map.png")])

    assert split_system([shown])[0] == "See [Image: https://example.org/map.png]"


# -- looking into a conversation


def test_the_text_of_a_conversation_is_that_of_its_messages() -> None:
    history = [
        Message.user("How deep?"),
        Message.assistant([Reasoning("hm")]),
        Message.tool("a", "9"),
        Message.assistant(["Nine", " metres."]),
    ]

    assert extract_text(history) == "How deep?\n\nNine metres."


def test_tool_calls_come_in_order() -> None:
    assert extract_tool_calls(HISTORY) == (ToolCall("a", "measure"), ToolCall("b", "ships"))


def test_messages_are_found_by_their_role() -> None:
    assert find_by_role(HISTORY, "assistant") == (HISTORY[2], HISTORY[6])


def test_a_role_that_is_none_finds_no_messages_but_an_error() -> None:
    role: Any = "model"

    with pytest.raises(MessageError):
        find_by_role(HISTORY, role)


def test_the_last_message_is_the_last() -> None:
    assert last_message(HISTORY) is HISTORY[-1]


def test_an_empty_conversation_has_no_last_message() -> None:
    assert last_message([]) is None


def test_every_role_is_counted_also_with_zero() -> None:
    expected: dict[Role, int] = {"system": 1, "developer": 0, "user": 2, "assistant": 0, "tool": 0}

    assert count_by_role([HISTORY[0], HISTORY[1], HISTORY[1]]) == expected


# -- what is wrong with it


@pytest.mark.parametrize("messages", [(), HISTORY, (calls("a", "b"), results("b", "a"))])
def test_a_sound_conversation_has_no_problems(messages: tuple[Message, ...]) -> None:
    assert validate_conversation(messages) == ()


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        (
            [Message.user("hi"), calls("a")],
            Problem("messages[1].content[0]", "tool call 'a' has no result"),
        ),
        (
            [Message.user("hi"), results("a")],
            Problem("messages[1].content[0]", "no tool call 'a' comes before this result"),
        ),
        (
            [calls("a"), results("a"), calls("b", "a"), results("b", "a")],
            Problem(
                "messages[2].content[1]",
                "tool call id 'a' is used already at messages[0].content[0]",
            ),
        ),
        (
            [calls("a"), results("a"), results("a")],
            Problem(
                "messages[2].content[0]",
                "tool call 'a' at messages[0].content[0] has a result already",
            ),
        ),
        (
            [calls("a"), Message.user("still there?"), results("a")],
            Problem(
                "messages[2].content[0]", "the result of tool call 'a' does not follow its turn"
            ),
        ),
    ],
    ids=["unanswered", "orphan", "same id", "second answer", "late"],
)
def test_a_problem_names_the_place_and_the_id(messages: list[Message], problem: Problem) -> None:
    assert validate_conversation(messages) == (problem,)


def test_all_problems_are_named_in_the_order_of_the_conversation() -> None:
    problems = validate_conversation([results("z"), calls("a", "a"), results("a")])

    assert [problem.path for problem in problems] == [
        "messages[0].content[0]",
        "messages[1].content[1]",
        "messages[1].content[1]",
    ]


# -- mending it


@pytest.mark.parametrize("messages", [(), HISTORY])
def test_a_sound_conversation_comes_back_as_it_is(messages: tuple[Message, ...]) -> None:
    repaired = repair(messages)

    assert repaired.messages is messages
    assert repaired.losses == ()


def test_missing_results_are_inserted_right_after_their_turn_in_the_order_of_the_calls() -> None:
    messages, losses = repair([calls("a", "b"), Message.user("go on"), calls("c")])

    assert messages == (
        calls("a", "b"),
        Message.tool("a", INTERRUPTED, name="look", is_error=True),
        Message.tool("b", INTERRUPTED, name="look", is_error=True),
        Message.user("go on"),
        calls("c"),
        Message.tool("c", INTERRUPTED, name="look", is_error=True),
    )
    assert list(map(str, losses)) == [
        "messages[0].content[0]: tool call 'a' has no result; one that says so is added (synthesised)",
        "messages[0].content[1]: tool call 'b' has no result; one that says so is added (synthesised)",
        "messages[2].content[0]: tool call 'c' has no result; one that says so is added (synthesised)",
    ]


def test_a_late_result_is_moved_next_to_its_call() -> None:
    repaired = repair([calls("a"), Message.user("still there?"), results("a")])

    assert repaired == (
        (calls("a"), results("a"), Message.user("still there?")),
        (
            Loss(
                "messages[2].content[0]",
                "content",
                "the result of tool call 'a' is moved next to it",
                "merged",
            ),
        ),
    )


def test_turns_that_a_vendor_made_are_mended_too() -> None:
    origin = Origin("openai", "openai-chat")
    history = [one.replace(origin=origin) for one in (calls("a"), calls("a"), results("a"))]

    messages, _ = repair(history)

    assert validate_conversation(messages) == ()
    assert [one.origin for one in messages if one.is_assistant] == [origin, origin]


ids = st.sampled_from(["a", "b", "c", "a_2"])
anything = st.lists(
    st.one_of(
        st.just(Message.user("said")),
        st.lists(ids, max_size=3).map(lambda held: calls(*held)),
        st.lists(ids, min_size=1, max_size=3).map(lambda held: results(*held)),
    ),
    max_size=9,
)


@given(anything)
def test_a_repaired_conversation_is_sound(history: list[Message]) -> None:
    assert validate_conversation(repair(history).messages) == ()


@given(anything)
def test_a_conversation_is_changed_only_when_it_has_problems(history: list[Message]) -> None:
    repaired = repair(history)

    sound = validate_conversation(history) == ()
    assert sound == (repaired.losses == ())
    assert sound == (list(repaired.messages) == history)


@given(anything)
def test_repairing_twice_is_repairing_once(history: list[Message]) -> None:
    once = repair(history).messages

    assert repair(once) == (once, ())


@given(anything)
def test_the_conversation_that_was_given_is_not_changed(history: list[Message]) -> None:
    before = list(history)

    repair(history)

    assert list(map(id, history)) == list(map(id, before))
