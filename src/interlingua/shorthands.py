"""Shorter ways to write a message as a mapping: `tool_calls`, `tool_call_id`, OpenAI's shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interlingua import fields
from interlingua.errors import MessageError, Problem
from interlingua.frozen import is_array, is_mapping
from interlingua.parts import ToolCall, ToolResult

ONLY_TOOL = "tool_call_id is only allowed for tool messages; use Message.tool(tool_call_id, result)"
RESULT = ("tool_call_id", "name", "is_error")


def spelt_out(given: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """The mapping with the parts that the shorthands stand for, and what is wrong with them."""
    out: dict[str, Any] = {"content": None, **given}
    problems: list[Problem] = []
    try:
        calls = calls_from(out.pop("tool_calls", None))
        if calls:
            out["content"] = (*listed(out["content"]), *calls)
    except MessageError as error:
        problems += error.under("tool_calls").errors
    if out.get("role") == "tool" and "tool_call_id" in out:
        result = {key: out.pop(key) for key in RESULT if key in out}
        result["content"] = () if out["content"] is None else out["content"]
        out["content"] = ()
        try:
            out["content"] = fields.build(ToolResult, result)
        except MessageError as error:
            problems += error.errors
    elif out.pop("tool_call_id", None) is not None:
        problems.append(Problem("tool_call_id", ONLY_TOOL))
    return out, problems


def listed(content: object) -> tuple[object, ...]:
    """Content as a sequence, whose items are read later."""
    if content is None:
        return ()
    return tuple(content) if is_array(content) else (content,)


def call_from(value: object) -> ToolCall:
    """A call from a part, from `{id, name, arguments or input}`, or from OpenAI's own shape."""
    if isinstance(value, ToolCall):
        return value
    if not is_mapping(value):
        raise fields.wrong("a ToolCall or a mapping", value)
    given = {key: item for key, item in value.items() if key != "type"}
    function = given.pop("function", None)
    if is_mapping(function):
        given |= function
    if "input" in given:
        given["arguments"] = given.pop("input")
    return fields.build(ToolCall, given)


calls_from = fields.each(call_from)
