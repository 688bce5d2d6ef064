"""A request's tools and settings in Responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from interlingua.declared import declared
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.loss import At
from interlingua.request import Request
from interlingua.tools import ServerTool, Tool, ToolChoice
from interlingua.wire import Json, merged, rest_of
from interlingua_openai.responses.names import API, tool_name

if TYPE_CHECKING:
    from openai.types.responses import FunctionToolParam

SAME = {
    "parallel_tool_calls": "parallel_tool_calls",
    "temperature": "temperature",
    "top_p": "top_p",
    "max_tokens": "max_output_tokens",
    "user": "safety_identifier",
}
"""Settings that are the same here, by our name and the API's."""

MISSING = ("top_k", "stop", "seed")
"""Settings that the API does not have."""

REASONING: dict[str, tuple[str, ...]] = {
    "effort": ("none", "minimal", "low", "medium", "high", "xhigh", "max"),
    "summary": ("auto", "concise", "detailed"),
}
"""What can be said about reasoning, and the words for it."""

TTLS = ("30m", "12h")


def settings(request: Request, at: At) -> tuple[Json, FrozenDict]:
    """The body without model and input, and the tools that had to be renamed."""
    at.of("extras").foreign(request.extras, API)
    body: Json = {}
    names: dict[str, str] = {}
    if tools := [made.content for _, made in declared(request.tools, API, _tool, at, names)]:
        body["tools"] = tools
    if request.tool_choice is not None:
        body["tool_choice"] = _tool_choice(request.tool_choice, request)
    for name, theirs in SAME.items():
        if (value := getattr(request, name)) is not None:
            body[theirs] = value
    if reasoning := _reasoning(request, at.of("reasoning")):
        body["reasoning"] = reasoning
    if request.response_format is not None:
        body["text"] = {"format": text_format(request.response_format)}
    if request.stream:
        body["stream"] = True
    _bookkeeping(request, body, at)
    for name in MISSING:
        if getattr(request, name) not in (None, ()):
            at.of(name).lose("setting", f"Responses has no {name}")
    return body, FrozenDict(names)


def _tool(tool: Tool | ServerTool) -> Json:
    match tool:
        case Tool():
            made = _function(tool)
            extras: FrozenDict = tool.extras.get(API, EMPTY)
            if "parameters" in extras:
                del made["parameters"]
            return merged(made, extras)
        case ServerTool():
            return {"type": tool.type, **tool.config} if tool.type else dict(tool.config)


def _function(tool: Tool) -> Json:
    """The declaration. Unless it says so, the schema is not taken for one of the strict kind."""
    made: FunctionToolParam = {
        "type": "function",
        "name": tool_name(tool.name),
        "parameters": cast("dict[str, object]", tool.parameters),
        "strict": tool.strict or False,
    }
    if tool.description is not None:
        made["description"] = tool.description
    return cast("Json", made)


def _tool_choice(choice: ToolChoice, request: Request) -> Any:
    """The choice; a tool that takes free text is no function."""
    if isinstance(choice, str):
        return choice
    for tool in request.tools:
        match tool:
            case ServerTool(type="custom") if tool.config.get("name") == choice["name"]:
                return {"type": "custom", "name": choice["name"]}
            case _:
                pass
    return {"type": "function", "name": tool_name(choice["name"])}


def _reasoning(request: Request, at: At) -> Json:
    made: Json = {}
    for name, value in (request.reasoning or EMPTY).items():
        word = str(value).lower()
        if word in REASONING.get(name, ()):
            made[name] = word
        elif value is not None:
            at.of(name).lose("setting", f"Responses has no {name} {value!r} of reasoning")
    return made


def text_format(wanted: FrozenDict) -> Json:
    """Plain text, `json_object`, or a schema under a name."""
    if wanted["type"] != "json_schema":
        return {"type": wanted["type"]}
    given = rest_of(wanted)
    name = tool_name(str(given.get("name", "response")))
    return {"schema": {}, **given, "name": name}


def _bookkeeping(request: Request, body: Json, at: At) -> None:
    metadata = {key: item for key, item in request.metadata.items() if isinstance(item, str)}
    if metadata:
        body["metadata"] = metadata
    for key in request.metadata.keys() - metadata.keys():
        at.of(f"metadata.{key}").lose("setting", "Responses takes only strings as metadata")
    for name, value in (request.cache or EMPTY).items():
        if name == "key":
            body["prompt_cache_key"] = value
        elif name == "ttl" and value in TTLS:
            body["prompt_cache_options"] = {"ttl": value}
        else:
            at.of(f"cache.{name}").lose("setting", f"Responses has no cache {name} {value!r}")
