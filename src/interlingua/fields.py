"""What a field of a value accepts.

A rule takes what was given and returns what is kept, or raises `MessageError`.
`settle` runs a value's rules and reports all their problems together.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from datetime import datetime
from math import isfinite
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from interlingua.errors import MessageError, Problem
from interlingua.frozen import EMPTY, FrozenDict, freeze, is_unicode

Rule = Callable[[Any], Any]
Made = TypeVar("Made", bound=Struct)


def settle(value: Struct, rules: Mapping[str, Rule]) -> None:
    """Check and freeze the fields of a value that is being made; all problems are raised together."""
    problems: list[Problem] = []
    for name, rule in rules.items():
        given = getattr(value, name)
        try:
            kept = rule(given)
        except MessageError as error:
            problems += error.under(name).errors
        else:
            if kept is not given:
                force_setattr(value, name, kept)
    if problems:
        raise MessageError(problems, f"not a {type(value).__name__}")


def build(kind: type[Made], given: Mapping[str, Any]) -> Made:
    """A value from a mapping of its fields; unknown and missing ones are among the problems."""
    known = {field.name: field for field in msgspec.structs.fields(kind)}
    problems = [
        Problem(str(name), f"no such field; a {kind.__name__} has {', '.join(known)}")
        for name in given
        if name not in known
    ]
    problems += [
        Problem(name, "is missing")
        for name, field in known.items()
        if field.required and name not in given
    ]
    if not problems:
        return kind(**given)
    rules: Mapping[str, Rule] = getattr(kind, "rules", {})
    for name, rule in rules.items():
        if name in given:
            try:
                rule(given[name])
            except MessageError as error:
                problems += error.under(name).errors
    raise MessageError(problems, f"not a {kind.__name__}")


def wrong(expected: str, given: Any) -> MessageError:
    """The error that says what was expected and what came instead."""
    shown = repr(given)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    return MessageError.of(f"expected {expected}, got {type(given).__name__} {shown}")


def string(value: Any) -> str:
    if type(value) is not str:
        if not isinstance(value, str):
            raise wrong("a string", value)
        value = str.__str__(value)
    if not is_unicode(value):
        raise MessageError.of(
            "holds a lone surrogate, which no encoding can carry; "
            "replace it: text.encode('utf-8', 'replace').decode()"
        )
    return value


def filled(value: Any) -> str:
    """A string that is not empty."""
    if not string(value):
        raise MessageError.of("is empty")
    return string(value)


def flag(value: Any) -> bool:
    if value is not True and value is not False:
        raise wrong("True or False", value)
    return value


def integer(value: Any) -> int:
    if type(value) is not int:
        raise wrong("an integer", value)
    return value


def count(value: Any) -> int:
    """An integer that is not negative."""
    if integer(value) < 0:
        raise wrong("an integer of at least 0", value)
    return value


def number(value: Any) -> float:
    if type(value) is bool or not isinstance(value, int | float) or not isfinite(value):
        raise wrong("a finite number", value)
    return value


def data(value: Any) -> bytes:
    """Bytes; a string is read as base64."""
    if isinstance(value, bytearray | memoryview):
        return bytes(value)
    if isinstance(value, str):
        try:
            return base64.b64decode(value, validate=True)
        except binascii.Error:
            raise wrong("bytes or base64", value) from None
    if not isinstance(value, bytes):
        raise wrong("bytes", value)
    return value


def moment(value: Any) -> datetime:
    """A time that knows its zone; ISO 8601 text is read."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise wrong("a time in ISO 8601", value) from None
    if not isinstance(value, datetime):
        raise wrong("a datetime", value)
    if value.tzinfo is None:
        raise MessageError.of(f"{value} has no time zone; use datetime.now().astimezone()")
    return value


def json(value: Any) -> Any:
    """Any JSON value, frozen."""
    return freeze(value)


def json_object(value: Any) -> FrozenDict:
    """A JSON object, frozen; None is the empty one."""
    if value is None:
        return EMPTY
    if not isinstance(value, Mapping):
        raise wrong("a mapping", value)
    return FrozenDict(value) or EMPTY  # pyright: ignore[reportUnknownArgumentType]


def extras(value: Any) -> FrozenDict:
    """Fields by API: a JSON object of JSON objects."""
    held = json_object(value)
    for api, fields in held.items():
        if not isinstance(fields, FrozenDict):
            raise wrong("a mapping", fields).under(f"[{api!r}]")
    return held


def optional(rule: Rule) -> Rule:
    """The rule, or None."""
    return lambda value: None if value is None else rule(value)


def each(rule: Rule) -> Rule:
    """A tuple whose every item keeps the rule; None is the empty one."""

    def items(value: Any) -> tuple[Any, ...]:
        if value is None:
            return ()
        if isinstance(value, str | bytes | Mapping) or not hasattr(value, "__iter__"):
            raise wrong("a sequence", value)
        kept: list[Any] = []
        problems: list[Problem] = []
        for index, item in enumerate(value):
            try:
                kept.append(rule(item))
            except MessageError as error:
                problems += error.under(f"[{index}]").errors
        if problems:
            raise MessageError(problems)
        return tuple(kept)

    return items


def one_of(*words: str) -> Rule:
    """One of these strings."""

    def word(value: Any) -> str:
        if isinstance(value, str) and value in words:
            return words[words.index(value)]
        raise wrong(f"one of {', '.join(words)}", value)

    return word


def instance(*kinds: type) -> Rule:
    """A value of one of these types."""
    names = " or ".join(kind.__name__ for kind in kinds)

    def made(value: Any) -> Any:
        if not isinstance(value, kinds):
            raise wrong(names, value)
        return value

    return made
