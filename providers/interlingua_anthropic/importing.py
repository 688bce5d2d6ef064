"""From a Messages request to a Request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from interlingua.errors import DecodeError
from interlingua.fields import wrong
from interlingua.frozen import FrozenDict, freeze
from interlingua.loss import At
from interlingua.message import HOLDS, Message, Origin, Role
from interlingua.parts import Part, Text, ToolResult
from interlingua.request import Request
from interlingua.tools import ServerTool, Tool
from interlingua.wire import Json, as_count, as_list, as_object, as_text, kept, objects, rest_of
from interlingua_anthropic.decode import opaque, part
from interlingua_anthropic.names import API, tool_name
from interlingua_anthropic.settings import REMOVED, settings

SAYS_NOTHING_WHEN_EMPTY = ("stream", "stop_sequences", "metadata")
CHOICES = {"auto": "auto", "none": "none", "any": "required"}


def decode_request(body: Json) -> Request:
    """The request that a Messages body is. What has no home here is kept in `extras`."""
    model = as_text(body.get("model")) or ""
    origin = Origin("anthropic", API, model or None)
    request = Request(
        model,
        [*_system(body, origin), *_messages(body, origin)],
        [_tool(one) for one in objects(body.get("tools"))],
        **_settings(body),
    )
    made, _ = settings(request, At("", []))
    made.pop("tools", None)
    wanted = rest_of(body, "model", "system", "messages", "tools")
    for key in SAYS_NOTHING_WHEN_EMPTY:
        if not wanted.get(key):
            wanted.pop(key, None)
    return request.replace(extras=kept(API, difference(made, wanted)))


def difference(made: Mapping[str, Any], wanted: Mapping[str, Any]) -> Json:
    """What `merged` has to lay over `made` to give `wanted`."""
    over: Json = {key: None for key in made if wanted.get(key) is None}
    for key, item in wanted.items():
        present = made.get(key)
        if item is None or freeze(present) == freeze(item):
            continue
        if isinstance(item, dict) and isinstance(present, dict):
            over[key] = difference(cast("Json", present), cast("Json", item))
        else:
            over[key] = item
    return over


# -- messages


def _system(body: Json, origin: Origin) -> list[Message]:
    parts = _parts(body.get("system"), "system", "system")
    return [Message("system", parts, origin=origin)] if parts else []


def _messages(body: Json, origin: Origin) -> list[Message]:
    if not isinstance(body.get("messages"), list):
        raise DecodeError("no list of messages", api=API, path="messages")
    messages: list[Message] = []
    for index, turn in enumerate(as_list(body["messages"])):
        messages += _turn(as_object(turn), origin, f"messages[{index}]")
    return messages


def _turn(given: Json, origin: Origin, path: str) -> list[Message]:
    """The messages that a turn is: what tools gave stands in one of its own."""
    rest = rest_of(given, "role", "content")
    match given.get("role"):
        case "assistant":
            parts = _parts(given.get("content"), "assistant", f"{path}.content")
            return [Message("assistant", parts, origin=origin, extras=kept(API, rest))]
        case "system":
            parts = _parts(given.get("content"), "system", f"{path}.content")
            extras = kept(API, {"role": "system", **rest})
            return [Message("system", parts, origin=origin, extras=extras)]
        case "user":
            parts = _parts(given.get("content"), "user", f"{path}.content")
            return _user(parts, origin, kept(API, rest))
        case role:
            raise wrong("one of user, assistant, system", role).under(f"{path}.role")


def _user(parts: list[Part], origin: Origin, extras: FrozenDict) -> list[Message]:
    results = [one for one in parts if isinstance(one, ToolResult)]
    said = [one for one in parts if not isinstance(one, ToolResult)]
    if not results:
        return [Message("user", said, origin=origin, extras=extras)]
    messages = [Message("tool", results, origin=origin, extras=extras)]
    return [*messages, Message("user", said, origin=origin)] if said else messages


def _parts(content: object, role: Role, path: str) -> list[Part]:
    if isinstance(content, str):
        return [Text(content)]
    if content is not None and not isinstance(content, list):
        raise wrong("text or a list of blocks", content).under(path)
    return [_part(one, role) for one in objects(cast("object", content))]


def _part(block: Json, role: Role) -> Part:
    """The part that a block of a request is; one that cannot stand in the role is kept whole."""
    if block.get("type") == "tool_result" and role == "user":
        return _tool_result(block) or opaque(block)
    made = part(block)
    return made if type(made) in HOLDS[role] else opaque(block)


def _tool_result(block: Json) -> ToolResult | None:
    id = as_text(block.get("tool_use_id"))
    if not id or not isinstance(block.get("content"), str | list | None):
        return None
    rest = rest_of(block, "type", "tool_use_id", "content", "is_error")
    parts = _parts(block.get("content") or None, "user", "content")
    failed = block.get("is_error") is True
    return ToolResult(id, tuple(parts), is_error=failed, extras=kept(API, rest))


# -- tools and settings


def _tool(given: Json) -> Tool | ServerTool:
    match given:
        case {"name": str(name), "input_schema": dict()} if name and _is_custom(given):
            return _custom(name, as_object(given["input_schema"]), given)
        case _:
            return ServerTool(API, as_text(given.get("type")) or "", rest_of(given, "type"))


def _is_custom(given: Json) -> bool:
    return given.get("type") in (None, "custom")


def _custom(name: str, schema: Json, given: Json) -> Tool:
    strict = given.get("strict")
    rest = rest_of(given, "type", "name", "input_schema", "description", "strict")
    if not isinstance(given.get("description"), str | None):
        rest["description"] = given["description"]
    if tool_name(name) != name:
        rest["name"] = name
    if not schema:
        rest["input_schema"] = {"type": None, "properties": None}
    elif "type" not in schema:
        rest["input_schema"] = {"type": None}
    return Tool(
        name,
        as_text(given.get("description")),
        schema,
        strict if isinstance(strict, bool) else None,
        kept(API, rest),
    )


def _settings(body: Json) -> dict[str, Any]:
    """What our own fields say of the settings."""
    given: dict[str, Any] = {name: _number(body.get(name)) for name in REMOVED}
    most = as_count(body.get("max_tokens"))
    given["max_tokens"] = most if most is not None and most >= 0 else None
    given["stream"] = body.get("stream") is True
    given["stop"] = [one for one in as_list(body.get("stop_sequences")) if isinstance(one, str)]
    given["user"] = as_text(as_object(body.get("metadata")).get("user_id"))
    given["reasoning"] = _reasoning(body)
    given["response_format"] = _response_format(body)
    choice = as_object(body.get("tool_choice"))
    given["tool_choice"] = _tool_choice(choice)
    one_by_one = choice.get("disable_parallel_tool_use")
    given["parallel_tool_calls"] = not one_by_one if isinstance(one_by_one, bool) else None
    lifetime = as_text(as_object(body.get("cache_control")).get("ttl"))
    given["cache"] = {"ttl": lifetime} if lifetime else None
    return given


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _tool_choice(given: Json) -> Any:
    name = as_text(given.get("name"))
    if given.get("type") == "tool":
        return {"name": name} if name else None
    return CHOICES.get(as_text(given.get("type")) or "")


def _reasoning(body: Json) -> Json | None:
    thinking = as_object(body.get("thinking"))
    effort = as_text(as_object(body.get("output_config")).get("effort"))
    found: Json = {"effort": effort} if effort else {}
    match thinking:
        case {"type": "enabled", "budget_tokens": int(budget)}:
            found["budget_tokens"] = budget
        case {"type": "disabled"} if not effort:
            found["effort"] = "none"
        case _:
            pass
    if found and (display := as_text(thinking.get("display"))):
        found["summary"] = display
    return found or None


def _response_format(body: Json) -> Json | None:
    """The format, in today's place or in the one it had first."""
    today = as_object(as_object(body.get("output_config")).get("format"))
    given = today or as_object(body.get("output_format"))
    schema = given.get("schema")
    if given.get("type") != "json_schema" or not isinstance(schema, dict):
        return None
    return {"type": "json_schema", "schema": schema}
