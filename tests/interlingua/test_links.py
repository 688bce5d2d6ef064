"""Calls and results side by side: one case each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pytest

from interlingua import Loss, Message, Origin, ToolCall, ToolResult
from interlingua.links import INTERRUPTED, Linked, Regularity, link, match, rounds
from interlingua.wire import fit as stand_in

API = "openai-chat"
HERE = Origin("openai", API)
ELSEWHERE = Origin("anthropic", "anthropic-messages")
FITTING = re.compile(r"[a-z0-9_]+")


def fit(text: str) -> str:
    return stand_in(text, FITTING, 24)


def same(text: str) -> str:
    return text


def calls(*ids: str, origin: Origin | None = None) -> Message:
    return Message("assistant", [ToolCall(one, "look") for one in ids], origin=origin)


def results(*ids: str, origin: Origin | None = None) -> Message:
    return Message("tool", [ToolResult(one, f"seen by {one}") for one in ids], origin=origin)


def linked(*messages: Message, by_name: bool = False) -> Linked:
    return link(messages, API, same, by_name=by_name)


def test_results_of_one_turn_may_come_in_any_order() -> None:
    history = (Message.user("hi"), calls("a", "b"), results("b"), results("a"), Message.user("so"))

    made = link(history, API, same)

    assert made.messages is history
    assert made.losses == []


def test_missing_results_are_made_up_right_after_the_turn_in_the_order_of_its_calls() -> None:
    made = linked(calls("a", "b", "c"), results("b"), Message.user("go on"))

    assert list(made.messages) == [
        calls("a", "b", "c"),
        interrupted("a"),
        results("b"),
        interrupted("c"),
        Message.user("go on"),
    ]
    assert made.losses == [
        Loss(
            f"messages[0].content[{place}]",
            "content",
            f"tool call {one!r} has no result; one that says so is added",
            "synthesised",
        )
        for place, one in ((0, "a"), (2, "c"))
    ]


def test_a_late_result_is_moved_to_its_call_and_stays_what_it_was() -> None:
    late = results("a", origin=ELSEWHERE).with_metadata(seen=True)

    made = linked(calls("a"), Message.user("still there?"), late)

    assert list(made.messages) == [calls("a"), late, Message.user("still there?")]
    assert made.places == [0, 2, 1]
    assert made.losses == [
        Loss(
            "messages[2].content[0]",
            "content",
            "the result of tool call 'a' is moved next to it",
            "merged",
        )
    ]


def test_a_result_without_a_call_is_told_by_the_user_after_the_turns_results() -> None:
    made = linked(calls("a", "b"), results("a"), results("z"), results("b"))

    assert list(made.messages) == [
        calls("a", "b"),
        results("a"),
        results("b"),
        Message.user("seen by z"),
    ]
    assert made.losses == [
        Loss(
            "messages[2].content[0]",
            "content",
            "no tool call 'z' comes before this result; the user tells it",
            "lowered",
        )
    ]


def test_a_second_result_of_a_call_is_told_by_the_user() -> None:
    made = linked(calls("a"), results("a"), results("a"))

    assert list(made.messages) == [calls("a"), results("a"), Message.user("seen by a")]
    assert made.losses == [
        Loss(
            "messages[2].content[0]",
            "content",
            "tool call 'a' at messages[0].content[0] has a result already; the user tells it",
            "lowered",
        )
    ]


def test_an_empty_result_without_a_call_leaves_only_a_record() -> None:
    made = linked(Message("tool", ToolResult("z", ())), Message.user("hi"))

    assert list(made.messages) == [Message.user("hi")]
    assert made.losses == [
        Loss(
            "messages[0].content[0]",
            "provenance",
            "no tool call 'z' comes before this result, and it is empty",
        )
    ]


def test_extras_of_a_result_that_the_user_tells_are_reported() -> None:
    extras = {"anthropic-messages": {"cache_control": {"type": "ephemeral"}}}

    made = linked(Message("tool", ToolResult("z", "seen", extras=extras), extras=extras))

    assert [str(loss) for loss in made.losses[1:]] == [
        "messages[0].content[0]: cache_control: belongs to anthropic-messages (dropped)",
        "messages[0]: cache_control: belongs to anthropic-messages (dropped)",
    ]


def test_an_id_that_repeats_is_replaced_in_call_and_result() -> None:
    made = linked(calls("a"), results("a"), calls("a"), results("a"))

    assert [one.tool_calls[0].id for one in made.messages if one.is_assistant] == ["a", "a_2"]
    assert [one.tool_call_id for one in made.messages if one.is_tool] == ["a", "a_2"]
    assert made.losses == [
        Loss(
            "messages[2].content[0]",
            "provenance",
            "the id 'a' is taken by another call; here it is 'a_2'",
            "synthesised",
        )
    ]


def test_an_id_that_the_api_refuses_is_replaced_in_call_and_result() -> None:
    made = link([calls("no fit"), results("no fit")], API, fit)

    assert list(made.messages) == [
        calls(fit("no fit")),
        Message.tool(fit("no fit"), "seen by no fit"),
    ]
    assert made.losses == []


def test_an_id_of_this_api_is_not_given_to_a_call_before_it() -> None:
    made = linked(calls("a"), results("a"), calls("a", origin=HERE), results("a"))

    assert [one.tool_calls[0].id for one in made.messages if one.is_assistant] == ["a_2", "a"]
    assert [one.tool_call_id for one in made.messages if one.is_tool] == ["a_2", "a"]


def test_many_calls_of_one_id_stay_apart() -> None:
    history = [one for _ in range(300) for one in (calls("a"), results("a"))]

    made = link(history, API, same).messages

    assert [one.tool_call_id for one in made if one.is_tool] == [
        *("a", *(f"a_{number}" for number in range(2, 301)))
    ]


def test_results_of_this_very_api_that_come_late_stay_where_they_are() -> None:
    history = [
        calls("a", origin=HERE),
        calls("b", origin=HERE),
        results("a", origin=HERE),
        results("b", origin=HERE),
    ]

    made = linked(*history)

    assert list(made.messages) == history
    assert made.losses == []


def test_an_applications_late_result_is_moved_to_a_call_of_this_very_api() -> None:
    made = linked(calls("a", origin=HERE), Message.user("wait"), results("a"))

    assert list(made.messages) == [calls("a", origin=HERE), results("a"), Message.user("wait")]


def test_a_result_of_this_very_api_is_moved_to_a_call_that_came_from_elsewhere() -> None:
    made = linked(calls("a"), Message.user("wait"), results("a", origin=HERE))

    assert list(made.messages) == [calls("a"), results("a", origin=HERE), Message.user("wait")]


def test_a_turn_of_this_very_api_with_nothing_after_it_is_trusted() -> None:
    made = linked(Message.user("hi"), calls("a", origin=HERE))

    assert list(made.messages) == [Message.user("hi"), calls("a", origin=HERE)]
    assert made.losses == []


@pytest.mark.parametrize(
    "after",
    [
        [Message.user("never mind")],
        [Message.user("never mind", origin=ELSEWHERE)],
        [results("a"), Message.user("and the other?")],
        [results("a", origin=HERE), Message.user("and the other?")],
    ],
)
def test_an_application_that_goes_on_leaves_no_call_of_this_very_api_unanswered(
    after: list[Message],
) -> None:
    made = linked(calls("a", "b", origin=HERE), *after)

    assert unanswered_turns(made.messages) == []
    assert interrupted("b") in made.messages


def test_a_result_of_this_very_api_answers_a_renamed_call_under_its_new_id() -> None:
    made = linked(
        *(calls("a"), results("a")),
        *(calls("a"), results("a", origin=HERE)),
    )

    assert made.messages[3].tool_call_id == "a_2"


def test_a_mended_message_is_the_same_object_at_the_next_turn() -> None:
    history = [calls("no fit"), results("no fit")]

    once = link(history, API, fit).messages
    again = link([*history, Message.user("so?")], API, fit).messages

    assert list(map(id, again[:2])) == list(map(id, once))


def test_a_result_answers_the_nearest_call_of_its_id() -> None:
    history = [calls("a"), Message.user("no"), calls("a"), results("a")]

    assert match(history).calls == {(3, 0): (2, 0)}


def test_results_of_one_id_in_one_turn_answer_its_calls_in_order() -> None:
    history = [calls("a", "a"), results("a", "a", "a")]

    found = match(history)

    assert found.calls == {(1, 0): (0, 0), (1, 1): (0, 1)}
    assert found.spare == {(1, 2): (0, 1)}


def test_results_that_come_first_stand_under_no_message() -> None:
    history = [results("a"), Message.user("hi"), results("b"), results("c")]

    assert list(rounds(history)) == [(None, range(0, 1)), (1, range(2, 4))]


def interrupted(call: str) -> Message:
    return Message.tool(call, INTERRUPTED, name="look", is_error=True)


def unanswered_turns(messages: Sequence[Message]) -> list[int | None]:
    """The turns whose calls and the results right after them are not the same."""
    return [
        head
        for head, run in rounds(messages)
        if Counter(call.id for call in (() if head is None else messages[head].tool_calls))
        != Counter(one.tool_call_id for index in run for one in messages[index].tool_results)
    ]


def test_a_result_learns_its_tools_name_without_being_mended() -> None:
    called = Message.assistant(tool_calls=[ToolCall("c1", "add")])
    told = Message.tool("c1", "3")
    regular, again = Regularity(), Regularity()

    taken = [regular.take(one, API, same, by_name=True) for one in (called, told)]

    assert taken == [called, Message.tool("c1", "3", name="add")]
    assert [again.take(one, API, same, by_name=True) for one in (called, told)][1] is taken[1]
