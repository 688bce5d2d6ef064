"""Answers other than 2xx, and error events, as errors of ours."""

from __future__ import annotations

from typing import Any, cast

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

API = "anthropic-messages"


def told(kind: str, code: str | None = None) -> dict[str, Any]:
    error: dict[str, Any] = {"type": kind, "message": "so it is"}
    if code:
        error["details"] = {"error_code": code}
    return {"type": "error", "error": error, "request_id": "req_body"}


@pytest.mark.parametrize(
    ("status", "kind", "expected"),
    [
        (400, "invalid_request_error", InvalidRequestError),
        (401, "authentication_error", AuthenticationError),
        (402, "billing_error", QuotaError),
        (403, "permission_error", PermissionDeniedError),
        (404, "not_found_error", NotFoundError),
        (408, "timeout_error", TimeoutError),
        (409, "conflict_error", InvalidRequestError),
        (413, "request_too_large", InvalidRequestError),
        (422, "invalid_request_error", InvalidRequestError),
        (429, "rate_limit_error", RateLimitError),
        (500, "api_error", ServerError),
        (503, "overloaded_error", OverloadedError),
        (504, "timeout_error", TimeoutError),
        (529, "overloaded_error", OverloadedError),
        (418, "teapot_error", InvalidRequestError),
        (599, "sunset_error", ServerError),
    ],
)
def test_every_status_has_its_class(status: int, kind: str, expected: type[ProviderError]) -> None:
    error = codec(API).decode_error(status, {}, told(kind))

    assert type(error) is expected
    assert (str(error), error.status, error.code) == ("so it is", status, kind)
    assert error.provider == "anthropic"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("invalid_request_error", InvalidRequestError),
        ("authentication_error", AuthenticationError),
        ("billing_error", QuotaError),
        ("rate_limit_error", RateLimitError),
        ("timeout_error", TimeoutError),
        ("api_error", ServerError),
        ("overloaded_error", OverloadedError),
        ("sunset_error", ServerError),
    ],
)
def test_an_error_inside_a_200_goes_by_its_type(kind: str, expected: type[ProviderError]) -> None:
    error = codec(API).decode_error(200, {}, told(kind))

    assert type(error) is expected
    assert error.status == 200


@pytest.mark.parametrize(
    ("status", "code", "expected"),
    [
        (429, "contract_spend_limit_reached", QuotaError),
        (429, "enforced_spend_limit_reached", QuotaError),
        (402, "linked_organization_spend_limit_reached", QuotaError),
        (402, "linked_organization_billing_unavailable", QuotaError),
        (429, "ramp_limit_exceeded", RateLimitError),
        (529, "compaction_unavailable", OverloadedError),
        (429, "newer_than_this", RateLimitError),
    ],
)
def test_the_exact_code_comes_first(status: int, code: str, expected: type[ProviderError]) -> None:
    error = codec(API).decode_error(
        status, {}, told("rate_limit_error" if status == 429 else "x", code)
    )

    assert type(error) is expected
    assert error.code == code


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"request-id": "req_head"}, "req_head"),
        ({"x-amzn-requestid": "req_amazon"}, "req_amazon"),
        ({}, "req_body"),
    ],
)
def test_the_request_id_is_found(headers: dict[str, str], expected: str) -> None:
    error = codec(API).decode_error(500, headers, told("api_error"))

    assert error.request_id == expected


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Retry-After": "7"}, 7.0),
        (
            {
                "retry-after": "Mon, 30 Nov 2026 10:00:30 GMT",
                "date": "Mon, 30 Nov 2026 10:00:00 GMT",
            },
            30.0,
        ),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_the_time_to_wait_is_read(headers: dict[str, str], expected: float | None) -> None:
    error = codec(API).decode_error(429, headers, told("rate_limit_error"))

    assert error.retry_after == expected


@pytest.mark.parametrize(
    ("status", "headers", "expected"),
    [
        (529, {}, True),
        (400, {}, False),
        (400, {"x-should-retry": "true"}, True),
        (529, {"x-should-retry": "false"}, False),
    ],
)
def test_the_vendor_may_say_whether_to_try_again(
    status: int, headers: dict[str, str], expected: bool
) -> None:
    assert codec(API).decode_error(status, headers, told("x")).retryable is expected


@pytest.mark.parametrize(
    "body",
    [None, "", "<html>Bad gateway</html>", [], {"error": "x"}, {"error": {"details": 3}}, b"\xff"],
)
def test_any_body_is_an_error(body: object) -> None:
    assert type(codec(API).decode_error(502, {}, body)) is ServerError


def test_a_body_in_amazons_words_is_read() -> None:
    error = codec(API).decode_error(400, {}, {"message": "The model identifier is invalid."})

    assert str(error) == "The model identifier is invalid."


def test_secrets_in_a_body_are_blotted_out() -> None:
    secret = "sk-ant-api03-abcdefghijklmnop"

    error = codec(API).decode_error(401, {}, {"error": {"message": f"bad key {secret}"}})

    assert secret not in repr(error)
    assert secret not in str(cast("object", error.body))
