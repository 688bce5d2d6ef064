"""From the Chat Completions API's JSON to a Response."""

from __future__ import annotations

import base64
import binascii
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

from interlingua.errors import DecodeError
from interlingua.frozen import EMPTY, FrozenDict
from interlingua.message import Message, Origin
from interlingua.parts import (
    Audio,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    read_arguments,
)
from interlingua.response import Candidate, FinishReason, Response, Usage
from interlingua.wire import (
    Json,
    are_objects,
    as_count,
    as_list,
    as_object,
    as_text,
    is_list,
    is_object,
    kept,
    objects,
    rest_of,
    total,
)
from interlingua_openai.chat.names import API, tool_name
from interlingua_openai.errors import judge

FINISH: dict[str, FinishReason] = {
    "stop": "stop",
    "eos": "stop",
    "length": "length",
    "model_length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
    "error": "error",
}

REASONING = ("reasoning_content", "reasoning")
"""Where compatible hosts put what the model thought. The first one that says something counts."""


CACHED = ("prompt_cache_hit_tokens", "cached_tokens")
"""Where compatible hosts count what they read from a cache."""


def hollow(value: object) -> bool:
    """Whether a field says nothing; servers in Go send every field they know, empty."""
    if is_object(value):
        return all(not item or hollow(item) for item in value.values())
    return value is None or value == "" or value == []


def decode(body: Json) -> Response:
    """The answer that a chat completion is. Raises `ProviderError` for an error dressed as one."""
    choices = body.get("choices")
    if body.get("error") and not choices:
        raise judge(200, {}, body)
    if not is_list(choices):
        raise DecodeError("no list of choices", api=API, path="choices")
    candidates = [_candidate(choice, body) for choice in objects(choices)]
    first = candidates[0] if candidates else Candidate(_message({}, body), "other")
    return Response(
        first.message,
        first.finish_reason,
        first.raw_finish_reason,
        usage=usage(as_object(body.get("usage"))),
        model=as_text(body.get("model")),
        id=as_text(body.get("id")),
        provider="openai",
        api=API,
        candidates=tuple(candidates) if len(candidates) > 1 else (),
        raw=FrozenDict(body),
    )


def _candidate(choice: Json, body: Json) -> Candidate:
    message = _message(as_object(choice.get("message")), body)
    word = as_text(choice.get("finish_reason"))
    reason = FINISH.get(word or "", "other")
    if reason == "stop" and message.has_tool_calls:
        reason = "tool_calls"
    elif reason == "stop" and any(isinstance(part, Refusal) for part in message.content):
        reason = "refusal"
    return Candidate(message, reason, word)


def _message(given: Json, body: Json) -> Message:
    parts, rest = assistant(given, as_text(body.get("id")))
    return Message(
        "assistant",
        parts,
        created_at=_time(body.get("created")),
        origin=Origin("openai", API, as_text(body.get("model"))),
        extras=kept(API, rest),
    )


def _time(value: object) -> datetime | None:
    seconds = as_count(value)
    if seconds is None or not 0 < seconds < 2**36:
        return None
    return datetime.fromtimestamp(seconds, UTC)


def assistant(given: Json, seed: str | None) -> tuple[tuple[Part, ...], Json]:
    """An assistant message's parts, and the fields that have no home here.

    From the seed come ids for calls that have none.
    """
    rest = {key: item for key, item in given.items() if key != "role" and not hollow(item)}
    parts = [
        *_reasoning(rest),
        *_content(rest),
        *_refusal(rest),
        *_audio(rest),
        *_calls(rest, seed or repr(given)),
    ]
    return tuple(_cited(parts, rest)), rest


def _reasoning(rest: Json) -> list[Part]:
    for key in REASONING:
        if isinstance(rest.get(key), str):
            extras = EMPTY if key == REASONING[0] else kept(API, {"key": key})
            return [Reasoning(rest.pop(key), extras=extras)]
    return []


def _content(rest: Json) -> list[Part]:
    content = rest.get("content")
    if isinstance(content, str):
        del rest["content"]
        return [Text(content)]
    if are_objects(content):
        del rest["content"]
        return [block(item) for item in content]
    return []


def block(given: Json) -> Part:
    """A block of content that a model wrote."""
    match given:
        case {"type": "text", "text": str(text)}:
            return Text(text, extras=kept(API, rest_of(given, "type", "text")))
        case {"type": "refusal", "refusal": str(text)}:
            return Refusal(text, extras=kept(API, rest_of(given, "refusal")))
        case {"type": "thinking", "thinking": [{"type": "text", "text": str(text), **more}]} if (
            not more
        ):
            return Reasoning(text, extras=kept(API, rest_of(given, "thinking")))
        case _:
            return Opaque(str(given.get("type")), FrozenDict(given))


