"""Functions as tools: name, description, and parameters as JSON Schema."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal, NotRequired, Optional, TypedDict

import msgspec
import pytest
from pydantic import BaseModel, Field

from interlingua import FrozenDict, MessageError, Tool, Usage
from interlingua.docstrings import read_docstring


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Point:
    """A place."""

    x: int
    y: int = 2


class Box(TypedDict):
    width: int
    label: NotRequired[str]


class Inner(BaseModel):
    a: int


class Outer(BaseModel):
    inner: Inner


def parameters(function: Callable[..., Any]) -> Any:
    return Tool.from_function(function).parameters


def test_a_function_gives_its_name_its_docstring_and_its_annotations() -> None:
    def weather(city: str, days: int = 3) -> str:
        """The weather in a city."""
        return f"Sunny in {city} for {days} days."

    assert Tool.from_function(weather, strict=True) == Tool(
        "weather",
        "The weather in a city.",
        {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "days": {"type": "integer", "default": 3},
            },
            "required": ["city"],
        },
        strict=True,
    )


def test_a_function_without_parameters_takes_an_empty_object() -> None:
    def now() -> str:
        return ""

    assert Tool.from_function(now) == Tool("now")


TYPES: list[tuple[Any, dict[str, Any]]] = [
    (str, {"type": "string"}),
    (int, {"type": "integer"}),
    (float, {"type": "number"}),
    (bool, {"type": "boolean"}),
    (Any, {}),
    (list[int], {"type": "array", "items": {"type": "integer"}}),
    (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
    (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
    # The older spelling, which callers still write, is what this row is about.
    (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),  # noqa: UP045
    (Literal["a", "b"], {"enum": ["a", "b"]}),
    (FrozenDict, {"type": "object"}),
    (Annotated[int, "How many."], {"type": "integer", "description": "How many."}),
    (
        Annotated[int, Field(description="How many.")],
        {"type": "integer", "description": "How many."},
    ),
    (
        Annotated[int, msgspec.Meta(ge=1, description="How many.")],
        {"type": "integer", "minimum": 1, "description": "How many."},
    ),
]


@pytest.mark.parametrize(("kind", "schema"), TYPES)
def test_an_annotation_becomes_json_schema(kind: Any, schema: dict[str, Any]) -> None:
    def f(a: Any) -> None: ...

    f.__annotations__["a"] = kind

    assert parameters(f)["properties"] == {"a": schema}


DEFINED: list[tuple[Any, str, dict[str, Any]]] = [
    (
        Point,
        "Point",
        {
            "title": "Point",
            "description": "A place.",
            "type": "object",
            "properties": {"x": {"type": "integer"}, "y": {"type": "integer", "default": 2}},
            "required": ["x"],
        },
    ),
    (
        Box,
        "Box",
        {
            "title": "Box",
            "type": "object",
            "properties": {"width": {"type": "integer"}, "label": {"type": "string"}},
            "required": ["width"],
        },
    ),
    (Colour, "Colour", {"title": "Colour", "enum": ["blue", "red"]}),
]


@pytest.mark.parametrize(("kind", "name", "schema"), DEFINED)
def test_a_type_of_its_own_is_defined_once_and_referred_to(
    kind: Any, name: str, schema: dict[str, Any]
) -> None:
    def f(a: Any, b: Any) -> None: ...

    f.__annotations__ |= {"a": kind, "b": list[kind]}

    assert parameters(f) == {
        "type": "object",
        "properties": {
            "a": {"$ref": f"#/$defs/{name}"},
            "b": {"type": "array", "items": {"$ref": f"#/$defs/{name}"}},
        },
        "required": ["a", "b"],
        "$defs": {name: schema},
    }


def test_a_pydantic_model_says_its_own_schema() -> None:
    def f(a: Outer) -> None: ...

    schema = parameters(f)

    assert schema["properties"]["a"] == {
        "title": "Outer",
        "type": "object",
        "properties": {"inner": {"$ref": "#/$defs/Inner"}},
        "required": ["inner"],
    }
    assert schema["$defs"]["Inner"]["properties"] == {"a": {"title": "A", "type": "integer"}}


DEFAULTS: list[tuple[Any, object]] = [
    (None, None),
    (3, 3),
    ([1, 2], [1, 2]),
    (Colour.RED, "red"),
    (Point(1), {"x": 1, "y": 2}),
]


@pytest.mark.parametrize(("default", "written"), DEFAULTS)
def test_a_default_is_written_as_json(default: Any, written: object) -> None:
    def f(a: Any = default) -> None: ...

    assert parameters(f) == {"type": "object", "properties": {"a": {"default": written}}}


@pytest.mark.parametrize("default", [object(), float("nan"), {1, object()}, "\ud83d"])
def test_a_default_without_a_json_form_is_the_functions_own_affair(default: Any) -> None:
    def f(a: Any = default) -> None: ...

    assert parameters(f) == {"type": "object", "properties": {"a": {}}}


# -- annotations that are text, and functions in wrappers

SOURCE = """
import functools

