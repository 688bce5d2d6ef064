"""From a Request to the Messages API's JSON."""

from __future__ import annotations

import msgspec

from interlingua.codec import Encoded
from interlingua.course import follow
from interlingua.loss import At, Loss
from interlingua.message import Message
from interlingua.request import Request
from interlingua.turns import Fragment, Side, Turns, fragment, placed
from interlingua.wire import Json, dump, merged
from interlingua_anthropic.blocks import blocks
from interlingua_anthropic.names import API, call_id, home
from interlingua_anthropic.settings import settings

OPENINGS: dict[Side, bytes] = {
    "user": b'{"role":"user","content":[',
    "assistant": b'{"role":"assistant","content":[',
}


def encode(request: Request) -> Encoded:
    """The request as Messages JSON."""
    turns, told, losses = follow(request.messages, API, Course, Course.whole, call_id)
    made: Json = {"model": request.model} if request.model else {}
    if system := _system(told, losses):
        made["system"] = system
    made["messages"] = msgspec.Raw(turns)
    body, names = settings(request, At("", losses))
    content = dump(merged({**made, **body}, request.extras.get(API)))
    return Encoded(API, content, tuple(losses), names)


# -- the conversation


class Course:
    """The turns so far; what belongs into `system` stands apart."""

    def __init__(self) -> None:
        self.losses: list[Loss] = []
        self._turns = Turns(OPENINGS)
        self._told: list[tuple[int, Message]] = []

    def take(self, message: Message, place: int) -> None:
        role = message.role
        if (role == "system" or role == "developer") and not _in_place(message):
            self._told.append((place, message))
            return
        piece = fragment(message, API, _render)
        if message.extras and _whole(message):
            self._turns.insert(piece.rest)
        else:
            self._turns.add("assistant" if role == "assistant" else "user", piece)
        if piece.losses:
            self.losses += placed(piece.losses, place)

    def whole(self) -> tuple[bytes, list[tuple[int, Message]], list[Loss]]:
        return self._turns.content(), [*self._told], [*self.losses]


def _in_place(message: Message) -> bool:
    """Whether a system message was recorded in mid-conversation, and stays there."""
    return message.extras.get(API, {}).get("role") == "system"


def _whole(message: Message) -> bool:
    """Whether a message has fields of the turn, and so is a turn of its own."""
    return API in message.extras


def _render(message: Message) -> Fragment:
    at = _begun(message, [])
    made = blocks(message.content, message, at)
    if message.role == "assistant" and not home(message):
        _trim(made)
    if _whole(message):
        role = "assistant" if message.role == "assistant" else "user"
        turn = merged({"role": role, "content": made}, message.extras[API])
        return Fragment(b"", dump(turn), tuple(at.losses))
    inner = dump(made)[1:-1]
    if message.role == "tool":
        return Fragment(inner, b"", tuple(at.losses))
    return Fragment(b"", inner, tuple(at.losses))


def _begun(message: Message, losses: list[Loss], within: At | None = None) -> At:
    """The place of its content, after what is lost of the message itself."""
    if message.extras:
        At("", losses, within).foreign(message.extras, API)
    if message.name:
        At("name", losses, within).lose("setting", "the Messages API has no names of speakers")
    return At("content", losses, within)


def _trim(made: list[Json]) -> None:
    """Take the trailing whitespace off an answer that was not made here.

    The API refuses it in the last turn; taken off only there, the prefix would change a turn later.
    """
    if made and made[-1].get("type") == "text":
        made[-1]["text"] = made[-1]["text"].rstrip()


# -- what the model is told


def _system(told: list[tuple[int, Message]], losses: list[Loss]) -> list[Json]:
    """The blocks of `system`; plain text of neighbouring messages is joined with a blank line."""
    joined: list[Json] = []
    for place, message in told:
        at = At("messages", losses, None, place)
        if API in message.extras:
            at.of("extras").lose("setting", "a message that goes into `system` has no fields there")
        made = blocks(message.content, message, _begun(message, losses, at))
        if joined and made and _is_plain(joined[-1]) and _is_plain(made[0]):
            before = joined.pop()["text"]
            made[0] = {"type": "text", "text": f"{before}\n\n{made[0]['text']}"}
        joined += made
    return joined


def _is_plain(block: Json) -> bool:
    return block.keys() == {"type", "text"} and isinstance(block["text"], str)
