"""From a Request to the Chat Completions API's JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from interlingua.codec import Encoded
from interlingua.course import follow
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.loss import At, Loss
from interlingua.message import Message, Origin
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
from interlingua.turns import Fragment, bare_text, fragment, placed, sole_text
from interlingua.wire import Json, array, dump, fit, merged
from interlingua_openai.chat.media import audio, file, image
from interlingua_openai.chat.names import API, tool_name
from interlingua_openai.chat.settings import settings

if TYPE_CHECKING:
    from openai.types.chat import (
        ChatCompletionContentPartTextParam,
        ChatCompletionMessageCustomToolCallParam,
        ChatCompletionMessageFunctionToolCallParam,
    )

CALL_ID = re.compile(r"\S+")
SILENT = {"tool_calls", "function_call", "audio"}
"""What an assistant's message may say without any text."""

ERROR = "Error: "
"""What a failed tool's text starts with, since the API has no flag for it."""


def encode(request: Request) -> Encoded:
    """The request as Chat Completions JSON."""
    messages, losses = follow(request.messages, API, Course, Course.whole, call_id)
    body, names = settings(request, At("", losses))
    model = {"model": request.model} if request.model else {}
    made = {**model, "messages": msgspec.Raw(messages), **body}
    content = dump(merged(made, request.extras.get(API)))
    return Encoded(API, content, tuple(losses), names)


def call_id(text: str) -> str:
    """The id as the API takes it: at most 40 characters."""
    return fit(text, CALL_ID, 40)


class Course:
    """The messages of the body so far. Media of tool results come after the last of them."""

    def __init__(self) -> None:
        self.losses: list[Loss] = []
        self._items: list[bytes] = []
        self._after: list[bytes] = []

    def take(self, message: Message, place: int) -> None:
        piece = fragment(message, API, _render)
        if self._after and message.role != "tool":
            self._items += self._after
            self._after = []
        if piece.first:
            self._items.append(piece.first)
        if piece.rest:
            self._after.append(piece.rest)
        if piece.losses:
            self.losses += placed(piece.losses, place)

    def whole(self) -> tuple[bytes, list[Loss]]:
        return array(self._items + self._after), [*self.losses]


def _render(message: Message) -> Fragment:
    text = bare_text(message)
    if text is not None:
        return Fragment(dump({"role": message.role, "content": text}))
    at = At("content", [])
    if message.extras:
        At("", at.losses).foreign(message.extras, API)
    match message.role:
        case "tool":
            results, shown = _tool(message, at)
            return Fragment(_joined(results), _joined(shown), tuple(at.losses))
        case "assistant":
            answers = _assistant(message, at)
            return Fragment(_joined(answers), b"", tuple(at.losses))
        case "system" | "developer" | "user":
            return Fragment(dump(_said(message, at)), b"", tuple(at.losses))


def _joined(items: list[Json]) -> bytes:
    return dump(items)[1:-1]


def _home(message: Message) -> bool:
    return message.origin is not None and message.origin.api == API


# -- what the system and the user say


def _said(message: Message, at: At) -> Json:
    blocks: list[Json] = []
    for at.index, part in enumerate(message.content):
        blocks += _block(part, message, at)
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


def _block(part: Part, message: Message, at: At) -> list[Json]:
    """The block that says what a part says, or none and a loss."""
    made = _made(part, message, at)
    if part.extras:
        at.foreign(part.extras, API)
        made = made and merged(made, part.extras.get(API))
    return [] if made is None else [made]


def _made(part: Part, message: Message, at: At) -> Json | None:
    match part:
        case Text():
            return merged(_text(part), None)
        case Opaque():
            return _opaque(part, at, home=_home(message))
        case Image() if message.role == "user":
            return image(part, at, message.origin)
        case Audio() if message.role == "user":
            return audio(part, at)
        case Document() if message.role == "user":
            return file(part, at, message.origin)
        case Video() if message.role == "user":
            return at.lose("content", "Chat Completions takes no video")
        case _:
            return at.lose("content", f"{type(part).__name__} in a {message.role} message")


def _text(part: Text) -> ChatCompletionContentPartTextParam:
    return {"type": "text", "text": part.text}


def _opaque(part: Opaque, at: At, *, home: bool) -> Json | None:
    if not home:
        return at.lose("content", f"{part.kind!r} is a block of another API")
    return merged(part.payload, None)


# -- what the model said


class Turn(Struct):
    """An assistant's message in the making."""

    home: bool
    """Whether this API made it."""
    fields: Json
    blocks: list[Json]
    calls: list[Json]


def _assistant(message: Message, at: At) -> list[Json]:
    """The message, or none when nothing of it can be said."""
    turn = Turn(_home(message), {"role": "assistant"}, [], [])
    for at.index, part in enumerate(message.content):
        _say(part, turn, at)
    made = turn.fields
    if turn.blocks:
        made["content"] = _plain(turn.blocks)
    if turn.calls:
        _called(made, turn.calls)
    if message.name:
        made["name"] = message.name
    if message.extras:
        made = merged(made, message.extras.get(API))
    if "content" in made or made.keys() & SILENT:
        return [made]
    if made.keys() <= {"role", "name"} and not turn.home and message.content:
        return []
    return [{"content": "", **made}]


