"""FrozenDict: JSON objects that cannot change."""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Callable, Mapping
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Any

import msgspec
import pytest
from hypothesis import given

from interlingua import FrozenDict, MessageError
from interlingua.frozen import MAX_DEPTH, freeze, thaw
from strategies import json_objects, json_values


class Colour(StrEnum):
    RED = "red"


class Level(IntEnum):
    HIGH = 3


def test_a_list_becomes_a_tuple_and_a_mapping_a_frozen_dict() -> None:
    frozen = FrozenDict({"a": [1, {"b": MappingProxyType({"c": None})}]})

    assert frozen["a"] == (1, FrozenDict({"b": FrozenDict({"c": None})}))
    assert type(frozen["a"][1]["b"]) is FrozenDict


def test_a_frozen_dict_of_a_frozen_dict_is_itself() -> None:
    frozen = FrozenDict({"a": 1})

    assert FrozenDict(frozen) is frozen


def test_it_is_made_from_pairs_and_from_names_as_dict_is() -> None:
    assert FrozenDict([("a", 1)], b=2) == {"a": 1, "b": 2}


def test_it_keeps_the_order_of_its_keys() -> None:
    assert list(FrozenDict({"b": 1, "a": 2})) == ["b", "a"]


def test_it_equals_a_plain_dict_with_the_same_content() -> None:
    plain = {"a": [1, {"b": 2}]}

    assert FrozenDict(plain) == plain
    assert plain == FrozenDict(plain)


def test_it_differs_from_other_content_and_from_what_is_no_json() -> None:
    frozen = FrozenDict({"a": 1})

    assert frozen != {"a": 2}
    assert frozen != {1: 2}
    assert frozen != [("a", 1)]


