"""The API's two spellings as one: it takes and its SDK gives snake_case beside camelCase."""

from __future__ import annotations

from collections.abc import Mapping
from operator import is_
from typing import Any, cast

from interlingua.frozen import MAX_DEPTH, freeze
from interlingua.wire import Json, as_object

FREE = frozenset(
    {
        *("args", "response", "labels", "partMetadata", "headers", "customConfigs"),
        *("parameters", "parametersJsonSchema"),
        *("responseSchema", "responseJsonSchema"),
    }
)
"""Under these keys lies somebody else's JSON."""


def camel(key: str) -> str:
    """`function_call` as `functionCall`."""
    if "_" not in key:
        return key
    head, *rest = key.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest) if head else key


def camelized(value: Any, depth: int = 0) -> Any:
    """The JSON value with its keys in camelCase; itself when they are."""
    if isinstance(value, dict):
        return _object(cast("Json", value), depth)
    if isinstance(value, (list, tuple)):
        items = cast("list[Any]", value)
        made = [camelized(item, depth + 1) for item in items]
        return items if all(map(is_, made, items)) else made
    return value


def _object(value: Json, depth: int) -> Json:
    if depth > MAX_DEPTH:
        return value
    inner: Json = {}
    for key, item in value.items():
        if isinstance(item, (dict, list, tuple)) and camel(key) not in FREE:
            held = camelized(item, depth + 1)
            if held is not item:
                inner[key] = held
    if not inner and not is_snake(value):
        return value
    return {camel(key): inner.get(key, item) for key, item in value.items()}


def is_snake(value: Json) -> bool:
    """Whether one of its own keys is in snake_case."""
    return "_" in "".join(value)


def overlay(made: Mapping[str, Any], wanted: Mapping[str, Any]) -> Json:
    """What has to be merged over `made` to give `wanted`; null says nothing."""
    out: Json = {}
    for key, item in wanted.items():
        present = made.get(key)
        if _both(item, present):
            if deeper := overlay(as_object(present), as_object(item)):
                out[key] = deeper
        elif freeze(item) != freeze(present):
            out[key] = item
    return out | dict.fromkeys(key for key in made if key not in wanted)


def _both(one: object, other: object) -> bool:
    return isinstance(one, dict) and isinstance(other, dict)
