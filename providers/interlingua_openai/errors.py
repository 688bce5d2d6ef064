"""OpenAI's errors, and compatible hosts': the code first, then the status, never the words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
from interlingua.failures import by_status, read_body, retry_after, should_retry, summary
from interlingua.wire import Json, as_list, as_object, as_text

BY_CODE: dict[str, type[ProviderError]] = {
    "invalid_api_key": AuthenticationError,
    "authentication_error": AuthenticationError,
    "permission_error": PermissionDeniedError,
    "model_not_found": NotFoundError,
    "context_length_exceeded": ContextLengthError,
    "too_many_prompt_tokens": ContextLengthError,
    "exceed_context_size_error": ContextLengthError,
    "content_filter": ContentFilterError,
    "content_policy_violation": ContentFilterError,
    "bio_policy": ContentFilterError,
    "misalignment_policy_violation": ContentFilterError,
    "image_content_policy_violation": ContentFilterError,
    "insufficient_quota": QuotaError,
    "billing_error": QuotaError,
    "rate_limit_exceeded": RateLimitError,
    "rate_limit_error": RateLimitError,
    "overloaded_error": OverloadedError,
    "server_error": ServerError,
    "invalid_prompt": InvalidRequestError,
    "invalid_request_error": InvalidRequestError,
    "data_residency_mismatch": InvalidRequestError,
    "empty_image_file": InvalidRequestError,
    "failed_to_download_image": InvalidRequestError,
    "image_file_not_found": InvalidRequestError,
    "image_file_too_large": InvalidRequestError,
    "image_parse_error": InvalidRequestError,
    "image_too_large": InvalidRequestError,
    "image_too_small": InvalidRequestError,
    "invalid_base64_image": InvalidRequestError,
    "invalid_image": InvalidRequestError,
    "invalid_image_format": InvalidRequestError,
    "invalid_image_mode": InvalidRequestError,
    "invalid_image_url": InvalidRequestError,
    "unsupported_image_media_type": InvalidRequestError,
    "vector_store_timeout": TimeoutError,
}

GENERIC = {"invalid_request_error", "server_error"}
"""Words that say less than a status does."""


def judge(status: int, headers: Mapping[str, str], body: object) -> ProviderError:
    """The error that an answer is. In an answer of status 200 a number for a code is the status."""
    known = read_body(body)
    error = _error(known)
    given = (error.get("code"), error.get("type"))
    codes = [code for code in map(as_text, given) if code and not code.isdecimal()]
    numbers = [number for number in map(_status, given) if number is not None]
    stands_for = numbers[0] if numbers and status < 400 else status
    return _kind(stands_for, codes)(
        as_text(error.get("message")) or _told(known, stands_for),
        provider="openai",
        status=status,
        code=next(iter([*codes, *map(str, numbers)]), None),
        request_id=headers.get("x-request-id") or as_text(as_object(known).get("request_id")),
        retry_after=retry_after(headers),
        retryable=should_retry(headers),
        body=known,
    )


def _kind(status: int, codes: list[str]) -> type[ProviderError]:
    for code in codes:
        if code in BY_CODE and not (code in GENERIC and status >= 400):
            return BY_CODE[code]
    return by_status(status)


def _status(code: object) -> int | None:
    """The status that a host's code is, as a number or its digits."""
    if isinstance(code, str) and code.isdecimal() and len(code) == 3:
        code = int(code)
    return code if isinstance(code, int) and 400 <= code < 600 else None


def _error(body: Any) -> Json:
    """The inner error: in `error`, in a `response` that failed, or the body itself."""
    given = as_object(next(iter(as_list(body)), body))
    inner = given.get("error") or as_object(given.get("response")).get("error")
    if isinstance(inner, str):
        return {"message": inner, **given}
    return as_object(inner) or given


def _told(body: Any, status: int) -> str:
    given = as_object(body)
    for key in ("message", "detail", "error"):
        if text := as_text(given.get(key)):
            return text
    return summary(body, status)
