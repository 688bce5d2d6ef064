"""Request: the one value that encoders read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from interlingua import fields
from interlingua.fields import Rule
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.message import Message
from interlingua.tools import ServerTool, Tool, ToolChoice, choice_from, tool_from
from interlingua.value import Value

REASONING = ("effort", "budget_tokens", "summary")
CACHE = ("key", "ttl", "name")
FORMAT = ("type", "name", "schema", "strict", "description")

UNSET: tuple[Any, ...] = (None, (), EMPTY)
NOTHING: dict[str, Any] = {"stop": (), "metadata": EMPTY}
"""What a setting is that is not set; None for all others."""


class Request(Value, frozen=True, omit_defaults=True):
    """What is asked of a model: a conversation, tools and settings; None is the vendor's default.

    `extras[api]` holds parameters of one API in its own words. They are merged last and win; there
    None leaves a parameter out that the encoder would have written.
    Raises `MessageError`, with every problem.
    """

    model: str
    messages: tuple[Message, ...] = ()
    tools: tuple[Tool | ServerTool, ...] = ()
    tool_choice: ToolChoice | None = None
    parallel_tool_calls: bool | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None
    reasoning: FrozenDict | None = None
    """`effort` (the vendor's word), `budget_tokens`, `summary`; a bare word is the effort."""
    response_format: FrozenDict | None = None
    """`{"type": "json_object"}`, or `{"type": "json_schema", "schema": …, "name": …}`."""
    stream: bool = False
    user: str | None = None
    """The end user's id, for the vendor's abuse checks."""
    metadata: FrozenDict = EMPTY
    cache: FrozenDict | None = None
    """`key` (OpenAI's routing key), `ttl` (Anthropic's breakpoint), `name` (Gemini's resource)."""
    extras: FrozenDict = EMPTY

    rules: ClassVar[dict[str, Rule]] = {
        "model": fields.string,
        "messages": fields.each(Message.coerce, Message),
        "tools": fields.each(tool_from, Tool, ServerTool),
        "tool_choice": fields.optional(choice_from),
        "parallel_tool_calls": fields.optional(fields.flag),
        "max_tokens": fields.optional(fields.count),
        "temperature": fields.optional(fields.number),
        "top_p": fields.optional(fields.number),
        "top_k": fields.optional(fields.number),
        "stop": lambda value: _stops(value),
        "seed": fields.optional(fields.integer),
        "reasoning": fields.optional(lambda value: _reasoning(value)),
        "response_format": fields.optional(lambda value: _response_format(value)),
        "stream": fields.flag,
        "user": fields.optional(fields.string),
        "metadata": fields.json_object,
        "cache": fields.optional(lambda value: _known(value, CACHE)),
        "extras": fields.extras,
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            model: str,
            messages: Iterable[Message | Mapping[str, Any] | str] = (),
            tools: Iterable[object] = (),
            tool_choice: ToolChoice | Mapping[str, Any] | str | None = None,
            parallel_tool_calls: bool | None = None,
            max_tokens: int | None = None,
            temperature: float | None = None,
            top_p: float | None = None,
            top_k: float | None = None,
            stop: str | Iterable[str] = (),
            seed: int | None = None,
            reasoning: Mapping[str, Any] | str | None = None,
            response_format: Mapping[str, Any] | str | None = None,
            stream: bool = False,
            user: str | None = None,
            metadata: Mapping[str, Any] = EMPTY,
            cache: Mapping[str, Any] | None = None,
            extras: Mapping[str, Any] = EMPTY,
        ) -> None: ...


def taken(request: Request, setting: str, changed: dict[str, Any]) -> Any:
    """A setting's value, such as that of `reasoning.effort`, taken out of what is to be changed.

    None when it is not set.
    """
    name, _, inner = setting.partition(".")
    value = changed.get(name, getattr(request, name))
    if value in UNSET or (inner and inner not in value):
        return None
    if not inner:
        changed[name] = NOTHING.get(name)
        return value
    changed[name] = FrozenDict({key: item for key, item in value.items() if key != inner})
    return value[inner]


def _stops(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else fields.each(fields.string)(value)


def _known(value: Any, names: tuple[str, ...]) -> FrozenDict:
    held = fields.json_object(value)
    for name in held:
        if name not in names:
            raise fields.wrong(f"one of {', '.join(names)}", name)
    return held


def _reasoning(value: Any) -> FrozenDict:
    return FrozenDict({"effort": value}) if isinstance(value, str) else _known(value, REASONING)


def _response_format(value: Any) -> FrozenDict:
    """`"json"`, our own mapping, or a bare JSON Schema."""
    if value in ("json", "json_object"):
        return FrozenDict({"type": "json_object"})
    held = fields.json_object(value)
    if held.get("type") in ("json_object", "json_schema", "text") or "schema" in held:
        return _known(FrozenDict({"type": "json_schema"}) | held, FORMAT)
    return FrozenDict({"type": "json_schema", "schema": held})
