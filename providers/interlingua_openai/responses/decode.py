"""From the Responses API's JSON to a Response."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from interlingua.errors import DecodeError, MessageError
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.message import Message, Origin
from interlingua.parts import (
    Opaque,
    Part,
    Reasoning,
    Refusal,
    ServerToolCall,
    Text,
    ToolCall,
    read_arguments,
)
from interlingua.response import FinishReason, Response, Usage
from interlingua.wire import Json, as_count, as_list, as_object, as_text, kept, objects, rest_of
from interlingua_openai.errors import judge
from interlingua_openai.responses.media import file_part, image_part
from interlingua_openai.responses.names import API, CUSTOM, tool_name

FINISH: dict[str, FinishReason] = {
    "completed": "stop",
    "max_output_tokens": "length",
    "max_messages": "length",
    "content_filter": "content_filter",
    "steered": "pause",
    "queued": "pause",
    "in_progress": "pause",
    "failed": "error",
}
"""By `incomplete_details.reason`, else by `status`."""

RUN_BY_CALLERS = (
    "computer_call",
    "local_shell_call",
    "shell_call",
    "apply_patch_call",
    "tool_search_call",
    "mcp_approval_request",
)
"""Items that ask the caller for something, besides calls of its own tools."""

SERVER_TOOLS: dict[str, str] = {
    "web_search_call": "web_search",
    "file_search_call": "file_search",
    "code_interpreter_call": "code_interpreter",
    "image_generation_call": "image_generation",
    "mcp_call": "mcp",
}
"""Tools that the vendor runs, by the items that tell of it."""


def decode(body: Json) -> Response:
    """The answer that a response is. Raises `ProviderError` for one that failed."""
    output = body.get("output")
    if output is None and body.get("error"):
        raise judge(200, {}, body)
    if not isinstance(output, list | tuple) and (output or body.get("object") != "response"):
        raise DecodeError("no list of output items", api=API, path="output")
    response = _response(FrozenDict(body))
    if body.get("status") == "failed" and body.get("error"):
        error = judge(200, {}, body)
        error.response = response
        raise error
    return response


def _response(body: FrozenDict) -> Response:
    given = as_object(body)
    model = as_text(body.get("model"))
    message = Message(
        "assistant",
        [part for item in objects(body.get("output")) for part in parts(item)],
        created_at=_time(body.get("created_at")),
        origin=Origin("openai", API, model),
    )
    reason, word = _finish(given, message)
    return Response(
        message,
        reason,
        word,
        usage=usage(given),
        model=model,
        id=as_text(body.get("id")),
        provider="openai",
        api=API,
        raw=body,
    )


def _time(value: object) -> datetime | None:
    """A time in seconds; some hosts send them with a fraction."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 2**36:
        return None
    return datetime.fromtimestamp(int(value), UTC)


def _finish(body: Json, message: Message) -> tuple[FinishReason, str | None]:
    word = as_text(as_object(body.get("incomplete_details")).get("reason"))
    word = word or as_text(body.get("status"))
    reason = FINISH.get(word or "", "other")
    if reason == "stop":
        if message.has_tool_calls or _waits(objects(body.get("output"))):
            reason = "tool_calls"
        elif any(isinstance(part, Refusal) for part in message.content):
            reason = "refusal"
    return reason, word


def _waits(items: list[Json]) -> bool:
    """Whether the caller is asked to run something that is no tool of its own."""
    outputs = (item for item in items if str(item.get("type")).endswith("_output"))
    answered = [item.get("call_id") for item in outputs]
    return any(
        item.get("type") in RUN_BY_CALLERS
        and item.get("execution") != "server"
        and as_object(item.get("environment")).get("type") != "container_reference"
        and item.get("call_id") not in answered
        for item in items
    )


# -- items


def parts(item: Json) -> list[Part]:
    """An item's parts: several for a message, one for any other."""
    kind = as_text(item.get("type")) or ("message" if "role" in item else "item_reference")
    read = READERS.get(kind)
    try:
        made = read(item) if read else []
    except MessageError:
        made = []
    return made or [Opaque(kind, FrozenDict(item))]


def _message(item: Json) -> list[Part]:
    """Text and refusals; what the item says of all of them is kept on each."""
    content = item.get("content")
    if isinstance(content, str):
        content = [{"type": "output_text", "text": content}]
    blocks = objects(content)
    if item.get("role", "assistant") != "assistant" or len(blocks) != len(as_list(content)):
        return []
    about = rest_of(item, "type", "role", "content")
    if "role" not in item:
        about["role"] = None
    return [_said(given, about, number) for number, given in enumerate(blocks)]


def _said(given: Json, about: Json, number: int) -> Part:
    part = block(given, "output_text")
    place: Json = {}
    if about or not isinstance(part, Text | Refusal):
        place["item"] = about
    if number:
        place["continues"] = True
    if not place:
        return part
    return part.replace(extras=kept(API, {**part.extras.get(API, EMPTY), **place}))


def _reasoning(item: Json) -> list[Part]:
    seal = item.get("encrypted_content")
    if seal is not None and not isinstance(seal, str):
        return []
    summary, text = _texts(item.get("summary")), "\n\n".join(_texts(item.get("content")))
    rest = rest_of(item, "type", "encrypted_content", "summary", "content")
    for key, spelt in (("summary", summaries(summary)), ("content", thoughts(text))):
        given, held = item.get(key), list(as_list(item.get(key)))
        if given and (not held or held != spelt):
            rest[key] = given
    return [Reasoning(text, seal, summary=summary, extras=kept(API, rest))]


