"""From a Request to the generateContent API's JSON."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from interlingua.codec import Encoded
from interlingua.course import follow
from interlingua.frozen import EMPTY, thaw
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
from interlingua.turns import Fragment, Side, Turns, fragment, placed
from interlingua.wire import Json, dump, merged
from interlingua_google.decode import CODE
from interlingua_google.facts import TAKES_UNSIGNED
from interlingua_google.media import medium, resolution
from interlingua_google.names import API, sent_id, tool_name
from interlingua_google.results import function_response
from interlingua_google.settings import settings

OPENINGS: dict[Side, bytes] = {
    "user": b'{"role":"user","parts":[',
    "assistant": b'{"role":"model","parts":[',
}

BLANK = {"text": ""}
"""A part that says nothing: it goes back only to where it came from."""

NAMELESS = "the API has no names of speakers"


def encode(request: Request) -> Encoded:
    """The request as generateContent JSON. The model is not in it: it stands in the URL."""
    turns, told, unsigned, losses = follow(
        request.messages, API, Course, Course.whole, str, by_name=True
    )
    made: Json = {}
    if system := _system(told, losses):
        made["systemInstruction"] = {"parts": system}
    made["contents"] = msgspec.Raw(turns)
    if not TAKES_UNSIGNED.fullmatch(request.model):
        losses += [_unsealed(place, call) for place, call in unsigned]
    body, names = settings(request, At("", losses))
    content = dump(merged(made | body, request.extras.get(API)))
    return Encoded(API, content, tuple(losses), names)


def _home(message: Message) -> bool:
    return message.origin is not None and message.origin.api == API


# -- the conversation


class Told(NamedTuple):
    """A message for `systemInstruction`."""

    place: int
    message: Message
    late: bool
    """Whether it came when others had spoken."""


class Course:
    """The turns so far; what belongs into `systemInstruction` stands apart."""

    def __init__(self) -> None:
        self.losses: list[Loss] = []
        self._turns = Turns(OPENINGS)
        self._told: list[Told] = []
        self._unsigned: list[tuple[int, ToolCall]] = []
        self._begun = False

    def take(self, message: Message, place: int) -> None:
        role = message.role
        if role == "system" or role == "developer":
            self._told.append(Told(place, message, self._begun))
            return
        self._begun = True
        piece = fragment(message, API, _render)
        self._turns.add("assistant" if role == "assistant" else "user", piece)
        if piece.losses:
            self.losses += placed(piece.losses, place)
        if role == "user":
            self._unsigned = []
        elif role == "assistant" and (call := _unsigned(message)):
            self._unsigned.append((place, call))

    def whole(self) -> tuple[bytes, list[Told], list[tuple[int, ToolCall]], list[Loss]]:
        return self._turns.content(), [*self._told], [*self._unsigned], [*self.losses]


def _unsigned(message: Message) -> ToolCall | None:
    """The call that newer models want signed, since the user spoke: the first of each step."""
    if _home(message):
        return None
    for part in message.content:
        if isinstance(part, ToolCall):
            return None if "thoughtSignature" in part.extras.get(API, EMPTY) else part
    return None


def _unsealed(place: int, call: ToolCall) -> Loss:
    reason = (
        f"tool call {call.id!r} was not made here, so it has no thoughtSignature; "
        "Gemini 3 and later may refuse it"
    )
    return Loss(f"messages[{place}]", "provenance", reason)


def _render(message: Message) -> Fragment:
    """The message's parts. Results lead their turn, but keep the place they had here."""
    at = _begun(message, [])
    parts = _parts(message, at)
    home = _home(message)
    inner = dump(parts if home else [part for part in parts if part != BLANK])[1:-1]
    if message.role == "tool" and not home:
        return Fragment(inner, b"", tuple(at.losses))
    return Fragment(b"", inner, tuple(at.losses))


def _begun(message: Message, losses: list[Loss], within: At | None = None) -> At:
    """The place of its content, after what is lost of the message itself."""
    if message.extras:
        At("", losses, within).foreign(message.extras, API)
    if message.name:
        At("name", losses, within).lose("setting", NAMELESS)
    return At("content", losses, within)


