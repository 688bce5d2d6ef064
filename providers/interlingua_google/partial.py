"""Arguments that Vertex streams value by value, each with its JSON path."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, TypeAlias, cast

from interlingua.wire import Json, as_text

Step: TypeAlias = str | int

STEP = re.compile(r"\.([^.\[\]]+)|\[(\d{1,9})\]|\[(?:'([^']*)'|\"([^\"]*)\")\]")
VALUES = ("stringValue", "numberValue", "boolValue")


def put(arguments: Json, piece: Json) -> None:
    """Set the value that a piece brings; text for the same path adds up."""
    steps = _steps(as_text(piece.get("jsonPath")) or "")
    key = next((key for key in VALUES if key in piece), None)
    if not steps or (key is None and "nullValue" not in piece):
        return
    value = None if key is None else piece[key]
    target: Any = arguments
    for step, after in pairwise(steps):
        target = _within(target, step, after)
    last = _at(target, steps[-1])
    joined = last + value if isinstance(last, str) and isinstance(value, str) else value
    _set(target, steps[-1], joined)


def _steps(path: str) -> list[Step]:
    return [
        int(found[2]) if found[2] else next(filter(None, (found[1], found[3], found[4])), "")
        for found in STEP.finditer(path)
    ]


def _within(target: Any, step: Step, after: Step) -> Any:
    """The array or object at a step, made if there is none."""
    inner = _at(target, step)
    if isinstance(inner, dict | list):
        return cast("Any", inner)
    made: Any = [] if isinstance(after, int) else {}
    _set(target, step, made)
    return made


def _at(target: Any, step: Step) -> Any:
    if isinstance(target, dict):
        return cast("Json", target).get(str(step))
    items = cast("list[Any]", target)
    return items[step] if isinstance(step, int) and step < len(items) else None


def _set(target: Any, step: Step, value: Any) -> None:
    """Objects take any step by its name, arrays append what lies past their end."""
    if isinstance(target, dict):
        target[str(step)] = value
    elif isinstance(step, int) and step < len(cast("list[Any]", target)):
        target[step] = value
    else:
        target.append(value)
