"""When a call is made again, and to whom."""

from __future__ import annotations

import pytest

from interlingua import (
    Attempt,
    AuthenticationError,
    InvalidRequestError,
    OverloadedError,
    ProviderError,
    RateLimitError,
    ServerError,
)
from interlingua.attempts import Attempts, Retries


def waits(retries: Retries, error: ProviderError, chance: float = 1.0) -> list[float | None]:
    """The waits after the first eight attempts."""
    return [retries.wait(error, attempt, 0.0, chance) for attempt in range(1, 9)]


def test_waits_double() -> None:
    assert waits(Retries(7), ServerError("x")) == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, None]


def test_waits_stop_growing_at_a_minute() -> None:
    assert Retries(5_000).wait(ServerError("x"), 4_999, 0.0, 1.0) == 60.0


@pytest.mark.parametrize(("chance", "expected"), [(0.0, 0.375), (0.5, 0.4375), (1.0, 0.5)])
def test_chance_shortens_a_wait_by_a_quarter_at_most(chance: float, expected: float) -> None:
    assert Retries().wait(ServerError("x"), 1, 0.0, chance) == expected


def test_there_are_as_many_retries_as_allowed() -> None:
    assert waits(Retries(2), ServerError("x"))[:3] == [0.5, 1.0, None]
    assert waits(Retries(0), ServerError("x"))[0] is None


@pytest.mark.parametrize("error", [AuthenticationError("x"), InvalidRequestError("x")])
def test_what_cannot_succeed_is_not_tried_again(error: ProviderError) -> None:
    assert Retries().wait(error, 1, 0.0, 1.0) is None


def test_the_vendors_word_on_retries_counts() -> None:
    assert Retries().wait(ServerError("x", retryable=False), 1, 0.0, 1.0) is None
    assert Retries().wait(InvalidRequestError("x", retryable=True), 1, 0.0, 1.0) == 0.5


@pytest.mark.parametrize(
    ("asked", "expected"), [(0.0, 0.0), (7.5, 7.5), (60.0, 60.0), (61.0, None)]
)
def test_the_vendors_word_on_waiting_counts_up_to_a_minute(
    asked: float, expected: float | None
) -> None:
    assert Retries().wait(RateLimitError("x", retry_after=asked), 1, 0.0, 0.0) == expected


@pytest.mark.parametrize(
    ("elapsed", "expected"), [(0.0, 0.5), (9.5, 0.5), (9.6, None), (11.0, None)]
)
def test_no_attempt_begins_after_the_deadline(elapsed: float, expected: float | None) -> None:
    assert Retries(2, 10.0).wait(ServerError("x"), 1, elapsed, 1.0) == expected


def test_an_attempt_has_the_rest_of_the_deadline() -> None:
    attempts = Attempts({"a": "one"}, Retries(2, 10.0), 100.0)

    assert attempts.left(100.0, None) == 10.0
    assert attempts.left(104.0, 3.0) == 3.0
    assert attempts.left(109.0, 3.0) == 1.0
    assert attempts.left(120.0, 3.0) == 0.001


def test_without_a_deadline_an_attempt_has_its_timeout() -> None:
    attempts = Attempts({"a": "one"}, Retries(), 100.0)

    assert (attempts.left(500.0, 3.0), attempts.left(500.0, None)) == (3.0, None)


def test_the_error_of_the_last_attempt_is_raised_and_knows_them_all() -> None:
    attempts = Attempts({"a": "one"}, Retries(1), 0.0)
    first, last = ServerError("first", status=500), OverloadedError("last", status=529)

    assert attempts.failed(first, 0.0, 1.0) == 0.5
    with pytest.raises(OverloadedError) as caught:
        attempts.failed(last, 0.5, 1.0)

    assert caught.value is last
    assert last.attempts == (first, last)


def test_the_next_model_is_asked_at_once_and_has_its_own_retries() -> None:
    attempts = Attempts({"a": "one", "b": "two"}, Retries(1), 0.0)

    asked: list[tuple[str, float]] = []
    for _ in range(3):
        spec = attempts.spec
        asked.append((spec, attempts.failed(ServerError("x", status=500), 0.0, 1.0)))

    assert asked == [("a", 0.5), ("a", 0.0), ("b", 0.5)]
    assert attempts.record == [
        Attempt("a", "ServerError", "x", 500),
        Attempt("a", "ServerError", "x", 500),
        Attempt("b", "ServerError", "x", 500),
    ]


def test_a_refusal_moves_on_to_the_next_model_without_a_retry() -> None:
    attempts = Attempts({"a": "one", "b": "two"}, Retries(), 0.0)

    assert attempts.failed(AuthenticationError("x"), 0.0, 1.0) == 0.0
    assert attempts.spec == "b"


def test_after_the_deadline_no_other_model_is_asked() -> None:
    attempts = Attempts({"a": "one", "b": "two"}, Retries(2, 10.0), 0.0)

    with pytest.raises(ServerError):
        attempts.failed(ServerError("x"), 10.5, 1.0)


def test_a_wait_past_the_deadline_moves_on_to_the_next_model() -> None:
    attempts = Attempts({"a": "one", "b": "two"}, Retries(2, 10.0), 0.0)

    assert attempts.failed(RateLimitError("x", retry_after=30.0), 1.0, 1.0) == 0.0
    assert attempts.spec == "b"


def test_a_secret_that_the_vendor_repeats_is_kept_by_nobody() -> None:
    attempts = Attempts({"a": "one"}, Retries(0), 0.0, lambda: ["canary-1234"])
    error = AuthenticationError("no: canary-1234", body={"given": ["canary-1234"], "n": 1})

    with pytest.raises(AuthenticationError):
        attempts.failed(error, 0.0, 1.0)

    assert str(error) == "no: [redacted]"
    assert error.body == {"given": ["[redacted]"], "n": 1}
    assert attempts.record[0].message == "no: [redacted]"


def test_an_error_is_of_the_provider_that_was_asked() -> None:
    attempts = Attempts({"a": "one", "b": "two"}, Retries(0), 0.0)

    attempts.failed(ServerError("first", provider="vendor"), 0.0, 1.0)
    with pytest.raises(ServerError) as caught:
        attempts.failed(ServerError("second", provider="vendor"), 0.0, 1.0)

    assert [error.provider for error in caught.value.attempts] == ["one", "two"]
