"""What failed answers have in common: when to try again, and what may be shown of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
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
from interlingua.hidden import in_options, long_enough
from interlingua.wire import is_list, is_object, mended

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

# These are compiled when they are needed: nothing fails in most programs.
SECRET = r"""(?ix)
      (?<![a-z0-9]) (?:sk|pk|gsk|xai|nvapi|hf|pplx|fw|csk|tgp|ya29) [-_.]
        [a-z0-9_\-.*]{11,} [a-z0-9_\-*]
    | (?<![a-z0-9]) AIza [a-z0-9_\-*]{12,}
    | (?: (?<=bearer[ ]) | (?<=basic[ ]) ) (?= \S* [\d_=-] ) [^\s"',]+
    | (?: (?<=[?&]key=) | (?<=[?&]api_key=) | (?<=[?&]api-key=) ) [^\s&"']+
    | (?: (?<=[?&]sig=) | (?<=[?&]token=) | (?<=[?&]access_token=) ) [^\s&"']+
    | (?<=://) [^/\s@]+ (?=@)
    """
"""Keys by their vendors' prefixes, credentials of headers, signed URLs, users in URLs."""

BLOT = "[redacted]"

MOST = 2_000
"""How many characters of a body that is no JSON are kept."""


TAGS = r"(?si)<(script|style).*?</\1>|<[^>]*>"


def by_status(status: int) -> type[ProviderError]:
    """The class of a status that no code explains."""
    known = BY_STATUS.get(status)
    if known is not None:
        return known
    return ServerError if status >= 500 or status < 400 else InvalidRequestError


def read_body(body: object) -> Any:
    """A body as JSON if it is some, else as text; without secrets."""
    import json

    if isinstance(body, bytes | bytearray):
        body = bytes(body).decode("utf-8", "replace")
    try:
        return redacted(mended(json.loads(body) if isinstance(body, str) else body))
    except ValueError:
        text = str(body)
        return redacted(text if len(text) <= MOST else f"{text[:MOST]}…")
    except RecursionError:
        return None


def redacted(value: Any) -> Any:
    """The value with everything that looks like a secret blotted out."""
    match value:
        case str():
            return re.sub(SECRET, BLOT, value)
        case _ if is_object(value):
            return {redacted(key): redacted(item) for key, item in value.items()}
        case _ if is_list(value):
            return [redacted(item) for item in value]
        case _:
            return value


def secret_values(headers: Mapping[str, str]) -> tuple[str, ...]:
    """The headers' values that nobody may see, without words such as `Bearer` before them."""
    return long_enough(in_options(headers))


def without(secrets: Iterable[str], value: Any) -> Any:
    """The value with these very secrets blotted out."""
    match value:
        case str():
            for secret in secrets:
                value = value.replace(secret, BLOT)
            return value
        case _ if is_object(value):
            return {without(secrets, key): without(secrets, item) for key, item in value.items()}
        case _ if is_list(value):
            return [without(secrets, item) for item in value]
        case _:
            return value


def summary(body: Any, status: int) -> str:
    """The message of an error whose body has none of its own: a line of the text, without tags."""
    text = body if isinstance(body, str) else ""
    words = " ".join(re.sub(TAGS, " ", text).split())
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
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def should_retry(headers: Mapping[str, str]) -> bool | None:
    """What the vendor itself says about trying again, if it does."""
    return {"true": True, "false": False}.get(headers.get("x-should-retry", "").lower())
