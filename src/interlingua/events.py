"""What happens while an answer is streamed. `index` is a part's place in the final message.

    Started  (TextDelta | ReasoningDelta | ToolCallDelta)*  PartDone  …  UsageUpdate  Finished

Whoever only wants to print the answer prints `TextDelta.text` and needs nothing else.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from interlingua.parts import Part
from interlingua.response import Response, Usage


class Started(Struct, frozen=True, tag="started"):
    """The vendor has begun to answer."""

    id: str | None = None
    model: str | None = None


class TextDelta(Struct, frozen=True, tag="text_delta"):
    """More visible text."""

    index: int
    text: str


class ReasoningDelta(Struct, frozen=True, tag="reasoning_delta"):
    """More of what the model thinks, or of the summary of it."""

    index: int
    text: str


class ToolCallDelta(Struct, frozen=True, tag="tool_call_delta"):
    """More of a tool call: `arguments` is text as it comes; `id` and `name` once known."""

    index: int
    id: str | None
    name: str | None
    arguments: str


class PartDone(Struct, frozen=True, tag="part_done"):
    """A part is whole."""

    index: int
    part: Part


class UsageUpdate(Struct, frozen=True, tag="usage_update"):
    """What has been counted so far."""

    usage: Usage


class Finished(Struct, frozen=True, tag="finished"):
    """The answer is whole; always the last event."""

    response: Response


Event: TypeAlias = (
    Started | TextDelta | ReasoningDelta | ToolCallDelta | PartDone | UsageUpdate | Finished
)
