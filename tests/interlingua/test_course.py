"""A conversation goes on where its last encoding stopped, and nobody can tell."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from interlingua import LossPolicy, Message, Request, ToolCall, codec

APIS = ("openai-chat", "openai-responses", "anthropic-messages", "gemini-generate")


def sent(api: str, messages: Sequence[Message]) -> tuple[bytes, object]:
    encoded = codec(api).encode(Request("m", tuple(messages)), LossPolicy.allow)
    return encoded.content, encoded.losses


def anew(messages: Sequence[Message]) -> list[Message]:
    """Equal messages that no encoder has seen."""
    return [Message.from_dict(message.to_dict()) for message in messages]


@pytest.mark.parametrize("api", APIS)
@settings(max_examples=30)
@given(history=strategies.conversations)
def test_turn_by_turn_gives_the_bytes_of_all_at_once(
    api: str, history: tuple[Message, ...]
) -> None:
    grown = [sent(api, history[:length]) for length in range(len(history) + 1)]

    assert grown == [sent(api, anew(history[:length])) for length in range(len(history) + 1)]


@pytest.mark.parametrize("api", APIS)
@settings(max_examples=30)
@given(history=strategies.conversations, data=st.data())
def test_going_back_and_on_another_way_gives_the_bytes_of_that_way(
    api: str, history: tuple[Message, ...], data: st.DataObject
) -> None:
    sent(api, history)
    back = data.draw(st.integers(0, len(history)))
    other = (*history[:back], Message.user("Or rather: what then?"))

    assert sent(api, other) == sent(api, anew(other))
    assert sent(api, history) == sent(api, anew(history))


@pytest.mark.parametrize("api", APIS)
def test_a_call_that_is_answered_later_is_not_answered_twice(api: str) -> None:
    asked = [Message.user("go"), Message.assistant(tool_calls=[ToolCall("c1", "f")])]
    answered = [*asked, Message.tool("c1", "done", name="f")]
    sent(api, asked)

    assert sent(api, answered) == sent(api, anew(answered))


@pytest.mark.parametrize("api", APIS)
def test_many_threads_encode_one_conversation_to_the_same_bytes(api: str) -> None:
    history = [
        message
        for number in range(40)
        for message in (Message.user(f"question {number}"), Message.assistant(f"answer {number}"))
    ]
    lengths = [2 * (number % 40) + 2 for number in range(400)]
    expected = {length: sent(api, anew(history[:length])) for length in set(lengths)}

    def encode(length: int) -> tuple[bytes, object]:
        return sent(api, history[:length])

    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(encode, lengths))

    assert got == [expected[length] for length in lengths]


def test_what_an_encoder_keeps_beside_a_message_is_no_part_of_it() -> None:
    history = [Message.user("a"), Message.assistant("b")]
    before = [(hash(message), message.to_json(), repr(message)) for message in history]

    sent("openai-chat", history)

    assert [(hash(message), message.to_json(), repr(message)) for message in history] == before
    assert history == anew(history)
