"""Model, and what a vendor's API tells beside answers: its models, and what a prompt costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import ClassVar, NamedTuple

from msgspec import Struct

from interlingua import fields
from interlingua.errors import MessageError
from interlingua.fields import Rule
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.value import Value
from interlingua.wire import Json


class Model(Value, frozen=True, omit_defaults=True):
    """A model that a provider offers: what follows the colon in `provider:model`."""

    id: str
    name: str | None = None
    """What people call it."""
    created_at: datetime | None = None
    input_tokens: int | None = None
    """The longest prompt; None where the vendor does not say."""
    output_tokens: int | None = None
    """The longest answer; None where the vendor does not say."""
    raw: FrozenDict = EMPTY
    """All that the vendor says, in its own words."""

    rules: ClassVar[dict[str, Rule]] = {
        "id": fields.filled,
        "name": fields.optional(fields.string),
        "created_at": fields.optional(fields.moment),
        "input_tokens": fields.optional(fields.integer),
        "output_tokens": fields.optional(fields.integer),
        "raw": fields.json_object,
    }

    def __str__(self) -> str:
        return self.id


class Question(Struct, frozen=True):
    """A request to a vendor that is no call of a model."""

    path: str
    body: Json | None = None
    """None asks with GET."""
    parameters: Mapping[str, str] = EMPTY


class Page(NamedTuple):
    """Some of a vendor's models, and how to ask for more."""

    models: tuple[Model, ...]
    more: Question | None = None


class Catalog(Struct, frozen=True):
    """How an API is asked for its models and for the tokens of a prompt. Pure functions."""

    listing: Question
    """Asks for the first page of models."""
    listed: Callable[[Json], Page]
    counting: Callable[[str, Json], Question]
    """From a model's name and the body of a call to it. Raises `ConfigError` for an API without."""
    counted: Callable[[Json], int | None]


def instant(given: object) -> datetime | None:
    """A vendor's time, in seconds since 1970 or as ISO 8601; None for anything else."""
    try:
        if isinstance(given, int | float):
            return datetime.fromtimestamp(given, UTC) if given else None
        return fields.moment(given)
    except (MessageError, ValueError, OverflowError, OSError):
        return None
