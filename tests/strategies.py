"""Values of the language at random, for the tests of its laws."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta, timezone
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from interlingua import (
    Audio,
    Candidate,
    Document,
    Image,
    Loss,
    Message,
    Opaque,
    Origin,
    Part,
    Reasoning,
    Refusal,
    Request,
    Response,
    Role,
    ServerTool,
    ServerToolCall,
    ServerToolResult,
    Text,
    Tool,
    ToolCall,
    ToolResult,
    Usage,
    Video,
)
from interlingua.response import FINISH_REASONS

APIS = ("openai-chat", "openai-responses", "anthropic-messages", "gemini-generate")

texts = st.text(max_size=20)
words = st.text(min_size=1, max_size=12)
ids = st.from_regex(r"[A-Za-z0-9_-]{1,24}", fullmatch=True)
names = st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_]{0,20}", fullmatch=True)
flags = st.booleans()
counts = st.integers(0, 10**9)
bytestrings = st.binary(max_size=24)


def maybe(strategy: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.none() | strategy


scalars: SearchStrategy[Any] = (
    st.none()
    | flags
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)


def _containers(inner: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4)


json_values: SearchStrategy[Any] = st.recursive(scalars, _containers, max_leaves=10)
json_objects: SearchStrategy[dict[str, Any]] = st.dictionaries(texts, json_values, max_size=3)
extras: SearchStrategy[dict[str, Any]] = st.dictionaries(
    st.sampled_from(APIS), json_objects, max_size=2
)
zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(timezones=zones)
origins = st.builds(Origin, provider=words, api=st.sampled_from(APIS), model=maybe(words))

urls = words.map(lambda word: f"https://example.com/{word}")
media_types = st.sampled_from(["image/png", "audio/wav", "video/mp4", "application/pdf"])


def _media(kind: Callable[..., Any], **sources: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """Parts of a kind, each with one of the sources."""
    about: dict[str, SearchStrategy[Any]] = {
        "media_type": maybe(media_types),
        "name": maybe(texts),
        "detail": maybe(texts),
        "extras": extras,
    }
    return st.one_of([st.builds(kind, **{one: sources[one]}, **about) for one in sources])


_SOURCES: dict[str, SearchStrategy[Any]] = {"url": urls, "data": bytestrings, "file_id": words}

text_parts = st.builds(
    Text, text=texts, citations=st.lists(json_objects, max_size=2), extras=extras
)
images: SearchStrategy[Image] = _media(Image, **_SOURCES)
audios: SearchStrategy[Audio] = _media(Audio, **_SOURCES)
videos: SearchStrategy[Video] = _media(Video, **_SOURCES)
documents: SearchStrategy[Document] = _media(Document, **_SOURCES, text=texts)
open_thoughts = st.builds(
    Reasoning,
    text=texts,
    signature=maybe(texts),
    summary=st.lists(texts, max_size=2),
    extras=extras,
)
thoughts = open_thoughts | st.builds(Reasoning, redacted=texts, extras=extras)
raw_arguments = st.sampled_from(['{"a": 1}', "{}", "", "{broken", "[1]", '{"a":1,"a":2}'])
tool_calls = st.builds(
    ToolCall, id=ids, name=names, arguments=json_objects | raw_arguments, extras=extras
)
refusals = st.builds(Refusal, text=texts, extras=extras)
server_calls = st.builds(
    ServerToolCall, id=texts, name=names, arguments=json_objects, extras=extras
)
server_results = st.builds(
    ServerToolResult,
    tool_call_id=texts,
    name=names,
    content=json_values,
    is_error=flags,
    extras=extras,
)
opaques = st.builds(Opaque, kind=texts, payload=json_objects, extras=extras)

shown_parts: SearchStrategy[Part] = st.one_of(
    text_parts, images, audios, videos, documents, opaques
)
tool_results = st.builds(
    ToolResult,
    tool_call_id=ids,
    content=st.lists(shown_parts, max_size=2).map(tuple),
    name=maybe(names),
    is_error=flags,
    extras=extras,
)
answer_parts: SearchStrategy[Part] = st.one_of(
    shown_parts, thoughts, tool_calls, refusals, server_calls, server_results
)
parts: SearchStrategy[Part] = answer_parts | tool_results

_HOLDS: dict[Role, SearchStrategy[tuple[Part, ...]]] = {
    "system": st.lists(shown_parts, max_size=3).map(tuple),
    "developer": st.lists(shown_parts, max_size=3).map(tuple),
    "user": st.lists(shown_parts, max_size=3).map(tuple),
    "assistant": st.lists(answer_parts, max_size=4).map(tuple),
    "tool": st.lists(tool_results, min_size=1, max_size=2).map(tuple),
}


def messages_of(role: Role) -> SearchStrategy[Message]:
    return st.builds(
        Message,
        role=st.just(role),
        content=_HOLDS[role],
        metadata=json_objects,
        name=maybe(texts),
        id=maybe(texts),
        created_at=maybe(moments),
        origin=maybe(origins),
        extras=extras,
    )


messages: SearchStrategy[Message] = st.one_of([messages_of(role) for role in _HOLDS])

tools = st.builds(
    Tool,
    name=names,
    description=maybe(texts),
    parameters=json_objects,
    strict=maybe(flags),
    extras=extras,
)
server_tools = st.builds(
    ServerTool, provider=st.sampled_from(APIS), type=words, config=json_objects
)
requests = st.builds(
    Request,
    model=words,
    messages=st.lists(messages, max_size=3),
    tools=st.lists(tools | server_tools, max_size=2),
    tool_choice=maybe(st.sampled_from(["auto", "none", "required"]) | names),
    parallel_tool_calls=maybe(flags),
    max_tokens=maybe(counts),
    temperature=maybe(st.floats(0, 2)),
    top_p=maybe(st.floats(0, 1)),
    top_k=maybe(counts),
    stop=st.lists(words, max_size=2),
    seed=maybe(counts),
    reasoning=maybe(words | st.fixed_dictionaries({"budget_tokens": counts})),
    response_format=maybe(st.just("json") | st.fixed_dictionaries({"schema": json_objects})),
    stream=flags,
    user=maybe(words),
    metadata=json_objects,
    cache=maybe(st.fixed_dictionaries({"key": words})),
    extras=extras,
)

usages = st.builds(
    Usage,
    input_tokens=maybe(counts),
    output_tokens=maybe(counts),
    cache_read_tokens=maybe(counts),
    cache_write_tokens=maybe(counts),
    reasoning_tokens=maybe(counts),
    details=json_objects,
)
losses = st.builds(
    Loss,
    path=texts,
    kind=st.sampled_from(["content", "setting", "provenance"]),
    reason=texts,
    action=st.sampled_from(["dropped", "lowered", "synthesised", "merged"]),
)
finish_reasons = st.sampled_from(FINISH_REASONS)
candidates = st.builds(
    Candidate,
    message=messages_of("assistant"),
    finish_reason=finish_reasons,
    raw_finish_reason=maybe(texts),
)
responses = st.builds(
    Response,
    message=messages_of("assistant"),
    finish_reason=finish_reasons,
    raw_finish_reason=maybe(texts),
    usage=usages,
    model=maybe(texts),
    id=maybe(texts),
    provider=texts,
    api=texts,
    request_id=maybe(texts),
    candidates=st.lists(candidates, max_size=2),
    losses=st.lists(losses, max_size=2),
    raw=json_objects,
)


@st.composite
def _conversation(draw: st.DrawFn) -> tuple[Message, ...]:
    turns: list[Message] = []
    for number in range(draw(st.integers(1, 3))):
        turns.append(Message.user(draw(words)))
        for step in range(draw(st.integers(0, 2))):
            calls = [
                ToolCall(f"call_{number}_{step}_{place}", draw(names), draw(json_objects))
                for place in range(draw(st.integers(1, 3)))
            ]
            turns.append(Message.assistant(draw(words), tool_calls=calls))
            turns += [Message.tool(call.id, draw(words), name=call.name) for call in calls]
        turns.append(Message.assistant(draw(words)))
    return tuple(turns)


conversations = _conversation()
"""Histories of plain text in which every call is answered right after it, under ids of its own."""
