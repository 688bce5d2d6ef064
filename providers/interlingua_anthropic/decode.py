"""From the Messages API's JSON to a Response."""

from __future__ import annotations

from interlingua.errors import DecodeError, MessageError
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.message import Message, Origin
from interlingua.parts import (
    Opaque,
    Part,
    Reasoning,
    ServerToolCall,
    ServerToolResult,
    Text,
    ToolCall,
)
from interlingua.response import FinishReason, Response, Usage
from interlingua.wire import (
    Json,
    as_count,
    as_list,
    as_object,
    as_text,
    kept,
    objects,
    rest_of,
    total,
)
from interlingua_anthropic.errors import judge
from interlingua_anthropic.media import read_document, read_image
from interlingua_anthropic.names import API, tool_name

FINISH: dict[str, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "refusal",
    "pause_turn": "pause",
    "compaction": "pause",
}

RESULT = "_tool_result"
"""How the types of what the vendor's own tools gave end."""


def decode(body: Json) -> Response:
    """The answer that a message is. Raises `ProviderError` for an error in its clothes."""
    if body.get("type") == "error":
        raise judge(200, {}, body)
    if not isinstance(body.get("content", ""), list | None):
        raise DecodeError("no list of content blocks", api=API, path="content")
    model = as_text(body.get("model"))
    word = as_text(body.get("stop_reason"))
    parts = tuple(part(block) for block in objects(body["content"]))
    return Response(
        Message("assistant", parts, origin=Origin("anthropic", API, model)),
        FINISH.get(word or "", "other"),
        word,
        usage=usage(as_object(body.get("usage"))),
        model=model,
        id=as_text(body.get("id")),
        provider="anthropic",
        api=API,
        raw=FrozenDict(body),
    )


def part(block: Json) -> Part:
    """Takes the keys it knows; the rest is kept as `extras`, and goes back."""
    try:
        known = _known(block)
    except MessageError:
        known = None
    return known or opaque(block)


def opaque(block: Json) -> Opaque:
    """A block of a kind or shape that is newer than this file."""
    return Opaque(as_text(block.get("type")) or "", FrozenDict(block))


def _known(block: Json) -> Part | None:
    match block:
        case {"type": "text", "text": str(text)}:
            return _text(text, block)
        case {"type": "thinking", "thinking": str(text)}:
            return _thinking(text, block)
        case {"type": "redacted_thinking", "data": str(data)}:
            return Reasoning(redacted=data, extras=kept(API, rest_of(block, "type", "data")))
        case {"type": "tool_use", "id": str(id), "name": str(name)}:
            return _tool_use(id, name, block)
        case {"type": "server_tool_use", "id": str(id), "name": str(name)}:
            return _server_tool_use(id, name, block, rest_of(block, "type", "id", "name", "input"))
        case {"type": "mcp_tool_use", "id": str(id), "name": str(name)}:
            return _server_tool_use(id, name, block, rest_of(block, "id", "name", "input"))
        case {"type": str(kind), "tool_use_id": str(id), "content": _} if kind.endswith(RESULT):
            return _server_tool_result(id, kind.removesuffix(RESULT), block)
        case {"type": "image"}:
            return read_image(block)
        case {"type": "document"}:
            return read_document(block)
        case _:
            return None


def _text(text: str, block: Json) -> Text:
    given = block.get("citations")
    cited = objects(given)
    if len(cited) < len(as_list(given)) or not isinstance(given, list | None):
        return Text(text, extras=kept(API, rest_of(block, "type", "text")))
    citations = tuple(map(FrozenDict, cited))
    return Text(text, citations, extras=kept(API, rest_of(block, "type", "text", "citations")))


def _thinking(text: str, block: Json) -> Reasoning | None:
    seal = block.get("signature")
    if not isinstance(seal, str | None):
        return None
    return Reasoning(text, seal, extras=kept(API, rest_of(block, "type", "thinking", "signature")))


def _tool_use(id: str, name: str, block: Json) -> ToolCall | None:
    if not isinstance(block.get("input"), dict | str | None):
        return None
    # A name that the encoder would change is kept as it came.
    plain = ("name",) if tool_name(name) == name else ()
    rest = rest_of(block, "type", "id", *plain, "input")
    return ToolCall(id, name, block.get("input"), extras=kept(API, rest))


def _server_tool_use(id: str, name: str, block: Json, rest: Json) -> ServerToolCall | None:
    if not isinstance(block.get("input"), dict):
        return None
    return ServerToolCall(id, name, FrozenDict(block["input"]), extras=kept(API, rest))


def _server_tool_result(id: str, name: str, block: Json) -> ServerToolResult:
    content = block["content"]
    failed = block.get("is_error") is True or "error_code" in as_object(content)
    rest = rest_of(block, "type", "tool_use_id", "content")
    return ServerToolResult(id, name, content, failed, extras=kept(API, rest))


def usage(given: Json) -> Usage:
    """The tokens. The API counts what the cache read and wrote beside the input."""
    read = as_count(given.get("cache_read_input_tokens"))
    written = as_count(given.get("cache_creation_input_tokens"))
    after = as_object(given.get("output_tokens_details"))
    details = rest_of(
        given,
        *("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"),
        *("output_tokens", "output_tokens_details"),
    )
    if spare := rest_of(after, "thinking_tokens"):
        details["output_tokens_details"] = spare
    return Usage(
        total(as_count(given.get("input_tokens")), read, written),
        as_count(given.get("output_tokens")),
        read,
        written,
        as_count(after.get("thinking_tokens")),
        FrozenDict(details) or EMPTY,
    )
