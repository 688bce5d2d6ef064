"""A request's tools and settings in the Messages API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

from interlingua.frozen import EMPTY, FrozenDict
from interlingua.loss import At
from interlingua.request import Request
from interlingua.tools import ServerTool, Tool, ToolChoice
from interlingua.wire import Json, as_count, merged
from interlingua_anthropic.names import API, tool_name

if TYPE_CHECKING:
    from anthropic.types import ThinkingConfigParam, ToolChoiceParam, ToolParam

MAX_TOKENS = 4096
"""The API demands a limit; this one is made up when the request has none."""

LEAST_BUDGET = 1024
"""The smallest thinking budget that the API takes."""

REMOVED = ("temperature", "top_p", "top_k")
"""Settings that the API once had and refuses now."""

EFFORTS = {
    "minimal": "low",
    "low": "low",
    "medium": "medium",
    "high": "high",
    "xhigh": "xhigh",
    "max": "max",
}

DISPLAYS: dict[str, Literal["summarized", "omitted"]] = {
    "auto": "summarized",
    "concise": "summarized",
    "detailed": "summarized",
    "summarized": "summarized",
    "none": "omitted",
    "omitted": "omitted",
}

FORCED = ("any", "tool")
LIFETIMES = ("5m", "1h")


def settings(request: Request, at: At) -> tuple[Json, FrozenDict]:
    """The body without model, system and messages, and the tools that had to be renamed."""
    at.of("extras").foreign(request.extras, API)
    own: Json = request.extras.get(API, EMPTY)
    names: dict[str, str] = {}
    body: Json = {"max_tokens": _max_tokens(request, own, at.of("max_tokens"))}
    if tools := _tools(request, names, at):
        body["tools"] = tools
    if choice := _tool_choice(request):
        body["tool_choice"] = choice
    _reasoning(request, body, at.of("reasoning"))
    _response_format(request.response_format or EMPTY, body, at.of("response_format"))
    if stops := _stop(request, at.of("stop")):
        body["stop_sequences"] = stops
    if request.stream:
        body["stream"] = True
    if request.user is not None:
        body["metadata"] = {"user_id": request.user}
    _cache(request.cache or EMPTY, body, at.of("cache"))
    _unsaid(request, own, at)
    return body, FrozenDict(names)


def _max_tokens(request: Request, own: Json, at: At) -> int:
    if request.max_tokens is not None:
        return request.max_tokens
    if "max_tokens" not in own:
        at.lose("setting", f"the Messages API demands one; {MAX_TOKENS} is sent", "synthesised")
    return MAX_TOKENS + max(0, as_count((request.reasoning or EMPTY).get("budget_tokens")) or 0)


# -- tools


def _tools(request: Request, names: dict[str, str], at: At) -> list[Json]:
    made = [_tool(one, names, at.of(f"tools[{n}]")) for n, one in enumerate(request.tools)]
    return [one for one in made if one is not None]


def _tool(tool: Tool | ServerTool, names: dict[str, str], at: At) -> Json | None:
    match tool:
        case Tool():
            at.foreign(tool.extras, API)
            made = _custom(tool)
            if made["name"] != tool.name:
                names[made["name"]] = tool.name
            return merged(cast("Json", made), tool.extras.get(API))
        case ServerTool() if tool.provider == API:
            return {"type": tool.type, **tool.config} if tool.type else dict(tool.config)
        case ServerTool():
            return at.lose("content", f"tool {tool.type!r} runs only at {tool.provider}")


def _custom(tool: Tool) -> ToolParam:
    schema: Json = {"type": "object", **tool.parameters}
    made: ToolParam = {"name": tool_name(tool.name), "input_schema": schema}
    if tool.description is not None:
        made["description"] = tool.description
    if tool.strict is not None:
        made["strict"] = tool.strict
    return made


def _tool_choice(request: Request) -> Json | None:
    choice, parallel = request.tool_choice, request.parallel_tool_calls
    if choice is None and parallel is not False:
        return None
    made = cast("Json", _choice(choice or "auto"))
    if parallel is not None and made["type"] != "none":
        made["disable_parallel_tool_use"] = not parallel
    return made


def _choice(choice: ToolChoice) -> ToolChoiceParam:
    match choice:
        case "auto":
            return {"type": "auto"}
        case "none":
            return {"type": "none"}
        case "required":
            return {"type": "any"}
        case _:
            return {"type": "tool", "name": tool_name(choice["name"])}


# -- reasoning


def _reasoning(request: Request, body: Json, at: At) -> None:
    wanted = request.reasoning
    if wanted is None:
        return
    effort = wanted.get("effort")
    thinking = _thinking(wanted, effort == "none", body["max_tokens"], at.of("budget_tokens"))
    if effort in EFFORTS:
        body["output_config"] = {"effort": EFFORTS[effort]}
    if effort not in (None, "none", *EFFORTS.values()):
        action = "lowered" if effort in EFFORTS else "dropped"
        at.of("effort").lose("setting", f"the Messages API has no effort {effort!r}", action)
    if thinking is None:
        return
    _display(wanted.get("summary"), thinking, at.of("summary"))
    body["thinking"] = thinking
    if thinking["type"] != "disabled" and body.get("tool_choice", EMPTY).get("type") in FORCED:
        forced = body["tool_choice"].pop("name", "any tool")
        body["tool_choice"]["type"] = "auto"
        reason = f"forcing {forced!r} and reasoning exclude each other; tool_choice is sent as auto"
        At("tool_choice", at.losses).lose("setting", reason)


def _thinking(wanted: FrozenDict, off: bool, most: int, at: At) -> ThinkingConfigParam | None:
    """How the model is to think; a budget has to fit between the least one and the whole answer."""
    budget = as_count(wanted.get("budget_tokens"))
    if budget == 0 or (budget is None and off):
        return {"type": "disabled"}
    if budget is None or budget < 0:
        return {"type": "adaptive"}
    if most <= LEAST_BUDGET:
        return at.lose("setting", f"no budget fits into max_tokens {most}")
    fitting = min(max(budget, LEAST_BUDGET), most - 1)
    if fitting != budget:
        reason = f"{budget} does not fit into max_tokens {most}; {fitting} is sent"
        at.lose("setting", reason, "lowered")
    return {"type": "enabled", "budget_tokens": fitting}


def _display(summary: object, thinking: ThinkingConfigParam, at: At) -> None:
    if summary is None:
        return
    if not isinstance(summary, str) or summary not in DISPLAYS:
        at.lose("setting", f"the Messages API has no display {summary!r}")
    elif thinking["type"] == "enabled" or thinking["type"] == "adaptive":
        thinking["display"] = DISPLAYS[summary]


# -- the rest


def _response_format(wanted: Mapping[str, Any], body: Json, at: At) -> None:
    match wanted.get("type"):
        case "json_schema":
            format = {"type": "json_schema", "schema": wanted.get("schema", EMPTY)}
            body["output_config"] = {**body.get("output_config", {}), "format": format}
            if wanted.get("description"):
                at.of("description").lose("setting", "the Messages API describes no formats")
        case "json_object":
            at.lose("setting", "the Messages API has JSON only with a schema")
        case _:
            pass


def _stop(request: Request, at: At) -> list[str]:
    stops = [stop for stop in request.stop if stop.strip()]
    if len(stops) < len(request.stop):
        at.lose("setting", "the Messages API takes no blank stop sequence")
    return stops


def _cache(wanted: Mapping[str, Any], body: Json, at: At) -> None:
    for name, value in wanted.items():
        if name == "ttl" and value in LIFETIMES:
            body["cache_control"] = {"type": "ephemeral", "ttl": value}
        else:
            at.of(name).lose("setting", f"the Messages API has no cache {name} {value!r}")


def _unsaid(request: Request, own: Json, at: At) -> None:
    for name in REMOVED:
        if getattr(request, name) is not None and own.get(name) is None:
            at.of(name).lose("setting", f"the Messages API no longer takes {name}")
    if request.seed is not None:
        at.of("seed").lose("setting", "the Messages API has no seed")
    if request.metadata:
        at.of("metadata").lose("setting", "the Messages API has no metadata but the user's id")