def _say(part: Part, turn: Turn, at: At) -> None:
    """Put a part where it belongs in the message."""
    extras = part.extras
    if extras:
        at.foreign(extras, API)
        extras = extras.get(API, EMPTY)
    match part:
        case Text():
            turn.blocks.append(merged(_text(part), extras))
            if part.citations:
                _cited(part, turn, at)
            if turn.calls:
                at.lose("content", "text after a tool call is moved before it", "merged")
        case Reasoning():
            _reasoning(part, turn, at)
        case Refusal():
            _refusal(part, turn)
        case ToolCall():
            turn.calls.append(_call(part, extras, turn, at))
        case Audio() if turn.home and "id" in extras:
            turn.fields["audio"] = {"id": extras["id"]}
        case Opaque():
            block = _opaque(part, at, home=turn.home)
            turn.blocks += [] if block is None else [block]
        case Audio() | Image() | Video() | Document() | ToolResult():
            at.lose("content", f"{type(part).__name__} in an assistant message")
        case ServerToolCall() | ServerToolResult():
            at.lose("content", f"{part.name!r} ran at another vendor")


def _cited(part: Text, turn: Turn, at: At) -> None:
    if turn.home:
        turn.fields["annotations"] = [*turn.fields.get("annotations", ()), *part.citations]
    else:
        at.lose("provenance", f"{len(part.citations)} citations of another vendor")


def _reasoning(part: Reasoning, turn: Turn, at: At) -> None:
    """Reasoning goes back to the compatible host it came from, under the key it came in."""
    extras = part.extras.get(API, {})
    if not turn.home:
        at.lose("provenance", "reasoning of another vendor")
    elif extras.get("type") == "thinking":
        block = {"thinking": [{"type": "text", "text": part.text}]}
        turn.blocks.append(merged(block, extras))
    else:
        turn.fields[extras.get("key", "reasoning_content")] = part.text


def _refusal(part: Refusal, turn: Turn) -> None:
    extras = part.extras.get(API, {})
    if extras.get("type") == "refusal":
        turn.blocks.append(merged({"refusal": part.text}, extras))
    else:
        turn.fields["refusal"] = turn.fields.get("refusal", "") + part.text


def _call(part: ToolCall, extras: FrozenDict, turn: Turn, at: At) -> Json:
    """The call, with the very text the model wrote if there is one."""
    name = tool_name(part.name)
    raw = part.raw_arguments if part.raw_arguments is not None else dump(part.arguments).decode()
    if extras.get("type") == "custom":
        custom: ChatCompletionMessageCustomToolCallParam = {
            "id": part.id,
            "type": "custom",
            "custom": {"name": name, "input": raw},
        }
        return merged(custom, extras)
    call: ChatCompletionMessageFunctionToolCallParam = {
        "id": part.id,
        "type": "function",
        "function": {"name": name, "arguments": raw},
    }
    if not part.is_valid and not turn.home:
        at.lose("content", "the arguments are no JSON object; sent as the text they are", "lowered")
    return merged(call, extras)


def _called(made: Json, calls: list[Json]) -> None:
    """Put the calls where they belong; `function_call` is what the API had before them."""
    if calls[0]["type"] == "function_call":
        made["function_call"] = calls[0]["function"]
    else:
        made["tool_calls"] = calls


# -- what tools gave


def _tool(message: Message, at: At) -> tuple[list[Json], list[Json]]:
    """One message per result, and a user message with the media the API does not take in one."""
    results: list[Json] = []
    shown: list[Json] = []
    for at.index, part in enumerate(message.content):
        if isinstance(part, ToolResult):
            results.append(_result(part, message, shown, at))
    if not shown:
        return results, []
    return results, [{"role": "user", "content": shown}]


def _result(part: ToolResult, message: Message, shown: list[Json], at: At) -> Json:
    if part.extras:
        at.foreign(part.extras, API)
    text = None if part.is_error else sole_text(part.content)
    content = _given(part, message, shown, at) if text is None else text
    made: Json = {"role": "tool", "tool_call_id": part.tool_call_id, "content": content}
    if part.extras or message.extras:
        made = merged(merged(made, part.extras.get(API)), message.extras.get(API))
    return made


def _given(part: ToolResult, message: Message, shown: list[Json], at: At) -> str | list[Json]:
    """The content of a result."""
    blocks: list[Json] = []
    here = at.of("content")
    for here.index, inner in enumerate(part.content):
        match inner:
            case Text() | Opaque():
                blocks += _block(inner, message, here)
            case Image() if _home(message):
                blocks += _block(inner, Message("user", inner, origin=message.origin), here)
            case Image() | Audio() | Document():
                shown += _shown(inner, part, message.origin, here)
            case _:
                here.foreign(inner.extras, API)
                here.lose("content", f"{type(inner).__name__} in a tool result")
    if part.is_error:
        at.lose("setting", "is_error: the text says it instead", "lowered")
        blocks = _failed(blocks)
    return _plain(blocks)


def _failed(blocks: list[Json]) -> list[Json]:
    """A result's text that says that the tool failed."""
    match blocks:
        case [{"type": "text", "text": str(text)}]:
            return [{**blocks[0], "text": ERROR + text}]
        case _:
            return [{"type": "text", "text": ERROR}, *blocks]


def _shown(
    inner: Image | Audio | Document, part: ToolResult, origin: Origin | None, at: At
) -> list[Json]:
    """Media of a result, for a message of the user's after the results."""
    block = _block(inner, Message("user", inner, origin=origin), at)
    if not block:
        return []
    at.lose("content", "a tool result takes text only; shown by the user after it", "lowered")
    return [{"type": "text", "text": f"What tool call {part.tool_call_id} gave:"}, *block]
