"""Tool results: `functionResponse`, both ways. Its response is always an object."""

from __future__ import annotations

from typing import Any

from interlingua.frozen import thaw
from interlingua.jsonable import json_text
from interlingua.loss import At
from interlingua.parts import (
    Audio,
    Document,
    Image,
    Part,
    Refusal,
    Text,
    ToolResult,
    Video,
    read_arguments,
)
from interlingua.turns import sole_text
from interlingua.wire import Json, as_object, as_text, kept, merged, objects
from interlingua_google.media import Medium, medium, read_medium, resolution
from interlingua_google.names import API, sent_id, tool_name
from interlingua_google.spelling import overlay

# -- to the API


def function_response(part: ToolResult, at: At, *, home: bool, stored: bool) -> Json:
    """The part that says what a tool gave; media stand beside the response."""
    text = sole_text(part.content)
    media: list[Json] = []
    if text is None:
        text, media = _content(part, at, home=home, stored=stored)
    id = sent_id(part.tool_call_id)
    made: Json = {} if id is None else {"id": id}
    made["name"] = tool_name(part.name or part.tool_call_id)
    made["response"] = _response(text, part, home=home)
    if media:
        made["parts"] = media
    return {"functionResponse": made}


def _content(part: ToolResult, at: At, *, home: bool, stored: bool) -> tuple[str, list[Json]]:
    """What the tool gave: text and media."""
    texts: list[str] = []
    media: list[Json] = []
    here = at.of("content")
    for here.index, inner in enumerate(part.content):
        here.foreign(inner.extras, API)
        match inner:
            case Text():
                texts.append(inner.text)
            case Refusal():
                here.lose("content", "a refusal, sent as text", "lowered")
                texts.append(inner.text)
            case Image() | Audio() | Video() | Document():
                media += _medium(inner, here, home=home, stored=stored)
            case _:
                here.lose("content", f"{type(inner).__name__} in a tool result")
    return "\n\n".join(texts), media


def _response(text: str, part: ToolResult, *, home: bool) -> Json:
    """Text under the key that the API knows; an object that came from here as it came."""
    held = read_arguments(text) if home and not part.is_error else None
    if held is not None:
        return thaw(held)
    return {"error" if part.is_error else "output": text}


def _medium(part: Medium, at: At, *, home: bool, stored: bool) -> list[Json]:
    made = medium(part, at, home=home, stored=stored)
    if made is None:
        return []
    return [merged(made | resolution(part, at), part.extras.get(API))]


# -- from the API


def read_result(given: Json, call_id: str, name: str) -> ToolResult:
    """The result that a part with a `functionResponse` is; what it would not give back is kept."""
    inner = as_object(given.get("functionResponse"))
    content, failed = _output(inner.get("response"))
    parts = [*content, *_media(inner)]
    made = ToolResult(call_id, parts, as_text(inner.get("name")) or name, failed)
    sent = function_response(made, At("", []), home=True, stored=True)
    return made.replace(extras=kept(API, overlay(sent, given)))


def _output(response: Any) -> tuple[list[Part], bool]:
    """What the tool gave, and whether it failed."""
    match response:
        case {"output": str(text), **rest} if not rest:
            return [Text(text)], False
        case {"error": str(text), **rest} if not rest:
            return [Text(text)], True
        case {"error": failure, **rest} if not rest:
            return [Text(json_text(failure))], True
        case _:
            return [Text(json_text(response))] if response else [], False


def _media(inner: Json) -> list[Part]:
    return [made for one in objects(inner.get("parts")) if (made := read_medium(one)) is not None]
