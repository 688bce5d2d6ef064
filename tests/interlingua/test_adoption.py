"""Messages from what a program has: what is clear is read, what is not is refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings

from interlingua import (
    ConfigError,
    Image,
    Message,
    MessageError,
    Text,
    ToolCall,
    UserMessage,
    codec,
    messages_from,
)
from strategies import conversations

Json = dict[str, Any]


def refused(items: Iterable[object], format: str | None = None) -> str:
    with pytest.raises(MessageError) as caught:
        messages_from(items, format=format)
    return str(caught.value)


CLEAR: list[tuple[object, Message]] = [
    (Message.user("a"), Message.user("a")),
    ("a", Message.user("a")),
    (Text("a"), Message.user("a")),
    (UserMessage("a"), Message.user("a")),
    (("user_prompt", "a"), Message.user("a")),
    (["user_prompt", "a"], Message.user("a")),
    ({"parts": [("text", "a")]}, Message.assistant("a")),
    ({"role": "user", "content": "a"}, Message.user("a")),
    ({"role": "user", "content": [{"type": "text", "text": "a"}]}, Message.user("a")),
    ({"role": "system", "content": "a", "name": "n"}, Message.system("a", name="n")),
    ({"role": "user", "content": "a", "metadata": {"k": 1}}, Message.user("a", metadata={"k": 1})),
    (
        {"role": "user", "content": [{"type": "image", "url": "https://e.com/i.png"}]},
        Message.user(Image("https://e.com/i.png")),
    ),
    ({"role": "tool", "tool_call_id": "c", "content": "r"}, Message.tool("c", "r")),
    (
        {"role": "assistant", "content": "a", "tool_calls": [{"id": "c", "name": "f"}]},
        Message.assistant("a", tool_calls=[ToolCall("c", "f")]),
    ),
]


@pytest.mark.parametrize(("item", "message"), CLEAR, ids=lambda one: type(one).__name__)
def test_what_is_clear_is_read(item: object, message: Message) -> None:
    assert messages_from([item]) == (message,)


CALL: Json = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    ],
}
CHAT: list[Json] = [
    {
        "role": "user",
        "content": [{"type": "image_url", "image_url": {"url": "https://e.com/i.png"}}],
    },
    CALL,
    {"role": "assistant", "content": "a", "refusal": None},
    {
        "role": "user",
        "content": [{"type": "input_audio", "input_audio": {"data": "", "format": "wav"}}],
    },
    {"role": "function", "name": "f", "content": "r"},
]


@pytest.mark.parametrize("item", CHAT, ids=lambda one: one["role"])
def test_openais_chat_dicts_are_known_by_their_shape(item: Json) -> None:
    body = {"messages": [item]}

    assert messages_from([item]) == codec("openai-chat").decode_request(body).messages


AMBIGUOUS: list[tuple[object, str]] = [
    (
        {"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {}}]},
        "reads as openai-chat or as anthropic-messages; "
        "say which: format='openai-chat' or format='anthropic-messages'",
    ),
    (
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c"}]},
        "reads as anthropic-messages; say which: format='anthropic-messages'",
    ),
    (
        {"role": "model", "parts": [{"text": "a"}]},
        "reads as gemini-generate; say which: format='gemini-generate'",
    ),
    (
        {"parts": []},
        "reads as legacy or as gemini-generate; say which: format='legacy' or format='gemini-generate'",
    ),
    (
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
        "reads as openai-responses; say which: format='openai-responses'",
    ),
    (
        {"role": "assistant", "content": [{"type": "output_text", "text": "a"}]},
        "reads as openai-responses; say which: format='openai-responses'",
    ),
]


@pytest.mark.parametrize(("item", "reason"), AMBIGUOUS)
def test_what_is_not_clear_is_refused_with_its_index_and_the_formats(
    item: object, reason: str
) -> None:
    assert refused(["a", item]) == f"not messages: [1]: {reason}"


NO_MESSAGE: list[object] = [
    42,
    None,
    {},
    {"foo": 1},
    ("bogus", 1),
    {"role": "bogus", "content": "a"},
    {"role": ["user"], "content": [{"type": ["text"]}]},
    {"role": "user", "content": [{"type": "bogus"}]},
    {"role": "user", "content": "a", "metadata": {}, "refusal": None},
    {"parts": [("text", "a"), {"text": "b"}]},
]


@pytest.mark.parametrize("item", NO_MESSAGE, ids=repr)
def test_what_is_no_message_is_refused_with_its_index(item: object) -> None:
    assert refused(["a", item]).startswith("not messages: [1]")


def test_all_problems_are_named() -> None:
    said = refused([42, {"role": "user", "content": 3}, "a", {"foo": 1}])

    assert said.startswith("not messages: [0]: expected")
    assert "; [1].content: expected" in said
    assert "; [3]: is no message" in said


def test_a_dict_in_the_place_of_the_list_is_refused() -> None:
    one: Any = {"role": "user", "content": "a"}

    assert refused(one).startswith("expected a sequence")


# -- told the format


def test_anthropics_dicts_are_read_when_the_format_is_told() -> None:
    items: list[Json] = [
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c", "content": "r"},
                {"type": "text", "text": "and?"},
            ],
        },
    ]

    read = messages_from(items, format="anthropic-messages")

    assert read == codec("anthropic-messages").decode_request({"messages": items}).messages
    assert [message.role for message in read] == ["assistant", "tool", "user"]


def test_geminis_dicts_are_read_when_the_format_is_told() -> None:
    items: list[Json] = [
        {"role": "user", "parts": [{"text": "a"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
    ]

    read = messages_from(items, format="gemini-generate")

    assert read == codec("gemini-generate").decode_request({"contents": items}).messages


def test_items_of_the_responses_api_are_read_when_the_format_is_told() -> None:
    items: list[Json] = [
        {"role": "user", "content": "a"},
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
    ]

    read = messages_from(items, format="openai-responses")

    assert read == codec("openai-responses").decode_request({"input": items}).messages


def test_our_own_and_legacy_dicts_may_be_told_too() -> None:
    cited = {"role": "user", "content": [{"type": "text", "text": "a", "citations": [{"n": 1}]}]}

    assert messages_from([cited], format="interlingua") == (Message.from_dict(cited),)
    assert messages_from([{"parts": []}], format="legacy") == ()


def test_messages_and_tuples_stay_what_they_are_among_dicts_of_a_format() -> None:
    items: list[object] = [
        Message.system("s"),
        {"role": "user", "content": "a"},
        ("user_prompt", "b"),
        {"role": "user", "content": "c"},
    ]

    read = messages_from(items, format="anthropic-messages")

    assert [message.text for message in read] == ["s", "a", "b", "c"]


def test_a_problem_is_placed_among_all_items() -> None:
    items: list[object] = [Message.user("a"), "b", {"role": "bogus"}]

    assert refused(items, "anthropic-messages").startswith(
        "not messages: [2].role: anthropic-messages: expected one of user, assistant, system"
    )
    assert refused([Message.user("a"), CALL, ("bogus", 1)]).startswith("not messages: [2]: unknown")


def test_a_format_that_nobody_speaks_is_refused() -> None:
    with pytest.raises(ConfigError, match="no API is called 'bogus'"):
        messages_from([], format="bogus")


# -- whole histories


def test_a_tuples_return_is_named_after_a_messages_call() -> None:
    call = Message.assistant(tool_calls=[ToolCall("c", "f")])

    read = messages_from([call, ("tool_return", {"call_id": "c", "result": "r"})])

    assert read == (call, Message.tool("c", "r", name="f"))


@settings(max_examples=30)
@given(conversations)
def test_our_own_dicts_are_read_as_they_were_written(history: tuple[Message, ...]) -> None:
    assert messages_from([message.to_dict() for message in history]) == history
