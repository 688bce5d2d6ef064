"""The laws that every API and every provider keeps: a row each, no exceptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

import pytest
import samples
from loopback import Answer, events, says, streams, vendor

from interlingua import (
    Client,
    DecodeError,
    Loss,
    LossPolicy,
    Message,
    ProviderError,
    Reasoning,
    Request,
    Response,
    StreamInterruptedError,
    Text,
    TextDelta,
    ToolCall,
    ToolResult,
    codec,
)
from interlingua.parts import Audio, Document, Image, Video
from interlingua.registry import CODECS, PROVIDERS, names

Json = dict[str, Any]


class Dialect(NamedTuple):
    """Where a turn stands in an API's JSON."""

    answered: Callable[[Json], Any]
    """What the model said, in an answer."""
    sent: Callable[[Json], Any]
    """The same turn, first in a request."""


APIS = {
    "openai-chat": Dialect(
        lambda body: [body["choices"][0]["message"]], lambda body: body["messages"]
    ),
    "openai-responses": Dialect(lambda body: body["output"], lambda body: body["input"]),
    "anthropic-messages": Dialect(
        lambda body: body["content"], lambda body: body["messages"][0]["content"]
    ),
    "gemini-generate": Dialect(
        lambda body: body["candidates"][0]["content"]["parts"],
        lambda body: body["contents"][0]["parts"],
    ),
}


class Way(NamedTuple):
    """How a provider is reached."""

    api: str
    base: str = ""
    """What its SDK wants after the server's address."""


REACHED: dict[str, Way | None] = {
    "openai": Way("openai-responses", "/v1"),
    "openai-chat": Way("openai-chat", "/v1"),
    "anthropic": Way("anthropic-messages"),
    "google": Way("gemini-generate"),
    # It starts its own server, and its tests ask that.
    "local": None,
}

SILENT: tuple[object, ...] = (None, "", [], {}, False)
"""What says the same as nothing at all."""

ANSWERS = [(api, name) for api in APIS for name in samples.answers(api)]
REQUESTS = [(api, name) for api in APIS for name in samples.requests(api)]
STREAMS = [(api, name) for api in APIS for name in samples.whole_streams(api)]

each_answer = pytest.mark.parametrize(("api", "name"), ANSWERS)
each_request = pytest.mark.parametrize(("api", "name"), REQUESTS)
each_stream = pytest.mark.parametrize(("api", "name"), STREAMS)


def lean(value: Any) -> Any:
    """The value without what says nothing."""
    if isinstance(value, dict):
        held = {key: lean(item) for key, item in _items(value)}
        return {key: item for key, item in held.items() if item not in SILENT}
    if isinstance(value, list):
        return [lean(item) for item in _list(value)]
    return value


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    return iter(value.items())


def _list(value: Any) -> list[Any]:
    return value


def test_every_api_has_a_row_and_samples() -> None:
    assert set(names(CODECS)) == set(APIS)
    for api in APIS:
        assert samples.answers(api)
        assert samples.requests(api)
        assert samples.whole_streams(api)


def test_every_provider_has_a_row() -> None:
    assert set(names(PROVIDERS)) == set(REACHED)


# -- law 2: echo


@each_answer
def test_a_turn_goes_back_as_the_vendor_sent_it(api: str, name: str) -> None:
    body = samples.answers(api)[name]
    response = codec(api).decode(body)

    encoded = codec(api).encode(Request("m", [response.message]), LossPolicy.strict)

    dialect = APIS[api]
    assert lean(dialect.sent(encoded.body)) == lean(dialect.answered(body))


# -- law 3: round trip


@each_request
def test_a_request_is_encoded_as_it_came(api: str, name: str) -> None:
    body = samples.requests(api)[name]

    once = codec(api).encode(codec(api).decode_request(body), LossPolicy.strict)
    twice = codec(api).encode(codec(api).decode_request(once.body), LossPolicy.strict)

    assert twice.content == once.content
    assert lean(spelt(once.body)) == lean(spelt(body))