def wrap(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)
    return inner

@wrap
def f(city: "Later", n: int = 3) -> str:
    "Told once."
    return city

Later = str
"""


@pytest.mark.parametrize("future", ["", "from __future__ import annotations\n"])
def test_a_forward_reference_in_a_wrapper_is_read_with_and_without_the_future(future: str) -> None:
    names: dict[str, Any] = {"__name__": "source"}
    exec(compile(future + SOURCE, "source", "exec", dont_inherit=True), names)

    assert Tool.from_function(names["f"]) == Tool(
        "f",
        "Told once.",
        {
            "type": "object",
            "properties": {"city": {"type": "string"}, "n": {"type": "integer", "default": 3}},
            "required": ["city"],
        },
    )


def test_a_type_from_a_surrounding_function_is_found_when_the_function_uses_it() -> None:
    @dataclass
    class Local:
        a: int

    def f(local: Local) -> object:
        return Local(local.a)

    assert parameters(f)["properties"] == {"local": {"$ref": "#/$defs/Local"}}


class Shop:
    """A shop."""

    def price(self, item: str) -> int:
        """What an item costs."""
        return len(item)

    @classmethod
    def open(cls, hour: int) -> bool:
        """Whether it is open."""
        return hour > 8

    @staticmethod
    def city(name: str) -> str:
        """Where it is."""
        return name


class Callable_:
    def __call__(self, a: int) -> int:
        """Called."""
        return a


ITEM = {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]}
A = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


def test_self_is_no_parameter() -> None:
    assert Tool.from_function(Shop().price) == Tool("price", "What an item costs.", ITEM)
    assert Tool.from_function(Shop.price) == Tool("price", "What an item costs.", ITEM)


def test_class_methods_static_methods_and_callable_objects_are_functions_too() -> None:
    assert Tool.from_function(Shop.open).name == "open"
    assert list(parameters(Shop.open)["properties"]) == ["hour"]
    assert list(parameters(Shop.city)["properties"]) == ["name"]
    assert Tool.from_function(Callable_()) == Tool("Callable_", "Called.", A)


def test_what_a_partial_has_filled_in_is_no_parameter() -> None:
    def f(a: int, b: str, c: int = 3) -> None:
        """Does."""

    assert list(parameters(functools.partial(f, 1))["properties"]) == ["b", "c"]
    assert list(parameters(functools.partial(f, b="x"))["properties"]) == ["a", "c"]
    assert Tool.from_function(functools.partial(f, 1)).description == "Does."


def test_an_asynchronous_function_is_a_tool() -> None:
    async def f(a: int) -> None:
        """Does."""

    assert Tool.from_function(f) == Tool("f", "Does.", A)


# -- what is no tool


def several(*items: int, **more: str) -> None: ...
def by_place(a: int, /) -> None: ...
def no_json(a: type, b: Callable[[], None]) -> None: ...


NO_TOOLS: list[tuple[Any, str]] = [
    (
        several,
        "several cannot be a tool: "
        "*items: a model passes arguments by name; use a parameter of type list; "
        "**more: a model passes only named arguments; use a parameter of type dict",
    ),
    (
        by_place,
        "by_place cannot be a tool: a: a model passes arguments by name; move it behind the `/`",
    ),
    (
        no_json,
        "no_json cannot be a tool: "
        "a: <class 'type'> has no JSON Schema; use str, int, list, dict, a dataclass …; "
        "b: collections.abc.Callable[[], None] has no JSON Schema; "
        "use str, int, list, dict, a dataclass …",
    ),
    (lambda: None, "<lambda> is no name for a tool; write the function with def"),
    (min, "min does not say its parameters; wrap it in a def"),
]


@pytest.mark.parametrize(("function", "said"), NO_TOOLS)
def test_what_no_object_can_be_passed_to_is_refused(function: Any, said: str) -> None:
    with pytest.raises(MessageError) as caught:
        Tool.from_function(function)

    assert str(caught.value) == said


def test_an_annotation_that_names_nothing_is_refused() -> None:
    def f(a: int) -> None: ...

    f.__annotations__["a"] = "Nowhere"

    with pytest.raises(MessageError) as caught:
        Tool.from_function(f)

    assert str(caught.value) == (
        "the annotations of f cannot be read (name 'Nowhere' is not defined); "
        "define their types in its module"
    )


# -- docstrings

GOOGLE = """Does it.

