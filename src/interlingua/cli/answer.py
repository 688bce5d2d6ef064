"""An answer while it comes, and what is to be said of it when it is whole."""

from __future__ import annotations

import msgspec

from interlingua.cli.page import Page
from interlingua.events import PartDone, ReasoningDelta, TextDelta
from interlingua.parts import Refusal, ServerToolCall, ToolCall
from interlingua.response import Response
from interlingua.streams import Stream

REMARKS = {
    "length": "the answer was cut off at its longest",
    "content_filter": "the provider's content filter stopped the answer",
    "error": "the answer ended in an error",
}
"""What to say of an answer that ended for another reason than that it was finished."""


def follow(stream: Stream, page: Page) -> Response:
    """The answer, once all of it has appeared."""
    for event in stream:
        match event:
            case TextDelta(text=text):
                page.write(text)
            case ReasoningDelta(text=text):
                page.think(text)
            case PartDone(part=ToolCall() | ServerToolCall() as call):
                page.note(f"calls {_shown(call)}")
            case _:
                pass
    return stream.response


def remark(response: Response) -> str | None:
    """What is wrong with an answer."""
    refusals = [part.text for part in response.message.content if isinstance(part, Refusal)]
    if refusals or response.finish_reason == "refusal":
        return f"the model refused: {' '.join(refusals) or 'it gave no reason'}"
    if response.finish_reason in REMARKS:
        return REMARKS[response.finish_reason]
    if response.text:
        return None
    if response.tool_calls:
        calls = ", ".join(map(_shown, response.tool_calls))
        return f"the model asks for tools, and none is run here: {calls}"
    return f"the answer holds no text (finish reason: {response.finish_reason})"


def failed(response: Response) -> bool:
    """Whether it is no answer."""
    return not response.text or response.finish_reason in ("content_filter", "refusal", "error")


def _shown(call: ToolCall | ServerToolCall) -> str:
    return f"{call.name}({msgspec.json.encode(call.arguments).decode()})"