def _refusal(rest: Json) -> list[Part]:
    return [Refusal(rest.pop("refusal"))] if isinstance(rest.get("refusal"), str) else []


def _audio(rest: Json) -> list[Part]:
    """What the model spoke; only its id goes back."""
    given = as_object(rest.get("audio"))
    try:
        data = base64.b64decode(given["data"], validate=True)
        made = Audio(data=data, extras=kept(API, rest_of(given, "data")))
    except (KeyError, TypeError, binascii.Error, ValueError):
        return []
    del rest["audio"]
    return [made]


def _calls(rest: Json, seed: str) -> list[Part]:
    calls: list[Part] = []
    unknown: list[Any] = []
    for number, given in enumerate(as_list(rest.pop("tool_calls", None))):
        made = call(as_object(given), derived_id(seed, number))
        if made is None:
            unknown.append(given)
        else:
            calls.append(made)
    if unknown:
        rest["tool_calls"] = unknown
    legacy: Json = {"type": "function_call", "function": rest.get("function_call")}
    made = call(legacy, derived_id(seed, len(calls)))
    if made is not None:
        del rest["function_call"]
        calls.append(made)
    return calls


def call(given: Json, spare_id: str) -> ToolCall | None:
    """A tool call, None for what is none; the spare id is for hosts that send none."""
    kind = "function" if hollow(given.get("custom")) else "custom"
    inner = as_object(given.get(kind))
    name = as_text(inner.get("name"))
    if not name:
        return None
    text_key = "input" if kind == "custom" else "arguments"
    rest = rest_of(given, "id", "index", *(() if given.get("type") != kind else ("type",)))
    rest = {key: item for key, item in rest.items() if key != kind and not hollow(item)}
    inner_rest = rest_of(inner, *(() if tool_name(name) != name else ("name",)), text_key)
    if kind == "custom":
        rest["type"] = "custom"
    known = as_text(given.get("id"))
    if not known:
        rest["id"] = given.get("id")
    arguments = inner.get(text_key)
    raw = as_text(arguments)
    if raw is None and arguments is not None:
        # Some hosts send an object where the API says text.
        inner_rest[text_key] = arguments
    if inner_rest:
        rest[kind] = inner_rest
    extras = kept(API, rest)
    if is_object(arguments):
        return ToolCall(known or spare_id, name, arguments, extras=extras)
    read = None if kind == "custom" else read_arguments(raw or "")
    return ToolCall(known or spare_id, name, read or EMPTY, raw or "", extras=extras)


def derived_id(seed: str, number: int) -> str:
    """An id for a call that came without one: the same for the same answer."""
    digest = blake2b(f"{seed}/{number}".encode("utf-8", "replace"), digest_size=8)
    return f"call_{digest.hexdigest()}"


def _cited(parts: list[Part], rest: Json) -> list[Part]:
    """Annotations belong to the text they annotate."""
    given = rest.get("annotations")
    for index, part in enumerate(parts):
        if isinstance(part, Text) and are_objects(given):
            del rest["annotations"]
            return [*parts[:index], part.replace(citations=tuple(given)), *parts[index + 1 :]]
    return parts


def usage(given: Json) -> Usage:
    """The tokens. Some hosts count reasoning beside the completion instead of within."""
    before = as_object(given.get("prompt_tokens_details"))
    after = as_object(given.get("completion_tokens_details"))
    prompt = as_count(given.get("prompt_tokens"))
    completion = as_count(given.get("completion_tokens"))
    reasoning = as_count(after.get("reasoning_tokens"))
    cached = (before.get("cached_tokens"), *map(given.get, CACHED))
    together = total(completion, reasoning)
    if (
        reasoning
        and None not in (prompt, completion)
        and given.get("total_tokens") == total(prompt, together)
    ):
        completion = together
    return Usage(
        prompt,
        completion,
        next((count for one in cached if (count := as_count(one)) is not None), None),
        as_count(before.get("cache_write_tokens")),
        reasoning,
        FrozenDict(_details(given, before, after)),
    )


def _details(given: Json, before: Json, after: Json) -> Json:
    details = rest_of(
        given,
        *("prompt_tokens", "completion_tokens", "total_tokens"),
        *("prompt_tokens_details", "completion_tokens_details"),
    )
    if spare := rest_of(before, "cached_tokens", "cache_write_tokens"):
        details["prompt_tokens_details"] = spare
    if spare := rest_of(after, "reasoning_tokens"):
        details["completion_tokens_details"] = spare
    return details
