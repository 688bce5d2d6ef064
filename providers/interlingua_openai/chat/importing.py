"""From a Chat Completions request to a Request."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from interlingua.errors import DecodeError, MessageError
from interlingua.frozen import FrozenDict
from interlingua.message import ROLES, Message, Origin
from interlingua.parts import Audio, Document, Image, Opaque, Part, Text, ToolResult
from interlingua.request import Request
from interlingua.tools import NO_PARAMETERS, ServerTool, Tool
from interlingua.wire import Json, are_objects, as_object, as_text, is_list, kept, rest_of
from interlingua_openai.chat.decode import assistant, derived_id
from interlingua_openai.chat.names import API, LEGACY, tool_name

FILE = ("filename", "file_id", "file_data")

SCHEMA = {"schema", "name", "strict", "description"}
"""What our own response format says of a schema."""

FORMATS = {"wav": "audio/wav", "mp3": "audio/mpeg"}

SAME = ("parallel_tool_calls", "temperature", "top_p", "seed")

RESPELT = (
    ("max_tokens", "max_completion_tokens", "max_tokens"),
    ("user", "safety_identifier", "user"),
)
"""Our name, the API's, and an old spelling that is read too, and written again as it was."""


def decode_request(body: Json) -> Request:
    """The request that a Chat Completions body is. What has no home here is kept in `extras`."""
    rest = dict(body)
    model = as_text(rest.pop("model", None)) or ""
    given: dict[str, Any] = {"model": model}
    given["messages"] = _messages(rest, Origin("openai", API, model or None))
    given["tools"] = _tools(rest)
    for name in SAME:
        if rest.get(name) is not None:
            given[name] = rest.pop(name)
    _renamed(rest, given)
    if isinstance(rest.get("top_k"), int):
        # Compatible hosts take it, the API itself does not: it is sent as an extra.
        given["top_k"] = rest["top_k"]
    _stop(rest, given)
    _reasoning(rest, given)
    _response_format(rest, given)
    _tool_choice(rest, given)
    _stream(rest, given)
    if isinstance(rest.get("metadata"), dict):
        given["metadata"] = rest.pop("metadata")
    if isinstance(rest.get("prompt_cache_key"), str):
        given["cache"] = {"key": rest.pop("prompt_cache_key")}
    return Request(**given, extras=kept(API, rest))


# -- messages


def _messages(rest: Json, origin: Origin) -> list[Message]:
    given = rest.pop("messages", None)
    if not is_list(given):
        raise DecodeError("no list of messages", api=API, path="messages")
    messages: list[Message] = []
    for index, item in enumerate(given):
        try:
            messages.append(_message(as_object(item), origin, index, messages))
        except MessageError as error:
            raise error.under(f"messages[{index}]") from None
    return messages


def _message(given: Json, origin: Origin, index: int, before: list[Message]) -> Message:
    name = as_text(given.get("name"))
    match given.get("role"):
        case "assistant":
            parts, rest = assistant(given, f"messages/{index}")
            _unnamed(rest)
            return Message("assistant", parts, name=name, origin=origin, extras=kept(API, rest))
        case "tool" | "function":
            return Message("tool", _result(given, index, before), origin=origin)
        case "system" | "developer" | "user" as role:
            rest = _unnamed(rest_of(given, "role", "content"))
            content = _content(given, rest)
            return Message(role, content, name=name, origin=origin, extras=kept(API, rest))
        case role:
            raise MessageError.of(f"expected one of {', '.join(ROLES)}, got {role!r}", "role")


def _unnamed(rest: Json) -> Json:
    """The leftovers without the name, which has its place in the message."""
    if isinstance(rest.get("name"), str):
        del rest["name"]
    return rest


def _content(given: Json, rest: Json) -> list[Part]:
    content = given.get("content")
    if isinstance(content, str):
        return [Text(content)]
    if are_objects(content):
        return [_block(one) for one in content]
    if content is not None:
        rest["content"] = content
    return []


def _block(given: Json) -> Part:
    """A block of content that a person or an application wrote."""
    try:
        return _known(given) or Opaque(str(given.get("type")), FrozenDict(given))
    except MessageError:
        return Opaque(str(given.get("type")), FrozenDict(given))


def _known(given: Json) -> Part | None:
    match given:
        case {"type": "text", "text": str(text)}:
            return Text(text, extras=kept(API, rest_of(given, "type", "text")))
        case {"type": "image_url", "image_url": {"url": str(url)} as inner}:
            return _image(url, inner, rest_of(given, "type", "image_url"))
        case {"type": "input_audio", "input_audio": {"data": str(data), "format": str(kind)}}:
            return _audio(data, kind, given)
        case {"type": "file", "file": dict()}:
            return _file(given)
        case _:
            return None


def _image(url: str, inner: Json, rest: Json) -> Part:
    detail = as_text(inner.get("detail"))
    if more := rest_of(inner, "url", *(() if detail is None else ("detail",))):
        rest["image_url"] = more
    made = Image(url, detail=detail)
    if made.data is not None and _spelt(made.data, made.media_type) != url:
        rest["image_url"] = {**rest.get("image_url", {}), "url": url}
    return made.replace(extras=kept(API, rest))


def _audio(data: str, kind: str, given: Json) -> Part | None:
    held = _bytes(data)
    if held is None or kind not in FORMATS or rest_of(given["input_audio"], "data", "format"):
        return None
    rest = rest_of(given, "type", "input_audio")
    return Audio(data=held, media_type=FORMATS[kind], extras=kept(API, rest))


