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
from interlingua.tools import ServerTool, Tool
from interlingua.wire import Json, as_list, as_object, as_text, kept, objects, rest_of
from interlingua_openai.chat.decode import assistant, derived_id
from interlingua_openai.chat.names import API

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
    if not isinstance(given, list):
        raise DecodeError("no list of messages", api=API, path="messages")
    messages: list[Message] = []
    for index, item in enumerate(as_list(given)):
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
            return Message("assistant", parts, name=name, origin=origin, extras=kept(API, rest))
        case "tool" | "function":
            return Message("tool", _result(given, index, before), origin=origin)
        case "system" | "developer" | "user" as role:
            rest = rest_of(given, "role", "content", "name")
            content = _content(given, rest)
            return Message(role, content, name=name, origin=origin, extras=kept(API, rest))
        case role:
            raise MessageError.of(f"expected one of {', '.join(ROLES)}, got {role!r}", "role")


def _content(given: Json, rest: Json) -> list[Part]:
    match given.get("content"):
        case str(text):
            return [Text(text)]
        case list() as blocks:
            return [_block(one) for one in objects(blocks)]
        case None:
            return []
        case other:
            rest["content"] = other
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
    if more := rest_of(inner, "url", "detail"):
        rest["image_url"] = more
    made = Image(url, detail=detail)
    if made.data is not None and _spelt(made.data, made.media_type) != url:
        rest["image_url"] = {**rest.get("image_url", {}), "url": url}
    return made.replace(extras=kept(API, rest))


def _audio(data: str, kind: str, given: Json) -> Part | None:
    held = _bytes(data)
    inner = given["input_audio"]
    if held is None or kind not in ("wav", "mp3") or rest_of(inner, "data", "format"):
        return None
    media_type = "audio/wav" if kind == "wav" else "audio/mpeg"
    return Audio(data=held, media_type=media_type, extras=kept(API, rest_of(given, "type", "input_audio")))


def _file(given: Json) -> Part | None:
    inner = given["file"]
    name, file_id, data = (as_text(inner.get(key)) for key in ("filename", "file_id", "file_data"))
    rest = rest_of(given, "type", "file")
    if more := rest_of(inner, "filename", "file_id", "file_data"):
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
        rest["tool_call_id"] = None
        call_id = _call_without_id(name, before) or derived_id(f"messages/{index}", 0)
    return ToolResult(call_id, tuple(content), name, extras=kept(API, rest))


def _call_without_id(name: str | None, before: list[Message]) -> str | None:
    """The id of the call that a result without one answers: the last of that name."""
    calls = [call for message in before for call in message.tool_calls]
    return next((call.id for call in reversed(calls) if name in (None, call.name)), None)


# -- settings


def _tools(rest: Json) -> list[Tool | ServerTool]:
    return [_tool(one) for one in objects(rest.pop("tools", None))]


def _tool(given: Json) -> Tool | ServerTool:
    match given.get("function"):
        case {"name": str(name)} as inner if name and given.get("type", "function") == "function":
            extras = rest_of(given, "type", "function")
            if more := rest_of(inner, "name", "description", "parameters", "strict"):
                extras["function"] = more
            parameters = inner.get("parameters")
            if not parameters:
                extras.setdefault("function", {})["parameters"] = parameters
            return Tool(
                name,
                as_text(inner.get("description")),
                as_object(parameters),
                inner.get("strict") if isinstance(inner.get("strict"), bool) else None,
                kept(API, extras),
            )
        case _:
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
    if isinstance(stop, str) or (isinstance(stop, list) and all(isinstance(one, str) for one in as_list(stop))):
        given["stop"] = rest.pop("stop")


def _reasoning(rest: Json, given: dict[str, Any]) -> None:
    if isinstance(rest.get("reasoning_effort"), str):
        given["reasoning"] = {"effort": rest.pop("reasoning_effort")}


def _response_format(rest: Json, given: dict[str, Any]) -> None:
    match rest.get("response_format"):
        case {"type": "json_object" | "text" as kind, **more} if not more:
            given["response_format"] = {"type": kind}
        case {"type": "json_schema", "json_schema": {"schema": dict(), "name": str()} as inner, **more} if (
            not more and inner.keys() <= {"schema", "name", "strict", "description"}
        ):
            given["response_format"] = {"type": "json_schema", **inner}
        case _:
            return
    del rest["response_format"]


def _tool_choice(rest: Json, given: dict[str, Any]) -> None:
    match rest.get("tool_choice"):
        case "auto" | "none" | "required" as word:
            given["tool_choice"] = word
        case {"type": "function", "function": {"name": str(name), **inner}, **more} if not inner and not more:
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


