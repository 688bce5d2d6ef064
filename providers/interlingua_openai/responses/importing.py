"""From a Responses request to a Request."""

from __future__ import annotations

from typing import Any, NamedTuple

from interlingua.errors import DecodeError, MessageError
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.message import Message, Origin, Role
from interlingua.parts import Opaque, Part, Text, ToolResult
from interlingua.request import Request
from interlingua.tools import ServerTool, Tool
from interlingua.wire import Json, as_list, as_object, as_text, kept, objects, rest_of
from interlingua_openai.responses.decode import block, parts
from interlingua_openai.responses.names import API, OUTPUTS, WRITTEN_BY_CALLERS, tool_name
from interlingua_openai.responses.settings import REASONING, SAME

FORMAT = ("type", "name", "schema", "strict", "description")


def decode_request(body: Json) -> Request:
    """The request that a Responses body is. What has no home here is kept in `extras`."""
    rest: Json = dict(FrozenDict(body))
    model = rest.pop("model") if isinstance(rest.get("model"), str) else ""
    given: dict[str, Any] = {"model": model}
    given["messages"] = _messages(rest, Origin("openai", API, model or None))
    given["tools"] = _tools(rest)
    for name, theirs in SAME.items():
        if rest.get(theirs) is not None:
            given[name] = rest.pop(theirs)
    _respelt(rest, given)
    _reasoning(rest, given)
    _response_format(rest, given)
    _tool_choice(rest, given)
    _bookkeeping(rest, given)
    return Request(**given, extras=kept(API, rest))


# -- messages


class Read(NamedTuple):
    """What an input item says. Neighbours of one role run together, save messages of their own."""

    role: Role
    content: list[Part]
    extras: FrozenDict = EMPTY
    alone: bool = False


def _messages(rest: Json, origin: Origin) -> list[Message]:
    messages: list[Message] = []
    if told := as_text(rest.get("instructions")):
        messages.append(Message("system", Text(told), origin=origin))
        del rest["instructions"]
    held: list[Read] = []
    for read in _items(rest.pop("input", None), first=not messages):
        last = held[-1] if held else None
        if last is None or read.alone or last.alone or last.role != read.role:
            held.append(read)
        else:
            held[-1] = last._replace(content=[*last.content, *read.content])
    made = (Message(one.role, one.content, origin=origin, extras=one.extras) for one in held)
    return [*messages, *made]


def _items(given: object, first: bool) -> list[Read]:
    match given:
        case None | []:
            return []
        case str():
            return [Read("user", [Text(given)], alone=True)]
        case _:
            items = objects(given)
    if not items or len(items) != len(as_list(given)):
        raise DecodeError("neither text nor a list of items", api=API, path="input")
    read: list[Read] = []
    for index, item in enumerate(items):
        try:
            read.append(_item(item, first and not index))
        except MessageError as error:
            raise error.under(f"input[{index}]") from None
    return read


def _item(item: Json, first: bool) -> Read:
    kind = as_text(item.get("type")) or "message"
    match item.get("role"):
        case "system" | "developer" | "user" as role if kind == "message":
            return _said(item, role, first)
        case _:
            pass
    if kind in OUTPUTS and (result := _result(item)):
        return Read("tool", [result])
    if kind in WRITTEN_BY_CALLERS:
        return Read("user", [Opaque(kind, FrozenDict(item))])
    return Read("assistant", parts(item))


def _said(item: Json, role: Role, first: bool) -> Read:
    rest = rest_of(item, "type", "role", "content")
    if first and role == "system":
        # Or it would come back as `instructions`.
        rest["type"] = "message"
    return Read(role, _content(item, "content", rest), kept(API, rest), alone=True)


def _content(item: Json, key: str, rest: Json) -> list[Part]:
    """The parts under a key; what is no content stays among the leftovers."""
    given = item.get(key)
    blocks = as_list(given)
    if isinstance(given, str):
        return [Text(given)]
    if not blocks or len(objects(blocks)) != len(blocks):
        rest[key] = given
        return []
    return [block(one, "input_text") for one in objects(blocks)]


