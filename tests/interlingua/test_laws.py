"""Law 1: values are frozen. Law 6: encoding is pure, and a turn's bytes begin with the last one's."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlingua import (
    Attempt,
    Candidate,
    Document,
    Encoded,
    Finished,
    FrozenDict,
    Image,
    Loss,
    LossPolicy,
    Message,
    Opaque,
    Origin,
    PartDone,
    Reasoning,
    Refusal,
    Request,
    Response,
    ServerTool,
    ServerToolCall,
    ServerToolResult,
    Started,
    Text,
    TextDelta,
    Tool,
    ToolCall,
    ToolCallDelta,
    ToolResult,
    Usage,
    codec,
)
from interlingua.frozen import thaw
from strategies import (
    APIS,
    candidates,
    conversations,
    losses,
    messages,
    origins,
    parts,
    requests,
    responses,
    server_tools,
    tools,
    usages,
)

IMMUTABLE = (str, bytes, int, float, bool, type(None), datetime)

VALUES: st.SearchStrategy[Any] = st.one_of(
    parts,
    messages,
    requests,
    responses,
    candidates,
    usages,
    tools,
    server_tools,
    origins,
    losses,
)


def mutable_inside(value: Any, path: str = "") -> list[str]:
    """Where a value holds something that can change."""
    if isinstance(value, msgspec.Struct):
        assert type(value).__struct_config__.frozen
        held = {name: getattr(value, name) for name in value.__struct_fields__}
        return [one for name in held for one in mutable_inside(held[name], f"{path}.{name}")]
    if type(value) is FrozenDict:
        return [one for key in value for one in mutable_inside(value[key], f"{path}[{key!r}]")]
    if type(value) is tuple:
        items = cast("tuple[Any, ...]", value)
        return [
            one
            for index, item in enumerate(items)
            for one in mutable_inside(item, f"{path}[{index}]")
        ]
    return [] if isinstance(value, IMMUTABLE) else [path]


@given(VALUES)
def test_every_value_is_immutable_all_the_way_down(value: Any) -> None:
    assert mutable_inside(value) == []


@given(VALUES)
def test_every_value_survives_pickle_and_copies(value: Any) -> None:
    again = pickle.loads(pickle.dumps(value))

    assert (again, hash(again)) == (value, hash(value))
    assert copy.copy(value) == value
    assert copy.deepcopy(value) == value


@given(VALUES)
def test_every_value_has_equal_ones_with_equal_hashes(value: Any) -> None:
    fields = {name: getattr(value, name) for name in value.__struct_fields__}

    again = type(value)(**fields)

    assert again is not value
    assert (again, hash(again)) == (value, hash(value))


@given(messages | requests)
def test_copies_of_the_large_values_are_the_values_themselves(value: Any) -> None:
    assert copy.copy(value) is value
    assert copy.deepcopy(value) is value


def as_it_is(container: Any) -> Any:
    return container


# Each value is made from containers of the caller's own, which are then emptied.

MAKERS: list[Callable[[Any], Any]] = [
    lambda own: Text(
        "a", own([own({"url": "u", "at": own([1])})]), extras=own({"x": own({"k": 1})})
    ),
    lambda own: Image(data=own(bytearray(b"a")), extras=own({"x": own({"k": 1})})),
    lambda own: Document(text="a", extras=own({"x": own({"k": own([1])})})),
    lambda own: Reasoning("a", summary=own(["b"])),
    lambda own: ToolCall("c", "f", own({"a": own([own({"b": 1})])})),
    lambda own: ToolResult("c", own([Text("a"), own({"type": "text", "text": "b"})])),
    lambda own: ToolResult("c", own({"a": own([1])})),
    lambda own: Refusal("a", extras=own({"x": own({"k": 1})})),
    lambda own: ServerToolCall("c", "f", own({"a": own([1])})),
    lambda own: ServerToolResult("c", "f", own([own({"a": own([1])})])),
    lambda own: Opaque("new", own({"a": own([1])})),
    lambda own: Message(
        "user",
        own([Text("a"), own({"type": "opaque", "kind": "k", "payload": own({"a": own([1])})})]),
        own({"k": own([own({"a": 1})])}),
        origin=own({"provider": "p", "api": "a"}),
        extras=own({"x": own({"k": own([1])})}),
    ),
    lambda own: Message.assistant(
        own(["a"]), tool_calls=own([own({"id": "c", "name": "f", "arguments": own({"a": 1})})])
    ),
    lambda own: Message.from_dict(
        own({"role": "user", "content": own([own({"type": "text", "text": "a"})])})
    ),
    lambda own: Tool("f", parameters=own({"type": "object", "properties": own({"a": own({})})})),
    lambda own: ServerTool("openai-chat", "x", own({"a": own([1])})),
    lambda own: Request(
        "m",
        own([Message.user("a"), own({"role": "user", "content": "b"})]),
        own([Tool("f"), own({"name": "g"})]),
        own({"name": "f"}),
        stop=own(["a"]),
        reasoning=own({"effort": "low"}),
        response_format=own({"schema": own({"type": "object"})}),
        metadata=own({"a": "b"}),
        cache=own({"key": "k"}),
        extras=own({"openai-chat": own({"a": own([1])})}),
    ),
    lambda own: Usage(1, details=own({"a": own({"b": 1})})),
    lambda own: Response(
        Message.assistant("a"),
        "stop",
        candidates=own([Candidate(Message.assistant("a"), "stop")]),
        losses=own([Loss("a", "content", "b")]),
        attempts=own([Attempt("m", "ServerError", "b")]),
        raw=own({"a": own([own({"b": 1})])}),
    ),
    lambda own: FrozenDict(own({"a": own([own({"b": own([])})])})),
]


@pytest.mark.parametrize("make", MAKERS)
def test_nothing_the_caller_changes_afterwards_shows(make: Callable[[Any], Any]) -> None:
    owned: list[Any] = []

    def own(container: Any) -> Any:
        owned.append(container)
        return container

    value, untouched = make(own), make(as_it_is)
    known = hash(untouched)
    for container in owned:
        container.clear()

    assert value == untouched
    assert hash(value) == known
    assert mutable_inside(value) == []


@pytest.mark.parametrize("make", MAKERS)
def test_nothing_the_caller_passes_is_changed(make: Callable[[Any], Any]) -> None:
    pairs: list[tuple[Any, Any]] = []

    def own(container: Any) -> Any:
        pairs.append((container, copy.deepcopy(thaw(container))))
        return container

    make(own)

    assert [container for container, _ in pairs] == [before for _, before in pairs]


SIMPLE: list[Any] = [
    Text("a"),
    Message.user("a"),
    Request("m"),
    Response(Message.assistant("a"), "stop"),
    Usage(1),
    Candidate(Message.assistant("a"), "stop"),
    Attempt("m", "ServerError", "a"),
    Origin("p", "a"),
    Tool("f"),
    ServerTool("p", "t"),
    Loss("a", "content", "b"),
    LossPolicy(),
    Encoded("openai-chat", b"{}"),
    Started(),
    TextDelta(0, "a"),
    ToolCallDelta(0, "c", "f", ""),
    PartDone(0, Text("a")),
    Finished(Response(Message.assistant("a"), "stop")),
]


@pytest.mark.parametrize("value", SIMPLE)
def test_no_field_of_a_value_can_be_set_or_deleted(value: Any) -> None:
    name = value.__struct_fields__[0]

    with pytest.raises(AttributeError):
        setattr(value, name, None)
    with pytest.raises(AttributeError):
        delattr(value, name)
    assert (pickle.loads(pickle.dumps(value)), {value: 1}[value]) == (value, 1)


# -- law 6

PROGRAM = """
import pickle, sys
from interlingua import LossPolicy, codec
for request in pickle.load(sys.stdin.buffer):
    for api in sys.argv[1:]:
        sys.stdout.buffer.write(codec(api).encode(request, LossPolicy.allow).content + b"\\n")
