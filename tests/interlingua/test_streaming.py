"""An open answer as an iterator of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping

import pytest

from interlingua import MalformedResponseError, ProviderError, StreamInterruptedError
from interlingua import streaming as reading
from interlingua.streaming import AsyncEventStream, EventStream


class Broken(Exception):
    """What an HTTP library raises."""


class Opened:
    """An open answer that gives these chunks, or raises."""

    def __init__(self, *chunks: bytes | Exception) -> None:
        self.headers: Mapping[str, str] = {"X-Request-Id": "req_1"}
        self.chunks = chunks
        self.closed = 0

    def iter_bytes(self) -> Iterator[bytes]:
        for chunk in self.chunks:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk

    async def aiter_bytes(self) -> AsyncGenerator[bytes]:
        for chunk in self.iter_bytes():
            yield chunk

    def close(self) -> None:
        self.closed += 1

    async def aclose(self) -> None:
        self.closed += 1


def translated(error: Exception) -> ProviderError:
    return StreamInterruptedError(f"broke: {error}")


def read(opened: Opened, *, awaited: bool) -> list[object]:
    if not awaited:
        return list(EventStream(opened, "some-api", translated))

    async def collect() -> list[object]:
        stream = AsyncEventStream(opened, "some-api", translated)
        return [event async for event in stream.events()]

    return asyncio.run(collect())


@pytest.mark.parametrize("awaited", [False, True])
def test_events_are_read_to_the_end_and_the_answer_is_closed(awaited: bool) -> None:
    opened = Opened(b'data: {"a": 1}\n\nda', b'ta: {"b": 2}')

    assert read(opened, awaited=awaited) == [{"a": 1}, {"b": 2}]
    assert opened.closed == 1


@pytest.mark.parametrize("awaited", [False, True])
def test_what_the_http_library_raises_is_translated(awaited: bool) -> None:
    opened = Opened(b'data: {"a": 1}\n\n', Broken("reset"))

    with pytest.raises(StreamInterruptedError, match="broke: reset") as caught:
        read(opened, awaited=awaited)

    assert isinstance(caught.value.__cause__, Broken)
    assert opened.closed == 1


@pytest.mark.parametrize("awaited", [False, True])
def test_an_event_that_is_no_json_is_a_malformed_answer(awaited: bool) -> None:
    opened = Opened(b"data: nonsense\n\n")

    with pytest.raises(MalformedResponseError, match="cannot be read: some-api: no JSON"):
        read(opened, awaited=awaited)
    assert opened.closed == 1


def test_a_stream_that_goes_on_past_its_deadline_is_broken_off() -> None:
    opened = Opened(b'data: {"a": 1}\n\n')

    with pytest.raises(StreamInterruptedError, match="broke: the deadline passed"):
        list(EventStream(opened, "some-api", translated, until=0.0))
    assert opened.closed == 1


def test_an_answer_is_read_whole_unless_its_deadline_has_passed() -> None:
    opened, late = Opened(b"a", b"b"), Opened(b"a", b"b")

    assert reading.read(opened, None) == asyncio.run(reading.aread(opened, None)) == b"ab"
    with pytest.raises(TimeoutError, match="the deadline passed before the answer was whole"):
        reading.read(late, 0.0)
    with pytest.raises(TimeoutError, match="the deadline passed before the answer was whole"):
        asyncio.run(reading.aread(late, 0.0))
    assert (opened.closed, late.closed) == (2, 2)


def test_leaving_early_closes_the_answer() -> None:
    opened = Opened(b'data: {"a": 1}\n\n', b'data: {"b": 2}\n\n')

    events = iter(EventStream(opened, "some-api", translated))
    next(events)
    del events

    assert opened.closed == 1


def test_names_of_headers_are_in_lower_case() -> None:
    assert EventStream(Opened(), "some-api", translated).headers == {"x-request-id": "req_1"}
