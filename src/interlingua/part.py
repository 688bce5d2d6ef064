"""What all parts of a message have in common."""

from __future__ import annotations

from interlingua import fields
from interlingua.errors import MessageError, Problem
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.value import Value


class PartBase(Value, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """A piece of a message."""

    extras: FrozenDict = EMPTY
    """Fields a vendor sent that have no home here, by API. They go back as they came."""


def conflict(part: PartBase, path: str, reason: str) -> MessageError:
    """The error of fields that are right one by one and wrong together."""
    return MessageError([Problem(path, reason)], f"not {fields.article(type(part).__name__)}")