def _result(item: Json) -> ToolResult | None:
    call_id = as_text(item.get("call_id"))
    if not call_id:
        return None
    rest = rest_of(item, "call_id", "output")
    if rest["type"] == OUTPUTS[0]:
        del rest["type"]
    content = _content(item, "output", rest)
    name = as_text(item.get("name"))
    return ToolResult(call_id, tuple(content), name, extras=kept(API, rest))


# -- settings


def _tools(rest: Json) -> list[Tool | ServerTool]:
    tools = objects(rest.get("tools"))
    if not tools or len(tools) != len(as_list(rest["tools"])):
        return []
    del rest["tools"]
    return [_tool(one) for one in tools]


def _tool(given: Json) -> Tool | ServerTool:
    kind, name = as_text(given.get("type")), as_text(given.get("name"))
    if kind != "function" or not name:
        config = {key: item for key, item in given.items() if key != "type" or not kind}
        return ServerTool(API, kind or "", config)
    description = as_text(given.get("description"))
    known = ("description",) if description is not None else ()
    extras = rest_of(given, "type", "name", *known, "parameters", "strict")
    parameters, strict = given.get("parameters"), given.get("strict")
    if tool_name(name) != name:
        extras["name"] = name
    if not as_object(parameters):
        extras["parameters"] = parameters
    if not isinstance(strict, bool):
        extras["strict"] = strict
    return Tool(
        name,
        description,
        as_object(parameters),
        strict if isinstance(strict, bool) else None,
        kept(API, extras),
    )


def _respelt(rest: Json, given: dict[str, Any]) -> None:
    """`user` is what `safety_identifier` was called before: it is read too, and stays as it was."""
    if "user" not in given and rest.get("user") is not None:
        given["user"] = rest["user"]
        rest["safety_identifier"] = None


def _reasoning(rest: Json, given: dict[str, Any]) -> None:
    held = dict(as_object(rest.get("reasoning")))
    known = {name: held.pop(name) for name, words in REASONING.items() if held.get(name) in words}
    if known:
        given["reasoning"] = known
        _left(rest, "reasoning", held)


def _response_format(rest: Json, given: dict[str, Any]) -> None:
    held = dict(as_object(rest.get("text")))
    match as_object(held.get("format")):
        case {"type": "json_object" | "text" as kind, **more} if not more:
            given["response_format"] = {"type": kind}
        case {"type": "json_schema", "schema": dict(), "name": str(name)} as inner if (
            inner.keys() <= set(FORMAT) and tool_name(name) == name
        ):
            given["response_format"] = inner
        case _:
            return
    del held["format"]
    _left(rest, "text", held)


def _left(rest: Json, key: str, held: Json) -> None:
    """Keep of a group of settings what has no home."""
    left = rest_of(held)
    if left:
        rest[key] = left
    else:
        del rest[key]


def _tool_choice(rest: Json, given: dict[str, Any]) -> None:
    match rest.get("tool_choice"):
        case "auto" | "none" | "required" as word:
            given["tool_choice"] = word
        case {"type": "function", "name": str(name), **more} if (
            name and tool_name(name) == name and not more
        ):
            given["tool_choice"] = {"name": name}
        case _:
            return
    del rest["tool_choice"]


def _bookkeeping(rest: Json, given: dict[str, Any]) -> None:
    if isinstance(rest.get("stream"), bool):
        given["stream"] = rest.pop("stream")
    metadata = as_object(rest.get("metadata"))
    if metadata and all(isinstance(one, str) for one in metadata.values()):
        given["metadata"] = rest.pop("metadata")
    if isinstance(rest.get("prompt_cache_key"), str):
        given["cache"] = {"key": rest.pop("prompt_cache_key")}
