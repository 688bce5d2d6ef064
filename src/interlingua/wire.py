"""Vendors' JSON: what reading and writing it has in common in all codecs.

Reading is total: a value of another type than expected counts as not there, and whoever reads
keeps it among the leftovers. Writing is by concatenation: what is encoded is never encoded again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, cast

import msgspec

from interlingua.errors import DecodeError
from interlingua.frozen import EMPTY, FrozenDict, is_mapping, thaw

if TYPE_CHECKING:
    from re import Pattern

Json: TypeAlias = dict[str, Any]

# Typed as any kind, so that what passes the check stays a JSON value for the type checker.
OBJECT: type[Any] = dict
ARRAYS: tuple[type[Any], ...] = (list, tuple)

dump = msgspec.json.Encoder().encode
"""A JSON value as compact bytes."""

load = msgspec.json.Decoder().decode
"""The value of JSON bytes or text, as msgspec reads it."""


def parse(body: object, api: str) -> Json:
    """The JSON object that an answer is: a mapping, bytes, a string or an SDK's object.

    Raises `DecodeError` when it is none.
    """
    held: Any = body
    if isinstance(body, (bytes, bytearray, str)):
        held = read_json(body, api)
    elif is_mapping(body):
        # What is frozen holds tuples, and JSON holds lists.
        held = thaw(body) if type(body) is not dict else held
    elif hasattr(body, "model_dump"):
        held = held.model_dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
    if not is_object(held):
        raise DecodeError(f"expected a JSON object, got {type(held).__name__}", api=api)
    return held


def read_json(text: bytes | bytearray | str, api: str) -> Any:
    """The value that a JSON text holds. Raises `DecodeError` when it holds none."""
    try:
        return load(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        pass
    try:
        import json

        # The standard library takes what msgspec refuses: lone surrogates, numbers past a double.
        return mended(json.loads(text))
    except RecursionError:
        raise DecodeError("nested too deeply", api=api) from None
    except ValueError as error:
        raise DecodeError(f"no JSON: {error}", api=api) from None


def exact(text: bytes) -> Json | None:
    """The JSON object that a text holds to the letter; None when it holds none."""
    try:
        value = load(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
    return value if is_object(value) else None


def mended(value: Any) -> Any:
    """The value with surrogate pairs joined and lone surrogates replaced by U+FFFD."""
    match value:
        case str():
            if value.isascii():
                return value
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case _ if is_object(value):
            return {mended(key): mended(item) for key, item in value.items()}
        case _ if is_list(value):
            return [mended(item) for item in value]
        case _:
            return value


def is_object(value: object) -> TypeGuard[Json]:
    """Whether it is a JSON object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether it is a JSON array."""
    return isinstance(value, list)


def as_object(value: Any) -> Json:
    """The JSON object, {} for anything else."""
    return value if isinstance(value, OBJECT) else {}


def as_list(value: Any) -> list[Any]:
    """The JSON array, [] for anything else."""
    return value if isinstance(value, ARRAYS) else []


def objects(value: object) -> list[Json]:
    """The objects of a JSON array."""
    return [item for item in as_list(value) if isinstance(item, OBJECT)]


def are_objects(value: object) -> TypeGuard[list[Json]]:
    """Whether it is a JSON array of objects and nothing else."""
    return is_list(value) and all(map(is_object, value))


def as_text(value: object) -> str | None:
    """The string, None for anything else."""
    return value if isinstance(value, str) else None


def as_count(value: object) -> int | None:
    """The whole number, None for anything else; some hosts count in floats."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def total(*counts: int | None) -> int | None:
    """The sum of what is known, None when nothing is."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def rest_of(given: Mapping[str, Any], *known: str) -> Json:
    """The fields that have no home here; null says nothing."""
    return {key: item for key, item in given.items() if key not in known and item is not None}


def kept(api: str, rest: Mapping[str, Any]) -> FrozenDict:
    """Leftovers as `extras`."""
    return FrozenDict({api: rest}) if rest else EMPTY


def merged(made: Mapping[str, Any], extras: Mapping[str, Any] | None) -> Json:
    """What was made, with a vendor's own fields over it: objects merge, None leaves a key out.

    Without such fields it is what was made itself.
    """
    if not extras:
        return cast("Json", made)
    out = dict(made)
    for key, item in extras.items():
        present = out.get(key)
        if item is None:
            out.pop(key, None)
        elif is_object(item) and is_object(present):
            out[key] = merged(present, item)
        else:
            out[key] = thaw(item)
    return out


def fit(text: str, pattern: Pattern[str], most: int) -> str:
    """The text if the pattern takes it whole; else a readable, deterministic stand-in of its own.

    Two texts never share a stand-in, since each ends in a digest of its text.
    """
    if len(text) <= most and pattern.fullmatch(text):
        return text
    from hashlib import blake2b

    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in text)
    lead = plain[: most - 12].strip("_") or "x"
    return f"{lead}_{digest}" if not lead[0].isdigit() else f"x{lead}_{digest}"


def array(items: Sequence[bytes]) -> bytes:
    """A JSON array of encoded items, copied only once."""
    if len(items) < 2:
        return b"[%b]" % b"".join(items)
    return b",".join((b"[" + items[0], *items[1:-1], items[-1] + b"]"))
