"""Values as field types of pydantic models. Only pydantic itself loads this."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct

from interlingua.errors import MessageError
from interlingua.fields import table
from interlingua.frozen import FrozenDict
from interlingua.value import Value

if TYPE_CHECKING:
    from pydantic_core import CoreSchema, ValidationError

SIMPLE: dict[Any, dict[str, Any]] = {
    Any: {},
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    bytes: {"type": "string", "contentEncoding": "base64"},
    datetime: {"type": "string", "format": "date-time"},
    FrozenDict: {"type": "object"},
}

STEP = r"[^.\[\]'\"]+"
"""What stands between the dots and brackets of a path."""


def core_schema(kind: type[Value]) -> CoreSchema:
    """Takes such a value or its `to_dict`, gives `to_dict`."""
    from pydantic_core import core_schema as core

    def read(value: Any) -> Value:
        if isinstance(value, kind):
            return value
        try:
            return kind.from_dict(value)
        except MessageError as error:
            raise _refused(error, kind, value) from None

    return core.no_info_plain_validator_function(
        read, serialization=core.plain_serializer_function_ser_schema(kind.to_dict)
    )


def _refused(error: MessageError, kind: type[Value], value: object) -> ValidationError:
    """The same problems as pydantic's, each at its own place."""
    from pydantic_core import InitErrorDetails, ValidationError

    lines: list[InitErrorDetails] = []
    for path, reason in error.errors:
        place = tuple(int(step) if step.isdecimal() else step for step in re.findall(STEP, path))
        about = {"error": reason}
        lines.append({"type": "value_error", "loc": place, "input": value, "ctx": about})
    return ValidationError.from_exception_data(kind.__name__, lines)


@cache
def json_schema(kind: type[Value]) -> dict[str, Any]:
    """The JSON Schema of `to_dict`, in one piece and without references."""
    return _object(kind, ())


def _schema(kind: Any, inside: tuple[object, ...]) -> dict[str, Any]:
    """The schema of a field's type, within those of the values around it."""
    if kind in SIMPLE:
        return SIMPLE[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is UnionType or origin is Union:
        return {"anyOf": [_schema(one, inside) for one in arguments]}
    if origin is tuple:
        return {"type": "array", "items": _schema(arguments[0], inside)}
    return _object(kind, inside)


def _object(kind: type[Struct], inside: tuple[object, ...]) -> dict[str, Any]:
    if kind in inside:
        # A reference would have to name a place in the model's schema, which only pydantic knows.
        return {"type": "object"}
    hints = get_type_hints(kind)
    fields = table(kind)
    properties = {name: _schema(hints[name], (*inside, kind)) for name, _, _ in fields}
    required = [name for name, default, _ in fields if default is NODEFAULT]
    tag = kind.__struct_config__.tag
    if tag is not None:
        properties, required = {"type": {"const": tag}, **properties}, ["type", *required]
    return {
        "title": kind.__name__,
        "description": (kind.__doc__ or "").partition("\n")[0],
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
