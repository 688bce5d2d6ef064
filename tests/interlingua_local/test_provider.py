"""The embedded model as a provider: what it makes of a request, and real answers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interlingua import (
    AsyncClient,
    Client,
    ConfigError,
    ContextLengthError,
    Finished,
    Loss,
    LossPolicy,
    Message,
    NotFoundError,
    Request,
    TextDelta,
    Tool,
    ToolCall,
)
from interlingua_local import provider
from interlingua_local.model import NAME

WEATHER = Tool(
    "get_weather",
    "The weather in a city",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
ASKED = Message.user("What is the weather in Paris?")
CALLED = Message.assistant(ToolCall("call_1", "get_weather", {"city": "Paris"}))
TOLD = Message.tool("call_1", "12 degrees and rain")


def prepared(*messages: Message | str, **settings: Any) -> tuple[Request, list[Loss]]:
    return provider.prepare(Request(NAME, messages, **settings), "local")


# -- what it makes of a request


def test_an_answer_is_short_and_always_the_same_unless_the_request_says_otherwise() -> None:
    assert prepared("Hi") == (Request(NAME, ["Hi"], max_tokens=512, temperature=0.0), [])

    given = Request(NAME, ["Hi"], max_tokens=5, temperature=1.0)
    assert prepared("Hi", max_tokens=5, temperature=1.0) == (given, [])


def test_another_model_gets_the_request_as_it_is() -> None:
    request = Request("other", ["x" * 200_000], [WEATHER])

    assert provider.prepare(request, "local") == (request, [])


def test_with_tools_it_always_calls_one() -> None:
    request, losses = prepared(ASKED, tools=[WEATHER], tool_choice="auto")

    assert (request.tools, request.tool_choice) == ((WEATHER,), "required")
    assert request.parallel_tool_calls is False
    assert [(loss.path, loss.action) for loss in losses] == [("tool_choice", "lowered")]


def test_that_it_must_call_a_tool_is_no_loss() -> None:
    request, losses = prepared(ASKED, tools=[WEATHER], tool_choice="required")

    assert (request.tool_choice, losses) == ("required", [])


@pytest.mark.parametrize(
    ("talk", "choice"), [([ASKED, CALLED, TOLD], None), ([ASKED], "none")], ids=["told", "none"]
)
def test_it_answers_in_words_when_it_sees_no_tools(talk: list[Message], choice: Any) -> None:
    request, losses = prepared(*talk, tools=[WEATHER], tool_choice=choice)

    assert (request.tools, request.tool_choice, request.parallel_tool_calls) == ((), None, None)
    assert [(loss.path, loss.action) for loss in losses] == [("tools", "lowered")]


def test_what_it_can_never_read_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(ContextLengthError, match=r"100,001 characters long; 'smollm2-135m' reads"):
        prepared("x" * 100_001)


# -- settings


def test_an_option_it_does_not_have_is_refused_by_name(embedded: Path) -> None:
    with pytest.raises(
        ConfigError, match="no such option of local: 'treads'; there are model_path"
    ):
        Client("local", model_path=embedded, treads=2)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"threads": "two"}, "threads='two' is no whole number"),
        ({"port": 1.5}, "port=1.5 is no whole number"),
        ({"model_path": 7}, "model_path=7 is no path"),
    ],
)
def test_an_option_of_the_wrong_kind_is_refused(
    options: dict[str, Any], words: str, embedded: Path
) -> None:
    given: dict[str, Any] = {"model_path": embedded, **options}

    with pytest.raises(ConfigError, match=words):
        Client("local", **given)


# -- real answers


@pytest.fixture
def client(embedded: Path) -> Iterator[Client]:
    with Client("local", model_path=embedded) as made:
        yield made


def test_it_answers(client: Client) -> None:
    response = client.generate("Say hello in one short sentence.", max_tokens=20)

    assert response.text.startswith("Hello")
    assert (response.provider, response.api, response.model) == ("local", "openai-chat", NAME)
    assert response.usage.input_tokens
    assert response.losses == ()


def test_a_stream_is_the_same_answer(client: Client) -> None:
    whole = client.generate("Say hello in one short sentence.", max_tokens=20)

    with client.stream("Say hello in one short sentence.", max_tokens=20) as stream:
        events = list(stream)

    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == whole.text
    assert isinstance(events[-1], Finished)
    assert stream.response.message == whole.message
    assert stream.response.finish_reason == whole.finish_reason


def test_it_answers_asynchronously_too(embedded: Path) -> None:
    async def ask() -> str:
        async with AsyncClient("local", model_path=embedded) as client:
            return (await client.generate("Say hello in one short sentence.", max_tokens=20)).text

    assert asyncio.run(ask()).startswith("Hello")


def test_it_calls_a_tool_and_tells_what_the_tool_gave(client: Client) -> None:
    called = client.generate(ASKED, tools=[WEATHER])

    (call,) = called.tool_calls
    assert (call.name, called.finish_reason) == ("get_weather", "tool_calls")
    assert call.arguments.keys() == {"city"}

    result = Message.tool(call.id, "12 degrees and rain")
    told = client.generate([ASKED, called.message, result], tools=[WEATHER], max_tokens=40)
    assert told.text
    assert told.finish_reason in ("stop", "length")
    assert [loss.path for loss in told.losses] == ["tools"]


def test_a_conversation_of_another_vendor_goes_on(client: Client) -> None:
    talk = [
        Message.developer("Answer in one word."),
        Message.user(["What is", "the capital of France?"]),
        Message.assistant("Paris."),
        Message.user("And of Italy?"),
    ]

    assert client.generate(talk, max_tokens=10, on_loss=LossPolicy.strict).text


def test_a_model_that_does_not_run_is_not_found(embedded: Path) -> None:
    with (
        Client("local:other", model_path=embedded) as client,
        pytest.raises(NotFoundError, match="no local model is called 'other'; there is 'smollm2"),
    ):
        client.generate("Hi")


def test_more_than_its_context_is_a_context_length_error(client: Client) -> None:
    with pytest.raises(ContextLengthError) as caught:
        client.generate("word " * 5_000)

    assert caught.value.provider == "local"
