"""What holds for every history whose calls and results are brought side by side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from interlingua import Image, Message, Origin, Text, ToolCall, ToolResult
from interlingua.links import INTERRUPTED, Linked, link, rounds
from interlingua.wire import fit as stand_in
from strategies import conversations

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
    stray = spoken(st.sampled_from(origins)).map(lambda message: [message])
    sound = st.lists(ids, min_size=1, max_size=2, unique=True).map(answered)
    pieces = sound | stray if None in origins else stray
    return st.lists(pieces, max_size=7).map(lambda held: [*chain(*held)])


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


@given(conversations, st.booleans())
def test_a_regular_history_comes_back_as_the_same_object(
    history: tuple[Message, ...], by_name: bool
) -> None:
    made = link(history, API, same, by_name=by_name)

    assert made.messages is history
    assert made.losses == []


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
