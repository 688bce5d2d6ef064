"""From a Request to the Chat Completions API's JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

import msgspec

from interlingua.codec import Encoded
from interlingua.loss import At, Loss
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
from interlingua.request import Request
from interlingua.turns import Fragment, fragment, link, placed
from interlingua.wire import Json, dump, fit, merged
from interlingua_openai.chat.media import audio, file, image
from interlingua_openai.chat.names import API, tool_name
from interlingua_openai.chat.settings import settings

if TYPE_CHECKING:
    from openai.types.chat import (
        ChatCompletionContentPartTextParam,
        ChatCompletionMessageCustomToolCallParam,
        ChatCompletionMessageFunctionToolCallParam,
        ChatCompletionToolMessageParam,
    )

CALL_ID = re.compile(r"\S+")
ERROR = "Error: "
"""What a failed tool's text starts with, since the API has no flag for it."""


def encode(request: Request) -> Encoded:
    """The request as Chat Completions JSON."""
    losses: list[Loss] = []
    messages = _messages(request, losses)
    body, names = settings(request, At("", losses))
    made = {"model": request.model or None, "messages": msgspec.Raw(messages), **body}
    content = dump(merged(made, request.extras.get(API)))
    return Encoded(API, content, tuple(losses), names)


def call_id(text: str) -> str:
    """The id as the API takes it: at most 40 characters."""
    return fit(text, CALL_ID, 40)


def _messages(request: Request, losses: list[Loss]) -> bytes:
    linked = link(request.messages, API, call_id)
    losses += linked.losses
    items: list[bytes] = []
    after: list[bytes] = []
    for place, message in zip(linked.places, linked.messages, strict=True):
        piece = fragment(message, API, _render)
        if after and message.role != "tool":
            items += after
            after = []
        if piece.first:
            items.append(piece.first)
        if piece.rest:
            after.append(piece.rest)
        if piece.losses:
            losses += placed(piece.losses, place)
    return b"[" + b",".join(items + after) + b"]"


def _render(message: Message) -> Fragment:
    at = At("", [])
    at.foreign(message.extras, API)
    match message.role:
        case "tool":
            results, shown = _tool(message, at)
            return Fragment(_joined(results), _joined(shown), tuple(at.losses))
        case "assistant":
            answers = _assistant(message, at)
            return Fragment(_joined(answers), losses=tuple(at.losses))
        case "system" | "developer" | "user":
            return Fragment(dump(_said(message, at)), losses=tuple(at.losses))


def _joined(items: list[Json]) -> bytes:
    return b",".join(map(dump, items))


def _home(message: Message) -> bool:
    return message.origin is not None and message.origin.api == API


# -- what the system and the user say


def _said(message: Message, at: At) -> Json:
    blocks: list[Json] = []
    for index, part in enumerate(message.content):
        block = _part(part, message, at.of(f"content[{index}]"))
        if block is not None:
            blocks.append(block)
    made: Json = {"role": message.role, "content": _plain(blocks)}
    if message.name:
        made["name"] = message.name
    return merged(made, message.extras.get(API))


def _plain(blocks: list[Json]) -> str | list[Json]:
    """One bare text block as the string it is."""
    if not blocks:
        return ""
    if len(blocks) == 1 and blocks[0].keys() == {"type", "text"}:
        return blocks[0]["text"]
    return blocks


def _part(part: Part, message: Message, at: At) -> Json | None:
    """The block that says what a part says, or None and a loss."""
    at.foreign(part.extras, API)
    made = _block(part, message, at)
    return None if made is None else merged(made, part.extras.get(API))


def _block(part: Part, message: Message, at: At) -> Json | None:
    match part:
        case Text():
            return cast("Json", _text(part))
        case Opaque():
            return _opaque(part, message, at)
        case Image() | Audio() | Video() | Document() if message.role != "user":
            return at.lose("content", f"{type(part).__name__} in a {message.role} message")
        case Image():
            return image(part, at, home=_home(message))
        case Audio():
            return audio(part, at)
        case Video():
            return at.lose("content", "Chat Completions takes no video")
        case Document():
            return file(part, at, home=_home(message))
        case Reasoning() | ToolCall() | ToolResult() | Refusal():
            return at.lose("content", f"{type(part).__name__} in a {message.role} message")
        case ServerToolCall() | ServerToolResult():
            return at.lose("content", f"{type(part).__name__} in a {message.role} message")


def _text(part: Text) -> ChatCompletionContentPartTextParam:
    return {"type": "text", "text": part.text}


def _opaque(part: Opaque, message: Message, at: At) -> Json | None:
    if not _home(message):
        return at.lose("content", f"{part.kind!r} is a block of another API")
    return merged(part.payload, None)


# -- what the model said


def _assistant(message: Message, at: At) -> list[Json]:
    """The message, or none when nothing of it can be said."""
    made: Json = {"role": "assistant"}
    blocks: list[Json] = []
    calls: list[Json] = []
    for index, part in enumerate(message.content):
        here = at.of(f"content[{index}]")
        match part:
            case Text():
                here.foreign(part.extras, API)
                blocks.append(merged(_text(part), part.extras.get(API)))
                _cited(part, message, made, here)
                if calls:
                    here.lose("content", "text after a tool call is moved before it", "merged")
            case ToolCall():
                here.foreign(part.extras, API)
                calls.append(_call(part, message, here))
            case Refusal() if "type" not in part.extras.get(API, {}):
                here.foreign(part.extras, API)
                made["refusal"] = made.get("refusal", "") + part.text
            case Refusal():
                blocks.append({"type": "refusal", "refusal": part.text})
            case Reasoning():
                _reasoning(part, message, made, blocks, here)
            case Audio():
                _spoken(part, message, made, here)
            case Opaque():
                block = _opaque(part, message, here)
                if block is not None:
                    blocks.append(block)
            case Image() | Video() | Document() | ToolResult():
                here.lose("content", f"{type(part).__name__} in an assistant message")
            case ServerToolCall() | ServerToolResult():
                here.foreign(part.extras, API)
                here.lose("content", f"{part.name!r} ran at another vendor")
    if blocks:
        made["content"] = _plain(blocks)
    _called(made, calls)
    if message.name:
        made["name"] = message.name
    return _spoke(merged(made, message.extras.get(API)), message)


