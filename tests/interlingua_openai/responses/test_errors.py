"""What Responses' errors become."""

from __future__ import annotations

from typing import Any

import pytest

from interlingua.codec import Codec
from interlingua.errors import (
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
)

STATUSES: list[tuple[int, type[ProviderError]]] = [
    (400, InvalidRequestError),
    (401, AuthenticationError),
    (402, QuotaError),
    (403, PermissionDeniedError),
    (404, NotFoundError),
    (408, TimeoutError),
    (422, InvalidRequestError),
    (429, RateLimitError),
    (500, ServerError),
    (503, OverloadedError),
    (504, TimeoutError),
]

CODES: list[tuple[str, type[ProviderError]]] = [
    ("invalid_api_key", AuthenticationError),
    ("model_not_found", NotFoundError),
    ("context_length_exceeded", ContextLengthError),
    ("content_policy_violation", ContentFilterError),
    ("content_filter", ContentFilterError),
    ("bio_policy", ContentFilterError),
    ("misalignment_policy_violation", ContentFilterError),
    ("image_content_policy_violation", ContentFilterError),
    ("insufficient_quota", QuotaError),
    ("rate_limit_exceeded", RateLimitError),
    ("server_error", ServerError),
    ("invalid_prompt", InvalidRequestError),
]


@pytest.mark.parametrize(("status", "kind"), STATUSES)
def test_a_status_has_its_class(codec: Codec, status: int, kind: type[ProviderError]) -> None:
    error = codec.decode_error(status, {"x-request-id": "req"}, {"error": {"message": "no"}})

    assert (type(error), error.status, error.request_id, str(error)) == (kind, status, "req", "no")


@pytest.mark.parametrize(("code", "kind"), CODES)
def test_a_code_says_more_than_the_words(
    codec: Codec, code: str, kind: type[ProviderError]
) -> None:
    failed: dict[str, Any] = {
        "status": "failed",
        "output": [],
        "error": {"code": code, "message": "no"},
    }

    with pytest.raises(kind) as caught:
        codec.decode(failed)

    assert (type(caught.value), caught.value.code) == (kind, code)
