"""A request's tools and settings in the Messages API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

from interlingua.declared import declared
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
    body: Json = {"max_tokens": _max_tokens(request, _unless("max_tokens", own, at))}
    if tools := [made.content for _, made in declared(request.tools, API, _tool, at, names)]:
        body["tools"] = tools
    if choice := _tool_choice(request):
        body["tool_choice"] = choice
    _reasoning(request.reasoning, body, own, at)
    _response_format(request.response_format or EMPTY, body, _unless("output_config", own, at))
    if stops := _stop(request, _unless("stop_sequences", own, at).of("stop")):
        body["stop_sequences"] = stops
    if request.stream:
        body["stream"] = True
    if request.user is not None:
        body["metadata"] = {"user_id": request.user}
    _cache(request.cache or EMPTY, body, _unless("cache_control", own, at).of("cache"))
    _unsaid(request, own, at)
    return body, FrozenDict(names)


def _unless(key: str, own: Json, at: At) -> At:
    """The place where losses are told, unless the request's extras say this in the API's words."""
    return At(at.path, []) if key in own else at


def _max_tokens(request: Request, at: At) -> int:
    if request.max_tokens is not None:
        return request.max_tokens
    budget = as_count((request.reasoning or EMPTY).get("budget_tokens")) or 0
    most = MAX_TOKENS + max(0, budget)
    at.of("max_tokens").lose("setting", f"the API demands one; {most} is sent", "synthesised")
    return most


# -- tools


def _tool(tool: Tool | ServerTool) -> Json:
    match tool:
        case Tool():
            return merged(_custom(tool), tool.extras.get(API))
        case ServerTool():
            return {"type": tool.type, **tool.config} if tool.type else dict(tool.config)


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


def _reasoning(wanted: FrozenDict | None, body: Json, own: Json, at: At) -> None:
    if wanted is None:
        return
    _effort(wanted.get("effort"), body, _unless("output_config", own, at).of("reasoning.effort"))
    thinking = _thinking(wanted, body["max_tokens"], _unless("thinking", own, at).of("reasoning"))
    if thinking is None:
        return
    body["thinking"] = thinking
    if thinking["type"] != "disabled":
        _unforce(body, _unless("tool_choice", own, at).of("tool_choice"))


def _effort(effort: object, body: Json, at: At) -> None:
    if effort is None or effort == "none":
        return
    said = EFFORTS.get(effort) if isinstance(effort, str) else None
    if said:
        body["output_config"] = {"effort": said}
    if said != effort:
        action = "lowered" if said else "dropped"
        at.lose("setting", f"the Messages API has no effort {effort!r}", action)


def _unforce(body: Json, at: At) -> None:
    """Let the model choose: the API refuses to force a tool on a model that thinks."""
    choice = body.get("tool_choice", EMPTY)
    if choice.get("type") not in FORCED:
        return
    forced = choice.pop("name", "any tool")
    choice["type"] = "auto"
    at.lose("setting", f"forcing {forced!r} and reasoning exclude each other; sent as auto")


def _thinking(wanted: FrozenDict, most: int, at: At) -> ThinkingConfigParam | None:
    made = _mode(wanted, most, at.of("budget_tokens"))
    if made is not None:
        _display(wanted.get("summary"), made, at.of("summary"))
    return made


def _mode(wanted: FrozenDict, most: int, at: At) -> ThinkingConfigParam | None:
    """How the model is to think; a budget has to fit between the least one and the whole answer."""
    budget = as_count(wanted.get("budget_tokens"))
    if budget == 0 or (budget is None and wanted.get("effort") == "none"):
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
                at.of("response_format.description").lose(
                    "setting", "the Messages API describes no formats"
                )
        case "json_object":
            reason = "the Messages API has JSON only with a schema"
            at.of("response_format").lose("setting", reason)
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
        if getattr(request, name) is not None:
            reason = f"the Messages API no longer takes {name}"
            _unless(name, own, at).of(name).lose("setting", reason)
    if request.seed is not None:
        at.of("seed").lose("setting", "the Messages API has no seed")
    if request.metadata:
        at.of("metadata").lose("setting", "the Messages API has no metadata but the user's id")
