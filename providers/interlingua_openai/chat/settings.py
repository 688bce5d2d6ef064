"""A request's tools and settings in Chat Completions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from interlingua.declared import declared
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.loss import At
from interlingua.request import Request
from interlingua.tools import ServerTool, Tool, ToolChoice
from interlingua.wire import Json, merged
from interlingua_openai.chat.names import API, LEGACY, tool_name

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionFunctionToolParam

SAME = ("parallel_tool_calls", "temperature", "top_p", "seed")
"""Settings that the API calls as we do."""


def settings(request: Request, at: At) -> tuple[Json, FrozenDict]:
    """The body without model and messages, and the tools that had to be renamed."""
    at.of("extras").foreign(request.extras, API)
    body: Json = {}
    names: dict[str, str] = {}
    _tools(request, body, names, at)
    if request.tool_choice is not None:
        body["tool_choice"] = _tool_choice(request.tool_choice)
    for name in SAME:
        if (value := getattr(request, name)) is not None:
            body[name] = value
    if request.max_tokens is not None:
        body["max_completion_tokens"] = request.max_tokens
    if request.stop:
        body["stop"] = request.stop
    if request.top_k is not None and "top_k" not in request.extras.get(API, {}):
        at.of("top_k").lose("setting", "Chat Completions has no top_k")
    _reasoning(request, body, at.of("reasoning"))
    if request.response_format is not None:
        body["response_format"] = response_format(request.response_format)
    if request.stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    _bookkeeping(request, body, at)
    return body, FrozenDict(names)


def _tools(request: Request, body: Json, names: dict[str, str], at: At) -> None:
    """Put the tools where they belong; `functions` is what the API had before them."""
    for _, made in declared(request.tools, API, _tool, at, names, _name):
        if made.body.get("type") == LEGACY:
            body.setdefault("functions", []).append(made.body["function"])
        else:
            body.setdefault("tools", []).append(made.content)


def _name(body: Json) -> str:
    return body["function"]["name"]


def _tool(tool: Tool | ServerTool) -> Json:
    match tool:
        case Tool():
            return merged(_function(tool), tool.extras.get(API))
        case ServerTool():
            return {"type": tool.type, **tool.config} if tool.type else dict(tool.config)


def _function(tool: Tool) -> ChatCompletionFunctionToolParam:
    made: ChatCompletionFunctionToolParam = {
        "type": "function",
        "function": {
            "name": tool_name(tool.name),
            "parameters": cast("dict[str, object]", tool.parameters),
        },
    }
    if tool.description is not None:
        made["function"]["description"] = tool.description
    if tool.strict is not None:
        made["function"]["strict"] = tool.strict
    return made


def _tool_choice(choice: ToolChoice) -> Any:
    if isinstance(choice, str):
        return choice
    return {"type": "function", "function": {"name": tool_name(choice["name"])}}


def _reasoning(request: Request, body: Json, at: At) -> None:
    for name, value in (request.reasoning or EMPTY).items():
        if name == "effort":
            body["reasoning_effort"] = value
        else:
            at.of(name).lose("setting", f"Chat Completions has no {name} of reasoning")


def response_format(wanted: FrozenDict) -> Json:
    """`json_object`, or a schema under a name."""
    schema = dict(wanted)
    kind = schema.pop("type")
    if kind != "json_schema":
        return {"type": kind}
    return {"type": kind, "json_schema": {"name": "response", **schema}}


def _bookkeeping(request: Request, body: Json, at: At) -> None:
    if request.user is not None:
        body["safety_identifier"] = request.user
    if request.metadata:
        body["metadata"] = request.metadata
    for name, value in (request.cache or EMPTY).items():
        if name == "key":
            body["prompt_cache_key"] = value
        else:
            at.of(f"cache.{name}").lose("setting", f"Chat Completions has no cache {name}")
