"""What all values of the language have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self, TypeVar

import msgspec
from msgspec import Struct

from interlingua import fields
from interlingua.errors import MessageError
from interlingua.fields import Rule
from interlingua.frozen import is_mapping


class Value(Struct, frozen=True):
    """A frozen value that checks its fields when it is made: `MessageError` names all problems."""

    rules: ClassVar[dict[str, Rule]] = {}
    """What each field accepts."""

    def __post_init__(self) -> None:
        fields.settle(self, self.rules)

    def replace(self, **changes: Any) -> Self:
        """The same value with other fields."""
        return msgspec.structs.replace(self, **changes)

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Self:
        """The value that `to_dict` wrote. Raises `MessageError`, with every problem."""
        return fields.read(cls, value)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """The value that `to_json` wrote. Raises `MessageError`, with every problem."""
        try:
            held = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            raise MessageError.of(f"no JSON: {error}") from None
        return cls.from_dict(held)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: bytes as base64, times in ISO 8601."""
        return msgspec.json.decode(self.to_json())

    def to_json(self) -> str:
        """The JSON text of `to_dict`."""
        return msgspec.json.encode(self).decode()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self

    # -- as a field of a pydantic model

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        from interlingua.bridge import core_schema

        return core_schema(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: object) -> dict[str, Any]:
        from interlingua.bridge import json_schema

        return json_schema(cls)


Kind = TypeVar("Kind", bound=Value)


def instance(kind: type[Kind]) -> Rule:
    """The rule for a field that holds such a value: one, or a mapping of its fields."""

    def made(value: Any) -> Kind:
        if isinstance(value, kind):
            return value
        if is_mapping(value):
            return kind.from_dict(value)
        raise fields.wrong(f"{fields.article(kind.__name__)} or a mapping of its fields", value)

    return made