def spelt(value: Any) -> Any:
    """The value with what may be said in several ways said in one of them."""
    if isinstance(value, dict):
        held = {key: spelt(item) for key, item in _items(value)}
        content = held.get("content")
        if "role" in held and isinstance(content, list) and len(_list(content)) == 1:
            held["content"] = content[0].get("text", content) if _plain(content[0]) else content
        stop = held.get("stop")
        return {**held, "stop": [stop]} if isinstance(stop, str) else held
    if isinstance(value, list):
        return [spelt(item) for item in _list(value)]
    return value


def _plain(block: Any) -> bool:
    return isinstance(block, dict) and block.keys() == {"type", "text"}


# -- law 4: no silent loss; law 8: provenance


@pytest.mark.parametrize(
    ("api", "name", "target"),
    [(api, name, target) for (api, name), target in product(REQUESTS, APIS) if target != api],
)
def test_what_another_api_cannot_say_is_told(api: str, name: str, target: str) -> None:
    request = codec(api).decode_request(samples.requests(api)[name])

    encoded = codec(target).encode(request, LossPolicy.allow)

    for path, words in told(request):
        said = all(_dumped(word) in encoded.content for word in words)
        assert said or is_lost(path, encoded.losses), (path, words)


def told(request: Request) -> Iterator[tuple[str, list[str]]]:
    """What a request says, by its place: words that have to be found in any JSON of it."""
    for index, tool in enumerate(request.tools):
        yield f"tools[{index}]", [getattr(tool, "name", tool.__class__.__name__)]
    for index, message in enumerate(request.messages):
        for place, part in enumerate(message.content):
            path = f"messages[{index}].content[{place}]"
            match part:
                case Text():
                    yield path, part.text.strip().split("\n")
                case ToolCall():
                    yield path, [part.name]
                case ToolResult():
                    yield path, part.text.split("\n")
                case Image() | Audio() | Video() | Document():
                    yield path, [part.url or part.text or part.file_id or _base64(part.data)]
                case _:
                    continue


def is_lost(path: str, losses: tuple[Loss, ...]) -> bool:
    """Whether a loss tells of this place, of one around it, or of one inside."""
    return any(loss.path.startswith(path) or path.startswith(loss.path) for loss in losses)


def _dumped(word: str) -> bytes:
    import msgspec

    return msgspec.json.encode(word)[1:-1]


def _base64(data: bytes | None) -> str:
    import base64

    return base64.b64encode(data or b"").decode()


@pytest.mark.parametrize(
    ("api", "name", "target"),
    [(api, name, target) for (api, name), target in product(ANSWERS, APIS) if target != api],
)
def test_what_a_vendor_has_sealed_goes_nowhere_else(api: str, name: str, target: str) -> None:
    response = codec(api).decode(samples.answers(api)[name])

    encoded = codec(target).encode(Request("m", [response.message]), LossPolicy.allow)

    for part in response.message.content:
        if isinstance(part, Reasoning):
            for seal in (part.signature, part.redacted):
                assert seal is None or _dumped(seal) not in encoded.content
    if any(isinstance(part, Reasoning) for part in response.message.content):
        assert encoded.losses


# -- law 5: stream = no stream


@each_stream
def test_a_stream_is_the_answer_it_would_have_been_unstreamed(api: str, name: str) -> None:
    decoder = codec(api).stream()
    told_events = [event for raw in samples.streams(api)[name] for event in decoder.feed(raw)]

    response = decoder.finish()

    texts = [event.text for event in told_events if isinstance(event, TextDelta)]
    assert "".join(texts) == response.text
    whole = samples.unstreamed(api, name)
    if whole is not None:
        assert same(response) == same(codec(api).decode(whole))


def same(response: Response) -> Response:
    """A response without the vendor's own JSON, which tells more of a stream."""
    return response.replace(raw={})


