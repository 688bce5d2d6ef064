"""llama.cpp's own server, a third implementation of three of the four APIs, with a real model."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from tests.live.asking import WAYS, Way, generate, stream

from interlingua import (
    AuthenticationError,
    ContextLengthError,
    Finished,
    InvalidRequestError,
    Message,
    TextDelta,
    Tool,
    ToolCallDelta,
)
from interlingua_local import model, server


class Api(NamedTuple):
    spec: str
    root: str
    coldest: dict[str, Any]
    """How to ask for the likeliest words."""
    too_long: type[InvalidRequestError]
    in_words: dict[str, Any]
    """How to ask for words after a tool's result."""


WEATHER = Tool(
    "get_weather",
    "The weather in a city",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
NO_CALLS = {"tools": [WEATHER], "tool_choice": "none"}

APIS = (
    Api("openai-chat:smollm2-135m", "/v1", {"temperature": 0}, ContextLengthError, NO_CALLS),
    Api("openai:smollm2-135m", "/v1", {"temperature": 0}, ContextLengthError, NO_CALLS),
    Api(
        "anthropic:smollm2-135m",
        "",
        # The vendor's API has no temperature any more; this server's has.
        {"extras": {"anthropic-messages": {"temperature": 0}}},
        InvalidRequestError,
        # It does not know Anthropic's `none`.
        {},
    ),
)
CHAT = APIS[0]
GREETING = (Message.user("Say hello in one short sentence."),)
FURTHER = Message.user("What is 2+2?")
QUESTION = (Message.user("What is the weather in Paris?"),)

pytestmark = pytest.mark.parametrize("api", APIS, ids=lambda api: api.spec.partition(":")[0])
both_ways = pytest.mark.parametrize("way", WAYS)


@pytest.fixture(scope="module")
def engine(local_model: str) -> server.Running:
    """The engine that `Client("local")` has started."""
    return server.start(model.find_model())


@pytest.fixture(scope="module")
def hello(engine: server.Running) -> str:
    """What the model says to the greeting."""
    said = generate("sync", CHAT.spec, GREETING, **client(engine, CHAT))
    assert said.text
    return said.text


@pytest.fixture(scope="module")
def further(engine: server.Running, hello: str) -> str:
    """What it says when it is asked further."""
    history = (*GREETING, Message.assistant(hello), FURTHER)
    return generate("sync", CHAT.spec, history, **client(engine, CHAT)).text


def client(engine: server.Running, api: Api, **ask: Any) -> dict[str, Any]:
    return {
        "api_key": engine.key,
        "base_url": engine.address + api.root,
        "timeout": 60,
        "max_retries": 0,
        "ask": {"max_tokens": 24, **api.coldest, **ask},
    }


@both_ways
def test_every_api_says_the_same(engine: server.Running, hello: str, api: Api, way: Way) -> None:
    response = generate(way, api.spec, GREETING, **client(engine, api))

    assert (response.text, response.finish_reason, response.losses) == (hello, "stop", ())
    assert (response.usage.input_tokens or 0) > 5
    assert (response.usage.output_tokens or 0) > 5


@both_ways
def test_every_api_streams_the_same(engine: server.Running, hello: str, api: Api, way: Way) -> None:
    told = stream(way, api.spec, GREETING, **client(engine, api))

    pieces = [event.text for event in told.events if isinstance(event, TextDelta)]
    assert ("".join(pieces), told.response.text, told.error) == (hello, hello, None)
    assert len(pieces) > 5
    assert told.events[-1] == Finished(told.response)
    assert told.response.finish_reason == "stop"


def test_a_short_limit_cuts_the_answer(engine: server.Running, api: Api) -> None:
    response = generate("sync", api.spec, GREETING, **client(engine, api, max_tokens=3))

    assert response.usage.output_tokens == 3


def test_a_streamed_tool_call_is_answered(engine: server.Running, api: Api) -> None:
    given = client(engine, api, tools=[WEATHER], tool_choice="required")

    told = stream("async", api.spec, QUESTION, **given)
    (call,) = told.response.tool_calls
    result = Message.tool(call.id, "21 degrees and sunny")
    history = (*QUESTION, told.response.message, result)
    answer = generate("async", api.spec, history, **client(engine, api, **api.in_words))

    assert (call.name, dict(call.arguments)) == ("get_weather", {"city": "Paris"})
    assert told.response.finish_reason == "tool_calls"
    assert any(isinstance(event, ToolCallDelta) for event in told.events)
    assert "21 degrees" in answer.text


def test_a_conversation_goes_on_through_chat(
    engine: server.Running, further: str, api: Api
) -> None:
    first = generate("sync", api.spec, GREETING, **client(engine, api))
    history = (*GREETING, first.message, FURTHER)

    assert generate("sync", CHAT.spec, history, **client(engine, CHAT)).text == further


@both_ways
def test_a_wrong_key_is_refused(engine: server.Running, api: Api, way: Way) -> None:
    given: dict[str, Any] = {**client(engine, api), "api_key": "a-wrong-key"}

    with pytest.raises(AuthenticationError):
        generate(way, api.spec, GREETING, **given)


def test_a_prompt_that_is_too_long_is_refused(engine: server.Running, api: Api) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        generate("sync", api.spec, "word " * 5000, **client(engine, api))

    assert type(caught.value) is api.too_long
