"""From the generateContent API's JSON to a Response."""

from __future__ import annotations

from math import isfinite
from typing import Any, cast

from interlingua.errors import DecodeError, MessageError
from interlingua.frozen import FrozenDict
from interlingua.message import Message, Origin
from interlingua.parts import (
    Opaque,
    Part,
    Reasoning,
    ServerToolCall,
    ServerToolResult,
    Text,
    ToolCall,
)
from interlingua.response import Candidate, FinishReason, Response, Usage
from interlingua.wire import (
    Json,
    as_count,
    as_object,
    as_text,
    kept,
    objects,
    rest_of,
    total,
)
from interlingua_google.errors import judge
from interlingua_google.media import read_medium
from interlingua_google.names import API, PROVIDER, derived_id, tool_name
from interlingua_google.spelling import camelized

FINISH: dict[object, FinishReason] = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    **dict.fromkeys(
        (
            *("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE"),
            *("IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION"),
            *("MODEL_ARMOR", "ESCALATION"),
        ),
        "content_filter",
    ),
    "CONTINUATION": "pause",
    **dict.fromkeys(
        (
            *("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"),
            *("MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE"),
        ),
        "error",
    ),
    # Vertex can answer with the words' numbers; past 4 they differ between its versions.
    1: "stop",
    2: "length",
    3: "content_filter",
    4: "content_filter",
}

