"""Answers other than 2xx as errors of ours."""

from __future__ import annotations

import json
from typing import Any

import pytest

from interlingua import (
    AuthenticationError,
    InvalidRequestError,
    NotFoundError,
    OverloadedError,
    PermissionDeniedError,
    ProviderError,
    QuotaError,
    RateLimitError,
    ServerError,
    TimeoutError,
    codec,
)

Json = dict[str, Any]

API = "gemini-generate"


def told(code: int, word: str, *details: Json) -> Json:
    return {
        "error": {"code": code, "message": "so it is", "status": word, "details": list(details)}
    }


def reason(word: str) -> Json:
    return {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": word}


def delay(text: object) -> Json:
    return {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": text}


def quota(*ids: str) -> Json:
    violations = [{"quotaId": id} for id in ids]
    return {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": violations}


def judged(status: int, body: object, **headers: str) -> ProviderError:
    return codec(API).decode_error(status, headers, body)


@pytest.mark.parametrize(
    ("status", "word", "expected"),
    [
        (400, "INVALID_ARGUMENT", InvalidRequestError),
        (400, "FAILED_PRECONDITION", InvalidRequestError),
        (400, "OUT_OF_RANGE", InvalidRequestError),
        (401, "UNAUTHENTICATED", AuthenticationError),
        (403, "PERMISSION_DENIED", PermissionDeniedError),
        (404, "NOT_FOUND", NotFoundError),
        (429, "RESOURCE_EXHAUSTED", RateLimitError),
        (500, "INTERNAL", ServerError),
        (500, "UNKNOWN", ServerError),
        (503, "UNAVAILABLE", OverloadedError),
        (504, "DEADLINE_EXCEEDED", TimeoutError),
        (400, "SOMETHING_NEW", InvalidRequestError),
        (418, "SOMETHING_NEW", InvalidRequestError),
        (502, "SOMETHING_NEW", ServerError),
    ],
)
def test_a_status_word_has_its_class(status: int, word: str, expected: type) -> None:
    error = judged(status, told(status, word))

    assert type(error) is expected
    assert (error.status, error.code, error.provider, str(error)) == (
        status,
        word,
        "google",
        "so it is",
    )


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, InvalidRequestError),
        (401, AuthenticationError),
        (402, QuotaError),
        (403, PermissionDeniedError),
        (404, NotFoundError),
        (408, TimeoutError),
        (429, RateLimitError),
        (500, ServerError),
        (503, OverloadedError),
        (504, TimeoutError),
    ],
)
def test_without_a_word_the_status_decides(status: int, expected: type) -> None:
    assert type(judged(status, "<html>Sorry</html>")) is expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("API_KEY_INVALID", AuthenticationError),
        ("ACCESS_TOKEN_EXPIRED", AuthenticationError),
        ("SERVICE_DISABLED", PermissionDeniedError),
    ],
)
def test_a_reason_says_more_than_the_status_word(word: str, expected: type) -> None:
    error = judged(400, told(400, "INVALID_ARGUMENT", reason(word)))

    assert (type(error), error.code, error.retryable) == (expected, word, False)


def test_a_minute_s_allowance_comes_back() -> None:
    details = (quota("TokensPerModelPerMinute"), delay("48s"))
    error = judged(429, told(429, "RESOURCE_EXHAUSTED", *details))

    assert (type(error), error.retry_after, error.retryable) == (RateLimitError, 48.0, True)


@pytest.mark.parametrize(
    "details", [(quota("RequestsPerDayPerProject"), delay("9s")), (quota("Everything"),)]
)
def test_a_day_s_allowance_does_not(details: tuple[Json, ...]) -> None:
    error = judged(429, told(429, "RESOURCE_EXHAUSTED", *details))

    assert (type(error), error.retryable) == (QuotaError, False)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1.5s", 1.5), ("0s", 0.0), ("soon", 7.0), ("-1s", 7.0), (None, 7.0), ({"seconds": 1}, 7.0)],
)
def test_the_body_s_delay_goes_before_the_header_s(text: object, seconds: float) -> None:
    error = judged(503, told(503, "UNAVAILABLE", delay(text)), **{"Retry-After": "7"})

    assert error.retry_after == seconds


def test_an_error_may_come_as_bytes_in_an_array() -> None:
    error = judged(404, json.dumps([told(404, "NOT_FOUND")]).encode())

    assert (type(error), str(error)) == (NotFoundError, "so it is")


def test_an_error_of_the_sign_in_server_is_read() -> None:
    error = judged(401, {"error": "invalid_grant", "error_description": "Token expired."})

    assert (type(error), str(error), error.code) == (
        AuthenticationError,
        "Token expired.",
        "invalid_grant",
    )


def test_an_error_inside_an_answer_goes_by_its_own_code() -> None:
    error = judged(200, {"error": {"code": 503, "message": "busy"}})

    assert (type(error), error.status) == (OverloadedError, 200)


def test_a_key_in_the_message_does_not_show() -> None:
    key = "AIza" + "x" * 35
    error = judged(400, {"error": {"code": 400, "message": f"bad key {key}"}})

    assert key not in f"{error} {error.body!r}"


@pytest.mark.parametrize("body", [None, "", [], {}, {"error": None}, {"error": []}, 7, b"\xff"])
def test_a_body_that_says_nothing_still_is_an_error(body: object) -> None:
    assert type(judged(500, body)) is ServerError
