"""The order of a chat's messages: by time, else by id. It never fails, whatever these are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time
from math import isfinite
from typing import Any, SupportsFloat, TypeAlias

Key: TypeAlias = tuple[Any, ...]

SCALES = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
"""From which number on an epoch counts nanoseconds, microseconds, milliseconds."""

MOST_DIGITS = 1000


def places(timestamps: Sequence[object], ids: Sequence[object]) -> list[int]:
    """The messages' indexes in order.

    Without any time they go by id, digits as numbers; one without a time takes its predecessor's.
    """
    times = [_time(value) for value in timestamps]
    keys = times if any(times) else [_id(value) for value in ids]
    filled = list(_filled(keys))
    return sorted(range(len(filled)), key=filled.__getitem__)


def _filled(keys: Iterable[Key]) -> Iterator[Key]:
    last: Key = ()
    for key in keys:
        last = key or last
        yield last


def _time(value: object) -> Key:
    """The time in seconds; nothing for what is no time."""
    try:
        found = _seconds(value)
    except (ValueError, OverflowError, TypeError):
        return ()
    return (found,) if isfinite(found) else ()


def _seconds(value: object) -> float:
    if isinstance(value, datetime):
        # A clock without a zone is read as UTC, so that the order is the same on every machine.
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()
    if isinstance(value, date):
        return _seconds(datetime.combine(value, time(tzinfo=UTC)))
    if isinstance(value, str):
        text = value.strip()
        try:
            return _seconds(float(text))
        except ValueError:
            return _seconds(datetime.fromisoformat(text))
    if isinstance(value, SupportsFloat) and not isinstance(value, bool):
        number = float(value)
        scale = next((by for most, by in SCALES if abs(number) >= most), 1.0)
        return number / scale
    raise TypeError(value)


def _id(value: object) -> Key:
    if value is None:
        return ()
    text = str(value).strip()
    if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS:
        return (0, int(text))
    return (1, text)
