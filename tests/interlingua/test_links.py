"""Calls and results side by side, whatever history comes in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlingua import Image, Loss, Message, Origin, Text, ToolCall, ToolResult
from interlingua.links import INTERRUPTED, Linked, link, match, rounds
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


# -- what holds for every history

ids = st.sampled_from(["a", "b", "c", "a_2", "no fit", "x" * 30])
contents = st.lists(
    st.sampled_from([Text("words"), Image(url="https://example.org/i.png")]), max_size=2
).map(tuple)
tool_results = st.builds(ToolResult, ids, contents, st.sampled_from([None, "look"]), st.booleans())
tool_calls = st.builds(ToolCall, ids, st.sampled_from(["look", "find"]))


def spoken(origins: st.SearchStrategy[Origin | None]) -> st.SearchStrategy[Message]:
    return st.one_of(
        st.builds(Message, st.sampled_from(["user", "system"]), st.just("said"), origin=origins),
        st.builds(
            Message,
            st.just("assistant"),
            st.lists(tool_calls | st.just(Text("words")), max_size=4),
            origin=origins,
        ),
        st.builds(
            Message, st.just("tool"), st.lists(tool_results, min_size=1, max_size=3), origin=origins
        ),
    )


def answered(held: list[str]) -> list[Message]:
    return [calls(*held), results(*held)]


def histories(*origins: Origin | None) -> st.SearchStrategy[list[Message]]:
    """Whatever may come: sound turns, and messages that fit nowhere."""
    sound = st.lists(ids, min_size=1, max_size=2, unique=True).map(answered)
    stray = spoken(st.sampled_from(origins)).map(lambda message: [message])
    sound = sound if None in origins else stray
    return st.lists(sound | stray, max_size=7).map(lambda rounds: [*chain(*rounds)])


foreign = histories(None, ELSEWHERE)
home = histories(HERE)
mixed = histories(None, ELSEWHERE, HERE)


@given(foreign, st.booleans())
def test_after_linking_every_call_has_exactly_one_result_right_after_its_turn(
    history: list[Message], by_name: bool
) -> None:
    made = link(history, API, fit, by_name=by_name).messages

    assert unanswered_turns(made) == []


@given(foreign)
def test_after_linking_ids_are_unique_and_fit(history: list[Message]) -> None:
    made = link(history, API, fit).messages

    known = [call.id for message in made for call in message.tool_calls]
    assert len(set(known)) == len(known)
    assert [one for one in known if fit(one) != one] == []


@given(foreign)
def test_linking_what_is_linked_changes_nothing(history: list[Message]) -> None:
    once = link(history, API, fit).messages

    again = link(once, API, fit)

    assert again.messages is once
    assert again.losses == []


@given(foreign)
def test_linking_by_name_names_every_result(history: list[Message]) -> None:
    made = link(history, API, fit, by_name=True).messages

    assert [one for message in made for one in message.tool_results if not one.name] == []


@given(foreign)
def test_nothing_that_the_model_reads_vanishes(history: list[Message]) -> None:
    made = link(history, API, fit)

    assert pieces(history) - pieces(made.messages) == Counter()


@given(foreign)
def test_nothing_is_made_up_without_a_loss(history: list[Message]) -> None:
    made = link(history, API, fit)

    added = pieces(made.messages) - pieces(history)
    told = Counter(loss.action for loss in made.losses if loss.kind == "content")
    assert added == Counter({Text(INTERRUPTED): told["synthesised"]})


@given(foreign)
def test_calls_keep_their_order(history: list[Message]) -> None:
    made = link(history, API, fit).messages

    assert [one.name for message in made for one in message.tool_calls] == [
        one.name for message in history for one in message.tool_calls
    ]


@given(foreign)
def test_a_loss_names_a_place_in_the_history(history: list[Message]) -> None:
    made = link(history, API, fit)

    assert [loss.path for loss in made.losses if not found(history, loss.path)] == []


@given(mixed)
def test_every_message_says_where_it_came_from(history: list[Message]) -> None:
    made = link(history, API, fit)

    origins = [history[place].origin for place in made.places]
    assert [message.origin for message in made.messages if INTERRUPTED not in said(message)] == [
        origin
        for message, origin in zip(made.messages, origins, strict=True)
        if INTERRUPTED not in said(message)
    ]


@given(home)
def test_a_history_of_this_very_api_stays_as_it_is(history: list[Message]) -> None:
    made = link(history, API, fit)

    assert list(map(id, made.messages)) == list(map(id, history))
    assert made.losses == []


@given(mixed)
def test_turns_of_this_very_api_keep_their_calls(history: list[Message]) -> None:
    made = link(history, API, fit).messages

    assert [one for one in made if one.is_assistant and one.origin == HERE] == [
        one for one in history if one.is_assistant and one.origin == HERE
    ]


@given(mixed)
def test_a_call_of_this_api_and_one_of_another_never_share_an_id(history: list[Message]) -> None:
    made = link(history, API, fit).messages

    ours = {call.id for one in made if one.origin == HERE for call in one.tool_calls}
    theirs = [call.id for one in made if one.origin != HERE for call in one.tool_calls]
    assert [one for one in theirs if one in ours] == []


@given(foreign, foreign)
def test_a_longer_history_starts_with_what_a_sound_shorter_one_gave(
    start: list[Message], more: list[Message]
) -> None:
    start = list(link(start, API, fit).messages)

    whole = link([*start, *more], API, fit).messages

    assert list(whole[: len(start)]) == start


# -- one case each


def test_a_regular_history_comes_back_as_the_same_object() -> None:
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


def pieces(messages: Sequence[Message]) -> Counter[object]:
    """What the model reads, apart from the ids of calls and results."""
    return Counter(
        piece
        for message in messages
        for part in message.content
        for piece in (part.content if isinstance(part, ToolResult) else (part_without_id(part),))
    )


def part_without_id(part: object) -> object:
    return part.replace(id="any") if isinstance(part, ToolCall) else part


def said(message: Message) -> str:
    return message.to_text()


def found(messages: Sequence[Message], path: str) -> bool:
    steps = [int(number) for number in re.findall(r"\[(\d+)\]", path)]
    return steps[0] < len(messages) and (
        len(steps) == 1 or steps[1] < len(messages[steps[0]].content)
    )
