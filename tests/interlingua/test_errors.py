"""The tree of errors: what each carries, and that it survives copies and other processes."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
from textwrap import dedent
from typing import Any

import pytest

from interlingua import (
    DecodeError,
    InterlinguaError,
    LegacyFormatError,
    Loss,
    LossError,
    Message,
    MessageError,
    OverloadedError,
    Problem,
    ProviderError,
    QuotaError,
    RateLimitError,
    Response,
    ServerError,
    StreamInterruptedError,
    errors,
)
from interlingua.errors import shown

CLASSES = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, InterlinguaError)
]
PROVIDERS = [kind for kind in CLASSES if issubclass(kind, ProviderError)]


def test_the_docstring_draws_the_tree_as_it_is() -> None:
    tree = dedent((errors.__doc__ or "").split("\n\n")[1])
    lines = re.findall(r"^([│ ├└─]*)(\w+)", tree, re.MULTILINE)
    drawn: dict[str, str] = {}
    above: list[str] = []
    for lead, name in lines:
        depth = len(lead) // 4
        above[depth:] = [name]
        drawn[name] = above[depth - 1] if depth else "Exception"

    assert drawn == {kind.__name__: kind.__bases__[0].__name__ for kind in CLASSES}


def test_a_message_error_is_a_value_error_with_all_its_problems() -> None:
    error = MessageError([Problem("a", "is empty"), Problem("", "is wrong")], "not a Thing")

    assert isinstance(error, ValueError)
    assert error.errors == (Problem("a", "is empty"), Problem("", "is wrong"))
    assert str(error) == "not a Thing: a: is empty; is wrong"


def test_a_problem_knows_its_place_in_what_holds_it() -> None:
    problem = Problem("", "is empty").under("text").under("[0]").under("content")

    assert str(problem) == "content[0].text: is empty"


def test_a_very_deep_place_is_cut_in_the_middle() -> None:
    problem = Problem("", "is empty")
    for _ in range(1000):
        problem = problem.under("['a']")

    assert len(problem.path) < 200
    assert problem.path.startswith("['a']")
    assert "…" in problem.path


def test_a_legacy_format_error_is_a_message_error() -> None:
    assert issubclass(LegacyFormatError, MessageError)


def test_a_loss_error_says_what_is_lost_and_the_way_out() -> None:
    error = LossError([Loss("messages[0]", "content", "no video")], "openai-chat")

    assert str(error) == (
        "openai-chat cannot carry all of this: messages[0]: no video (dropped). "
        "Change the request, or pass LossPolicy.allow to send it without"
    )


def test_a_decode_error_says_where() -> None:
    error = DecodeError("no JSON", api="openai-chat", path="choices[0]")

    assert str(error) == "openai-chat: no JSON at choices[0]"
    assert str(DecodeError("no JSON")) == "no JSON"


def test_an_interrupted_stream_holds_what_had_arrived() -> None:
    response = Response(Message.assistant("half"), "error")

    assert StreamInterruptedError("cut", response=response).response == response


@pytest.mark.parametrize("kind", PROVIDERS)
def test_a_provider_error_carries_what_the_vendor_said(kind: type[ProviderError]) -> None:
    error = kind(
        "slow down",
        provider="openai",
        status=429,
        code="rate",
        request_id="r1",
        retry_after=3.0,
        body={"a": 1},
    )

    assert str(error) == "slow down"
    assert (error.provider, error.status, error.code) == ("openai", 429, "rate")
    assert (error.request_id, error.retry_after, error.body) == ("r1", 3.0, {"a": 1})
    assert error.retryable is kind.retries


def test_whether_to_try_again_follows_the_class_unless_the_vendor_says_otherwise() -> None:
    retried = {kind for kind in PROVIDERS if kind.retries}

    assert {RateLimitError, OverloadedError, ServerError} <= retried
    assert QuotaError not in retried
    assert RateLimitError("", retryable=False).retryable is False
    assert QuotaError("", retryable=True).retryable is True


def example(kind: type[InterlinguaError]) -> InterlinguaError:
    made: Any = kind
    if issubclass(kind, MessageError):
        return made([Problem("a", "is empty")], "not a Thing")
    if issubclass(kind, LossError):
        return made([Loss("a", "content", "b")], "openai-chat")
    if issubclass(kind, DecodeError):
        return made("no JSON", api="openai-chat", path="a")
    if issubclass(kind, ProviderError):
        return made("slow", provider="openai", status=429, body={"a": [1]})
    return made("wrong")


@pytest.mark.parametrize("kind", CLASSES)
def test_an_error_survives_pickle_and_copies_with_what_it_carries(
    kind: type[InterlinguaError],
) -> None:
    error = example(kind)

    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is kind
        assert str(again) == str(error)
        assert vars(again) == vars(error)


def deep() -> list[Any]:
    value: list[Any] = []
    for _ in range(5000):
        value = [value]
    return value


def test_a_value_is_shown_in_a_few_words() -> None:
    assert shown("x" * 10**7) == f"'{'x' * 27}...{'x' * 28}'"
    assert len(shown(b"x" * 10**7)) < 80
    assert shown(deep()) == "[[[[[[[...]]]]]]]"
    assert shown({"a": [1, 2]}) == "{'a': [1, 2]}"