"""


@pytest.mark.parametrize("api", APIS)
@settings(max_examples=30)
@given(conversations)
def test_encoding_twice_gives_the_same_bytes(api: str, history: tuple[Message, ...]) -> None:
    request = Request("m-1", history, max_tokens=10)
    again: Request = pickle.loads(pickle.dumps(request))

    first = codec(api).encode(request, LossPolicy.allow)
    second = codec(api).encode(again, LossPolicy.allow)

    assert codec(api).encode(request, LossPolicy.allow).content == first.content
    assert (second.content, second.losses) == (first.content, first.losses)


def schema(*names: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


def awkward() -> Request:
    """A request that has everything that sets and hashes could put in another order."""
    call = ToolCall(
        "an id no API takes!", "a name no API takes!", {"b": 1, "a": [2, {"d": 3, "c": 4}]}
    )
    return Request(
        "m-1",
        [
            Message.system("s"),
            Message.user(["a", Image(data=b"\x89PNG\r\n\x1a\n")], name="bob"),
            Message.assistant([Reasoning("t", "seal"), "b"], tool_calls=[call]),
            Message.tool(call.id, {"z", "y", "x"}),
            Message.assistant("c", extras={"openai-chat": {"k": 1}, "gemini-generate": {"l": 1}}),
            Message.user("d", created_at=datetime(2026, 11, 30, tzinfo=UTC)),
        ],
        [Tool(call.name, "does", schema("b", "a")), Tool("g", parameters=schema("d", "c"))],
        temperature=0.5,
        stop=["x", "y"],
        metadata={"b": "1", "a": "2"},
        extras={api: {"q": {"b": 1, "a": 2}} for api in APIS},
    )


def test_a_fresh_process_with_other_hashes_gives_the_same_bytes() -> None:
    stored = pickle.dumps([awkward()])

    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, *APIS],
            input=stored,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2", "random")
    }

    [output] = outputs
    encoded = [codec(api).encode(awkward(), LossPolicy.allow).content for api in APIS]
    assert output == b"".join(content + b"\n" for content in encoded)


CONVERSATION = {
    "openai-chat": "messages",
    "openai-responses": "input",
    "anthropic-messages": "messages",
    "gemini-generate": "contents",
}


@pytest.mark.parametrize("api", APIS)
@settings(max_examples=30)
@given(conversations)
def test_the_turns_of_one_request_begin_those_of_the_next(
    api: str, history: tuple[Message, ...]
) -> None:
    ends = [index for index, turn in enumerate(history) if turn.role == "user"]
    wires = [conversation_bytes(api, history[: end + 1]) for end in ends]

    for shorter, longer in pairwise(wires):
        assert longer.startswith(shorter.removesuffix(b"]") + b",")


@pytest.mark.parametrize("api", APIS)
@settings(max_examples=30)
@given(conversations)
def test_no_message_is_encoded_in_dependence_on_what_came_before(
    api: str, history: tuple[Message, ...]
) -> None:
    warm = conversation_bytes(api, history)
    cold: tuple[Message, ...] = pickle.loads(pickle.dumps(history))

    assert conversation_bytes(api, cold) == warm


def conversation_bytes(api: str, history: tuple[Message, ...]) -> bytes:
    """The JSON array that holds the turns, as it is sent."""
    content = codec(api).encode(Request("m-1", history, max_tokens=10), LossPolicy.allow).content
    fields = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
    return bytes(fields[CONVERSATION[api]])