@each_stream
def test_a_stream_that_ends_early_is_an_error_with_what_had_arrived(api: str, name: str) -> None:
    raw = samples.streams(api)[name]
    whole = finished(api, raw)

    for length in range(len(raw)):
        try:
            early = finished(api, raw[:length])
        except StreamInterruptedError as error:
            held = error.response
            assert held is not None
            assert held.finish_reason == "error"
            assert whole.text.startswith(held.text)
        else:
            assert early.message == whole.message


def finished(api: str, raw: list[Json]) -> Response:
    decoder = codec(api).stream()
    for event in raw:
        decoder.feed(event)
    return decoder.finish()


@pytest.mark.parametrize(
    ("api", "name"),
    [(api, name) for api in APIS for name in samples.streams(api) if "error" in name],
)
def test_an_error_in_a_stream_is_a_provider_error_with_what_had_arrived(
    api: str, name: str
) -> None:
    with pytest.raises(ProviderError) as caught:
        finished(api, samples.streams(api)[name])

    held = caught.value.response
    assert held is not None
    assert (held.finish_reason, held.api) == ("error", api)


# -- law 7: what `encode` shows is what is sent; what comes is what decode gives

WAYS = {name: way for name, way in REACHED.items() if way is not None}
EXCHANGES = [(name, answer) for name, way in WAYS.items() for answer in samples.answers(way.api)]
TALKS = [(name, one) for name, way in WAYS.items() for one in samples.whole_streams(way.api)]


@pytest.mark.parametrize(("name", "answer"), EXCHANGES)
def test_a_provider_sends_the_bytes_and_reads_the_answer(name: str, answer: str) -> None:
    way = WAYS[name]
    body = samples.answers(way.api)[answer]

    with (
        vendor(says(body)) as server,
        Client(f"{name}:m", api_key="canary-key", base_url=server.url + way.base) as client,
    ):
        response = client.generate("Grüße", max_tokens=5)

    request = Request("m", ["Grüße"], max_tokens=5)
    assert server.asked[0].content == codec(way.api).encode(request, LossPolicy.allow).content
    assert same_but_origin(response) == same_but_origin(codec(way.api).decode(body))
    assert (response.provider, response.api) == (name, way.api)


def same_but_origin(response: Response) -> tuple[object, ...]:
    return response.message.content, response.finish_reason, response.usage, response.id


@pytest.mark.parametrize(("name", "stream"), TALKS)
def test_a_provider_streams(name: str, stream: str) -> None:
    way = WAYS[name]
    raw = samples.streams(way.api)[stream]

    with (
        vendor(_streamed(raw)) as server,
        Client(f"{name}:m", api_key="canary-key", base_url=server.url + way.base) as client,
        client.stream("Hi", max_tokens=5) as answer,
    ):
        texts = [event.text for event in answer if isinstance(event, TextDelta)]

    assert "".join(texts) == answer.response.text
    assert same_but_origin(answer.response) == same_but_origin(finished(way.api, raw))


def _streamed(raw: list[Json]) -> Answer:
    return streams(*(events(event) for event in raw))


@pytest.mark.parametrize("name", WAYS)
def test_a_provider_without_an_answer_raises_our_error(name: str) -> None:
    with (
        vendor(says({"error": {"message": "No."}}, 500)) as server,
        Client(
            f"{name}:m", api_key="canary-key", base_url=server.url + WAYS[name].base, max_retries=0
        ) as client,
        pytest.raises(ProviderError) as caught,
    ):
        client.generate("Hi", max_tokens=5)

    assert (caught.value.status, len(server.asked)) == (500, 1)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("body", ["", "[]", "nonsense", b"\xff", "7", None])
def test_what_is_no_json_object_is_a_decode_error(api: str, body: object) -> None:
    for read in (codec(api).decode, codec(api).decode_request):
        with pytest.raises(DecodeError, match=api):
            read(body)


@pytest.mark.parametrize("api", APIS)
def test_encoding_is_the_same_every_time(api: str) -> None:
    talk = [Message.system("s"), Message.user("a"), Message.assistant("b"), Message.user("c")]

    made = {codec(api).encode(Request("m", talk, max_tokens=5)).content for _ in range(3)}

    assert len(made) == 1
