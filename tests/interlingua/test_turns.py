"""Turns of fragments."""

from __future__ import annotations

import pytest

from interlingua import Loss, Message
from interlingua.turns import Fragment, Side, Turns, fragment, placed

OPENINGS: dict[Side, bytes] = {
    "user": b'{"role":"user","content":[',
    "assistant": b'{"role":"assistant","content":[',
}


def turns(*pieces: tuple[Side, Fragment]) -> bytes:
    made = Turns(OPENINGS)
    for side, piece in pieces:
        made.add(side, piece)
    return made.content()


def test_sides_alternate() -> None:
    content = turns(
        ("user", Fragment(rest=b"1")),
        ("user", Fragment(rest=b"2")),
        ("assistant", Fragment(rest=b"3")),
    )

    assert content == b'[{"role":"user","content":[1,2]},{"role":"assistant","content":[3]}]'


def test_what_leads_a_turn_comes_first_in_it() -> None:
    content = turns(("user", Fragment(rest=b"1")), ("user", Fragment(first=b"2", rest=b"3")))

    assert content == b'[{"role":"user","content":[2,1,3]}]'


def test_a_fragment_that_says_nothing_opens_no_turn() -> None:
    content = turns(
        ("user", Fragment(rest=b"1")), ("assistant", Fragment()), ("user", Fragment(rest=b"2"))
    )

    assert content == b'[{"role":"user","content":[1,2]}]'


def test_a_turn_of_its_own_stands_between_the_others() -> None:
    made = Turns(OPENINGS)
    made.add("user", Fragment(rest=b"1"))
    made.insert(b'{"role":"system"}')
    made.add("user", Fragment(rest=b"2"))

    assert made.content() == (
        b'[{"role":"user","content":[1]},{"role":"system"},{"role":"user","content":[2]}]'
    )


def test_no_turns_are_an_empty_array() -> None:
    assert turns() == b"[]"


def test_a_fragment_is_rendered_once() -> None:
    message = Message.user("hi")
    rendered: list[Message] = []

    def render(given: Message) -> Fragment:
        rendered.append(given)
        return Fragment(rest=b"1")

    pieces = [fragment(message, "an-api", render) for _ in range(2)]

    assert pieces == [Fragment(rest=b"1")] * 2
    assert rendered == [message]


def test_a_fragment_is_no_part_of_the_message() -> None:
    message, other = Message.user("hi"), Message.user("hi")

    fragment(message, "an-api", lambda _: Fragment(rest=b"1"))

    assert (message, hash(message), message.to_json()) == (other, hash(other), other.to_json())


def test_a_changed_message_is_rendered_anew() -> None:
    message = Message.user("hi")
    fragment(message, "an-api", lambda _: Fragment(rest=b"1"))

    piece = fragment(message.replace(content="ho"), "an-api", lambda _: Fragment(rest=b"2"))

    assert piece == Fragment(rest=b"2")


@pytest.mark.parametrize(
    ("path", "seen"),
    [("content[0].url", "messages[2].content[0].url"), ("", "messages[2]")],
)
def test_the_losses_of_a_fragment_are_seen_from_the_request(path: str, seen: str) -> None:
    losses = (Loss(path, "content", "why", "lowered"),)

    assert list(placed(losses, 2)) == [Loss(seen, "content", "why", "lowered")]