def _parts(message: Message, at: At) -> list[Json]:
    """The parts that say what a message says; `at` is the place of its content."""
    made: list[Json] = []
    for at.index, part in enumerate(message.content):
        if part.extras:
            at.foreign(part.extras, API)
        said = _said(part, message, at)
        if said is not None:
            made.append(merged(said, part.extras.get(API)) if part.extras else said)
    return made


def _stored(message: Message) -> bool:
    """Whether its file ids may be ones of this API."""
    return message.origin is None or _home(message)


def _said(part: Part, message: Message, at: At) -> Json | None:
    home = _home(message)
    match part:
        case Text():
            return _text(part, at)
        case Image() | Audio() | Video() | Document():
            made = medium(part, at, home=home, stored=_stored(message))
            return made and made | resolution(part, at)
        case Reasoning():
            return _thought(part, at, home=home)
        case ToolCall():
            return _call(part, at)
        case Refusal():
            at.lose("content", "the API has no refusals; sent as text", "lowered")
            return {"text": part.text}
        case ServerToolCall():
            return _server_call(part, at, home=home)
        case ServerToolResult():
            return _server_result(part, at, home=home)
        case Opaque():
            return _opaque(part, at, home=home)
        case ToolResult():
            return function_response(part, at, home=home, stored=_stored(message))


def _text(part: Text, at: At) -> Json:
    if part.citations:
        at.lose("provenance", f"{len(part.citations)} citations of another vendor")
    return {"text": part.text}


def _thought(part: Reasoning, at: At, *, home: bool) -> Json | None:
    if not home:
        return at.lose("provenance", "reasoning of another vendor")
    made: Json = {"text": part.text, "thought": True}
    if part.signature is not None:
        made["thoughtSignature"] = part.signature
    return made


def _call(part: ToolCall, at: At) -> Json:
    id = sent_id(part.id)
    made: Json = {} if id is None else {"id": id}
    made["name"], made["args"] = tool_name(part.name), part.arguments
    if not part.is_valid:
        at.lose("content", "the arguments are no JSON object; sent as one of a text", "lowered")
        made["args"] = {"input": part.raw_arguments}
    return {"functionCall": made}


def _server_call(part: ServerToolCall, at: At, *, home: bool) -> Json | None:
    if not home:
        return at.lose("content", f"{part.name!r} ran at another vendor")
    id = {"id": part.id} if part.id else {}
    if part.name == CODE:
        return {"executableCode": {**part.arguments, **id}}
    return {"toolCall": {**id, "toolType": part.name, "args": part.arguments}}


def _server_result(part: ServerToolResult, at: At, *, home: bool) -> Json | None:
    if not home:
        return at.lose("content", f"the result of {part.name!r}, which ran at another vendor")
    id = {"id": part.tool_call_id} if part.tool_call_id else {}
    if part.name == CODE:
        return {"codeExecutionResult": {**(part.content or {}), **id}}
    made: Json = {**id, "toolType": part.name}
    if part.content is not None:
        made["response"] = part.content
    return {"toolResponse": made}


def _opaque(part: Opaque, at: At, *, home: bool) -> Json | None:
    if not home:
        return at.lose("content", f"{part.kind!r} is a block of another API")
    return thaw(part.payload)


# -- what the model is told before anyone speaks


def _system(told: list[Told], losses: list[Loss]) -> list[Json]:
    """The parts of `systemInstruction`; what did not come from here is joined to one text."""
    parts: list[Json] = []
    texts: list[str] = []
    for place, message, late in told:
        at = At("messages", losses, None, place)
        if late:
            at.lose("content", "told before the conversation, which is the only place", "merged")
        if not _home(message):
            texts += _texts(message, at)
            continue
        parts += _joined(texts)
        texts = []
        parts += _parts(message, at.of("content"))
    return parts + _joined(texts)


def _joined(texts: list[str]) -> list[Json]:
    return [{"text": "\n\n".join(texts)}] if texts else []


def _texts(message: Message, at: At) -> list[str]:
    """A system message's texts, without blank ones."""
    here = _begun(message, at.losses, at)
    texts: list[str] = []
    for here.index, part in enumerate(message.content):
        here.foreign(part.extras, API)
        if not isinstance(part, Text):
            here.lose("content", f"{type(part).__name__} in a system instruction, which is text")
        elif part.text.strip():
            texts.append(part.text)
    return texts
