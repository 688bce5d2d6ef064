"""Requests: what each field takes, and what is wrong with a request."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from interlingua import (
    FrozenDict,
    Message,
    MessageError,
    Problem,
    Request,
    ServerTool,
    Tool,
    ToolCall,
)
from strategies import requests


def weather(city: str) -> str:
    """The weather in a city."""
    return f"Sunny in {city}."


WEATHER = Tool(
    "weather",
    "The weather in a city.",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)

KEPT: list[tuple[str, Any, object]] = [
    ("messages", ["a", Message.assistant("b")], (Message.user("a"), Message.assistant("b"))),
    ("messages", [{"role": "system", "content": "a"}], (Message.system("a"),)),
    ("tools", [weather], (WEATHER,)),
    ("tools", [{"name": "f"}], (Tool("f"),)),
    ("tools", [{"provider": "openai-chat", "type": "x"}], (ServerTool("openai-chat", "x"),)),
    ("tools", None, ()),
    ("tool_choice", "auto", "auto"),
    ("tool_choice", "none", "none"),
    ("tool_choice", "required", "required"),
    ("tool_choice", "weather", FrozenDict(name="weather")),
    ("tool_choice", {"name": "weather"}, FrozenDict(name="weather")),
    ("tool_choice", {"name": "auto"}, FrozenDict(name="auto")),
    ("stop", "END", ("END",)),
    ("stop", ["a", "b"], ("a", "b")),
    ("temperature", 0, 0),
    ("reasoning", "low", FrozenDict(effort="low")),
    ("reasoning", {"budget_tokens": 1024}, FrozenDict(budget_tokens=1024)),
    ("response_format", "json", FrozenDict(type="json_object")),
    ("response_format", "json_object", FrozenDict(type="json_object")),
    (
        "response_format",
        {"type": "object", "properties": {}},
        FrozenDict(type="json_schema", schema={"type": "object", "properties": {}}),
    ),
    (
        "response_format",
        {"schema": {"type": "object"}, "name": "n"},
        FrozenDict(type="json_schema", schema={"type": "object"}, name="n"),
    ),
    ("cache", {"key": "k"}, FrozenDict(key="k")),
    ("metadata", None, FrozenDict()),
    ("extras", {"openai-chat": {"store": True}}, FrozenDict({"openai-chat": {"store": True}})),
]


@pytest.mark.parametrize(("name", "given", "kept"), KEPT)
def test_a_field_takes_its_short_forms(name: str, given: Any, kept: object) -> None:
    held = getattr(Request("m", **{name: given}), name)

    assert held == kept
    assert type(held) is type(kept)


CHOICE = "auto, none, required, a tool's name or {'name': …}"
REFUSED: list[tuple[str, Any, str]] = [
    ("messages", "Hello", "messages: expected a sequence, got str 'Hello'"),
    ("messages", [3], "messages[0].content: expected a sequence, got int 3"),
    ("tools", [3], "tools[0]: expected a Tool, a function or a mapping, got int 3"),
    ("tools", [{"name": ""}], "tools[0].name: is empty"),
    ("tool_choice", 3, f"tool_choice: expected {CHOICE}, got int 3"),
    ("tool_choice", "", "tool_choice: is empty"),
    (
        "tool_choice",
        {"name": "f", "x": 1},
        f"tool_choice: expected {CHOICE}, got dict {{'name': 'f', 'x': 1}}",
    ),
    ("max_tokens", -1, "max_tokens: expected an integer of at least 0, got int -1"),
    ("max_tokens", 1.5, "max_tokens: expected an integer, got float 1.5"),
    ("temperature", "hot", "temperature: expected a finite number, got str 'hot'"),
    ("temperature", float("nan"), "temperature: expected a finite number, got float nan"),
    ("stream", 1, "stream: expected True or False, got int 1"),
    (
        "reasoning",
        {"depth": 3},
        "reasoning: expected one of effort, budget_tokens, summary, got str 'depth'",
    ),
    ("cache", {"where": 1}, "cache: expected one of key, ttl, name, got str 'where'"),
    ("extras", {"openai-chat": 3}, "extras['openai-chat']: expected a mapping, got int 3"),
]


@pytest.mark.parametrize(("name", "given", "said"), REFUSED)
def test_a_field_says_what_it_does_not_take(name: str, given: Any, said: str) -> None:
    with pytest.raises(MessageError) as caught:
        Request("m", **{name: given})

    assert str(caught.value) == f"not a Request: {said}"


def test_all_problems_of_a_request_are_reported_together() -> None:
    value: dict[str, Any] = {
        "messages": [{"role": "nobody", "content": [3]}],
        "max_tokens": -1,
        "speed": "high",
    }

    with pytest.raises(MessageError) as caught:
        Request.from_dict(value)

    assert [problem.path for problem in caught.value.errors] == [
        "speed",
        "model",
        "messages[0].role",
        "messages[0].content[0]",
        "max_tokens",
    ]
    assert caught.value.errors[1] == Problem("model", "is missing")


def test_replace_makes_a_new_request_and_checks_it() -> None:
    request = Request("m", ["a"])

    assert request.replace(model="n") == Request("n", ["a"])
    with pytest.raises(MessageError, match="max_tokens: expected an integer"):
        request.replace(max_tokens="many")


def test_a_request_is_written_with_what_is_set() -> None:
    request = Request("m", [Message.user("a")], [Tool("f")], "required", max_tokens=3, stop="x")

    assert request.to_dict() == {
        "model": "m",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "a"}], "metadata": {}}],
        "tools": [{"name": "f"}],
        "tool_choice": "required",
        "max_tokens": 3,
        "stop": ["x"],
    }


@given(requests)
def test_any_request_is_read_from_its_json(request: Request) -> None:
    assert Request.from_dict(request.to_dict()) == request
    assert Request.from_json(request.to_json()) == request


def test_a_tool_without_parameters_takes_none() -> None:
    assert Tool("f").parameters == {"type": "object", "properties": {}}
    assert Tool("f", parameters=None) == Tool("f", parameters={}) == Tool("f")


def test_a_tool_is_a_value() -> None:
    parameters = {"type": "object", "properties": {"a": {"type": "string"}}}
    tool = Tool("f", "does", parameters, strict=True)

    parameters["properties"] = {}

    assert tool.parameters == {"type": "object", "properties": {"a": {"type": "string"}}}
    assert {tool: 1}[Tool("f", "does", tool.parameters, strict=True)] == 1


def test_calls_are_no_tools() -> None:
    with pytest.raises(MessageError, match="tools\\[0\\]: expected a Tool"):
        Request("m", tools=[ToolCall("c", "f")])
