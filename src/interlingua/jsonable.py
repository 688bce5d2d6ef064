"""Python values as JSON values, for what tools return."""

from __future__ import annotations

from collections.abc import Iterable, Set
from datetime import date, time
from enum import Enum
from typing import Any, TypeGuard

import msgspec

from interlingua.errors import MessageError, shown
from interlingua.frozen import MAX_DEPTH, freeze, is_array, is_mapping


def json_text(value: object) -> str:
    """The value as compact JSON text.

    Times are ISO 8601, sets sorted lists; dataclasses, Structs and pydantic models are objects.
    Raises `MessageError`, with the path, for what has no JSON form (bytes, NaN, other objects).
    """
    return msgspec.json.encode(freeze(jsonable(value))).decode()


def jsonable(value: object, depth: int = 0) -> Any:
    """The value in JSON types; what has no JSON form is left as it is, for `freeze` to refuse."""
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, Enum)):
        return value
    if depth > MAX_DEPTH:
        raise MessageError.of(
            f"is nested more than {MAX_DEPTH} levels deep, or contains itself; flatten it"
        )
    if is_mapping(value):
        return {_key(key): jsonable(item, depth + 1) for key, item in value.items()}
    if is_array(value):
        return [jsonable(item, depth + 1) for item in value]
    if _is_set(value):
        return _sorted([jsonable(item, depth + 1) for item in value])
    return _object(value, depth)


def _sorted(items: list[Any]) -> list[Any]:
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=repr)


def _object(value: Any, depth: int) -> Any:
    if isinstance(value, Enum):
        return jsonable(value.value, depth)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, msgspec.Struct):
        return jsonable(msgspec.structs.asdict(value), depth)
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        return jsonable(_fields(value), depth)
    if type(value).__name__ in ("Decimal", "UUID"):
        return str(value)
    return value


def _fields(value: Any) -> dict[str, Any]:
    from dataclasses import fields

    return {field.name: getattr(value, field.name) for field in fields(value)}


def _key(key: object) -> str:
    if isinstance(key, Enum):
        return _key(key.value)
    if isinstance(key, str):
        return key
    if isinstance(key, date | time):
        return key.isoformat()
    if key is None or isinstance(key, int | float):
        return msgspec.json.encode(key).decode()
    raise MessageError.of(f"the key {shown(key)} has no JSON form")


def _is_set(value: object) -> TypeGuard[Iterable[Any]]:
    return isinstance(value, Set)
