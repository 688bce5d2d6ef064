"""Words as other languages write them: the symbol `:url`, an Enum's member, a plain string."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from interlingua.errors import MessageError, shown


def symbol(value: object) -> str | None:
    """The word that a string, a symbol or an Enum's member says; None for anything else."""
    said = value.value if isinstance(value, Enum) else value
    return str.__str__(said).removeprefix(":") if isinstance(said, str) else None


def by_symbol(given: Mapping[Any, Any]) -> dict[str, Any]:
    """The mapping by its keys' words. Raises `MessageError` for a key that is none or repeats."""
    found: dict[str, Any] = {}
    for key, item in given.items():
        word = symbol(key)
        if word is None:
            raise MessageError.of(f"the key {shown(key)} is no string")
        if word in found:
            raise MessageError.of(f"the key {word!r} is there twice")
        found[word] = item
    return found
