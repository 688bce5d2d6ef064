"""From a generateContent request to a Request."""

from __future__ import annotations

from interlingua.errors import DecodeError, MessageError
from interlingua.frozen import FrozenDict
from interlingua.loss import At
from interlingua.message import Message, Origin
from interlingua.parts import Part, Text, ToolCall
from interlingua.request import Request
from interlingua.wire import Json, as_list, as_object, as_text, kept, rest_of
from interlingua_google.decode import parts
from interlingua_google.names import API, PROVIDER, derived_id
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
    content = [part for part in parts(as_object(said).get("parts"), "system") if not _called(part)]
    return [Message.system(content, origin=origin)] if content else []


def _called(part: Part) -> bool:
    return not isinstance(part, Text)


def _contents(given: Json, origin: Origin) -> list[Message]:
    contents = given.get("contents")
    if isinstance(contents, str):
        return [Message.user(contents, origin=origin)]
    if isinstance(contents, dict):
        contents = [contents]
    if not isinstance(contents, list | tuple):
        raise DecodeError("no list of contents", api=API, path="contents")
    reading = _Reading(origin)
    for index, content in enumerate(as_list(contents)):
        try:
            reading.add(as_object(content), index)
        except MessageError as error:
            raise error.under(f"contents[{index}]") from None
    return reading.messages


class _Reading:
    """Contents as messages: results answer the calls of the model's turn before them."""

    def __init__(self, origin: Origin) -> None:
        self.messages: list[Message] = []
        self._origin = origin
        self._waiting: list[ToolCall] = []

    def add(self, content: Json, index: int) -> None:
        seed = f"contents/{index}"
        given = [as_object(one) for one in as_list(content.get("parts"))]
        if content.get("role") == "model":
            self._put("assistant", parts(given, seed))
            return
        for number, run in enumerate(_runs(given)):
            if "functionResponse" in run[0]:
                results = [self._result(one, f"{seed}/{number}") for one in run]
                self.messages.append(Message("tool", results, origin=self._origin))
            else:
                self._put("user", parts(run, f"{seed}/{number}"))