def _spoke(made: Json, message: Message) -> list[Json]:
    if made.keys() <= {"role", "name"} and not _home(message) and message.content:
        return []
    return [made if made.keys() & {"tool_calls", "function_call", "audio"} else {"content": "", **made}]


def _cited(part: Text, message: Message, made: Json, at: At) -> None:
    if part.citations and _home(message):
        made["annotations"] = [*made.get("annotations", ()), *part.citations]
    elif part.citations:
        at.lose("provenance", f"{len(part.citations)} citations of another vendor")


def _call(part: ToolCall, message: Message, at: At) -> Json:
    """The call; one that came from here goes back with the very text the model wrote."""
    extras = part.extras.get(API, {})
    name = part.name if _home(message) else tool_name(part.name)
    raw = part.raw_arguments if part.raw_arguments is not None else dump(part.arguments).decode()
    if extras.get("type") == "custom":
        custom: ChatCompletionMessageCustomToolCallParam = {
            "id": part.id,
            "type": "custom",
            "custom": {"name": name, "input": raw},
        }
        return merged(cast("Json", custom), extras)
    call: ChatCompletionMessageFunctionToolCallParam = {
        "id": part.id,
        "type": "function",
        "function": {"name": name, "arguments": raw},
    }
    if not part.is_valid and not _home(message):
        at.lose("content", "the arguments are no JSON object; sent as the text they are", "lowered")
    return merged(cast("Json", call), extras)


def _called(made: Json, calls: list[Json]) -> None:
    """Put the calls where they belong; `function_call` is what the API had before them."""
    legacy = [call for call in calls if call.get("type") == "function_call"]
    if legacy:
        made["function_call"] = legacy[0]["function"]
    elif calls:
        made["tool_calls"] = calls


def _reasoning(part: Reasoning, message: Message, made: Json, blocks: list[Json], at: At) -> None:
    """Reasoning goes back to the compatible host it came from, under the key it came in."""
    extras = part.extras.get(API, {})
    if not _home(message):
        at.foreign(part.extras, API)
        at.lose("provenance", "reasoning of another vendor")
    elif extras.get("type") == "thinking":
        block = {"thinking": [{"type": "text", "text": part.text}]}
        blocks.append(merged(block, extras))
    else:
        made[extras.get("key", "reasoning_content")] = part.text


def _spoken(part: Audio, message: Message, made: Json, at: At) -> None:
    known = part.extras.get(API, {}).get("id")
    if _home(message) and known:
        made["audio"] = {"id": known}
    else:
        at.foreign(part.extras, API)
        at.lose("content", "audio that the model did not speak here")


# -- what tools gave


def _tool(message: Message, at: At) -> tuple[list[Json], list[Json]]:
    """One message per result, and a user message with the media the API does not take in one."""
    results: list[Json] = []
    shown: list[Json] = []
    for index, part in enumerate(message.content):
        if isinstance(part, ToolResult):
            here = at.of(f"content[{index}]")
            results.append(_result(part, message, shown, here))
    if not shown:
        return results, []
    return results, [{"role": "user", "content": shown}]


def _result(part: ToolResult, message: Message, shown: list[Json], at: At) -> Json:
    at.foreign(part.extras, API)
    blocks: list[Json] = []
    for index, inner in enumerate(part.content):
        here = at.of(f"content[{index}]")
        match inner:
            case Text():
                here.foreign(inner.extras, API)
                blocks.append(merged(_text(inner), inner.extras.get(API)))
            case Image() if _home(message):
                blocks.append(merged(image(inner, here, home=True), inner.extras.get(API)))
            case Image() | Audio() | Document():
                _show(inner, part, shown, here)
            case _:
                here.foreign(inner.extras, API)
                here.lose("content", f"{type(inner).__name__} in a tool result")
    if part.is_error:
        at.lose("setting", "is_error: the text says it instead", "lowered")
        blocks = [{"type": "text", "text": ERROR}, *blocks]
        if len(blocks) == 2:
            blocks = [{**blocks[1], "text": ERROR + blocks[1]["text"]}]
    made: ChatCompletionToolMessageParam = {
        "role": "tool",
        "tool_call_id": part.tool_call_id,
        "content": _plain(blocks),  # pyright: ignore
    }
    return merged(merged(cast("Json", made), part.extras.get(API)), message.extras.get(API))


def _show(inner: Image | Audio | Document, part: ToolResult, shown: list[Json], at: At) -> None:
    """Media of a result, in a message of the user's after the results."""
    block = _block(inner, Message("user", inner), at)
    if block is not None:
        said = f"What tool call {part.tool_call_id} gave:"
        shown += [{"type": "text", "text": said}, block]
        at.lose("content", "a tool result takes text only; shown by the user after it", "lowered")
