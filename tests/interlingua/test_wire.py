"""Reading vendors' JSON is total, writing it is by laying one thing over another."""

from __future__ import annotations

import re
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlingua import DecodeError, FrozenDict
from interlingua.wire import (
    are_objects,
    array,
    as_count,
    as_list,
    as_object,
    as_text,
    fit,
    kept,
    mended,
    merged,
    objects,
    parse,
    rest_of,
    total,
)


@pytest.mark.parametrize(
    "body",
    [
        {"a": [1, {"b": None}]},
        '{"a": [1, {"b": null}]}',
        b'{"a": [1, {"b": null}]}',
        bytearray(b'\xef\xbb\xbf{"a": [1, {"b": null}]}'),
        FrozenDict(a=[1, {"b": None}]),
        MappingProxyType({"a": [1, {"b": None}]}),
    ],
)
def test_a_body_comes_in_many_forms(body: object) -> None:
    assert parse(body, "some-api") == {"a": [1, {"b": None}]}


@pytest.mark.parametrize("body", ["", "[1]", b"null", "7", b"\xff\xfe", "{", None, 7, ["a"]])
def test_what_is_no_object_is_a_decode_error(body: object) -> None:
    with pytest.raises(DecodeError, match=r"^some-api: "):
        parse(body, "some-api")


def test_json_that_is_nested_too_deeply_is_a_decode_error() -> None:
    with pytest.raises(DecodeError, match="nested too deeply"):
        parse('{"a":' + "[" * 100_000, "some-api")


def test_surrogates_are_joined_or_replaced() -> None:
    assert mended({"\ud83d": ["\ud83d\ude00", "ü", 1]}) == {
        "\N{REPLACEMENT CHARACTER}": ["\N{GRINNING FACE}", "ü", 1]
    }


FOUND: list[tuple[object, object]] = [
    ({"a": 1}, ({"a": 1}, [], None, [])),
    ([1, {}], ({}, [1, {}], None, [{}])),
    ((1, {}), ({}, (1, {}), None, [{}])),
    ("a", ({}, [], "a", [])),
    (None, ({}, [], None, [])),
    (True, ({}, [], None, [])),
    (7.5, ({}, [], None, [])),
]
"""Values, and what is found in each as an object, a list, a text, a list of objects."""


@pytest.mark.parametrize(("value", "found"), FOUND)
def test_a_value_of_another_type_counts_as_not_there(value: object, found: object) -> None:
    assert (as_object(value), as_list(value), as_text(value), objects(value)) == found


@pytest.mark.parametrize(
    ("value", "count"),
    [(7, 7), (7.0, 7), (7.5, None), (True, None), ("7", None), (float("inf"), None), (None, None)],
)
def test_counts_are_whole_numbers(value: object, count: int | None) -> None:
    assert as_count(value) == count


ARE: list[tuple[object, bool]] = [
    ([], True),
    ([{}], True),
    ([{}, 1], False),
    ({}, False),
    (None, False),
]


@pytest.mark.parametrize(("value", "are"), ARE)
def test_a_list_is_one_of_objects_only_if_all_are(value: object, are: bool) -> None:
    assert are_objects(value) is are


@pytest.mark.parametrize(
    ("counts", "expected"), [((1, 2), 3), ((1, None), 1), ((None, None), None), ((0,), 0)]
)
def test_a_total_is_of_what_is_known(counts: tuple[int | None, ...], expected: int | None) -> None:
    assert total(*counts) == expected


def test_leftovers_are_what_is_not_known_and_not_null() -> None:
    assert rest_of({"a": 1, "b": None, "c": 0}, "a") == {"c": 0}
    assert kept("some-api", {"c": 0}) == {"some-api": {"c": 0}}
    assert kept("some-api", {}) == {}


def test_objects_merge_none_leaves_out_and_all_else_replaces() -> None:
    made = {"a": {"b": 1, "c": 2}, "d": [1], "e": 1, "f": 1}
    extras = FrozenDict({"a": {"c": None, "x": 3}, "d": [2], "e": None, "y": {"z": [1]}})

    assert merged(made, extras) == {"a": {"b": 1, "x": 3}, "d": [2], "f": 1, "y": {"z": [1]}}
    assert made == {"a": {"b": 1, "c": 2}, "d": [1], "e": 1, "f": 1}


NAME = re.compile(r"[a-z_0-9]+")


@given(st.text(), st.integers(16, 64))
def test_a_text_that_does_not_fit_gets_a_stand_in_that_does(text: str, most: int) -> None:
    made = fit(text, NAME, most)

    assert NAME.fullmatch(made.lower())
    assert len(made) <= most
    assert fit(text, NAME, most) == made


@given(st.from_regex(NAME, fullmatch=True).filter(lambda text: len(text) <= 16))
def test_a_text_that_fits_stays_as_it_is(text: str) -> None:
    assert fit(text, NAME, 16) == text


def test_two_texts_do_not_share_a_stand_in() -> None:
    assert (
        len({fit(text, NAME, 16) for text in ("a b", "a.b", "a-b", "A B", "a" * 17, "a" * 18)}) == 6
    )


def test_an_array_joins_what_is_encoded() -> None:
    assert array([b"1", b'{"a":2}']) == b'[1,{"a":2}]'
    assert array([]) == b"[]"
