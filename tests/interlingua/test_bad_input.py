"""Bad input gives one clear MessageError, never a crash from somewhere inside."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlingua import (
    Image,
    InterlinguaError,
    Message,
    MessageError,
    Problem,
    Request,
    Response,
    Text,
    Tool,
    ToolCall,
    ToolResult,
)
from strategies import json_values

LARGE = "x" * 50_000_000
"""50 MB of text."""


def deep(levels: int = 2_000) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


def circle() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["a"] = [value]
    return value


def endless() -> Iterator[Any]:
    yield "a"
    yield 3


ROLES = "expected one of system, developer, user, assistant, tool, got"
RESULT = "use Message.tool(tool_call_id, result)"
SURROGATE = (
    "holds a lone surrogate, which no encoding can carry; "
    "replace it: text.encode('utf-8', 'replace').decode()"
)
DEEP = "is nested more than 200 levels deep, or contains itself; flatten it"

CASES: dict[str, tuple[Callable[[], Any], str]] = {
    "a wrong role": (
        lambda: Message.from_dict({"role": "bot", "content": "a"}),
        f"not a Message: role: {ROLES} str 'bot'",
    ),
    "a part that is no part": (
        lambda: Message.user(["a", 3]),
        "not a Message: content[1]: expected a part, a string or a mapping, got int 3",
    ),
    "an object of another library": (
        lambda: Message.user([range(3)]),
        "not a Message: content[0]: expected a part, a string or a mapping, got range range(0, 3)",
    ),
    "metadata that is no JSON": (
        lambda: Message.user("a", metadata={"when": {1, 2}}),
        "not a Message: metadata['when']: set is no JSON value; "
        "use str, int, float, bool, None, list or dict",
    ),
    "a number that is none": (
        lambda: Message.user("a", metadata={"score": [float("nan")]}),
        "not a Message: metadata['score'][0]: nan is no JSON number; use None or a string",
    ),
    "a circle in the metadata": (
        lambda: Message.user("a", metadata=circle()),
        f"{DEEP}",
    ),
    "a circle in a tool's result": (lambda: ToolResult("c", circle()), DEEP),
    "a lone surrogate in a text": (lambda: Text("a\ud83d"), f"not a Text: text: {SURROGATE}"),
    "a lone surrogate in a message": (
        lambda: Message.user("a\ud83d"),
        f"not a Message: content.text: {SURROGATE}",
    ),
    "a lone surrogate in a key": (
        lambda: ToolCall("c", "f", {"\ud83d": 1}),
        rf"not a ToolCall: arguments['\ud83d']: {SURROGATE}",
    ),
    "2,000 levels of metadata": (lambda: Message.user("a", metadata=deep()), DEEP),
    "2,000 levels of arguments": (lambda: ToolCall("c", "f", deep()), DEEP),
    "2,000 levels of a result": (lambda: ToolResult("c", deep()), DEEP),
    "2,000 levels of parameters": (lambda: Tool("f", parameters=deep()), DEEP),
    "2,000 levels for a part": (
        lambda: Message.user([[deep()]]),
        "not a Message: content[0]: expected a part, a string or a mapping, got list [{'a': {'a':",
    ),
    "100,000 levels of JSON text": (lambda: Message.from_json("[" * 100_000), "no JSON: "),
    "50 MB for a role": (
        lambda: Message.from_dict({"role": LARGE}),
        f"not a Message: role: {ROLES} str 'xxx",
    ),
    "50 MB for a media type and for bytes": (
        lambda: Image.from_dict({"data": LARGE + "!"}),
        "not an Image: data: no base64 (",
    ),
    "a tool message without an id": (
        lambda: Message("tool", "a"),
        f"not a Message: content[0]: tool_call_id is required for tool messages; {RESULT}",
    ),
    "a tool message without a result": (
        lambda: Message("tool"),
        f"not a Message: content: tool_call_id is required for tool messages; {RESULT}",
    ),
    "a tool message with an empty id": (
        lambda: Message.tool("", "a"),
        "not a Message: tool_call_id: is empty",
    ),
    "an id on a user message": (
        lambda: Message.from_dict({"role": "user", "content": "a", "tool_call_id": "c"}),
        f"not a Message: tool_call_id: tool_call_id is only allowed for tool messages; {RESULT}",
    ),
    "a generator that yields nonsense": (
        lambda: Message.user(endless()),
        "not a Message: content[1]: expected a part, a string or a mapping, got int 3",
    ),
    "bytes for a text": (
        lambda: Message.user([b"a"]),
        "not a Message: content[0]: expected a part, a string or a mapping, got bytes b'a'",
    ),
    "no mapping at all": (
        lambda: Message.from_json("null"),
        "expected a mapping, got None",
    ),
}


@pytest.mark.parametrize(("make", "said"), CASES.values(), ids=CASES)
def test_bad_input_gives_one_clear_error(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(MessageError) as caught:
        make()

    assert said in str(caught.value)
    assert len(caught.value.errors) == 1
    assert len(str(caught.value)) < 500


def test_a_text_of_50_mb_is_kept_without_a_second_copy() -> None:
    tracemalloc.start()

    message = Message.user(LARGE)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert message.content[0] == Text(LARGE)
    assert most < 1_000_000


def test_a_text_of_50_mb_goes_through_json() -> None:
    message = Message.user(LARGE)

    assert Message.from_json(message.to_json()) == message


def test_several_problems_are_reported_together_by_the_constructor_and_by_try_new() -> None:
    given: dict[str, Any] = {
        "role": "bot",
        "content": ["a", 3, {"type": "text", "text": "\ud83d"}],
        "metadata": {"a": [float("inf")]},
        "created_at": "yesterday",
        "extras": {"openai-chat": []},
    }
    problems = (
        Problem("role", f"{ROLES} str 'bot'"),
        Problem("content[1]", "expected a part, a string or a mapping, got int 3"),
        Problem("content[2].text", SURROGATE),
        Problem("metadata['a'][0]", "inf is no JSON number; use None or a string"),
        Problem("created_at", "expected a time in ISO 8601, got str 'yesterday'"),
        Problem("extras['openai-chat']", "expected a mapping, got list []"),
    )

    with pytest.raises(MessageError) as caught:
        Message(**given)

    assert caught.value.errors == problems
    assert Message.try_new(given) == (None, problems)


def test_try_new_gives_the_message_when_there_is_no_problem() -> None:
    assert Message.try_new({"role": "user", "content": "a"}) == (Message.user("a"), ())


READERS: list[Callable[[Any], Any]] = [
    Message.coerce,
    Message.from_dict,
    Request.from_dict,
    Response.from_dict,
    Text.from_dict,
    ToolCall.from_dict,
    ToolResult.from_dict,
    Tool.from_dict,
]
KEYS = st.sampled_from(
    (
        *("role", "content", "type", "text", "id", "name", "tool_calls", "tool_call_id", "data"),
        *("message", "messages", "model", "arguments", "metadata", "extras", "origin"),
    )
)
WORDS = st.sampled_from(["user", "tool", "assistant", "text", "image", "tool_call", "tool_result"])
NONSENSE = st.recursive(
    json_values | WORDS,
    lambda inner: st.dictionaries(KEYS, inner, max_size=4) | st.lists(inner, max_size=3),
    max_leaves=12,
)


@pytest.mark.parametrize("read", READERS)
@given(NONSENSE)
def test_nonsense_is_read_or_refused_by_our_own_error(
    read: Callable[[Any], Any], value: object
) -> None:
    with suppress(InterlinguaError):
        read(value)
