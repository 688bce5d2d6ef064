"""Servers that misbehave on real sockets: what the caller gets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from interlingua import Client, Event, TextDelta
from interlingua.errors import (
    ConnectionError,
    MalformedResponseError,
    ProviderError,
    RateLimitError,
    ServerError,
    StreamInterruptedError,
    TimeoutError,
)
from tests.live.apis import APIS, CHAT, Api
from tests.live.asking import WAYS, Told, Way, generate, stream
from tests.servers import SSE, Link, Server, chunk, head, serving, whole

pytestmark = [
    pytest.mark.parametrize("api", APIS, ids=lambda api: api.spec),
    pytest.mark.parametrize("way", WAYS),
]


def client(server: Server, api: Api, **more: Any) -> dict[str, Any]:
    return {
        "api_key": "canary-key",
        "base_url": server.url + api.root,
        "timeout": 20,
        "max_retries": 0,
        "ask": {"max_tokens": 100},
        **more,
    }


def answers(*answers: bytes) -> Any:
    """A script that gives one answer after the other, then the last one for ever."""
    left = list(answers)

    async def script(link: Link) -> None:
        await link.send(left.pop(0) if len(left) > 1 else left[0])

    return script


def texts(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, TextDelta)]


def partial(told: Told) -> tuple[type[Exception], str, str]:
    assert told.error is not None
    assert told.error.response == told.response
    return type(told.error), told.response.text, told.response.finish_reason


def test_an_answer_that_drips_is_awaited(way: Way, api: Api) -> None:
    async def script(link: Link) -> None:
        for byte in api.whole("Hello"):
            await link.send(bytes([byte]))

    with serving(script) as server:
        assert generate(way, api.spec, "Hi", **client(server, api)).text == "Hello"


def test_a_stream_that_drips_is_read_as_it_comes(way: Way, api: Api) -> None:
    async def script(link: Link) -> None:
        for byte in api.streamed("Hel", "lö"):
            await link.send(bytes([byte]))

    with serving(script) as server:
        told = stream(way, api.spec, "Hi", **client(server, api))

    assert (texts(told.events), told.response.text, told.error) == (["Hel", "lö"], "Hellö", None)


def test_an_answer_that_drips_for_ever_ends_at_the_deadline(way: Way, api: Api) -> None:
    async def script(link: Link) -> None:
        await link.send(head(content_type="application/json", content_length=10**9))
        while not await link.left(0.05):
            await link.send(b" ")

    with serving(script) as server, pytest.raises(TimeoutError):
        generate(way, api.spec, "Hi", **client(server, api, deadline=0.5))


def test_a_stream_that_drips_for_ever_ends_at_the_deadline(way: Way, api: Api) -> None:
    async def script(link: Link) -> None:
        await link.send(api.begun("Hel"))
        while not await link.left(0.05):
            await link.send(chunk(b": alive\n\n"))

    with serving(script) as server:
        told = stream(way, api.spec, "Hi", **client(server, api, deadline=0.5))

    assert partial(told) == (StreamInterruptedError, "Hel", "error")


def test_a_stream_that_only_shows_life_is_idle(way: Way, api: Api) -> None:
    async def script(link: Link) -> None:
        await link.send(api.begun("Hel"))
        while not await link.left(0.05):
            await link.send(chunk(b": alive\n\n"))

    with serving(script) as server:
        told = stream(way, api.spec, "Hi", **client(server, api, timeout=0.5))

    assert partial(told) == (StreamInterruptedError, "Hel", "error")
