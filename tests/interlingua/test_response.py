"""Responses, usage and candidates."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from interlingua import (
    Attempt,
    Candidate,
    DecodeError,
    Loss,
    Message,
    MessageError,
    Response,
    ToolCall,
    Usage,
)
from strategies import responses, usages

ANSWER = Message.assistant("a", tool_calls=[ToolCall("c", "f")])


def test_an_answer_shows_its_text_and_its_calls() -> None:
    response = Response(ANSWER, "tool_calls")

    assert response.text == "a"
    assert response.tool_calls == (ToolCall("c", "f"),)
    assert Candidate(ANSWER, "stop").text == "a"


def test_parsed_is_the_json_that_the_text_is() -> None:
    assert Response(Message.assistant('{"a": [1]}'), "stop").parsed == {"a": [1]}


@pytest.mark.parametrize("text", ["", "no", "{", "```json\n{}\n```", "[" * 100_000])
def test_parsed_raises_when_the_text_is_no_json(text: str) -> None:
    response = Response(Message.assistant(text), "stop", api="openai-chat")

    with pytest.raises(DecodeError, match=r"^openai-chat: the answer is no JSON"):
        _ = response.parsed


def test_an_answer_is_written_with_what_is_set() -> None:
    response = Response(
        ANSWER,
        "length",
        "max_tokens",
        Usage(1, 2),
        losses=(Loss("top_k", "setting", "no such setting"),),
        attempts=(Attempt("openai:m", "RateLimitError", "slow down", 429),),
    )

    assert response.to_dict() == {
        "message": ANSWER.to_dict(),
        "finish_reason": "length",
        "raw_finish_reason": "max_tokens",
        "usage": {"input_tokens": 1, "output_tokens": 2},
        "losses": [
            {"path": "top_k", "kind": "setting", "reason": "no such setting", "action": "dropped"}
        ],
        "attempts": [
            {"model": "openai:m", "error": "RateLimitError", "message": "slow down", "status": 429}
        ],
    }


@given(responses)
def test_any_answer_is_read_from_its_json(response: Response) -> None:
    assert Response.from_dict(response.to_dict()) == response
    assert Response.from_json(response.to_json()) == response


def test_all_problems_of_an_answer_are_reported_together() -> None:
    value: dict[str, Any] = {
        "message": {"role": "nobody"},
        "finish_reason": "done",
        "usage": {"input_tokens": "many"},
        "candidates": [3],
        "losses": [{"path": "a"}],
    }

    with pytest.raises(MessageError) as caught:
        Response.from_dict(value)

    assert [str(problem) for problem in caught.value.errors] == [
        "message.role: expected one of system, developer, user, assistant, tool, got str 'nobody'",
        "finish_reason: expected one of stop, length, tool_calls, content_filter, refusal, pause, "
        "error, other, got str 'done'",
        "usage.input_tokens: expected an integer, got str 'many'",
        "candidates[0]: expected a Candidate or a mapping of its fields, got int 3",
        "losses[0]: Object missing required field `kind`",
    ]


# -- usage


def test_the_total_is_input_and_output() -> None:
    assert Usage(3, 4, cache_read_tokens=2, reasoning_tokens=1).total_tokens == 7


@pytest.mark.parametrize("usage", [Usage(), Usage(3), Usage(output_tokens=3)])
def test_the_total_is_unknown_when_one_half_is(usage: Usage) -> None:
    assert usage.total_tokens is None


def test_a_sum_knows_what_either_side_knows() -> None:
    one = Usage(1, 2, cache_read_tokens=3, details=Usage().details | {"a": 1})

    assert one + Usage(10, None, None, 4) == Usage(11, 2, 3, 4)


@given(usages, usages, usages)
def test_adding_is_associative_and_commutative(one: Usage, two: Usage, three: Usage) -> None:
    assert one + two == two + one
    assert (one + two) + three == one + (two + three)


def test_unknown_is_not_zero() -> None:
    assert Usage() != Usage(0, 0)
    assert Usage().to_dict() == {}
