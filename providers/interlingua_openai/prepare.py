"""What a host compatible with OpenAI needs of a request before it is encoded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from operator import is_
from typing import Any

from msgspec import Struct

from interlingua.frozen import EMPTY, FrozenDict
from interlingua.links import beside
from interlingua.loss import At, Loss
from interlingua.message import Message, Origin
from interlingua.parts import Part, Reasoning, Refusal, Text, ToolCall, ToolResult
from interlingua.request import Request, taken
from interlingua.tools import Tool
from interlingua.turns import placed
from interlingua.wire import Json
from interlingua_openai.responses.names import TYPED

OPENAI = ("openai", "openai-chat")
"""Names under which OpenAI itself answers; the codecs say the first of every host."""

NINE = re.compile(r"[a-zA-Z0-9]{9}")

SAID = (Text, Refusal, ToolCall)
"""What a model says to others."""


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
    """Its words for tool choices, of which `name` is one tool's; None for one it does not have."""
    left_out: tuple[str, ...] = ()
    """Fields the encoder writes that it answers with an error, and that it can do without."""
    developer: bool = False
    """Whether it knows the role."""
    message_names: bool = True
    refusals: bool = False
    """Whether it knows refusals that it did not write itself."""
    text_lists: bool = True
    """Whether it reads content that is a list of texts."""
    strict_tools: bool = True
    nine_letter_ids: bool = False
    """Whether a call's id must be nine letters and digits."""
    own_reasoning_only: bool = False
    """Whether reasoning goes back to no other model than the one that wrote it."""
    own_items: bool = True
    """Whether it takes back what is neither text nor a tool call."""
    reasoning_with_calls: bool = False
    """Whether a turn with tool calls must have some, if only a blank."""
    typed_messages: bool = False
    """Whether a model's messages must say that they are messages."""


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
        if (value := taken(request, setting, changed)) is not None:
            _put(wire, place, value)
    for setting in host.refused:
        if taken(request, setting, changed) is not None:
            at.of(setting).lose("setting", f"{host.name} refuses it")
    choice = request.tool_choice
    kind = choice if isinstance(choice, str) else "name"
    if choice is not None and kind in host.choices:
        changed["tool_choice"] = None
        if (word := _chosen(host, kind, at.of("tool_choice"))) is not None:
            wire["tool_choice"] = word
    if wire:
        own = request.extras.get(host.api, EMPTY)
        changed["extras"] = {**request.extras, host.api: {**wire, **own}}
    return changed


def _chosen(host: Host, kind: str, at: At) -> str | None:
    """The host's word for a choice of tools."""
    word = host.choices[kind]
    if kind == "name":
        what = f"{host.name} cannot be told which tool to call"
        at.lose("setting", what, "lowered" if word else "dropped")
    elif word is None:
        at.lose("setting", f"{host.name} does not have {kind!r}")
    return word


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
    message = _introduced(host, given, at)
    if message.role == "assistant":
        message = _said(host, message, name, model, at)
    if host.nine_letter_ids:
        message = _with_short_ids(message)
    if not host.text_lists:
        message = _in_one_text(message)
    return Prepared(None if message is given else message, tuple(at.losses))


def _introduced(host: Host, message: Message, at: At) -> Message:
    """The message under a role and a name that the host knows."""
    changed: Json = {}
    if message.role == "developer" and not host.developer:
        changed["role"] = "system"
        at.of("role").lose("setting", f"{host.name} has no developer role", "lowered")
    if message.name and not host.message_names:
        changed["name"] = None
        at.of("name").lose("setting", f"{host.name} takes no names of speakers")
    return message.replace(**changed) if changed else message


def _said(host: Host, message: Message, name: str, model: str, at: At) -> Message:
    """What a model said, here or elsewhere."""
    origin = message.origin
    if origin is not None and origin.api == host.api:
        if origin.provider not in (OPENAI if name in OPENAI else (name,)):
            message = _elsewhere(message, origin)
        elif host.own_reasoning_only and origin.model != model:
            message = _without_reasoning(message, at)
    is_own = message.origin is not None and message.origin.api == host.api
    if is_own and not host.own_items:
        message = _without_items(host, message, at)
    if not is_own and not host.refusals:
        message = _without_refusals(host, message, at)
    if host.reasoning_with_calls and not (is_own and message.reasoning):
        message = _with_reasoning(host, message, at)
    if host.typed_messages:
        message = message.replace(extras={**message.extras, host.api: TYPED})
    return message


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


def _without_items(host: Host, message: Message, at: At) -> Message:
    here = at.of("content")
    for here.index, part in enumerate(message.content):
        if not isinstance(part, SAID):
            here.lose("provenance", f"{host.name} does not take it back")
    return message.replace(content=[part for part in message.content if isinstance(part, SAID)])


def _with_reasoning(host: Host, message: Message, at: At) -> Message:
    """The message with a blank where the host wants reasoning and there is none of its own."""
    if not message.has_tool_calls:
        return message
    at.lose("provenance", f"{host.name} wants reasoning with calls", "synthesised")
    held = {"reasoning_content": " ", **message.extras.get(host.api, EMPTY)}
    return message.replace(extras={**message.extras, host.api: held})


def _without_refusals(host: Host, message: Message, at: At) -> Message:
    content = list(message.content)
    here = at.of("content")
    for here.index, part in enumerate(message.content):
        if isinstance(part, Refusal):
            here.lose("content", f"{host.name} did not refuse this; sent as text", "lowered")
            content[here.index] = Text(part.text)
    return message.replace(content=content) if Refusal in map(type, message.content) else message


def _in_one_text(message: Message) -> Message:
    """The message with neighbouring texts joined, those of its results too."""
    content = tuple(_joined(map(_result_in_one_text, message.content)))
    return message if content == message.content else message.replace(content=content)


def _result_in_one_text(part: Part) -> Part:
    if isinstance(part, ToolResult):
        return part.replace(content=tuple(_joined(part.content)))
    return part


def _joined(parts: Iterable[Part]) -> list[Part]:
    made: list[Part] = []
    for part in parts:
        last = made[-1] if made else None
        if isinstance(part, Text) and isinstance(last, Text) and not part.extras:
            cited = (*last.citations, *part.citations)
            made[-1] = last.replace(text=f"{last.text}\n\n{part.text}", citations=cited)
        else:
            made.append(part)
    return made


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
