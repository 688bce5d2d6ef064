"""What a host compatible with OpenAI needs of a request before it is encoded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import blake2b
from operator import is_
from typing import Any

from msgspec import Struct

from interlingua.frozen import EMPTY, FrozenDict
from interlingua.links import beside
from interlingua.loss import At, Loss
from interlingua.message import Message, Origin
from interlingua.parts import Part, Reasoning, ToolCall, ToolResult
from interlingua.request import Request
from interlingua.tools import Tool
from interlingua.turns import placed
from interlingua.wire import Json

OPENAI = ("openai", "openai-chat")
"""Names under which OpenAI itself answers; the codecs say the first of every host."""

NINE = re.compile(r"[a-zA-Z0-9]{9}")
UNSET = (None, (), EMPTY)
NOTHING: dict[str, Any] = {"stop": (), "metadata": EMPTY}
"""What a setting is that is not set; None for all others."""


class Host(Struct, frozen=True):
    """Where a host is, who may ask it, and how its API differs from OpenAI's."""

    name: str
    base_url: str
    """May hold an environment variable's name in braces."""
    keys: tuple[str, ...] = ()
    """Environment variables that may hold the key. The first one that is set counts."""
    api: str = "openai-chat"
    needs_key: bool = True
    spelled: Mapping[str, str] = EMPTY
    """Settings the host calls otherwise: the request's name → the place in its JSON."""
    refused: tuple[str, ...] = ()
    """Settings that it answers with an error."""
    choices: Mapping[str, str | None] = EMPTY
    """Its words for tool choices; None for one that it does not have."""
    left_out: tuple[str, ...] = ()
    """Fields the encoder writes that it answers with an error, and that it can do without."""
    developer: bool = False
    """Whether it knows the role."""
    message_names: bool = True
    strict_tools: bool = True
    nine_letter_ids: bool = False
    """Whether a call's id must be nine letters and digits."""
    own_reasoning_only: bool = False
    """Whether reasoning goes back to no other model than the one that wrote it."""


def prepare(host: Host, request: Request, name: str) -> tuple[Request, list[Loss]]:
    """The request as the host takes it. `name` is what its provider is called."""
    losses: list[Loss] = []
    at = At("", losses)
    changed = {
        **_settings(host, request, at),
        **_tools(host, request, at),
        **_messages(host, request, name, losses),
    }
    return (request.replace(**changed) if changed else request), losses


# -- settings


def _settings(host: Host, request: Request, at: At) -> Json:
    """What is said in the host's words, in its JSON, and no longer in ours."""
    wire: Json = dict.fromkeys(host.left_out) if request.stream else {}
    changed: Json = {}
    for setting, place in host.spelled.items():
        if (value := _taken(request, setting, changed)) is not None:
            _put(wire, place, value)
    for setting in host.refused:
        if _taken(request, setting, changed) is not None:
            at.of(setting).lose("setting", f"{host.name} refuses it")
    choice = request.tool_choice
    if isinstance(choice, str) and choice in host.choices:
        changed["tool_choice"] = None
        if (word := host.choices[choice]) is None:
            at.of("tool_choice").lose("setting", f"{host.name} does not have {choice!r}")
        else:
            wire["tool_choice"] = word
    if wire:
        own = request.extras.get(host.api, EMPTY)
        changed["extras"] = {**request.extras, host.api: {**wire, **own}}
    return changed


def _taken(request: Request, setting: str, changed: Json) -> Any:
    """A setting's value, taken out of the request; None when there is none."""
    name, _, inner = setting.partition(".")
    value = changed.get(name, getattr(request, name))
    if value in UNSET or (inner and inner not in value):
        return None
    if not inner:
        changed[name] = NOTHING.get(name)
        return value
    changed[name] = FrozenDict({key: item for key, item in value.items() if key != inner})
    return value[inner]


def _put(wire: Json, place: str, value: Any) -> None:
    outer, _, inner = place.partition(".")
    if inner:
        wire.setdefault(outer, {})[inner] = value
    else:
        wire[outer] = value


def _tools(host: Host, request: Request, at: At) -> Json:
    if host.strict_tools or not any(isinstance(one, Tool) and one.strict for one in request.tools):
        return {}
    made: list[object] = []
    here = at.of("tools")
    for here.index, tool in enumerate(request.tools):
        if isinstance(tool, Tool) and tool.strict:
            here.of("strict").lose("setting", f"{host.name} takes no strict tools")
            tool = tool.replace(strict=None)
        made.append(tool)
    return {"tools": tuple(made)}


# -- messages


class Prepared(Struct, frozen=True):
    """A message as the host takes it."""

    other: Message | None
    """None when it takes the message as it is."""
    losses: tuple[Loss, ...] = ()


def _messages(host: Host, request: Request, name: str, losses: list[Loss]) -> Json:
    made: list[Message] = []
    slot = f"{name}/{request.model}" if host.own_reasoning_only else name
    key = f"{slot}/prepared"
    for index, message in enumerate(request.messages):
        found: Prepared | None = message.__dict__.get(key)
        if found is None:
            found = beside(message)[key] = _prepared(host, message, name, request.model)
        made.append(found.other or message)
        if found.losses:
            losses += placed(found.losses, index)
    if all(map(is_, made, request.messages)):
        return {}
    return {"messages": tuple(made)}


def _prepared(host: Host, given: Message, name: str, model: str) -> Prepared:
    at = At("", [])
    message = given
    changed: Json = {}
    if message.role == "developer" and not host.developer:
        changed["role"] = "system"
        at.of("role").lose("setting", f"{host.name} has no developer role", "lowered")
    if message.name and not host.message_names:
        changed["name"] = None
        at.of("name").lose("setting", f"{host.name} takes no names of speakers")
    if changed:
        message = message.replace(**changed)
    origin = message.origin
    if message.role == "assistant" and origin is not None and origin.api == host.api:
        if origin.provider not in (OPENAI if name in OPENAI else (name,)):
            message = _elsewhere(message, origin)
        elif host.own_reasoning_only and origin.model != model:
            message = _without_reasoning(message, at)
    if host.nine_letter_ids:
        message = _with_short_ids(message)
    return Prepared(None if message is given else message, tuple(at.losses))


def _elsewhere(message: Message, origin: Origin) -> Message:
    """The message as one of another API, so that what its host signed or added stays there."""

    def moved(extras: FrozenDict) -> dict[str, Any]:
        named = {origin.provider: extras[origin.api]} if origin.api in extras else {}
        return {**{api: held for api, held in extras.items() if api != origin.api}, **named}

    content = [
        part.replace(extras=moved(part.extras)) if origin.api in part.extras else part
        for part in message.content
    ]
    foreign = Origin(origin.provider, origin.provider, origin.model)
    return message.replace(content=content, extras=moved(message.extras), origin=foreign)


def _without_reasoning(message: Message, at: At) -> Message:
    here = at.of("content")
    for here.index, part in enumerate(message.content):
        if isinstance(part, Reasoning):
            here.lose("provenance", "reasoning of another model")
    return message.without_reasoning()


def _with_short_ids(message: Message) -> Message:
    content = tuple(map(_with_short_id, message.content))
    return message if content == message.content else message.replace(content=content)


def _with_short_id(part: Part) -> Part:
    match part:
        case ToolCall(id=id) if not NINE.fullmatch(id):
            return part.replace(id=_nine_letters(id))
        case ToolResult(tool_call_id=id) if not NINE.fullmatch(id):
            return part.replace(tool_call_id=_nine_letters(id))
        case _:
            return part


def _nine_letters(id: str) -> str:
    return blake2b(id.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()[:9]
