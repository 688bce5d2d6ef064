"""aimock, another mock by other hands: one script, served through all four APIs."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest
from tests.live.asking import WAYS, Way, generate, stream

from interlingua import Response, Tool, Usage
from interlingua.errors import RateLimitError

WEATHER = Tool(
    "get_weather",
    "The weather in a city",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)


class Api(NamedTuple):
    spec: str
    root: str
    options: dict[str, Any]
    deviations: dict[str, str]
    """Words in which aimock speaks otherwise than the vendor, and what they are taken for."""


APIS = (
    # Without `incomplete_details` nobody knows why an answer is incomplete.
    Api("openai:m", "/v1", {}, {"length": "other"}),
    Api("openai-chat:m", "/v1", {}, {}),
    Api("anthropic:m", "", {}, {}),
    # It says FUNCTION_CALL where Gemini says STOP.
    Api("google:m", "", {"api_version": "v1beta"}, {"tool_calls": "other"}),
)


class Said(NamedTuple):
    """An answer, as every API must give it."""

    text: str = ""
    calls: tuple[dict[str, Any], ...] = ()
    reasoning: str = ""
    finish_reason: str = "stop"
    usage: tuple[int, int] = (5, 6)


ANSWERS = {
    "Compare two cities": Said(
        calls=({"city": "Paris"}, {"city": "Rome"}), finish_reason="tool_calls", usage=(11, 22)
    ),
    "Look it up": Said(
        "Let me look.",
        ({"city": "Oslo", "days": 3, "units": ["C", "F"]},),
        finish_reason="tool_calls",
        usage=(11, 22),
    ),
    "Tell it at length": Said("It was a dark and stormy", finish_reason="length"),
    "Think first": Said("Four.", reasoning="Two and two make four."),
    "Write in every script": Said('héllo 漢字 мир "q" \\n\n\tend'),
    "Answer in JSON": Said('{"name": "Bob", "age": 42}'),
}

pytestmark = [
    pytest.mark.parametrize("api", APIS, ids=lambda api: api.spec),
    pytest.mark.parametrize("way", WAYS),
    pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"]),
]


def answer(api: Api, way: Way, streamed: bool, url: str, question: str, **ask: Any) -> Response:
    given: dict[str, Any] = {
        "api_key": "no-key-at-all",
        "base_url": url + api.root,
        "timeout": 20,
        "max_retries": 0,
        "ask": {"max_tokens": 100, **ask},
        **api.options,
    }
    if not streamed:
        return generate(way, api.spec, question, **given)
    told = stream(way, api.spec, question, **given)
    assert told.error is None
    return told.response


@pytest.mark.parametrize("question", ANSWERS)
def test_one_answer_is_the_same_through_every_api(
    api: Api, way: Way, streamed: bool, aimock: str, question: str
) -> None:
    response = answer(api, way, streamed, aimock, question, tools=[WEATHER])

    wanted = ANSWERS[question]
    finish = api.deviations.get(wanted.finish_reason, wanted.finish_reason)
    assert said(response) == wanted._replace(finish_reason=finish)


def test_the_error_is_the_same_through_every_api(
    api: Api, way: Way, streamed: bool, aimock: str
) -> None:
    with pytest.raises(RateLimitError, match=r"^Too many\.$") as caught:
        answer(api, way, streamed, aimock, "Be busy")

    error = caught.value
    assert (error.status, error.code, error.retry_after) == (429, "rate_limit_error", 4)


def said(response: Response) -> Said:
    usage = response.usage
    assert isinstance(usage, Usage)
    assert {call.name for call in response.tool_calls} <= {"get_weather"}
    calls = tuple(json.loads(json.dumps(call.arguments)) for call in response.tool_calls)
    return Said(
        response.text,
        calls,
        response.message.reasoning,
        response.finish_reason,
        (usage.input_tokens or 0, usage.output_tokens or 0),
    )