def _texts(given: object) -> tuple[str, ...]:
    return tuple(text for one in objects(given) if (text := as_text(one.get("text"))) is not None)


def summaries(texts: Iterable[str]) -> list[Json]:
    """A reasoning item's summary as the API spells it."""
    return [{"type": "summary_text", "text": text} for text in texts]


def thoughts(text: str) -> list[Json]:
    """A reasoning item's content as the API spells it."""
    return [{"type": "reasoning_text", "text": text}] if text else []


def _function_call(item: Json) -> list[Part]:
    call_id, name = as_text(item.get("call_id")), as_text(item.get("name"))
    given = item.get("arguments")
    if not call_id or not name:
        return []
    rest = rest_of(item, "type", "call_id", *plain_name(name), "arguments")
    if given is None or isinstance(given, str):
        arguments = read_arguments(given or "") or EMPTY
        return [ToolCall(call_id, name, arguments, given, extras=kept(API, rest))]
    # Some hosts send an object where the API says text.
    rest["arguments"] = given
    return [ToolCall(call_id, name, as_object(given), extras=kept(API, rest))]


def plain_name(name: str) -> tuple[str, ...]:
    """The name's key; none for a name that the encoder would change, which is kept as it came."""
    return ("name",) if tool_name(name) == name else ()


def _custom_call(item: Json) -> list[Part]:
    call_id, name = as_text(item.get("call_id")), as_text(item.get("name"))
    given = as_text(item.get("input"))
    if not call_id or not name or given is None:
        return []
    rest = rest_of(item, "call_id", *plain_name(name), "input")
    return [ToolCall(call_id, name, EMPTY, given, extras=kept(API, rest))]


def _server_tool(item: Json) -> list[Part]:
    """The call, with its outcome among the leftovers: it lies in the same item."""
    kind = item["type"]
    name = SERVER_TOOLS[kind]
    rest = rest_of(item, "id")
    arguments: Json = {}
    match kind:
        case "web_search_call":
            arguments = as_object(rest.get("action"))
            if arguments:
                del rest["action"]
        case "file_search_call":
            arguments = {"queries": rest.pop("queries")} if "queries" in rest else {}
        case "code_interpreter_call":
            arguments = {"code": rest.pop("code")} if "code" in rest else {}
        case "mcp_call":
            name = as_text(item.get("name")) or name
            arguments = as_object(read_arguments(as_text(item.get("arguments")) or ""))
        case _:
            pass
    known = as_text(item.get("id"))
    if known is None:
        rest["id"] = item.get("id")
    return [ServerToolCall(known or "", name, FrozenDict(arguments), extras=kept(API, rest))]


READERS: dict[str, Callable[[Json], list[Part]]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _function_call,
    CUSTOM: _custom_call,
    **dict.fromkeys(SERVER_TOOLS, _server_tool),
}


# -- blocks


def block(given: Json, text_type: str) -> Part:
    """A block of content; `text_type` is what text is called where it stands."""
    kind = as_text(given.get("type")) or ""
    try:
        match kind:
            case "input_text" | "output_text" | "text":
                made = _text(given, text_type)
            case "refusal" if isinstance(given.get("refusal"), str):
                rest = rest_of(given, "type", "refusal")
                made = Refusal(given["refusal"], extras=kept(API, rest))
            case "input_image":
                made = image_part(given)
            case "input_file":
                made = file_part(given)
            case _:
                made = None
    except MessageError:
        made = None
    return made or Opaque(kind, FrozenDict(given))


def _text(given: Json, text_type: str) -> Text | None:
    text = as_text(given.get("text"))
    if text is None:
        return None
    rest = rest_of(given, "text", "annotations", "type")
    if given["type"] != text_type:
        rest["type"] = given["type"]
    if not rest.get("logprobs", True):
        del rest["logprobs"]
    notes = given.get("annotations")
    cited = objects(notes)
    if notes and (not cited or len(cited) != len(as_list(notes))):
        rest["annotations"] = notes
        cited = []
    return Text(text, tuple(map(FrozenDict, cited)), extras=kept(API, rest))


# -- tokens


def usage(body: Json) -> Usage:
    """The tokens of a response; what its tools used is among the details."""
    given = as_object(body.get("usage"))
    before = as_object(given.get("input_tokens_details"))
    after = as_object(given.get("output_tokens_details"))
    details = rest_of(
        given,
        *("input_tokens", "output_tokens", "total_tokens"),
        *("input_tokens_details", "output_tokens_details"),
    )
    if spare := rest_of(before, "cached_tokens", "cache_write_tokens"):
        details["input_tokens_details"] = spare
    if spare := rest_of(after, "reasoning_tokens"):
        details["output_tokens_details"] = spare
    if used := body.get("tool_usage"):
        details["tool_usage"] = used
    return Usage(
        as_count(given.get("input_tokens")),
        as_count(given.get("output_tokens")),
        as_count(before.get("cached_tokens")),
        as_count(before.get("cache_write_tokens")),
        as_count(after.get("reasoning_tokens")),
        FrozenDict(details),
    )