def _file(given: Json) -> Part | None:
    inner = given["file"]
    known = {key: inner[key] for key in FILE if isinstance(inner.get(key), str)}
    name, file_id, data = map(known.get, FILE)
    rest = rest_of(given, "type", "file")
    if more := rest_of(inner, *known):
        rest["file"] = more
    if file_id is not None and data is None:
        return Document(file_id=file_id, name=name, extras=kept(API, rest))
    if data is None or file_id is not None or not data.startswith("data:"):
        return None
    made = Document(data, name=name)
    if made.data is not None and _spelt(made.data, made.media_type) != data:
        rest["file"] = {**rest.get("file", {}), "file_data": data}
    return made.replace(extras=kept(API, rest))


def _bytes(text: str) -> bytes | None:
    """The bytes that a base64 text holds, if it is spelt as we would."""
    try:
        held = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return held if base64.b64encode(held).decode() == text else None


def _spelt(data: bytes, media_type: str | None) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def _result(given: Json, index: int, before: list[Message]) -> ToolResult:
    rest = rest_of(given, "role", "content", "tool_call_id")
    content = _content(given, rest)
    name, call_id = as_text(given.get("name")), as_text(given.get("tool_call_id"))
    if given.get("role") != "tool":
        rest["role"] = given.get("role")
    if not call_id:
        rest["tool_call_id"] = given.get("tool_call_id")
        call_id = _call_without_id(name, before) or derived_id(f"messages/{index}", 0)
    return ToolResult(call_id, tuple(content), name, extras=kept(API, rest))


def _call_without_id(name: str | None, before: list[Message]) -> str | None:
    """The id of the call that a result without one answers: the last of that name."""
    calls = [call for message in before for call in message.tool_calls]
    return next((call.id for call in reversed(calls) if name in (None, call.name)), None)


# -- settings


def _tools(rest: Json) -> list[Tool | ServerTool]:
    made: list[Tool | ServerTool] = []
    given, legacy = rest.get("tools"), rest.get("functions")
    if are_objects(given):
        del rest["tools"]
        made += [_function(one) or _server_tool(one) for one in given]
    if are_objects(legacy):
        old = [_function({"function": one}) for one in legacy]
        if all(old):
            del rest["functions"]
            made += [_as_legacy(one) for one in old if one]
    return made


def _as_legacy(tool: Tool) -> Tool:
    mark = {API: {**tool.extras.get(API, {}), "type": LEGACY}}
    return tool.replace(extras=tool.extras | mark)


def _function(given: Json) -> Tool | None:
    inner = as_object(given.get("function"))
    name = as_text(inner.get("name"))
    if not name or given.get("type", "function") != "function":
        return None
    description = as_text(inner.get("description"))
    parameters = as_object(inner.get("parameters"))
    strict = inner.get("strict") if isinstance(inner.get("strict"), bool) else None
    known = {
        "name": name if tool_name(name) == name else None,
        "description": description,
        "parameters": parameters or None,
        "strict": strict,
    }
    more = rest_of(inner, *(key for key, item in known.items() if item is not None))
    if inner.get("parameters") is None:
        more["parameters"] = None
    elif inner["parameters"] == {}:
        more["parameters"] = dict.fromkeys(NO_PARAMETERS)
    rest = rest_of(given, "type", "function")
    if more:
        rest["function"] = more
    return Tool(name, description, parameters, strict, kept(API, rest))


def _server_tool(given: Json) -> ServerTool:
    config = {key: item for key, item in given.items() if key != "type"}
    return ServerTool(API, str(given.get("type", "")), config)


def _renamed(rest: Json, given: dict[str, Any]) -> None:
    for ours, theirs, old in RESPELT:
        if rest.get(theirs) is not None:
            given[ours] = rest.pop(theirs)
        elif rest.get(old) is not None:
            given[ours] = rest[old]
            rest[theirs] = None


def _stop(rest: Json, given: dict[str, Any]) -> None:
    stop = rest.get("stop")
    words = [stop] if isinstance(stop, str) else stop
    if is_list(words) and all(isinstance(word, str) for word in words):
        given["stop"] = words
        del rest["stop"]


def _reasoning(rest: Json, given: dict[str, Any]) -> None:
    if isinstance(rest.get("reasoning_effort"), str):
        given["reasoning"] = {"effort": rest.pop("reasoning_effort")}


def _response_format(rest: Json, given: dict[str, Any]) -> None:
    match rest.get("response_format"):
        case {"type": "json_object" | "text" as kind, **more} if not more:
            given["response_format"] = {"type": kind}
        case {"type": "json_schema", "json_schema": {"schema": dict(), "name": str()}, **more} if (
            not more and rest["response_format"]["json_schema"].keys() <= SCHEMA
        ):
            inner = rest["response_format"]["json_schema"]
            given["response_format"] = {"type": "json_schema", **inner}
        case _:
            return
    del rest["response_format"]


def _tool_choice(rest: Json, given: dict[str, Any]) -> None:
    match rest.get("tool_choice"):
        case "auto" | "none" | "required" as word:
            given["tool_choice"] = word
        case {"type": "function", "function": {"name": str(name), **inner}, **more} if (
            not inner and not more and name == tool_name(name)
        ):
            given["tool_choice"] = {"name": name}
        case _:
            return
    del rest["tool_choice"]


def _stream(rest: Json, given: dict[str, Any]) -> None:
    if rest.get("stream") is not True:
        return
    given["stream"] = rest.pop("stream")
    if rest.get("stream_options") == {"include_usage": True}:
        del rest["stream_options"]
    elif rest.get("stream_options") is None:
        rest["stream_options"] = None
    else:
        rest["stream_options"] = {"include_usage": None, **as_object(rest["stream_options"])}