BLOCKED: dict[object, FinishReason] = dict.fromkeys(
    ("SAFETY", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY", "MODEL_ARMOR", "JAILBREAK"),
    "content_filter",
)

COUNTED = (
    *("promptTokenCount", "toolUsePromptTokenCount", "cachedContentTokenCount"),
    *("candidatesTokenCount", "thoughtsTokenCount", "totalTokenCount"),
)

ABOUT_THE_ANSWER = (
    *("content", "finishReason", "finishMessage", "index", "tokenCount", "avgLogprobs"),
    *("continuationToken",),
)
"""Fields of a candidate that say nothing of its message; `raw` has them."""

KNOWN = ("candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId")

CODE = "code_execution"
"""What the tool is called whose calls are `executableCode`."""


def decode(body: Json) -> Response:
    """The answer that a body is. Raises `ProviderError` for an error in its clothes."""
    raw = _frozen(body)
    given: Json = camelized(raw)
    if given.get("error") and not given.get("candidates"):
        raise judge(200, {}, body)
    if not any(key in given for key in KNOWN):
        raise DecodeError("neither candidates nor prompt feedback", api=API, path="candidates")
    model, id = as_text(given.get("modelVersion")), as_text(given.get("responseId"))
    candidates = [
        _candidate(one, model, f"{id}/{place}" if id else None)
        for place, one in enumerate(objects(given.get("candidates")))
    ]
    first = candidates[0] if candidates else _refused(given, model)
    return Response(
        first.message,
        first.finish_reason,
        first.raw_finish_reason,
        usage=usage(as_object(given.get("usageMetadata"))),
        model=model,
        id=id,
        provider=PROVIDER,
        api=API,
        candidates=tuple(candidates) if len(candidates) > 1 else (),
        raw=raw,
    )


def _frozen(body: Json) -> FrozenDict:
    """The body as it came, save numbers that JSON does not have."""
    try:
        return FrozenDict(body)
    except MessageError as error:
        if "JSON number" not in error.errors[0].reason:
            raise
        return FrozenDict(_spelt(body))


def _spelt(value: Any) -> Any:
    """The value with `nan` and `inf` as the words that protobuf's JSON has for them."""
    match value:
        case float() if not isfinite(value):
            return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[repr(value)]
        case dict():
            return {key: _spelt(item) for key, item in cast("Json", value).items()}
        case list():
            return [_spelt(item) for item in cast("list[Any]", value)]
        case _:
            return value


def _candidate(given: Json, model: str | None, seed: str | None) -> Candidate:
    content = parts(as_object(given.get("content")).get("parts"), seed)
    about = rest_of(given, *ABOUT_THE_ANSWER)
    message = Message(
        "assistant",
        content,
        origin=Origin(PROVIDER, API, model),
        extras=kept(API, {"candidate": about} if about else {}),
    )
    word = _word(given.get("finishReason"))
    reason = FINISH.get(word, "other")
    if reason == "stop" and message.has_tool_calls:
        reason = "tool_calls"
    return Candidate(message, reason, word)


def _refused(given: Json, model: str | None) -> Candidate:
    """The answer to a prompt that was blocked."""
    word = _word(as_object(given.get("promptFeedback")).get("blockReason"))
    message = Message("assistant", None, origin=Origin(PROVIDER, API, model))
    return Candidate(message, BLOCKED.get(word, "other"), word)


def _word(value: object) -> str | int | None:
    """The vendor's word; a number where it sent the word's number."""
    return value if isinstance(value, str | int) and not isinstance(value, bool) else None


def parts(given: object, seed: str | None) -> list[Part]:
    """A candidate's parts, one for one; calls without an id get one derived from the seed."""
    made: list[Part] = []
    calls = 0
    for one in listed(given):
        made.append(part(one, calls, seed))
        calls += "functionCall" in one
    return made


def listed(given: object) -> list[Json]:
    """The objects of an array; one object may stand where an array is due."""
    return objects(given) or list(filter(None, [as_object(given)]))


def part(given: Json, number: int, seed: str | None) -> Part:
    """The part that a part of content is; `number` counts the calls before it."""
    try:
        known = _known(given, number, seed)
    except MessageError:
        known = None
    return known or Opaque(_kind(given), FrozenDict(given))


def _kind(given: Json) -> str:
    return next((key for key in given if key not in ("thought", "thoughtSignature")), "part")


def _known(given: Json, number: int, seed: str | None) -> Part | None:
    match given:
        case {"text": str(text), "thought": True}:
            return _thought(text, given)
        case {"text": str(text)}:
            return Text(text, extras=_kept(given, "text"))
        case {"functionCall": dict()}:
            return _call(given, number, seed)
        case {"inlineData": dict()} | {"fileData": dict()}:
            return read_medium(given)
        case {"executableCode": dict()}:
            return _code(given)
        case {"codeExecutionResult": dict()}:
            return _code_result(given)
        case {"toolCall": {"toolType": str(kind)}}:
            return _server_call(given, kind)
        case {"toolResponse": {"toolType": str(kind)}}:
            return _server_result(given, kind)
        case _ if given.keys() <= {"thought", "thoughtSignature"}:
            return Text("", extras=kept(API, {"text": None, **rest_of(given)}))
        case _:
            return None


def _kept(given: Json, field: str, more: Json | None = None) -> FrozenDict:
    """The part's other fields, and those of its data field that have no home here."""
    rest = rest_of(given, field)
    if rest.get("thought") is False:
        del rest["thought"]
    if more:
        rest[field] = more
    return kept(API, rest)


def _thought(text: str, given: Json) -> Reasoning:
    seal = as_text(given.get("thoughtSignature"))
    known = ("text", "thought") if seal is None else ("text", "thought", "thoughtSignature")
    return Reasoning(text=text, signature=seal, extras=kept(API, rest_of(given, *known)))


def _call(given: Json, number: int, seed: str | None) -> ToolCall | None:
    inner = as_object(given["functionCall"])
    name, id = as_text(inner.get("name")), as_text(inner.get("id"))
    more = _more(inner, "args", "name", *(("id",) if id else ()))
    if not name or more is None:
        return None
    if tool_name(name) != name:
        more["name"] = name  # The encoder would change it.
    known = id or derived_id(seed or repr(inner), number)
    arguments = as_object(inner.get("args"))
    return ToolCall(known, name, arguments, extras=_kept(given, "functionCall", more))


def _more(inner: Json, field: str, *known: str) -> Json | None:
    """What has no home here, with a mark if there are no arguments; None if they are no object."""
    arguments = inner.get(field)
    if not isinstance(arguments, dict | None):
        return None
    rest = rest_of(inner, field, *known)
    return rest | {field: None} if arguments is None else rest


def _code(given: Json) -> ServerToolCall:
    inner = as_object(given["executableCode"])
    id = as_text(inner.get("id")) or ""
    code = rest_of(inner, *(("id",) if id else ()))
    return ServerToolCall(
        id=id, name=CODE, arguments=FrozenDict(code), extras=_kept(given, "executableCode")
    )


def _code_result(given: Json) -> ServerToolResult:
    inner = as_object(given["codeExecutionResult"])
    id = as_text(inner.get("id")) or ""
    return ServerToolResult(
        tool_call_id=id,
        name=CODE,
        content=rest_of(inner, *(("id",) if id else ())),
        is_error=inner.get("outcome") not in ("OUTCOME_OK", 1, None),
        extras=_kept(given, "codeExecutionResult"),
    )


def _server_call(given: Json, kind: str) -> ServerToolCall | None:
    inner = as_object(given["toolCall"])
    id = as_text(inner.get("id")) or ""
    more = _more(inner, "args", "toolType", *(("id",) if id else ()))
    if more is None:
        return None
    extras = _kept(given, "toolCall", more)
    arguments = inner.get("args")
    return ServerToolCall(
        id=id, name=kind, arguments=FrozenDict(as_object(arguments)), extras=extras
    )


def _server_result(given: Json, kind: str) -> ServerToolResult:
    inner = as_object(given["toolResponse"])
    id = as_text(inner.get("id")) or ""
    more = rest_of(inner, "toolType", "response", *(("id",) if id else ()))
    return ServerToolResult(
        tool_call_id=id,
        name=kind,
        content=inner.get("response"),
        extras=_kept(given, "toolResponse", more),
    )


def usage(given: Json) -> Usage:
    """The tokens. Thoughts are output beside the answer, tool results input beside the prompt."""
    prompt, tools, cached, answer, thoughts = (as_count(given.get(key)) for key in COUNTED[:5])
    return Usage(
        total(prompt, tools),
        total(answer, thoughts),
        cached,
        None,
        thoughts,
        FrozenDict(rest_of(given, *COUNTED)),
    )
