"""llmock, a mock of the vendors by other hands: answers, streams, tools and faults."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from llmock.pytest_plugin import LLMock
from llmock.scenarios import Fail, Reply, StreamFault, ToolCall
from tests.live.asking import WAYS, Way, generate, stream

from interlingua import (
    AuthenticationError,
    Event,
    Finished,
    InvalidRequestError,
    MalformedResponseError,
    Message,
    NotFoundError,
    OverloadedError,
    PermissionDeniedError,
    ProviderError,
    RateLimitError,
    Request,
    Response,
    ServerError,
    StreamInterruptedError,
    TextDelta,
    Tool,
    ToolResult,
    codec,
)

WEATHER = Tool(
    "get_weather",
    "The weather in a city",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
HISTORY = (
    Message.system("Be brief."),
    Message.user("What is the weather in Paris, and in Rome?"),
)
SAID = 'Hellö 漢字 👩‍👩‍👧 "q" \\n\nand more'


class Mock(NamedTuple):
    """llmock as one of the vendors, and the client that speaks to it."""

    spec: str
    api: str
    name: str
    path: str
    options: dict[str, Any]


MOCKS = (
    Mock("openai:m", "openai-responses", "openai", "/v1/responses", {}),
    Mock("openai-chat:m", "openai-chat", "openai", "/v1/chat/completions", {}),
    Mock("anthropic:m", "anthropic-messages", "anthropic", "/anthropic/v1/messages", {}),
    Mock(
        "google:m",
        "gemini-generate",
        "gemini",
        "/gemini/v1beta/models/m:generateContent",
        {"api_version": "v1beta"},
    ),
)

pytestmark = [
    pytest.mark.parametrize("mock", MOCKS, ids=lambda mock: mock.spec),
    pytest.mark.parametrize("way", WAYS),
]


def client(llmock: LLMock, mock: Mock, **more: Any) -> dict[str, Any]:
    return {
        "api_key": "no-key-at-all",
        "base_url": llmock.base_url(mock.name),
        "timeout": 20,
        "max_retries": 0,
        "ask": {"max_tokens": 100},
        **mock.options,
        **more,
    }


def heart(response: Response, mock: Mock) -> tuple[object, ...]:
    """What is the same of the same answer through every API."""
    assert (response.provider, response.api) == (mock.spec.removesuffix(":m"), mock.api)
    calls = [(call.name, dict(call.arguments)) for call in response.tool_calls]
    return response.text, calls, response.finish_reason, response.usage.output_tokens


def test_an_answer_arrives(llmock: LLMock, mock: Mock, way: Way) -> None:
    llmock.reply(SAID)

    response = generate(way, mock.spec, HISTORY, **client(llmock, mock))

    assert heart(response, mock) == (SAID, [], "stop", len(SAID) // 4)


def test_a_streamed_answer_arrives(llmock: LLMock, mock: Mock, way: Way) -> None:
    llmock.reply(SAID)

    told = stream(way, mock.spec, HISTORY, **client(llmock, mock))

    assert told.events[-1] == Finished(told.response)
    assert "".join(e.text for e in told.events if isinstance(e, TextDelta)) == SAID
    assert heart(told.response, mock) == (SAID, [], "stop", len(SAID) // 4)


def test_what_encode_shows_is_what_the_vendor_gets(llmock: LLMock, mock: Mock, way: Way) -> None:
    request = Request("m", HISTORY, max_tokens=100, tools=[WEATHER], tool_choice="none")
    ask = {"max_tokens": 100, "tools": [WEATHER], "tool_choice": "none"}

    generate(way, mock.spec, HISTORY, **client(llmock, mock, ask=ask))

    assert llmock.last_request.path == mock.path
    assert llmock.last_request.body == codec(mock.api).encode(request).body


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_tools_are_called_and_answered(
    llmock: LLMock, mock: Mock, way: Way, streamed: bool
) -> None:
    cities = ("Paris", "Rome")
    calls = tuple(ToolCall("get_weather", {"city": city}) for city in cities)
    llmock.add(Reply(tool_calls=calls)).reply("Sunny in both.")
    given = client(llmock, mock, ask={"max_tokens": 100, "tools": [WEATHER]})

    first = answer(way, mock, HISTORY, given, streamed)
    results = [ToolResult(call.id, "sunny", name=call.name) for call in first.tool_calls]
    history = (*HISTORY, first.message, Message("tool", results))
    second = answer(way, mock, history, given, streamed)

    wanted = [("get_weather", {"city": city}) for city in cities]
    assert heart(first, mock)[:3] == ("", wanted, "tool_calls")
    assert heart(second, mock)[:3] == ("Sunny in both.", [], "stop")
    assert second.losses == ()


def test_a_conversation_goes_on_at_another_vendor(llmock: LLMock, mock: Mock, way: Way) -> None:
    there = MOCKS[(MOCKS.index(mock) + 1) % len(MOCKS)]
    llmock.call_tool("get_weather", {"city": "Paris"}).reply("Sunny.")
    ask = {"max_tokens": 100, "tools": [WEATHER]}

    first = generate(way, mock.spec, HISTORY, **client(llmock, mock, ask=ask))
    result = Message.tool(first.tool_calls[0].id, "sunny")
    second = generate(
        way, there.spec, (*HISTORY, first.message, result), **client(llmock, there, ask=ask)
    )

    assert heart(second, there)[:3] == ("Sunny.", [], "stop")
    assert {loss.kind for loss in second.losses} <= {"provenance"}


FAILURES: dict[int, tuple[type[ProviderError], bool]] = {
    400: (InvalidRequestError, False),
    401: (AuthenticationError, False),
    403: (PermissionDeniedError, False),
    404: (NotFoundError, False),
    429: (RateLimitError, True),
    500: (ServerError, True),
    503: (OverloadedError, True),
    529: (OverloadedError, True),
}


@pytest.mark.parametrize("status", FAILURES)
def test_a_failure_is_one_of_our_errors(llmock: LLMock, mock: Mock, way: Way, status: int) -> None:
    wait = 2.5 if status == 429 else None
    llmock.add(Fail(status, retry_after=wait, message="Because.", times=None))
    kind, retryable = FAILURES[status]
    history = list(HISTORY)

    with pytest.raises(ProviderError) as caught:
        generate(way, mock.spec, history, **client(llmock, mock))

    error = caught.value
    assert (type(error), str(error), error.status) == (kind, "Because.", status)
    assert (error.retryable, error.provider) == (retryable, mock.spec.removesuffix(":m"))
    assert status != 429 or error.retry_after == 2.5
    assert history == list(HISTORY)


@pytest.mark.parametrize("status", [429, 500, 503, 529])
@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_a_call_recovers_when_the_failure_ends(
    llmock: LLMock, mock: Mock, way: Way, status: int, streamed: bool
) -> None:
    llmock.fail(status, times=2, retry_after=0.01).reply("Back again.")

    response = answer(way, mock, HISTORY, client(llmock, mock, max_retries=2), streamed)

    assert response.text == "Back again."
    assert [attempt.status for attempt in response.attempts] == [status, status]
    llmock.assert_resilient()


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_call_that_cannot_succeed_is_made_once(
    llmock: LLMock, mock: Mock, way: Way, status: int
) -> None:
    llmock.fail(status, times=None)

    with pytest.raises(ProviderError):
        generate(way, mock.spec, HISTORY, **client(llmock, mock, max_retries=5))

    assert len(llmock.requests) == 1


def test_a_call_is_given_up_after_its_last_attempt(llmock: LLMock, mock: Mock, way: Way) -> None:
    llmock.fail(503, times=None, retry_after=0.01)

    with pytest.raises(OverloadedError) as caught:
        generate(way, mock.spec, HISTORY, **client(llmock, mock, max_retries=2))

    assert [error.status for error in caught.value.attempts] == [503, 503, 503]
    assert len(llmock.requests) == 3


BREAKS = {
    "disconnect": StreamInterruptedError,
    "truncate": StreamInterruptedError,
    "malformed": MalformedResponseError,
    "stall": StreamInterruptedError,
}


@pytest.mark.parametrize("kind", BREAKS)
def test_a_stream_that_breaks_is_an_error_with_what_had_come(
    llmock: LLMock, mock: Mock, way: Way, kind: Any
) -> None:
    fault = StreamFault(kind, after_chunks=6, stall_seconds=20, times=None)
    llmock.add(Reply("one two three four five six seven eight nine", times=None), fault)

    told = stream(way, mock.spec, HISTORY, **client(llmock, mock, timeout=0.3, max_retries=2))

    assert type(told.error) is BREAKS[kind]
    assert told.error.response == told.response
    assert told.response.text == texts(told.events).strip() + " "
    assert told.response.finish_reason == "error"
    assert len(llmock.requests) == 1


@pytest.mark.parametrize("kind", ["disconnect", "truncate", "malformed"])
def test_an_answer_that_is_asked_for_again_is_whole(
    llmock: LLMock, mock: Mock, way: Way, kind: Any
) -> None:
    llmock.add(StreamFault(kind, after_chunks=6, times=1))
    llmock.add(Reply("one two three four five six seven eight nine", times=None))

    stream(way, mock.spec, HISTORY, **client(llmock, mock))
    told = stream(way, mock.spec, HISTORY, **client(llmock, mock))

    assert told.error is None
    assert told.response.text == "one two three four five six seven eight nine"


def test_arguments_that_are_no_json_are_kept_as_text(llmock: LLMock, mock: Mock, way: Way) -> None:
    llmock.break_tool_call("malformed_arguments")
    ask = {"max_tokens": 100, "tools": [WEATHER]}

    call = generate(way, mock.spec, HISTORY, **client(llmock, mock, ask=ask)).tool_calls[0]

    # The other two APIs send arguments as JSON values, which cannot be malformed.
    assert (call.name, call.is_valid) == ("get_weather", mock.name != "openai")


def texts(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def answer(way: Way, mock: Mock, history: Any, given: dict[str, Any], streamed: bool) -> Response:
    """The same answer, whole or as a stream that went well."""
    if not streamed:
        return generate(way, mock.spec, history, **given)
    told = stream(way, mock.spec, history, **given)
    assert told.error is None
    return told.response
