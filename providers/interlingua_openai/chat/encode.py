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
from interlingua.turns import Fragment, bare_text, fragment, placed
from interlingua.wire import Json, array, dump, fit, merged
from interlingua_openai.chat.blocks import block, home, opaque, plain, text
from interlingua_openai.chat.names import API, tool_name
from interlingua_openai.chat.results import results
from interlingua_openai.chat.settings import settings

if TYPE_CHECKING:
    from openai.types.chat import (
        ChatCompletionMessageCustomToolCallParam,
        ChatCompletionMessageFunctionToolCallParam,
    )

CALL_ID = re.compile(r"\S+")
SILENT = {"tool_calls", "function_call", "audio"}
"""What an assistant's message may say without any text."""


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
    bare = bare_text(message)
    if bare is not None:
        return Fragment(dump({"role": message.role, "content": bare}))
    at = At("content", [])
    if message.extras:
        At("", at.losses).foreign(message.extras, API)
    match message.role:
        case "tool":
            told, shown = results(message, at)
            return Fragment(_joined(told), _joined(shown), tuple(at.losses))
        case "assistant":
            answers = _assistant(message, at)
            return Fragment(_joined(answers), b"", tuple(at.losses))
        case "system" | "developer" | "user":
            return Fragment(dump(_said(message, at)), b"", tuple(at.losses))


def _joined(items: list[Json]) -> bytes:
    return dump(items)[1:-1]


# -- what the system and the user say


def _said(message: Message, at: At) -> Json:
    blocks: list[Json] = []
    for at.index, part in enumerate(message.content):
        blocks += block(part, message, at)
    made: Json = {"role": message.role, "content": plain(blocks)}
    if message.name:
        made["name"] = message.name
    return merged(made, message.extras.get(API))


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
    turn = Turn(home(message), {"role": "assistant"}, [], [])
    for at.index, part in enumerate(message.content):
        _say(part, turn, at)
    made = turn.fields
    if turn.blocks:
        made["content"] = plain(turn.blocks)
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
            turn.blocks.append(merged(text(part), extras))
            _placed(part, turn, at)
        case Reasoning():
            _reasoning(part, turn, at)
        case Refusal():
            _refusal(part, turn)
        case ToolCall():
            turn.calls.append(_call(part, extras, turn, at))
        case Audio() if turn.home and "id" in extras:
            turn.fields["audio"] = {"id": extras["id"]}
        case Opaque():
            made = opaque(part, at, ours=turn.home)
            turn.blocks += [] if made is None else [made]
        case Audio() | Image() | Video() | Document() | ToolResult():
            at.lose("content", f"{type(part).__name__} in an assistant message")
        case ServerToolCall() | ServerToolResult():
            at.lose("content", f"{part.name!r} ran at another vendor")


def _placed(part: Text, turn: Turn, at: At) -> None:
    """What a text cites stands beside it, and text stands before calls."""
    if part.citations and turn.home:
        turn.fields["annotations"] = [*turn.fields.get("annotations", ()), *part.citations]
    elif part.citations:
        at.lose("provenance", f"{len(part.citations)} citations of another vendor")
    if turn.calls:
        at.lose("content", "text after a tool call is moved before it", "merged")


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
    modern = [call for call in calls if call.get("type") != "function_call"]
    if modern:
        made["tool_calls"] = modern
    if len(modern) < len(calls):
        made["function_call"] = calls[-1]["function"]
