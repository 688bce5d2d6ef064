"""Anthropic's errors: its own code first, then its type, then the status, never the words."""

from __future__ import annotations

from collections.abc import Mapping

from interlingua.errors import (
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
)
from interlingua.failures import by_status, read_body, retry_after, should_retry, summary
from interlingua.wire import Json, as_object, as_text

BY_CODE: dict[str, type[ProviderError]] = {
    "contract_spend_limit_reached": QuotaError,
    "enforced_spend_limit_reached": QuotaError,
    "linked_organization_billing_unavailable": QuotaError,
    "linked_organization_spend_limit_reached": QuotaError,
    "ramp_limit_exceeded": RateLimitError,
    "compaction_unavailable": OverloadedError,
    "authentication_error": AuthenticationError,
    "permission_error": PermissionDeniedError,
    "not_found_error": NotFoundError,
    "billing_error": QuotaError,
    "rate_limit_error": RateLimitError,
    "timeout_error": TimeoutError,
    "overloaded_error": OverloadedError,
}

BY_STREAMED_CODE: dict[str, type[ProviderError]] = {
    "invalid_request_error": InvalidRequestError,
    "request_too_large": InvalidRequestError,
    "conflict_error": InvalidRequestError,
    "api_error": ServerError,
}
"""Words that say less than a status does; they count inside an answer of status 200."""

REQUEST_ID = ("request-id", "x-request-id", "x-amzn-requestid")


def judge(status: int, headers: Mapping[str, str], body: object) -> ProviderError:
    """The error that an answer, or an `error` event of a stream, is."""
    known = read_body(body)
    given = as_object(known)
    error = as_object(given.get("error")) or given
    codes = _codes(error)
    return _kind(status, codes)(
        as_text(error.get("message")) or summary(known, status),
        provider="anthropic",
        status=status,
        code=codes[0] if codes else None,
        request_id=_request_id(headers, given),
        retry_after=retry_after(headers),
        retryable=should_retry(headers),
        body=known,
    )


def _codes(error: Json) -> list[str]:
    """The exact code, where there is one, before the type."""
    exact = as_object(error.get("details")).get("error_code")
    kind = error.get("type")
    return [code for code in (exact, kind) if isinstance(code, str) and code != "error"]


def _kind(status: int, codes: list[str]) -> type[ProviderError]:
    for code in codes:
        if code in BY_CODE:
            return BY_CODE[code]
    for code in codes:
        if status < 400 and code in BY_STREAMED_CODE:
            return BY_STREAMED_CODE[code]
    return by_status(status)


def _request_id(headers: Mapping[str, str], body: Json) -> str | None:
    known = [headers[name] for name in REQUEST_ID if headers.get(name)]
    return known[0] if known else as_text(body.get("request_id"))
