"""Python values as JSON values, for what tools return."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Set
from datetime import date, datetime, time
from enum import Enum
from typing import Any, cast

import msgspec

from interlingua.errors import MessageError
from interlingua.frozen import FrozenDict


def json_text(value: Any) -> str:
    """The value as compact JSON text.

    Times are ISO 8601, sets sorted lists; dataclasses, Structs and pydantic models are objects.
    Raises `MessageError`, with the path, for what has no JSON form (bytes, NaN, other objects).
    """
    held = FrozenDict({"value": jsonable(value)})
    return json.dumps(held["value"], ensure_ascii=False, separators=(",", ":"))


def jsonable(value: Any) -> Any:
    """The value in JSON types; what has no JSON form is left as it is, for `freeze` to refuse."""
    match value:
        case Enum():
            return jsonable(value.value)
        case None | str() | bool() | int() | float():
            return value
        case datetime() | date() | time():
            return value.isoformat()
        case Mapping():
            return {_key(key): jsonable(item) for key, item in _items(value)}
        case Set():
            return sorted(map(jsonable, _elements(value)), key=repr)
        case list() | tuple():
            return [jsonable(item) for item in _elements(value)]
        case msgspec.Struct():
            return jsonable(msgspec.structs.asdict(value))
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            names = [field.name for field in dataclasses.fields(value)]
            return {name: jsonable(getattr(value, name)) for name in names}
        case _ if type(value).__name__ in ("Decimal", "UUID"):
            return str(value)
        case _ if hasattr(value, "model_dump"):
            return value.model_dump(mode="json")
        case _:
            return value


def _key(key: Any) -> str:
    match key:
        case Enum():
            return _key(key.value)
        case str():
            return key
        case bool() | None | float():
            return json.dumps(key)
        case int():
            return str(key)
        case date():
            return key.isoformat()
        case _:
            raise MessageError.of(f"the key {key!r} has no JSON form")


def _items(value: Mapping[Any, Any]) -> Iterable[tuple[Any, Any]]:
    return value.items()


def _elements(value: object) -> Iterable[Any]:
    return cast("Iterable[Any]", value)