At length: really.

Args:
    a: The a,
        continued.
    b (int, optional): The b: with a colon.
    *items: The rest.

Returns:
    Nothing.

Note:
    Slow.
"""
NUMPY = """Does it.

At length: really.

Parameters
----------
a : int
    The a,
    continued.
b : int, optional
    The b: with a colon.
*items
    The rest.

Returns
-------
int
    Nothing.
"""
SPHINX = """Does it.

At length: really.

:param int a: The a,
    continued.
:param b: The b: with a colon.
:param items: The rest.
:type b: int
:returns: Nothing.
:raises ValueError: never.
"""
SAID = {"a": "The a, continued.", "b": "The b: with a colon.", "items": "The rest."}
TEXT = "Does it.\n\nAt length: really."


@pytest.mark.parametrize(
    ("docstring", "text"),
    [(GOOGLE, f"{TEXT}\n\nNote:\n    Slow."), (NUMPY, TEXT), (SPHINX, TEXT)],
    ids=["google", "numpy", "sphinx"],
)
def test_parameters_are_read_from_the_three_styles(docstring: str, text: str) -> None:
    assert read_docstring(docstring) == (text, SAID)


@pytest.mark.parametrize(
    "docstring",
    [
        "",
        "Does it.",
        "Does it: now.\n\nExample::\n\n    f(1)",
        "Use :class:`Foo`.",
        "Args are fun.",
    ],
)
def test_a_docstring_without_parameters_is_all_description(docstring: str) -> None:
    assert read_docstring(docstring) == (docstring, {})


def test_a_numpy_section_of_another_name_stays_in_the_description() -> None:
    docstring = "Does.\n\nParameters\n----------\na : int\n    The a.\n\nNotes\n-----\nFine."

    assert read_docstring(docstring) == ("Does.\n\nNotes\n-----\nFine.", {"a": "The a."})


def test_text_after_a_section_stays_in_the_description() -> None:
    docstring = "Does.\n\nArgs:\n    a: The a.\n\nAnd more."

    assert read_docstring(docstring) == ("Does.\n\nAnd more.", {"a": "The a."})


def test_a_parameters_description_stands_in_its_schema() -> None:
    def f(a: int, b: Annotated[int, "From the annotation."]) -> None:
        """Does.

        Args:
            a: From the docstring.
            b: Not used.
        """

    assert parameters(f)["properties"] == {
        "a": {"type": "integer", "description": "From the docstring."},
        "b": {"type": "integer", "description": "From the annotation."},
    }


def test_a_values_own_type_may_be_a_parameter() -> None:
    def f(usage: Usage) -> None: ...

    assert parameters(f)["properties"] == {"usage": {"$ref": "#/$defs/Usage"}}
