"""Google's errors: the reason first, then the status word, then the number, never the words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

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
from interlingua.failures import by_status, read_body, retry_after, summary
from interlingua.wire import Json, as_count, as_list, as_object, as_text, objects
from interlingua_google.names import PROVIDER

BY_CODE: dict[str, type[ProviderError]] = {
    # A reason stands in the details, a status word beside the number.
    "API_KEY_INVALID": AuthenticationError,
    "ACCESS_TOKEN_EXPIRED": AuthenticationError,
    "SERVICE_DISABLED": PermissionDeniedError,
    "UNAUTHENTICATED": AuthenticationError,
    "PERMISSION_DENIED": PermissionDeniedError,
    "NOT_FOUND": NotFoundError,
    "INVALID_ARGUMENT": InvalidRequestError,
    "FAILED_PRECONDITION": InvalidRequestError,
    "OUT_OF_RANGE": InvalidRequestError,
    "RESOURCE_EXHAUSTED": RateLimitError,
    "UNAVAILABLE": OverloadedError,
    "DEADLINE_EXCEEDED": TimeoutError,
    "INTERNAL": ServerError,
    "UNKNOWN": ServerError,
    "DATA_LOSS": ServerError,
}


def judge(status: int, headers: Mapping[str, str], body: object) -> ProviderError:
    """The error that an answer is. Inside an answer of status 200 its own code is the status."""
    known = read_body(body)
    error = _error(known)
    details = objects(error.get("details"))
    codes = [*filter(None, (as_text(one.get("reason")) for one in details)), *_words(error)]
    stands_for = status if status >= 400 else as_count(error.get("code")) or status
    kind = next((BY_CODE[code] for code in codes if code in BY_CODE), None) or by_status(stands_for)
    if kind is RateLimitError and _used_up(details):
        kind = QuotaError
    hint = _delay(details)
    return kind(
        as_text(error.get("message")) or summary(known, stands_for),
        provider=PROVIDER,
        status=status,
        code=next((code for code in codes if code in BY_CODE), codes[0] if codes else None),
        request_id=headers.get("x-request-id"),
        retry_after=retry_after(headers) if hint is None else hint,
        body=known,
    )


def _error(body: Any) -> Json:
    """The inner error; a stream without events answers with an array of one."""
    given = as_object(as_list(body)[0] if as_list(body) else body)
    inner = given.get("error")
    if isinstance(inner, str):
        return {"message": as_text(given.get("error_description")) or inner, "status": inner}
    return as_object(inner) or given


def _words(error: Json) -> list[str]:
    """The status word, or the code where a proxy puts a word there."""
    return [word for key in ("status", "code") if (word := as_text(error.get(key)))]


def _used_up(details: list[Json]) -> bool:
    """Whether a day's allowance is gone, or all of it: then waiting a little does not help."""
    ids = [
        as_text(violation.get("quotaId")) or ""
        for detail in details
        for violation in objects(detail.get("violations"))
    ]
    return any("PerDay" in id for id in ids) or (
        bool(ids) and _delay(details) is None and not any("PerMinute" in id for id in ids)
    )


def _delay(details: list[Json]) -> float | None:
    """The seconds of a RetryInfo: "48s"."""
    for detail in details:
        found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)s", as_text(detail.get("retryDelay")) or "")
        if found:
            return float(found[1])
    return None
