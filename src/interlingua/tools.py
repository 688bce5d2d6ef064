"""Tools a model may call, and which of them it must."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from interlingua import fields
from interlingua.fields import Rule
from interlingua.frozen import EMPTY, FrozenDict, is_mapping
from interlingua.value import Value

ToolChoice: TypeAlias = Literal["auto", "none", "required"] | FrozenDict
"""`auto`, `none`, `required`, or `{"name": …}`: this tool. Any other word is a tool's name."""

NO_PARAMETERS = FrozenDict({"type": "object", "properties": {}})


class Tool(Value, frozen=True, omit_defaults=True, dict=True):
    """A function the caller runs: its name, what it does, and its parameters as JSON Schema."""

    name: str
    description: str | None = None
    parameters: FrozenDict = NO_PARAMETERS
    strict: bool | None = None
    """Whether the vendor must hold the arguments to the schema."""
    extras: FrozenDict = EMPTY
    """A vendor's own fields of the declaration, by API."""

    rules: ClassVar[dict[str, Rule]] = {
        "name": fields.filled,
        "description": fields.optional(fields.string),
        "parameters": lambda value: fields.json_object(value) or NO_PARAMETERS,
        "strict": fields.optional(fields.flag),
        "extras": fields.extras,
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            name: str,
            description: str | None = None,
            parameters: Mapping[str, Any] | None = None,
            strict: bool | None = None,
            extras: Mapping[str, Any] = EMPTY,
        ) -> None: ...

    @classmethod
    def from_function(cls, function: Callable[..., Any], *, strict: bool | None = None) -> Tool:
        """The tool that a function is: its name, its docstring, its parameters' annotations."""
        from interlingua.functions import describe

        return cls(*describe(function), strict)


class ServerTool(Value, frozen=True, omit_defaults=True, dict=True):
    """A tool that the vendor itself runs, in the vendor's own words."""

    provider: str
    """The API it belongs to: `anthropic-messages`; elsewhere it is left out and reported."""
    type: str
    config: FrozenDict = EMPTY

    rules: ClassVar[dict[str, Rule]] = {
        "provider": fields.filled,
        "type": fields.string,
        "config": fields.json_object,
    }

    if TYPE_CHECKING:

        def __init__(self, provider: str, type: str, config: Mapping[str, Any] = EMPTY) -> None: ...


def tool_from(value: object) -> Tool | ServerTool:
    """A tool from a tool, a function, or a mapping of a tool's fields."""
    if isinstance(value, Tool | ServerTool):
        return value
    if is_mapping(value):
        return fields.build(ServerTool if "provider" in value else Tool, value)
    if callable(value):
        return Tool.from_function(value)
    raise fields.wrong("a Tool, a function or a mapping", value)


def choice_from(value: Any) -> ToolChoice:
    """The rule for `tool_choice`."""
    match value:
        case "auto" | "none" | "required":
            return value
        case str():
            return FrozenDict(name=fields.filled(value))
        case {"name": str(name)} if len(value) == 1:
            return FrozenDict(name=fields.filled(name))
        case _:
            raise fields.wrong("auto, none, required, a tool's name or {'name': …}", value)
