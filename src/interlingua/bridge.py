"""Values as field types of pydantic models. Only pydantic itself loads this."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from interlingua.frozen import FrozenDict, is_array, is_mapping
from interlingua.value import Value

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

PLACE = "#/$defs/"


def core_schema(kind: type[Value]) -> CoreSchema:
    """Takes such a value or its `to_dict`, gives `to_dict`."""
    from pydantic_core import core_schema as core

    def read(value: Any) -> Value:
        return value if isinstance(value, kind) else kind.from_dict(value)

    return core.no_info_plain_validator_function(
        read, serialization=core.plain_serializer_function_ser_schema(kind.to_dict)
    )


@cache
def json_schema(kind: type[Value]) -> dict[str, Any]:
    """The JSON Schema of `to_dict`, in one piece and without references."""
    (top,), named = msgspec.json.schema_components(
        [kind], schema_hook=_described, ref_template=PLACE + "{name}"
    )
    return _inlined(top, named, ())


def _described(kind: type) -> dict[str, Any]:
    if kind is FrozenDict:
        return {"type": "object"}
    raise NotImplementedError(kind)


def _inlined(schema: Any, named: dict[str, Any], inside: tuple[str, ...]) -> Any:
    """The schema with what it refers to put in place; what contains itself ends as any object."""
    if is_array(schema):
        return [_inlined(item, named, inside) for item in schema]
    if not is_mapping(schema):
        return schema
    if "$ref" in schema:
        name = str(schema["$ref"]).removeprefix(PLACE)
        if name in inside:
            return {"type": "object"}
        return _inlined(named[name], named, (*inside, name))
    kept = {key: item for key, item in schema.items() if key != "discriminator"}
    return {key: _inlined(item, named, inside) for key, item in kept.items()}
