"""A request's tools and settings, both ways."""

from __future__ import annotations

from math import isfinite
from typing import Any, cast

from interlingua.frozen import EMPTY, FrozenDict
from interlingua.loss import At
from interlingua.request import Request
from interlingua.wire import Json, as_count, as_list, as_object, as_text
from interlingua_google.names import API
from interlingua_google.schema import json_schema
from interlingua_google.tools import read_tool_choice, tool_choice, tools

NUMBERS = {
    "max_tokens": "maxOutputTokens",
    "temperature": "temperature",
    "top_p": "topP",
    "top_k": "topK",
    "seed": "seed",
}

LEVELS = ("minimal", "low", "medium", "high", "xhigh")

ABSENT = {
    "parallel_tool_calls": "the API has no switch for parallel calls",
    "user": "end users can be named on Vertex only: as labels, in extras",
    "metadata": "requests can be labelled on Vertex only: as labels, in extras",
}

# -- to the API


def settings(request: Request, at: At) -> tuple[Json, FrozenDict]:
    """The body without the conversation, and the tools that had to be renamed."""
    at.of("extras").foreign(request.extras, API)
    body: Json = {}
    names: dict[str, str] = {}
    if made := tools(request, at, names):
        body["tools"] = made
    if choice := tool_choice(request):
        body["toolConfig"] = {"functionCallingConfig": choice}
    if config := _generation(request, at):
        body["generationConfig"] = config
    for name, value in (request.cache or EMPTY).items():
        if name == "name":
            body["cachedContent"] = value
        else:
            at.of(f"cache.{name}").lose("setting", f"the API's cache has no {name}")
    for name, reason in ABSENT.items():
        if getattr(request, name) not in (None, True, {}):
            at.of(name).lose("setting", reason)
    return body, FrozenDict(names)


def _generation(request: Request, at: At) -> Json:
    config: Json = {}
    for ours, theirs in NUMBERS.items():
        if (value := getattr(request, ours)) is not None:
            config[theirs] = value
    if request.stop:
        config["stopSequences"] = request.stop
    if thinking := _thinking(request.reasoning or EMPTY, at.of("reasoning")):
        config["thinkingConfig"] = thinking
    if request.response_format is not None:
        config |= _format(request.response_format, at.of("response_format"))
    return config


def _thinking(wanted: FrozenDict, at: At) -> Json:
    """A budget or a level, never both: the API refuses that."""
    made: Json = {}
    effort, budget = wanted.get("effort"), wanted.get("budget_tokens")
    if wanted.get("summary") not in (None, "none"):
        made["includeThoughts"] = True
    if budget is not None:
        made["thinkingBudget"] = budget
        if effort is not None:
            at.of("effort").lose("setting", "budget_tokens says it more exactly", "merged")
    elif effort == "none":
        made["thinkingBudget"] = 0
    elif effort == "max":
        made["thinkingLevel"] = "XHIGH"
        at.of("effort").lose("setting", "the highest level is xhigh", "lowered")
    elif effort in LEVELS:
        made["thinkingLevel"] = effort.upper()
    elif effort is not None:
        at.of("effort").lose("setting", f"no thinking level {effort!r} here")
    return made


def _format(wanted: FrozenDict, at: At) -> Json:
    """JSON, with or without a schema. Schemas have no name here, and always bind."""
    if wanted["type"] == "text":
        return {"responseMimeType": "text/plain"}
    if wanted.get("description"):
        at.of("description").lose("setting", "formats have no description here")
    schema = wanted.get("schema")
    return {"responseMimeType": "application/json"} | (
        {} if schema is None else {"responseJsonSchema": schema}
    )


# -- from the API


def read_settings(given: Json) -> dict[str, Any]:
    """The fields of a Request that a body sets."""
    config = as_object(given.get("generationConfig"))
    made: dict[str, Any] = {
        "tool_choice": read_tool_choice(given.get("toolConfig")),
        "max_tokens": _positive(config.get("maxOutputTokens")),
        "temperature": _number(config.get("temperature")),
        "top_p": _number(config.get("topP")),
        "top_k": _number(config.get("topK")),
        "seed": as_count(config.get("seed")),
        "stop": _stop(config.get("stopSequences")),
        "reasoning": _read_thinking(as_object(config.get("thinkingConfig"))),
        "response_format": _read_format(config),
    }
    if name := as_text(given.get("cachedContent")):
        made["cache"] = {"name": name}
    return made


def _number(value: Any) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    return value if known else None


def _positive(value: Any) -> int | None:
    known = as_count(value)
    return known if known is not None and known >= 0 else None


def _stop(value: Any) -> tuple[str, ...]:
    words = as_list(value)
    return tuple(words) if all(isinstance(word, str) for word in words) else ()


def _read_thinking(given: Json) -> Json | None:
    level = (as_text(given.get("thinkingLevel")) or "").lower()
    made: Json = {}
    if level in LEVELS:
        made["effort"] = level
    if (budget := as_count(given.get("thinkingBudget"))) is not None:
        made["budget_tokens"] = budget
    if given.get("includeThoughts") is True:
        made["summary"] = "auto"
    return made or None


def _read_format(config: Json) -> Json | None:
    match config.get("responseMimeType"):
        case "text/plain":
            return {"type": "text"}
        case "application/json":
            schema = config.get("responseJsonSchema")
            if not isinstance(schema, dict) and isinstance(config.get("responseSchema"), dict):
                schema = json_schema(as_object(config["responseSchema"]))
            if not isinstance(schema, dict):
                return {"type": "json_object"}
            return {"type": "json_schema", "schema": cast("Json", schema)}
        case _:
            return None
