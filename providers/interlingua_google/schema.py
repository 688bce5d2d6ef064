"""The API's own schemas, which are OpenAPI's, as JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interlingua.wire import Json, as_object, objects
from interlingua_google.spelling import camel

SIZES = (
    *("minItems", "maxItems", "minLength", "maxLength"),
    *("minProperties", "maxProperties"),
)
"""Whole numbers, which protobuf's JSON may spell as text."""


def says_nothing(schema: Mapping[str, Any]) -> bool:
    """Whether it describes an object without properties and says no more."""
    return schema.keys() <= {"type", "properties", "required"} and not schema.get("properties")


def json_schema(schema: Mapping[str, Any]) -> Json:
    """The same schema in JSON Schema: lower-case types, null as a type."""
    made: Json = {}
    for key, item in schema.items():
        name = camel(key)
        read = READ.get(name)
        if read is not None:
            made[name] = read(item)
        elif name not in ("nullable", "propertyOrdering"):
            made[name] = item
    if made.get("type") == "type_unspecified":
        del made["type"]
    return _nullable(made) if schema.get("nullable") is True else made


def _type(item: Any) -> Any:
    return item.lower() if isinstance(item, str) else item


def _size(item: Any) -> Any:
    return int(item) if isinstance(item, str) and item.isascii() and item.isdigit() else item


def _properties(item: Any) -> Any:
    return {name: json_schema(as_object(inner)) for name, inner in as_object(item).items()}


def _items(item: Any) -> Any:
    return json_schema(as_object(item))


def _any_of(item: Any) -> Any:
    return [json_schema(one) for one in objects(item)]


READ: dict[str, Callable[[Any], Any]] = {
    "type": _type,
    "properties": _properties,
    "items": _items,
    "anyOf": _any_of,
    **dict.fromkeys(SIZES, _size),
}


def _nullable(made: Json) -> Json:
    kind = made.get("type")
    if isinstance(kind, str):
        made["type"] = [kind, "null"]
        if isinstance(made.get("enum"), list | tuple):
            made["enum"] = [*made["enum"], None]
    elif "anyOf" in made:
        made["anyOf"] = [*made["anyOf"], {"type": "null"}]
    return made