REFUSAL = "a FrozenDict cannot change; make a new one with `frozen | {...}`"
CHANGES: list[Callable[[Any], object]] = [
    lambda held: held.__setitem__("a", 2),
    lambda held: held.__delitem__("a"),
    lambda held: held.__ior__({"a": 2}),
    lambda held: held.update(a=2),
    lambda held: held.pop("a"),
    lambda held: held.popitem(),
    lambda held: held.setdefault("b", 2),
    lambda held: held.clear(),
    lambda held: setattr(held, "a", 2),
    lambda held: setattr(held, "_hash", 2),
    lambda held: delattr(held, "_hash"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_every_way_to_change_it_is_refused(change: Callable[[Any], object]) -> None:
    frozen = FrozenDict({"a": 1})

    with pytest.raises(TypeError, match=re.escape(REFUSAL)):
        change(frozen)

    assert frozen == {"a": 1}


def test_a_second_initialisation_changes_nothing() -> None:
    frozen = FrozenDict({"a": 1})

    FrozenDict.__init__(frozen, {"a": 2})

    assert frozen == {"a": 1}


def test_what_was_passed_in_can_change_without_it() -> None:
    inner: list[Any] = [1]
    given: dict[str, Any] = {"a": inner}
    frozen = FrozenDict(given)

    inner.append(2)
    given["b"] = 3

    assert frozen == {"a": [1]}


def test_or_makes_a_new_one_from_either_side() -> None:
    frozen = FrozenDict({"a": 1, "b": 1})

    assert type(frozen | {"b": [2]}) is FrozenDict
    assert frozen | {"b": [2]} == {"a": 1, "b": [2]}
    assert {"b": 2, "c": 3} | frozen == {"b": 1, "c": 3, "a": 1}
    assert frozen == {"a": 1, "b": 1}


def test_its_repr_names_it() -> None:
    assert repr(FrozenDict({"a": [1]})) == "FrozenDict({'a': (1,)})"


def test_json_and_msgspec_write_it_as_an_object() -> None:
    frozen = FrozenDict({"a": [1, {"b": None}]})

    assert json.dumps(frozen) == '{"a": [1, {"b": null}]}'
    assert msgspec.json.encode(frozen) == b'{"a":[1,{"b":null}]}'


def test_a_subclass_of_a_json_type_becomes_that_type() -> None:
    frozen = FrozenDict({Colour.RED: Colour.RED, "level": Level.HIGH})

    assert [type(key) for key in frozen] == [str, str]
    assert [type(item) for item in frozen.values()] == [str, int]


@given(json_objects)
def test_freezing_keeps_the_content_and_thawing_gives_it_back(value: dict[str, Any]) -> None:
    frozen = FrozenDict(value)

    assert frozen == value
    assert thaw(frozen) == value
    assert json.loads(json.dumps(frozen)) == value


@given(json_objects)
def test_equal_ones_have_equal_hashes_and_survive_pickle_and_copies(value: dict[str, Any]) -> None:
    frozen, again = FrozenDict(value), FrozenDict(copy.deepcopy(value))

    assert (frozen == again, hash(frozen) == hash(again)) == (True, True)
    assert pickle.loads(pickle.dumps(frozen)) == frozen
    assert copy.copy(frozen) is frozen
    assert copy.deepcopy(frozen) is frozen
    assert frozen.copy() is frozen


@given(json_values)
def test_freezing_what_is_frozen_changes_nothing(value: Any) -> None:
    frozen = freeze(value)

    assert freeze(frozen) == frozen
    assert hash(freeze(frozen)) == hash(frozen)


def test_thawing_makes_plain_containers_that_are_the_callers_own() -> None:
    frozen = FrozenDict({"a": [{"b": 1}]})

    thawed = thaw(frozen)
    thawed["a"][0]["b"] = 2

    assert thawed == {"a": [{"b": 2}]}
    assert frozen == {"a": [{"b": 1}]}


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


def test_it_nests_to_the_limit_and_hashes_compares_and_pickles_there() -> None:
    frozen, again = FrozenDict(nested(MAX_DEPTH)), FrozenDict(nested(MAX_DEPTH))

    assert frozen.depth == MAX_DEPTH
    assert hash(frozen) == hash(again)
    assert frozen == again
    assert pickle.loads(pickle.dumps(frozen)) == frozen
    assert len(repr(frozen)) > MAX_DEPTH


def test_past_the_limit_it_says_so() -> None:
    with pytest.raises(
        MessageError, match="is nested more than 200 levels deep, or contains itself"
    ):
        FrozenDict(nested(MAX_DEPTH + 1))


def test_frozen_ones_cannot_be_stacked_past_the_limit() -> None:
    frozen = FrozenDict(nested(MAX_DEPTH))

    with pytest.raises(MessageError, match="is nested more than 200 levels deep"):
        FrozenDict({"a": frozen})


def test_what_contains_itself_is_refused() -> None:
    value: dict[str, Any] = {}
    value["self"] = [value]

    with pytest.raises(MessageError, match="or contains itself; flatten it"):
        FrozenDict(value)


REFUSED: list[tuple[Mapping[Any, Any], str]] = [
    ({"a": {1: 2}}, "['a'][1]: the key is int; JSON has only strings for keys"),
    ({"a": [0, float("nan")]}, "['a'][1]: nan is no JSON number; use None or a string"),
    ({"a": float("-inf")}, "['a']: -inf is no JSON number; use None or a string"),
    (
        {"a": {"b": {1}}},
        "['a']['b']: set is no JSON value; use str, int, float, bool, None, list or dict",
    ),
    (
        {"a": "\ud83d"},
        "['a']: holds a lone surrogate, which no encoding can carry; "
        "replace it: text.encode('utf-8', 'replace').decode()",
    ),
    (
        {"\ud83d": 1},
        r"['\ud83d']: holds a lone surrogate, which no encoding can carry; "
        "replace it: text.encode('utf-8', 'replace').decode()",
    ),
]


@pytest.mark.parametrize(("value", "said"), REFUSED)
def test_what_is_no_json_is_refused_with_its_path(value: Mapping[Any, Any], said: str) -> None:
    with pytest.raises(MessageError) as caught:
        FrozenDict(value)

    assert str(caught.value) == said
