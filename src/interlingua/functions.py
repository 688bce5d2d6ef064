"""A Python function as a tool: its name, its docstring, its annotations as JSON Schema."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from inspect import Parameter
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from interlingua.docstrings import read_docstring
from interlingua.errors import MessageError, Problem, shown
from interlingua.frozen import FrozenDict, freeze, thaw

PLACE = "#/$defs/"
UNTYPED: Any = Any


def describe(function: Callable[..., Any]) -> tuple[str, str | None, dict[str, Any]]:
    """The name, the description and the parameters of the tool that a function is.

    Descriptions of parameters are read from the docstring, and from `Annotated[…, "…"]`.
    Raises `MessageError`, with every problem, for what no JSON object can be passed to.
    """
    inner = _innermost(function)
    name = _name(inner)
    description, said = read_docstring(_docstring(inner))
    given = _parameters(function, inner)
    if problems := [*_unfit(given)]:
        raise MessageError(problems, f"{name} cannot be a tool")
    hints = _hints(inner, name)
    schemas, shared = _schemas({one: hints.get(one, UNTYPED) for one in given}, name)
    properties = {
        one: schemas[one] | _about(hints.get(one), said.get(one), parameter)
        for one, parameter in given.items()
    }
    parameters: dict[str, Any] = {"type": "object", "properties": properties}
    required = [one for one in given if given[one].default is Parameter.empty]
    if required:
        parameters["required"] = required
    if shared:
        parameters["$defs"] = shared
    return name, description or None, parameters


def _innermost(function: Callable[..., Any]) -> Any:
    """What bears the name, the docstring and the annotations: below partials and wrappers."""
    inner: Any = function
    while isinstance(inner, partial):
        inner = inner.func
    return inspect.unwrap(inner)


def _name(inner: Any) -> str:
    name: str = getattr(inner, "__name__", "") or type(inner).__name__
    if not name.isidentifier():
        raise MessageError.of(f"{name} is no name for a tool; write the function with def")
    return name


def _docstring(inner: Any) -> str:
    own = inspect.getdoc(inner)
    return own or (inspect.getdoc(inner.__call__) if not inspect.isroutine(inner) else None) or ""


def _parameters(function: Callable[..., Any], inner: Any) -> dict[str, Parameter]:
    try:
        given = dict(inspect.signature(function).parameters)
    except (ValueError, TypeError):
        raise MessageError.of(
            f"{_name(inner)} does not say its parameters; wrap it in a def"
        ) from None
    if isinstance(function, partial):
        # A parameter that a partial has filled in is not the model's to choose.
        given = {one: given[one] for one in given if one not in function.keywords}
    first = next(iter(given), None)
    if first in ("self", "cls") and given[first].annotation is Parameter.empty:
        del given[first]
    return given


def _unfit(given: Mapping[str, Parameter]) -> list[Problem]:
    reasons = {
        Parameter.VAR_POSITIONAL: "a model passes arguments by name; use a parameter of type list",
        Parameter.VAR_KEYWORD: "a model passes only named arguments; use a parameter of type dict",
        Parameter.POSITIONAL_ONLY: "a model passes arguments by name; move it behind the `/`",
    }
    return [
        Problem(str(parameter).partition(":")[0], reasons[parameter.kind])
        for parameter in given.values()
        if parameter.kind in reasons
    ]


def _hints(inner: Any, name: str) -> dict[str, Any]:
    """The annotations, with names looked up in the function's module and in what surrounds it."""
    owner = inner if hasattr(inner, "__annotations__") else type(inner).__call__
    local: dict[str, Any] = {}
    with suppress(TypeError, ValueError):
        local |= inspect.getclosurevars(owner).nonlocals
    try:
        return get_type_hints(owner, localns=local, include_extras=True)
    except (NameError, TypeError, SyntaxError, AttributeError) as error:
        raise MessageError.of(
            f"the annotations of {name} cannot be read ({error}); define their types in its module"
        ) from None


def _schemas(types: Mapping[str, Any], name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Each parameter's schema, and the definitions they share."""
    shared: dict[str, Any] = {}
    made: dict[str, Any] = {}
    problems: list[Problem] = []
    for one, kind in types.items():
        try:
            (made[one],), defined = msgspec.json.schema_components(
                [kind], schema_hook=partial(_foreign, shared), ref_template=PLACE + "{name}"
            )
            shared |= defined
        except (TypeError, NotImplementedError):
            reason = f"{shown(kind)} has no JSON Schema; use str, int, list, dict, a dataclass …"
            problems.append(Problem(one, reason))
    if problems:
        raise MessageError(problems, f"{name} cannot be a tool")
    return made, shared


def _foreign(shared: dict[str, Any], kind: Any) -> dict[str, Any]:
    """The schema of a type that msgspec does not know: a pydantic model says its own."""
    if kind is FrozenDict:
        return {"type": "object"}
    if not hasattr(kind, "model_json_schema"):
        raise NotImplementedError
    schema: dict[str, Any] = kind.model_json_schema(ref_template=PLACE + "{model}")
    shared |= schema.pop("$defs", {})
    return schema


def _about(hint: Any, said: str | None, parameter: Parameter) -> dict[str, Any]:
    """What is known of a parameter beside its type."""
    about: dict[str, Any] = {}
    notes: list[str] = []
    if get_origin(hint) is Annotated:
        notes = [one for note in get_args(hint)[1:] if (one := _note(note))]
    if notes or said:
        about["description"] = " ".join(notes) or said
    if parameter.default is not Parameter.empty:
        # A default that JSON does not know is the function's own affair.
        with suppress(TypeError, ValueError):
            about["default"] = thaw(freeze(msgspec.to_builtins(parameter.default)))
    return about


def _note(note: object) -> str | None:
    """What an annotation says: a string, or the `description` of an object such as a Field."""
    for said in (note, getattr(note, "description", None), getattr(note, "documentation", None)):
        if isinstance(said, str):
            return said
    return None
