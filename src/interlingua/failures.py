"""What failed answers have in common: when to try again, and what may be shown of them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any, cast

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
from interlingua.wire import Json, mended

BY_STATUS: dict[int, type[ProviderError]] = {
    401: AuthenticationError,
    402: QuotaError,
    403: PermissionDeniedError,
    404: NotFoundError,
    408: TimeoutError,
    429: RateLimitError,
    503: OverloadedError,
    504: TimeoutError,
    529: OverloadedError,
}

SECRET = re.compile(
    r"(?i)\b(?:sk|pk|gsk|xai|nvapi|hf|pplx|fw|csk|tgp|ya29|AIza)[-_.]?[A-Za-z0-9_\-.*]{12,}"
    r"|\b(?<=bearer )[^\s\"',]+"
    r"|(?<=[?&](?:key|sig)=)[^\s&\"']+"
    r"|(?<=[?&](?:token)=)[^\s&\"']+"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
)
"""Keys by their vendors' prefixes, bearer tokens, signed URLs, passwords in URLs."""

MOST = 2_000
"""How many characters of a body that is no JSON are kept."""


def by_status(status: int) -> type[ProviderError]:
    """The class of a status that no code explains."""
    known = BY_STATUS.get(status)
    if known is not None:
        return known
    return ServerError if status >= 500 or status < 400 else InvalidRequestError


def read_body(body: object) -> Any:
    """A body as JSON if it is some, else as text; without secrets."""
    if isinstance(body, bytes | bytearray):
        body = bytes(body).decode("utf-8", "replace")
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except (ValueError, RecursionError):
            text = cast("str", body)
            return redacted(text if len(text) <= MOST else f"{text[:MOST]}…")
    return redacted(mended(body))


def redacted(value: Any) -> Any:
    """The value with everything that looks like a secret blotted out."""
    match value:
        case str():
            return SECRET.sub("[redacted]", value)
        case dict():
            return {redacted(key): redacted(item) for key, item in cast("Json", value).items()}
        case list():
            return [redacted(item) for item in cast("list[Any]", value)]
        case _:
            return value


def summary(body: Any, status: int) -> str:
    """The message of an error whose body has none of its own: a line of the text, without tags."""
    text = body if isinstance(body, str) else ""
    words = " ".join(re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", text, flags=re.S | re.I).split())
    if not words:
        return f"status {status}, and no explanation"
    return f"status {status}: {words[:200]}"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait: from `retry-after-ms` or `retry-after`, in seconds or as a date.

    A date counts from the answer's own Date header: nobody's clock is asked.
    """
    exact = _number(headers.get("retry-after-ms"))
    if exact is not None:
        return exact / 1000
    given = headers.get("retry-after")
    seconds = _number(given)
    if seconds is not None or given is None:
        return seconds
    then, now = _date(given), _date(headers.get("date", ""))
    if then is None or now is None:
        return None
    return max(0.0, (then - now).total_seconds())


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def _date(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None


def should_retry(headers: Mapping[str, str]) -> bool | None:
    """What the vendor itself says about trying again, if it does."""
    return {"true": True, "false": False}.get(headers.get("x-should-retry", "").lower())
