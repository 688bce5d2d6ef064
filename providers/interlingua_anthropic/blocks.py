"""Parts as the Messages API's content blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from interlingua.loss import At
from interlingua.message import Message
from interlingua.parts import (
    Audio,
    Document,
    Image,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    ServerToolCall,
    ServerToolResult,
    Text,
    ToolCall,
    ToolResult,
    Video,
)
from interlingua.wire import Json, merged
from interlingua_anthropic.media import document, image
from interlingua_anthropic.names import API, home, tool_name

if TYPE_CHECKING:
    from anthropic.types import (
        RedactedThinkingBlockParam,
        TextBlockParam,
        ThinkingBlockParam,
        ToolResultBlockParam,
        ToolUseBlockParam,
    )

NOT_SENT = ("file_id",)
"""Fields of a citation that come in answers and are refused in requests."""


def blocks(parts: Iterable[Part], message: Message, at: At) -> list[Json]:
    """The blocks that say what parts of a message say; `at` is their place."""
    made: list[Json] = []
    for at.index, part in enumerate(parts):
        if part.extras:
            at.foreign(part.extras, API)
        said = _block(part, message, at)
        if said is not None:
            made.append(merged(said, part.extras.get(API)) if part.extras else said)
    return made


def _block(part: Part, message: Message, at: At) -> Json | None:
    match part:
        case Text():
            return _text(part, message, at)
        case Image() | Document():
            return _media(part, message, at)
        case Audio() | Video():
            return at.lose("content", f"the Messages API takes no {type(part).__name__.lower()}")
        case Reasoning():
            return _thinking(part, message, at)
        case ToolCall():
            return _tool_use(part, at)
        case ToolResult():
            return _tool_result(part, message, at)
        case Refusal():
            return _refusal(part, at)
        case ServerToolCall() | ServerToolResult():
            return _server_tool(part, message, at)
        case Opaque():
            return _opaque(part, message, at)


def _text(part: Text, message: Message, at: At) -> Json | None:
    if not part.text.strip() and not (part.text and home(message)):
        return None
    made: TextBlockParam = {"type": "text", "text": part.text}
    if not part.citations:
        return cast("Json", made)
    if home(message) and message.role == "assistant":
        made["citations"] = cast("Any", [_citation(one, at) for one in part.citations])
    else:
        at.lose("provenance", "citations go back only in the answer they came in")
    return cast("Json", made)


def _citation(given: Mapping[str, Any], at: At) -> Json:
    if any(given.get(key) is not None for key in NOT_SENT):
        at.lose("provenance", f"a citation's {', '.join(NOT_SENT)} is refused in requests")
    return {key: item for key, item in given.items() if key not in NOT_SENT}


def _media(part: Image | Document, message: Message, at: At) -> Json | None:
    if not home(message) and message.role not in ("user", "tool"):
        return at.lose("content", f"{type(part).__name__} in a message of role {message.role!r}")
    stored = message.origin is None or home(message)
    if isinstance(part, Image):
        return image(part, at, home=home(message), stored=stored)
    return document(part, at, home=home(message), stored=stored)


def _thinking(part: Reasoning, message: Message, at: At) -> Json | None:
    if not home(message):
        return at.lose("provenance", "reasoning of another vendor")
    if part.redacted is not None:
        redacted: RedactedThinkingBlockParam = {"type": "redacted_thinking", "data": part.redacted}
        return cast("Json", redacted)
    if not part.signature:
        return at.lose("provenance", "reasoning without the signature that seals it")
    made: ThinkingBlockParam = {
        "type": "thinking",
        "thinking": part.text,
        "signature": part.signature,
    }
    return cast("Json", made)


def _tool_use(part: ToolCall, at: At) -> Json:
    arguments: Json = dict(part.arguments)
    if not part.is_valid:
        at.lose("content", "the arguments are no JSON object; sent as the text they are", "lowered")
        arguments = {"input": part.raw_arguments}
    made: ToolUseBlockParam = {
        "type": "tool_use",
        "id": part.id,
        "name": tool_name(part.name),
        "input": arguments,
    }
    return cast("Json", made)


def _tool_result(part: ToolResult, message: Message, at: At) -> Json:
    made: ToolResultBlockParam = {"type": "tool_result", "tool_use_id": part.tool_call_id}
    content = blocks(part.content, message, at.of("content"))
    if content:
        made["content"] = cast("Any", content)
    if part.is_error:
        made["is_error"] = True
    return cast("Json", made)


def _refusal(part: Refusal, at: At) -> Json | None:
    if not part.text.strip():
        return None
    at.lose("content", "the API has no refusal block; sent as text", "lowered")
    return {"type": "text", "text": part.text}


def _server_tool(part: ServerToolCall | ServerToolResult, message: Message, at: At) -> Json | None:
    if not home(message):
        return at.lose("content", f"{part.name!r} ran at another vendor")
    if isinstance(part, ServerToolCall):
        called = {"id": part.id, "name": part.name, "input": part.arguments}
        return {"type": "server_tool_use", **called}
    kind = f"{part.name}_tool_result"
    return {"type": kind, "tool_use_id": part.tool_call_id, "content": part.content}


def _opaque(part: Opaque, message: Message, at: At) -> Json | None:
    if not home(message):
        return at.lose("content", f"{part.kind!r} is a block of another API")
    return dict(part.payload)
