"""From a generateContent request to a Request."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from interlingua.errors import DecodeError
from interlingua.frozen import FrozenDict
from interlingua.loss import At
from interlingua.message import HOLDS, Message, Origin
from interlingua.parts import Opaque, Part, ToolCall, ToolResult
from interlingua.request import Request
from interlingua.wire import Json, as_list, as_object, as_text, kept, rest_of
from interlingua_google.decode import listed, parts
from interlingua_google.names import API, PROVIDER, derived_id, sent_id
from interlingua_google.results import read_result
from interlingua_google.settings import read_settings, settings
from interlingua_google.spelling import camelized, overlay
from interlingua_google.tools import read_tools


def decode_request(body: Json) -> Request:
    """The request that a generateContent body is. What has no home here is kept in `extras`."""
    given: Json = camelized(FrozenDict(body))
    model = as_text(given.get("model")) or ""
    origin = Origin(PROVIDER, API, model or None)
    request = Request(
        model,
        [*_system(given, origin), *_contents(given, origin)],
        read_tools(given.get("tools")),
        **read_settings(given),
    )
    made, _ = settings(request, At("", []))
    made.pop("tools", None)
    rest = rest_of(given, "model", "contents", "systemInstruction", "tools")
    return request.replace(extras=kept(API, overlay(made, rest)))


def _system(given: Json, origin: Origin) -> list[Message]:
    said = given.get("systemInstruction")
    if isinstance(said, str):
        return [Message.system(said, origin=origin)]
    content = _said(listed(as_object(said).get("parts")))
    return [Message.system(content, origin=origin)] if content else []


def _said(given: list[Json]) -> list[Part]:
    """The parts of whoever is not the model."""
    return [
        made if type(made) in HOLDS["user"] else Opaque(next(iter(one)), FrozenDict(one))
        for one, made in zip(given, parts(given, ""), strict=True)
    ]


def _contents(given: Json, origin: Origin) -> list[Message]:
    contents: Any = given.get("contents")
    if isinstance(contents, str):
        return [Message.user(contents, origin=origin)]
    turns = as_list(contents) or list(filter(None, [as_object(contents)]))
    if not turns and not isinstance(contents, list | tuple):
        raise DecodeError("no list of contents", api=API, path="contents")
    reading = _Reading(origin)
    for index, content in enumerate(turns):
        said = {"parts": [{"text": content}]} if isinstance(content, str) else as_object(content)
        reading.add(said, index)
    return reading.messages


class _Reading:
    """Contents as messages: results answer the calls of the model's turn before them."""

    def __init__(self, origin: Origin) -> None:
        self.messages: list[Message] = []
        self._origin = origin
        self._waiting: list[ToolCall] = []

    def add(self, content: Json, index: int) -> None:
        """Take one content. A user's splits where tool results begin and end."""
        given = listed(content.get("parts"))
        if content.get("role") == "model":
            self._model(parts(given, f"contents/{index}"))
            return
        for results, run in groupby(given, lambda one: "functionResponse" in one):
            if results:
                answers = [self._result(one, f"contents/{index}") for one in run]
                self.messages.append(Message("tool", answers, origin=self._origin))
            else:
                self.messages.append(Message("user", _said(list(run)), origin=self._origin))

    def _model(self, said: list[Part]) -> None:
        """What the model said; contents of its that follow one another are one turn."""
        if self.messages and self.messages[-1].role == "assistant":
            said = [*self.messages.pop().content, *said]
        made = Message("assistant", said, origin=self._origin)
        self._waiting = list(made.tool_calls)
        self.messages.append(made)

    def _result(self, given: Json, seed: str) -> ToolResult:
        inner = as_object(given["functionResponse"])
        id, name = as_text(inner.get("id")), as_text(inner.get("name"))
        call = self._answered(id, name)
        if call is None:
            spare = derived_id(seed, len(self.messages))
            return read_result(given, id or spare, name or id or spare)
        self._waiting.remove(call)
        return read_result(given, call.id, call.name)

    def _answered(self, id: str | None, name: str | None) -> ToolCall | None:
        """The call that a result answers: the one with its id, else the next of its name."""
        for call in self._waiting:
            if call.id == id:
                return call
        for call in self._waiting:
            if call.name == name and (not id or sent_id(call.id) is None):
                return call
        return None
