"""What OpenAI, and hosts compatible with it, call an error."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from interlingua import (
    AuthenticationError,
    ContentFilterError,
    ContextLengthError,
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

SAMPLES = Path(__file__).parents[1] / "wire" / "openai-chat"
chat = codec("openai-chat")


def judged(status: int, error: object, **headers: str) -> ProviderError:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return chat.decode_error(status, named, {"error": error})


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (401, "invalid_api_key", AuthenticationError),
        (404, "model_not_found", NotFoundError),
        (400, "context_length_exceeded", ContextLengthError),
        (400, "content_filter", ContentFilterError),
        (400, "content_policy_violation", ContentFilterError),
        (400, "bio_policy", ContentFilterError),
        (400, "misalignment_policy_violation", ContentFilterError),
        (400, "image_content_policy_violation", ContentFilterError),
        (429, "insufficient_quota", QuotaError),
        (429, "rate_limit_exceeded", RateLimitError),
        (500, "server_error", ServerError),
        (503, "server_error", OverloadedError),
        (429, "invalid_request_error", RateLimitError),
        (400, "brand_new", InvalidRequestError),
        (400, None, InvalidRequestError),
        (401, None, AuthenticationError),
        (402, None, QuotaError),
        (403, None, PermissionDeniedError),
        (404, None, NotFoundError),
        (408, None, TimeoutError),
        (409, None, InvalidRequestError),
        (422, None, InvalidRequestError),
        (429, None, RateLimitError),
        (500, None, ServerError),
        (503, None, OverloadedError),
        (504, None, TimeoutError),
    ],
)
def test_the_code_counts_first_then_the_status(
    status: int, code: str | None, kind: type[ProviderError]
) -> None:
    by_code = judged(status, {"message": "No.", "code": code})
    by_type = judged(status, {"message": "No.", "type": code, "code": None})

    for error in (by_code, by_type):
        assert (type(error), error.status, error.code) == (kind, status, code)
        assert (str(error), error.provider, error.retryable) == ("No.", "openai", kind.retries)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": "rate_limit_exceeded"}, RateLimitError),
        ({"type": "server_error"}, ServerError),
        ({"type": "invalid_request_error"}, InvalidRequestError),
        ({"code": 429}, RateLimitError),
        ({"code": "503", "type": "server_error"}, OverloadedError),
        ({"code": 502}, ServerError),
        ({"code": 7}, ServerError),
        ({}, ServerError),
    ],
)
def test_in_an_answer_of_status_200_a_number_for_a_code_is_the_status(
    error: dict[str, Any], kind: type[ProviderError]
) -> None:
    made = judged(200, {"message": "No.", **error})

    assert (type(made), made.status) == (kind, 200)


def test_the_message_is_never_what_decides() -> None:
    error = judged(400, {"message": "context_length_exceeded: rate limit, invalid api key"})

    assert type(error) is InvalidRequestError


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"message": "Inner."}}, "Inner."),
        ({"error": "Plain."}, "Plain."),
        ({"message": "Outer."}, "Outer."),
        ({"detail": "Detail."}, "Detail."),
        ([{"error": {"message": "Listed."}}], "Listed."),
        ({"response": {"error": {"message": "Failed."}}}, "Failed."),
        ("<h1>Bad gateway</h1>", "status 502: Bad gateway"),
        (b"busy", "status 502: busy"),
        ({"error": {"message": 7}}, "status 502, and no explanation"),
        (None, "status 502, and no explanation"),
        ([], "status 502, and no explanation"),
    ],
)
def test_the_words_are_where_hosts_put_them(body: object, words: str) -> None:
    assert str(chat.decode_error(502, {}, body)) == words


def test_headers_name_the_request_and_the_wait() -> None:
    error = judged(429, {"message": "No."}, X_Request_Id="req_1", Retry_After="7")

    assert (error.request_id, error.retry_after) == ("req_1", 7.0)


def test_the_vendor_may_forbid_or_ask_for_another_try() -> None:
    assert judged(500, {}, x_should_retry="false").retryable is False
    assert judged(400, {}, x_should_retry="true").retryable is True


def test_a_whole_sample_is_an_error_with_its_body() -> None:
    body = json.loads((SAMPLES / "error_context.json").read_text(encoding="utf-8"))

    error = chat.decode_error(400, {}, body)

    assert type(error) is ContextLengthError
    assert (error.code, error.body) == ("context_length_exceeded", body)


def test_keys_in_a_body_are_shown_nowhere() -> None:
    key = "sk-canary-1234567890abcdef"
    error = judged(401, {"message": f"Incorrect API key provided: {key}.", "param": [key]})

    assert str(error) == "Incorrect API key provided: [redacted]."
    for shown in (repr(error), repr(error.body), repr(vars(error)), repr(pickle.dumps(error))):
        assert "canary" not in shown


def test_an_error_survives_pickling() -> None:
    error = judged(429, {"message": "No.", "code": "rate_limit_exceeded"}, retry_after="7")

    again = pickle.loads(pickle.dumps(error))

    assert type(again) is RateLimitError
    assert (str(again), vars(again)) == (str(error), vars(error))


@pytest.mark.parametrize(
    "error",
    [{"code": {"a": 1}, "type": ["x"]}, {"code": True}, {"code": 10**5000}, [], 7, None, "²²²"],
)
def test_an_error_in_no_known_shape_goes_by_its_status(error: object) -> None:
    assert type(judged(429, error)) is RateLimitError
    assert type(judged(200, error)) is ServerError
