"""Servers that misbehave on real sockets: what the caller gets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any

import pytest
from tests.live.apis import APIS, Api
from tests.live.asking import WAYS, Told, Way, generate, patient, stream
from tests.servers import LONGEST_WAIT, Link, Script, Server, chunk, head, serving, whole

from interlingua import AsyncClient, Client, Event, TextDelta
from interlingua.errors import (
    ConnectionError,
    MalformedResponseError,
    RateLimitError,
    ServerError,
    StreamInterruptedError,
    TimeoutError,
)

pytestmark = [
    pytest.mark.parametrize("api", APIS, ids=lambda api: api.spec),
    pytest.mark.parametrize("way", WAYS),
]


def client(server: Server, api: Api, **more: Any) -> dict[str, Any]:
    return {
        "api_key": "canary-key",
        "base_url": server.url + api.root,
        "timeout": LONGEST_WAIT,
        "max_retries": 0,
        "ask": {"max_tokens": 100},
        **more,
    }


def answering(*answers: bytes) -> Script:
    """Gives one answer after the other, and the last one again and again."""
    left = list(answers)

    async def script(link: Link) -> None:
        await link.send(left.pop(0) if len(left) > 1 else left[0])

    return script


def drips(answer: bytes) -> Iterator[bytes]:
    """An answer in pieces that end in the middle of words, lines and characters."""
    return (answer[start : start + 7] for start in range(0, len(answer), 7))


def texts(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, TextDelta)]


def broken(told: Told) -> tuple[type[Exception], str, str]:
    """How a stream failed, and what its caller holds of it."""
    assert told.error is not None
    assert told.error.response == told.response
    return type(told.error), told.response.text, told.response.finish_reason


def test_an_answer_that_drips_is_awaited(way: Way, api: Api) -> None:
    async def script(link: Link) -> None:
        await link.send(*drips(api.whole("Hellö")))

    with serving(script) as server:
        assert generate(way, api.spec, "Hi", **client(server, api)).text == "Hellö"


def test_a_stream_that_drips_is_read_as_it_comes(way: Way, api: Api) -> None:
    async def script(link: Link) -> None:
        await link.send(*drips(api.streamed("Hel", "lö")))

    with serving(script) as server:
        told = stream(way, api.spec, "Hi", **client(server, api))

    assert (texts(told.events), told.response.text, told.error) == (["Hel", "lö"], "Hellö", None)


def test_a_letter_that_is_split_between_two_events_is_told_whole(way: Way, api: Api) -> None:
    async def script(link: Link) -> None:
        await link.send(api.streamed("Hel\ud83d", "\ude00lo"))

    with serving(script) as server:
        told = stream(way, api.spec, "Hi", **client(server, api))

    face = "\N{GRINNING FACE}"
    assert (texts(told.events), told.response.text) == ([f"Hel{face}", "lo"], f"Hel{face}lo")


def test_an_answer_that_drips_for_ever_ends_at_the_deadline(way: Way, api: Api) -> None:
    async def script(link: Link) -> None:
        await link.send(head(content_type="application/json", content_length=10**9))
        while not await link.left(0.02):
            await link.send(b" ")

    with serving(script) as server, pytest.raises(TimeoutError):
        generate(way, api.spec, "Hi", **client(server, api, deadline=0.2))


def test_a_stream_that_drips_for_ever_ends_at_the_deadline(way: Way, api: Api) -> None:
    async def script(link: Link) -> None:
        await link.send(api.begun("Hel"))
        while not await link.left(0.02):
            await link.send(chunk(b": alive\n\n"))

    with serving(script) as server:
        told = stream(way, api.spec, "Hi", **client(server, api, deadline=0.2))

    assert broken(told) == (StreamInterruptedError, "Hel", "error")


@pytest.mark.parametrize("ask", [generate, stream], ids=["whole", "streamed"])
def test_an_error_that_drips_for_ever_ends_at_the_deadline(
    way: Way, api: Api, ask: Callable[..., object]
) -> None:
    async def script(link: Link) -> None:
        await link.send(head(500, content_type="application/json", content_length=10**9))
        while not await link.left(0.02):
            await link.send(b" ")

    with serving(script) as server:
        with pytest.raises(TimeoutError, match="the deadline passed"):
            ask(way, api.spec, "Hi", **client(server, api, deadline=0.2))

        assert server.is_idle()


def test_an_error_that_drips_is_read_whole_before_the_deadline(way: Way, api: Api) -> None:
    async def script(link: Link) -> None:
        body = json.dumps(api.failure).encode()
        await link.send(*drips(whole(body, 500)))

    with serving(script) as server, pytest.raises(api.kind, match="It broke"):
        generate(way, api.spec, "Hi", **client(server, api, deadline=LONGEST_WAIT))


def test_an_answer_after_the_timeout_is_not_awaited(way: Way, api: Api) -> None:
    left: SimpleQueue[bool] = SimpleQueue()

    async def script(link: Link) -> None:
        left.put(await link.left(LONGEST_WAIT))

    with serving(script) as server:
        with pytest.raises(TimeoutError) as caught:
            generate(way, api.spec, "Hi", **client(server, api, timeout=0.2))

        assert left.get(timeout=1)
    assert (caught.value.status, caught.value.retryable) == (None, True)


def test_a_stream_that_stops_is_not_awaited(way: Way, api: Api) -> None:
    left: SimpleQueue[bool] = SimpleQueue()

    async def script(link: Link) -> None:
        await link.send(api.begun("Hel"))
        left.put(await link.left(LONGEST_WAIT))

    with serving(script) as server:
        told = stream(way, api.spec, "Hi", **client(server, api, timeout=0.2))

        assert left.get(timeout=1)
    assert broken(told) == (StreamInterruptedError, "Hel", "error")


def test_a_stream_that_never_begins_is_not_awaited(way: Way, api: Api) -> None:
    left: SimpleQueue[bool] = SimpleQueue()

    async def script(link: Link) -> None:
        left.put(await link.left(LONGEST_WAIT))

    with serving(script) as server:
        with pytest.raises(TimeoutError):
            stream(way, api.spec, "Hi", **client(server, api, timeout=0.2))

        assert left.get(timeout=1)


@pytest.mark.parametrize("end", ["reset", "closed"])
def test_a_stream_that_breaks_off_keeps_what_has_come(way: Way, api: Api, end: str) -> None:
    async def script(link: Link) -> None:
        await link.send(api.begun("Hel"))
        # The client has read all of it when it says that it is still there.
        await link.left(0.1)
        link.drop() if end == "reset" else link.close()

    with serving(script) as server:
        told = stream(way, api.spec, "Hi", **client(server, api, max_retries=2))

        assert len(server.asked) == 1
    assert broken(told) == (StreamInterruptedError, "Hel", "error")


def test_an_error_in_the_middle_of_a_stream_keeps_what_has_come(way: Way, api: Api) -> None:
    script = answering(api.begun("Hel") + api.event(api.error) + api.ended("Hel"))

    with serving(script) as server:
        told = stream(way, api.spec, "Hi", **client(server, api, max_retries=2))

        assert len(server.asked) == 1
    assert broken(told) == (api.kind, "Hel", "error")
    assert str(told.error) == "It broke."


def test_an_error_at_the_beginning_of_a_stream_is_asked_again(way: Way, api: Api) -> None:
    error = head(content_type="text/event-stream", transfer_encoding="chunked", retry_after=0)
    script = answering(error + api.event(api.error) + b"0\r\n\r\n", api.streamed("Hello"))

    with serving(script) as server:
        told = stream(way, api.spec, "Hi", **client(server, api, max_retries=1))

    assert (told.response.text, told.error) == ("Hello", None)
    assert [attempt.error for attempt in told.response.attempts] == [api.kind.__name__]


def test_ten_thousand_events_arrive(way: Way, api: Api) -> None:
    words = [f"{number} " for number in range(10_000)]

    with serving(answering(api.streamed(*words))) as server:
        told = stream(way, api.spec, "Hi", **client(server, api))

    assert texts(told.events) == words
    assert told.response.text == "".join(words)


def test_an_event_of_twenty_megabytes_arrives(way: Way, api: Api) -> None:
    text = "0123456789abcdef" * (20 * 2**16)

    with serving(answering(api.streamed(text))) as server:
        told = stream(way, api.spec, "Hi", **client(server, api))

    assert texts(told.events) == [text]
    assert told.response.text == text


def test_a_page_in_place_of_an_answer_is_told_in_its_words(way: Way, api: Api) -> None:
    page = b"<html><head><style>p {}</style></head><body><h1>502 Bad Gateway</h1></body></html>"

    with (
        serving(answering(whole(page, 502, content_type="text/html"))) as server,
        pytest.raises(ServerError) as caught,
    ):
        generate(way, api.spec, "Hi", **client(server, api))

    assert str(caught.value) == "status 502: 502 Bad Gateway"
    assert (caught.value.status, caught.value.retryable) == (502, True)


def test_a_page_with_status_200_is_malformed(way: Way, api: Api) -> None:
    page = whole(b"<html><body>Sign in</body></html>", content_type="text/html")

    with serving(answering(page)) as server:
        with pytest.raises(MalformedResponseError):
            generate(way, api.spec, "Hi", **client(server, api))
        told = stream(way, api.spec, "Hi", **client(server, api))

    assert isinstance(told.error, MalformedResponseError | StreamInterruptedError)


def test_an_empty_failure_is_told_by_its_status(way: Way, api: Api) -> None:
    with (
        serving(answering(whole(b"", 500))) as server,
        pytest.raises(ServerError) as caught,
    ):
        generate(way, api.spec, "Hi", **client(server, api))

    assert str(caught.value) == "status 500, and no explanation"


@pytest.mark.parametrize("body", [b"", b"{}", b'{"a', b"\xff\xfe"])
def test_an_answer_that_is_none_is_malformed(way: Way, api: Api, body: bytes) -> None:
    with (
        serving(answering(whole(body))) as server,
        pytest.raises(MalformedResponseError) as caught,
    ):
        generate(way, api.spec, "Hi", **client(server, api))

    assert not caught.value.retryable


def test_an_error_in_an_answer_of_status_200_is_an_error(way: Way, api: Api) -> None:
    with (
        serving(answering(whole(json.dumps(api.failure).encode()))) as server,
        pytest.raises(api.kind, match="It broke"),
    ):
        generate(way, api.spec, "Hi", **client(server, api))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": 7}, 7),
        (
            {
                "date": "Mon, 30 Nov 2026 12:00:00 GMT",
                "retry_after": "Mon, 30 Nov 2026 12:00:30 GMT",
            },
            30,
        ),
        ({"retry_after": "soon"}, None),
    ],
    ids=["seconds", "date", "nonsense"],
)
def test_the_vendor_says_when_to_ask_again(
    way: Way, api: Api, headers: dict[str, str | int], seconds: float | None
) -> None:
    with (
        serving(answering(whole(b"{}", 429, **headers))) as server,
        pytest.raises(RateLimitError) as caught,
    ):
        generate(way, api.spec, "Hi", **client(server, api))

    assert (caught.value.retry_after, caught.value.retryable) == (seconds, True)


@pytest.mark.parametrize(
    "headers",
    [
        {"retry_after": 0},
        {"date": "Mon, 30 Nov 2026 12:00:00 GMT", "retry_after": "Mon, 30 Nov 2026 12:00:00 GMT"},
    ],
    ids=["seconds", "date"],
)
def test_a_call_is_made_again_when_the_vendor_says(
    way: Way, api: Api, headers: dict[str, str | int]
) -> None:
    script = answering(whole(b"{}", 429, **headers), api.whole("Hello"))

    with serving(script) as server:
        response = generate(way, api.spec, "Hi", **client(server, api, max_retries=1))

        first, second = server.asked
    assert first.body == second.body
    assert (response.text, len(response.attempts)) == ("Hello", 1)


def test_a_vendor_that_asks_for_an_hour_is_not_waited_for(way: Way, api: Api) -> None:
    with (
        serving(answering(whole(b"{}", 429, retry_after=3600))) as server,
        pytest.raises(RateLimitError) as caught,
    ):
        generate(way, api.spec, "Hi", **client(server, api, max_retries=5))

    assert (caught.value.retry_after, len(caught.value.attempts)) == (3600, 1)


def test_an_address_where_nobody_listens_is_a_connection_error(way: Way, api: Api) -> None:
    with serving(answering(b"")) as server:
        gone = client(server, api)

    with pytest.raises(ConnectionError) as caught:
        generate(way, api.spec, "Hi", **gone)

    assert (caught.value.status, caught.value.retryable) == (None, True)


@pytest.mark.parametrize("answer", [b"HTTP/1.1 200", b"I speak no HTTP\r\n\r\n"])
def test_a_connection_that_ends_before_the_answer_is_a_connection_error(
    way: Way, api: Api, answer: bytes
) -> None:
    async def script(link: Link) -> None:
        await link.send(answer)
        link.close()

    with serving(script) as server, pytest.raises(ConnectionError):
        generate(way, api.spec, "Hi", **client(server, api))


def test_an_answer_that_breaks_off_is_a_connection_error(way: Way, api: Api) -> None:
    async def script(link: Link) -> None:
        await link.send(api.whole("Hello")[:-10])
        link.close()

    with serving(script) as server, pytest.raises(ConnectionError) as caught:
        generate(way, api.spec, "Hi", **client(server, api))

    assert caught.value.retryable


def test_a_connection_is_used_again(way: Way, api: Api) -> None:
    with serving(answering(api.whole("Hello"))) as server:
        assert conversation(way, server, api, 5) == ["Hello"] * 5
        assert server.connected == 1


def test_a_server_that_ends_each_connection_after_its_answer_loses_no_call(
    way: Way, api: Api
) -> None:
    async def script(link: Link) -> None:
        await link.send(api.whole("Hello"))
        link.close()

    with serving(script) as server:
        assert conversation(way, server, api, 5, lambda: server.is_idle()) == ["Hello"] * 5
        assert server.connected == 5


def test_a_kept_connection_that_breaks_under_the_next_call_costs_one_attempt(
    way: Way, api: Api
) -> None:
    async def script(link: Link) -> None:
        if len(server.asked) == 2:
            link.drop()
        else:
            await link.send(api.whole("Hello"))

    with serving(script) as server:
        assert conversation(way, server, api, 2, max_retries=1) == ["Hello"] * 2
        assert len(server.asked) == 3


def test_a_stream_that_is_left_shows_what_has_come_and_hangs_up_at_once(way: Way, api: Api) -> None:
    left: SimpleQueue[bool] = SimpleQueue()

    async def script(link: Link) -> None:
        await link.send(api.begun("Hel", "lo"))
        left.put(await link.left(LONGEST_WAIT))

    def enough(events: list[Event]) -> bool:
        return texts(events) == ["Hel"]

    with serving(script) as server:
        told = stream(way, api.spec, "Hi", until=enough, **client(server, api))

        assert left.get(timeout=1)
    assert (told.response.text[:3], told.response.finish_reason) == ("Hel", "error")


def test_a_stream_that_nobody_reads_hangs_up_at_once(way: Way, api: Api) -> None:
    left: SimpleQueue[bool] = SimpleQueue()

    async def script(link: Link) -> None:
        await link.send(api.begun("Hel"))
        left.put(await link.left(LONGEST_WAIT))

    with serving(script) as server:
        opened(way, server, api)

        assert left.get(timeout=1)


def conversation(
    way: Way, server: Server, api: Api, calls: int, between: Any = lambda: None, **more: Any
) -> list[str]:
    """The answers of one client to several calls."""
    given = client(server, api, **more)
    ask = given.pop("ask")
    said: list[str] = []
    if way == "sync":
        with Client(api.spec, **given) as one:
            for _ in range(calls):
                said.append(one.generate("Hi", **ask).text)
                between()
        return said

    async def run() -> list[str]:
        async with AsyncClient(api.spec, **given) as one:
            for _ in range(calls):
                said.append((await one.generate("Hi", **ask)).text)
                between()
        return said

    return patient(run())


def opened(way: Way, server: Server, api: Api) -> None:
    """Open a stream and leave it, on a client that lives on until the server has seen it."""
    given = client(server, api)
    ask = given.pop("ask")
    if way == "sync":
        with Client(api.spec, **given).stream("Hi", **ask):
            return

    async def run() -> None:
        async with AsyncClient(api.spec, **given).stream("Hi", **ask):
            return

    patient(run())
