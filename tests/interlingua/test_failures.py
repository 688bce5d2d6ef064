"""What failed answers have in common."""

from __future__ import annotations

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
)
from interlingua.failures import (
    by_status,
    read_body,
    redacted,
    retry_after,
    secret_values,
    should_retry,
    summary,
    without,
)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (200, ServerError),
        (400, InvalidRequestError),
        (401, AuthenticationError),
        (402, QuotaError),
        (403, PermissionDeniedError),
        (404, NotFoundError),
        (408, TimeoutError),
        (409, InvalidRequestError),
        (413, InvalidRequestError),
        (422, InvalidRequestError),
        (429, RateLimitError),
        (500, ServerError),
        (502, ServerError),
        (503, OverloadedError),
        (504, TimeoutError),
        (520, ServerError),
        (529, OverloadedError),
    ],
)
def test_a_status_has_its_class(status: int, kind: type[ProviderError]) -> None:
    assert by_status(status) is kind


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "7", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "Mon, 30 Nov 2026 10:00:30 GMT"}, None),
    ],
)
def test_the_wait_is_in_seconds(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@pytest.mark.parametrize(
    ("then", "now", "seconds"),
    [
        ("Mon, 30 Nov 2026 10:00:30 GMT", "Mon, 30 Nov 2026 10:00:00 GMT", 30.0),
        ("Mon, 30 Nov 2026 10:00:00 GMT", "Mon, 30 Nov 2026 10:00:30 GMT", 0.0),
        ("Mon, 30 Nov 2026 10:00:30 -0000", "Mon, 30 Nov 2026 11:00:00 +0100", 30.0),
        ("Mon, 30 Nov 2026 10:00:30 GMT", "no date", None),
    ],
)
def test_a_date_counts_from_the_answers_own(then: str, now: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": then, "date": now}) == seconds


@pytest.mark.parametrize(
    ("given", "said"), [("true", True), ("False", False), ("maybe", None), ("", None)]
)
def test_the_vendor_may_say_whether_to_try_again(given: str, said: bool | None) -> None:
    assert should_retry({"x-should-retry": given}) is said
    assert should_retry({}) is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Incorrect API key: sk-proj-1234567890abcdef.", "Incorrect API key: [redacted]."),
        ("sk-ant-api03-1234567890_x", "[redacted]"),
        ("key AIzaSyA-1234567890abcdef", "key [redacted]"),
        ("gsk_1234567890abcdef", "[redacted]"),
        ("'Authorization': 'Bearer abc.d3f'", "'Authorization': 'Bearer [redacted]'"),
        ("authorization: basic dXNlcjpwYXNz=", "authorization: basic [redacted]"),
        ("https://user:pass@example.org/v1", "https://[redacted]@example.org/v1"),
        ("https://token@example.org", "https://[redacted]@example.org"),
        ("GET /v1?key=abc&alt=sse", "GET /v1?key=[redacted]&alt=sse"),
        ("https://example.org/a?x=1&sig=abc", "https://example.org/a?x=1&sig=[redacted]"),
        ("A missing bearer token, and risk-averse-people-everywhere.", None),
        ("skateboarding-and-more, https://example.org/@me", None),
    ],
)
def test_what_looks_like_a_secret_is_blotted_out(text: str, shown: str | None) -> None:
    assert redacted({"a": [text, 1, None]}) == {"a": [shown or text, 1, None]}


def test_very_secrets_are_blotted_out_wherever_they_stand() -> None:
    value = {"canary-1": ["a canary-1", 7]}

    assert without(["canary-1"], value) == {"[redacted]": ["a [redacted]", 7]}


def test_headers_that_hold_secrets_are_known_by_their_names() -> None:
    headers = {
        "Authorization": "Bearer canary-1",
        "X-Extra-Token": "canary-2",
        "api-key": "canary-3",
        "X-Title": "My application",
        "X-Short-Key": "short",
    }

    assert secret_values(headers) == ("canary-1", "canary-2", "canary-3")


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (None, None),
        ({"a": 1}, {"a": 1}),
        (b'{"a": 1}', {"a": 1}),
        ('{"a": "\\ud83d\\ude00 \\ud83d"}', {"a": "\N{GRINNING FACE} \N{REPLACEMENT CHARACTER}"}),
        ("[1]", [1]),
        ("busy", "busy"),
        (b"\xff", "\N{REPLACEMENT CHARACTER}"),
        ("x" * 3000, "x" * 2000 + "…"),
        ("[" * 100_000, None),
    ],
)
def test_a_body_is_read_as_json_or_text(given: object, read: Any) -> None:
    assert read_body(given) == read


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (None, "status 502, and no explanation"),
        ("", "status 502, and no explanation"),
        (
            "<html><style>a {}</style><h1>Bad\n gateway</h1></html>",
            "status 502: Bad gateway",
        ),
        ("x" * 500, "status 502: " + "x" * 200),
    ],
)
def test_an_error_without_words_of_its_own_is_summed_up(body: object, words: str) -> None:
    assert summary(body, 502) == words
