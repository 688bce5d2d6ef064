"""The rules of fields: what they keep, what they refuse, and in which words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, ClassVar

import pytest

from interlingua import FrozenDict, MessageError, Problem, Text
from interlingua import fields as rules
from interlingua.value import Value, instance


class Word(StrEnum):
    ONE = "one"


class Point(Value, frozen=True):
    x: int
    y: int = 0
    label: str = ""

    rules: ClassVar[dict[str, rules.Rule]] = {
        "x": rules.integer,
        "y": rules.count,
        "label": rules.string,
    }


KEPT: list[tuple[Callable[[Any], Any], object, object]] = [
    (rules.string, "  ", "  "),
    (rules.string, Word.ONE, "one"),
    (rules.filled, "a", "a"),
    (rules.flag, False, False),
    (rules.integer, -1, -1),
    (rules.count, 0, 0),
    (rules.number, 1, 1),
    (rules.number, 0.5, 0.5),
    (rules.data, b"a", b"a"),
    (rules.data, bytearray(b"a"), b"a"),
    (rules.data, memoryview(b"a"), b"a"),
    (rules.data, "YQ==", b"a"),
    (rules.moment, "2026-11-30T10:00:00+00:00", datetime(2026, 11, 30, 10, tzinfo=UTC)),
    (rules.moment, "2026-11-30T10:00:00Z", datetime(2026, 11, 30, 10, tzinfo=UTC)),
    (rules.json, [1, {"a": None}], (1, FrozenDict(a=None))),
    (rules.json_object, {"a": [1]}, FrozenDict(a=(1,))),
    (rules.json_object, None, FrozenDict()),
    (rules.extras, {"openai-chat": {"a": 1}}, FrozenDict({"openai-chat": {"a": 1}})),
    (rules.optional(rules.count), None, None),
    (rules.optional(rules.count), 3, 3),
    (rules.each(rules.count), None, ()),
    (rules.each(rules.count), [1, 2], (1, 2)),
    (rules.each(rules.count), iter([1, 2]), (1, 2)),
    (rules.one_of("a", "one"), Word.ONE, "one"),
    (instance(Point), {"x": 1}, Point(1)),
    (instance(Point), Point(1), Point(1)),
]


@pytest.mark.parametrize(("rule", "given", "kept"), KEPT)
def test_a_rule_keeps_what_is_right(
    rule: Callable[[Any], Any], given: object, kept: object
) -> None:
    found = rule(given)

    assert found == kept
    assert type(found) is type(kept)


REFUSED: list[tuple[Callable[[Any], Any], object, str]] = [
    (rules.string, 3, "expected a string, got int 3"),
    (rules.string, None, "expected a string, got None"),
    (rules.string, b"a", "expected a string, got bytes b'a'"),
    (rules.filled, "", "is empty"),
    (rules.flag, 1, "expected True or False, got int 1"),
    (rules.flag, "yes", "expected True or False, got str 'yes'"),
    (rules.integer, True, "expected an integer, got bool True"),
    (rules.integer, 1.0, "expected an integer, got float 1.0"),
    (rules.count, -1, "expected an integer of at least 0, got int -1"),
    (rules.number, True, "expected a finite number, got bool True"),
    (rules.number, float("inf"), "expected a finite number, got float inf"),
    (rules.data, 3, "expected bytes or base64, got int 3"),
    (rules.data, "YQ=", "no base64 (Incorrect padding): 'YQ='"),
    (rules.data, "é", "no base64 (string argument should contain only ASCII characters): 'é'"),
    (rules.moment, "soon", "expected a time in ISO 8601, got str 'soon'"),
    (rules.moment, 0, "expected a datetime, got int 0"),
    (
        rules.moment,
        datetime(2026, 11, 30),
        "2026-11-30 00:00:00 has no time zone; use datetime.now().astimezone()",
    ),
    (rules.json_object, [1], "expected a mapping, got list [1]"),
    (rules.extras, {"openai-chat": 1}, "['openai-chat']: expected a mapping, got int 1"),
    (rules.each(rules.count), "12", "expected a sequence, got str '12'"),
    (rules.each(rules.count), {"a": 1}, "expected a sequence, got dict {'a': 1}"),
    (rules.each(rules.count), 5, "expected a sequence, got int 5"),
    (rules.one_of("a", "b"), "c", "expected one of a, b, got str 'c'"),
    (rules.one_of("a", "b"), ["a"], "expected one of a, b, got list ['a']"),
    (instance(Point), 3, "expected a Point or a mapping of its fields, got int 3"),
]


@pytest.mark.parametrize(("rule", "given", "said"), REFUSED)
def test_a_rule_says_what_is_wrong(rule: Callable[[Any], Any], given: object, said: str) -> None:
    with pytest.raises(MessageError) as caught:
        rule(given)

    assert "; ".join(map(str, caught.value.errors)) == said


def test_a_sequence_reports_every_item_that_is_wrong() -> None:
    with pytest.raises(MessageError) as caught:
        rules.each(rules.count)([1, -1, "a"])

    assert caught.value.errors == (
        Problem("[1]", "expected an integer of at least 0, got int -1"),
        Problem("[2]", "expected an integer, got str 'a'"),
    )


def test_a_value_reports_every_field_that_is_wrong() -> None:
    wrong: Any = "a"

    with pytest.raises(MessageError) as caught:
        Point(wrong, -1, wrong)

    assert str(caught.value) == (
        "not a Point: x: expected an integer, got str 'a'; "
        "y: expected an integer of at least 0, got int -1"
    )


def test_a_mapping_reports_missing_unknown_and_wrong_fields_together() -> None:
    with pytest.raises(MessageError) as caught:
        Point.from_dict({"y": -1, "z": 3})

    assert caught.value.errors == (
        Problem("z", "no such field; a Point has x, y, label"),
        Problem("x", "is missing"),
        Problem("y", "expected an integer of at least 0, got int -1"),
    )


def test_a_field_that_is_no_name_is_shown_as_a_key() -> None:
    given: Any = {"type": "text", "text": "", 3: 4}

    with pytest.raises(MessageError) as caught:
        Text.from_dict(given)

    assert str(caught.value) == "not a Text: [3]: no such field; a Text has text, citations, extras"


def test_a_name_has_the_article_it_is_spoken_with() -> None:
    assert [rules.article(name) for name in ("Text", "Image", "Opaque")] == [
        "a Text",
        "an Image",
        "an Opaque",
    ]
