"""What tools gave: one message for each result."""

from __future__ import annotations

from interlingua.loss import At
from interlingua.message import Message, Origin
from interlingua.parts import Audio, Document, Image, Opaque, Text, ToolResult
from interlingua.turns import sole_text
from interlingua.wire import Json, merged
from interlingua_openai.chat.blocks import block, home, plain
from interlingua_openai.chat.names import API

ERROR = "Error: "
"""What a failed tool's text starts with, since the API has no flag for it."""


def results(message: Message, at: At) -> tuple[list[Json], list[Json]]:
    """One message per result, and a user message with the media the API does not take in one."""
    told: list[Json] = []
    shown: list[Json] = []
    for at.index, part in enumerate(message.content):
        if isinstance(part, ToolResult):
            told.append(_result(part, message, shown, at))
    if not shown:
        return told, []
    return told, [{"role": "user", "content": shown}]


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
                blocks += block(inner, message, here)
            case Image() if home(message):
                blocks += block(inner, Message("user", inner, origin=message.origin), here)
            case Image() | Audio() | Document():
                shown += _shown(inner, part, message.origin, here)
            case _:
                here.foreign(inner.extras, API)
                here.lose("content", f"{type(inner).__name__} in a tool result")
    if part.is_error:
        at.lose("setting", "is_error: the text says it instead", "lowered")
        blocks = _failed(blocks)
    return plain(blocks)


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
    made = block(inner, Message("user", inner, origin=origin), at)
    if not made:
        return []
    at.lose("content", "a tool result takes text only; shown by the user after it", "lowered")
    return [{"type": "text", "text": f"What tool call {part.tool_call_id} gave:"}, *made]
