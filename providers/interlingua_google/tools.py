"""Tools and the choice among them, both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from msgspec import Raw

from interlingua.declared import declared
from interlingua.frozen import FrozenDict
from interlingua.loss import At
from interlingua.request import Request
from interlingua.tools import ServerTool, Tool, ToolChoice
from interlingua.wire import Json, as_list, as_object, as_text, kept, merged, objects
from interlingua_google.decode import listed
from interlingua_google.names import API, tool_name
from interlingua_google.schema import json_schema, says_nothing
from interlingua_google.spelling import camel, overlay

MODES = {"auto": "AUTO", "none": "NONE", "required": "ANY"}
CHOICES = {mode: choice for choice, mode in MODES.items()}

# -- to the API


def tools(request: Request, at: At, names: dict[str, str]) -> list[Json | Raw]:
    """All functions in one tool, each of the vendor's own tools in another."""
    functions: list[Raw] = []
    hosted: list[Raw] = []
    for tool, made in declared(request.tools, API, _tool, at, names):
        (functions if isinstance(tool, Tool) else hosted).append(made.content)
    return [{"functionDeclarations": functions}, *hosted] if functions else [*hosted]


def _tool(tool: Tool | ServerTool) -> Json:
    match tool:
        case Tool():
            own = tool.extras.get(API)
            if own and not _up_to_date(tool, own):
                own = {key: item for key, item in own.items() if key not in SCHEMAS}
            return merged(declaration(tool), own)
        case ServerTool():
            config = dict(tool.config)
            return {camel(tool.type): config} if tool.type else config


SCHEMAS = ("parameters", "parametersJsonSchema")


def declaration(tool: Tool) -> Json:
    """The function's declaration; parameters that say nothing are left out."""
    made: Json = {"name": tool_name(tool.name)}
    if tool.description is not None:
        made["description"] = tool.description
    if not says_nothing(tool.parameters):
        made["parametersJsonSchema"] = tool.parameters
    return made


def _up_to_date(tool: Tool, own: Mapping[str, Any]) -> bool:
    """Whether the schema kept in the vendor's spelling still is the tool's."""
    if own.get("parametersJsonSchema") is not None:
        return own["parametersJsonSchema"] == tool.parameters
    return "parameters" not in own or (json_schema(as_object(own["parameters"])) == tool.parameters)


def tool_choice(request: Request) -> Json | None:
    """How freely the model calls. Strict tools are held to their schemas by a mode of their own."""
    choice: ToolChoice | None = request.tool_choice
    strict = any(isinstance(tool, Tool) and tool.strict for tool in request.tools)
    if strict and choice in (None, "auto"):
        return {"mode": "VALIDATED"}
    if choice is None:
        return None
    if isinstance(choice, str):
        return {"mode": MODES[choice]}
    return {"mode": "ANY", "allowedFunctionNames": [tool_name(choice["name"])]}


# -- from the API


def read_tools(given: object) -> list[Tool | ServerTool]:
    """The tools of a request; one tool may stand where a list of them is due."""
    made: list[Tool | ServerTool] = []
    for one in listed(given):
        for field, config in one.items():
            if field == "functionDeclarations":
                made += map(_function, objects(config))
            elif isinstance(config, dict):
                made.append(ServerTool(API, field, cast("Json", config)))
            elif config is not None:
                made.append(ServerTool(API, "", {field: config}))
    return made


def _function(given: Json) -> Tool | ServerTool:
    name = as_text(given.get("name"))
    if not name:
        return ServerTool(API, "", {"functionDeclarations": [given]})
    schema = as_object(given.get("parametersJsonSchema"))
    if not schema:
        schema = json_schema(as_object(given.get("parameters")))
    description = as_text(given.get("description"))
    made = Tool(name, description, schema)
    rest = overlay(declaration(made), given)
    return Tool(name, description, schema, extras=kept(API, rest))


def read_tool_choice(given: object) -> str | FrozenDict | None:
    """The choice that a `toolConfig` makes, if it is one of ours."""
    config = as_object(as_object(given).get("functionCallingConfig"))
    choice = CHOICES.get((as_text(config.get("mode")) or "").upper())
    allowed = as_list(config.get("allowedFunctionNames"))
    if choice == "required" and len(allowed) == 1 and as_text(allowed[0]):
        return FrozenDict({"name": allowed[0]})
    return choice
