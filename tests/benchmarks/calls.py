"""CPU per call and per stream of one API, the raw SDK and interlingua in turn in one process.

python -m tests.benchmarks.calls URL PROVIDER       prints its figures as JSON
"""

from __future__ import annotations

import gc
import json
import pickle
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from interlingua import Client, Message, Request, TextDelta, Tool, ToolCall, codec
from interlingua.registry import provider

Json = dict[str, Any]
Work = Callable[[], object]

ROUNDS = 3
ROUND = 0.06
"""Seconds of CPU that a round takes at least."""

LENGTHS = (1, 50, 200)
"""Messages in a conversation."""

TOOL = Tool(
    "weather",
    "The weather in a city",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)


def talk(length: int) -> tuple[Message, ...]:
    """A conversation that ends with a question; every other answer calls a tool."""
    made: list[Message] = []
    for turn in range(length // 4):
        call = ToolCall(f"call_{turn}", "weather", {"city": f"City {turn}", "days": turn})
        made += [
            Message.user(f"What is the weather in city {turn}, and do I need a coat there?"),
            Message.assistant("I shall look it up.", tool_calls=[call]),
            Message.tool(call.id, f"{turn} degrees, wind from the west, rain in the evening."),
            Message.assistant(
                f"It is {turn} degrees. Take a coat, and an umbrella for the evening."
            ),
        ]
    return (*made, Message.user("How deep is the harbour?"))


class Raw:
    """A vendor's SDK, used as its documentation says."""

    def __init__(self, name: str, url: str) -> None:
        self._name = name
        self._api = provider(name).codec.api
        self._client = sdk(name, url)

    def given(self, length: int) -> Json:
        """The arguments of a call; the same JSON as interlingua sends."""
        body = codec(self._api).encode(Request("m", talk(length), [TOOL], max_tokens=99)).body
        if self._name != "google":
            return body
        config: Json = {
            "tools": body["tools"],
            "max_output_tokens": 99,
            "automatic_function_calling": {"disable": True},
        }
        return {"model": "m", "contents": body["contents"], "config": config}

    def call(self, given: Json) -> object:
        match self._name:
            case "openai":
                return self._client.responses.create(**given).output_text
            case "openai-chat":
                return self._client.chat.completions.create(**given).choices[0].message.content
            case "anthropic":
                return self._client.messages.create(**given).content[0].text
            case _:
                return self._client.models.generate_content(**given).text

    def stream(self, given: Json) -> int:
        return sum(len(text) for text in self._texts(given))

    def _texts(self, given: Json) -> Iterable[str]:
        match self._name:
            case "openai":
                for event in self._client.responses.create(**given, stream=True):
                    if event.type == "response.output_text.delta":
                        yield event.delta
            case "openai-chat":
                for event in self._client.chat.completions.create(**given, stream=True):
                    yield event.choices[0].delta.content or ""
            case "anthropic":
                for event in self._client.messages.create(**given, stream=True):
                    if event.type == "content_block_delta":
                        yield event.delta.text
            case _:
                for event in self._client.models.generate_content_stream(**given):
                    yield event.text or ""


def sdk(name: str, url: str) -> Any:
    """The official SDK's client."""
    if name == "anthropic":
        import anthropic

        return anthropic.Anthropic(api_key="key", base_url=url)
    if name == "google":
        from google import genai

        made: Any = genai.Client
        return made(api_key="key", http_options={"base_url": url})
    import openai

    return openai.OpenAI(api_key="key", base_url=f"{url}/v1")


class Ours:
    """interlingua."""

    def __init__(self, name: str, url: str) -> None:
        root = url if name in ("anthropic", "google") else f"{url}/v1"
        self._client = Client(f"{name}:m", api_key="key", base_url=root)

    def call(self, given: Iterable[Message]) -> object:
        return self._client.generate(given, tools=[TOOL], max_tokens=99).text

    def stream(self, given: Iterable[Message]) -> int:
        with self._client.stream(given, tools=[TOOL], max_tokens=99) as stream:
            return sum(len(event.text) for event in stream if isinstance(event, TextDelta))


def compared(raw: Work, ours: Work) -> Json:
    """Microseconds of CPU each, and their ratio: the median over rounds in turn."""
    pairs = [(repeated(raw), repeated(ours)) for _ in range(ROUNDS + 1)][1:]
    return {
        "raw": round(statistics.median(theirs for theirs, _ in pairs), 1),
        "ours": round(statistics.median(mine for _, mine in pairs), 1),
        "ratio": round(statistics.median(mine / theirs for theirs, mine in pairs), 3),
    }


def repeated(work: Work) -> float:
    """Microseconds of CPU that the work takes, repeated for a while."""
    gc.collect()
    times, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < ROUND:
        work()
        times += 1
    return spent / times * 1e6


def figures(name: str, url: str) -> Json:
    """All that is measured of one provider."""
    raw, ours = Raw(name, url), Ours(name, url)
    found: Json = {}
    for length in LENGTHS:
        given, messages = raw.given(length), talk(length)
        found[f"call/{length}"] = compared(
            lambda given=given: raw.call(given), lambda messages=messages: ours.call(messages)
        )
    longest, packed = raw.given(LENGTHS[-1]), pickle.dumps(talk(LENGTHS[-1]))
    unpacking = repeated(lambda: pickle.loads(packed))
    fresh = compared(lambda: raw.call(longest), lambda: ours.call(pickle.loads(packed)))
    fresh["ours"] = round(fresh["ours"] - unpacking, 1)
    found[f"first/{LENGTHS[-1]}"] = {**fresh, "ratio": round(fresh["ours"] / fresh["raw"], 3)}
    given, messages = raw.given(1), talk(1)
    if raw.stream(given) != ours.stream(messages):
        raise SystemExit("the two do not read the same text")
    found["stream"] = compared(lambda: raw.stream(given), lambda: ours.stream(messages))
    return found


if __name__ == "__main__":
    print(json.dumps(figures(sys.argv[2], sys.argv[1])))
