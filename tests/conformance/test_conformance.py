"""The laws that every API and every provider keeps: a row each, no exceptions."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import pytest

import samples
from interlingua import (
    Audio,
    Client,
    DecodeError,
    Document,
    Image,
    Loss,
    LossPolicy,
    Message,
    Origin,
    Part,
    ProviderError,
    Reasoning,
    Request,
    Response,
    StreamInterruptedError,
    Text,
    TextDelta,
    Tool,
    ToolCall,
    ToolResult,
    Video,
    codec,
)
from interlingua.frozen import EMPTY
from interlingua.registry import CODECS, PROVIDERS, names, provider
from interlingua.wire import dump, is_list, is_object
from loopback import Vendor, events, says, streams, vendor

Json = dict[str, Any]


Place: TypeAlias = tuple[str | int, ...]


class Dialect(NamedTuple):
    """Where a turn stands in an API's JSON."""

    answered: Place
    """What the model said, in an answer."""
    sent: Place
    """The same turn, first in a request."""


APIS = {
    "openai-chat": Dialect(("choices", 0, "message"), ("messages", 0)),
    "openai-responses": Dialect(("output",), ("input",)),
    "anthropic-messages": Dialect(("content",), ("messages", 0, "content")),
    "gemini-generate": Dialect(("candidates", 0, "content", "parts"), ("contents", 0, "parts")),
}


class Way(NamedTuple):
    """How a provider is reached."""

    api: str
    base: str = ""
    """What its SDK wants after the server's address."""


CHAT_HOSTS = (
    *("alibaba", "azure-chat", "cerebras", "deepseek", "fireworks", "groq", "huggingface"),
    *("litellm", "llamacpp", "lmstudio", "mistral", "moonshot", "nvidia", "ollama"),
    *("openrouter", "together", "vllm", "zai"),
)

RESPONSES_HOSTS = ("azure", "llamacpp-responses", "perplexity", "xai")

REACHED: dict[str, Way | None] = {
    "openai": Way("openai-responses", "/v1"),
    "openai-chat": Way("openai-chat", "/v1"),
    "anthropic": Way("anthropic-messages"),
    "google": Way("gemini-generate"),
    **dict.fromkeys(RESPONSES_HOSTS, Way("openai-responses", "/v1")),
    **dict.fromkeys(CHAT_HOSTS, Way("openai-chat", "/v1")),
    # It starts its own server, and its own tests ask that.
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
    if is_object(value):
        held = {key: lean(item) for key, item in value.items()}
        return {key: item for key, item in held.items() if item not in SILENT}
    return [lean(item) for item in value] if is_list(value) else value


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

    request = Request("m", [response.message], max_tokens=9)
    encoded = codec(api).encode(request, LossPolicy.strict)

    dialect = APIS[api]
    assert lean(at(encoded.body, dialect.sent)) == lean(at(body, dialect.answered))


def at(value: Any, place: Place) -> Any:
    for step in place:
        value = value[step]
    return value


ODD = "my tool: änd more, " + "x" * 200


@pytest.mark.parametrize("api", APIS)
def test_a_tool_that_was_renamed_has_one_name_in_all_the_json(api: str) -> None:
    chosen = codec(api)
    origin = Origin(chosen.provider, api, "m")
    talk = [
        Message.user("Go."),
        Message.assistant(ToolCall("call_1", ODD), origin=origin),
        Message.tool("call_1", "done", name=ODD),
    ]

    encoded = chosen.encode(Request("m", talk, [Tool(ODD)], {"name": ODD}, max_tokens=9))

    (wire,) = encoded.names
    assert encoded.names == {wire: ODD}
    assert _dumped("my tool") not in encoded.content
    assert encoded.content.count(_dumped(wire)) >= 3


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
    if is_list(value):
        return [spelt(item) for item in value]
    if not is_object(value):
        return value
    made = {key: spelt(item) for key, item in value.items()}
    for key in made.keys() & {"content", "system", "stop"}:
        match made[key]:
            case [{"type": "text", "text": text, **more}] if not more:
                made[key] = text
            case [str(word)]:
                made[key] = word
            case _:
                pass
    return made


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
        yield f"tools[{index}]", [tool.name if isinstance(tool, Tool) else tool.type]
    for index, message in enumerate(request.messages):
        for place, part in enumerate(message.content):
            yield f"messages[{index}].content[{place}]", words_of(part)


def words_of(part: Part) -> list[str]:
    match part:
        case Text():
            return part.text.strip().split("\n")
        case ToolCall():
            return [part.name]
        case ToolResult():
            return [word for inner in part.content for word in words_of(inner)]
        case Document(text=str(text)):
            return [text]
        case Image() | Audio() | Video() | Document():
            data = base64.b64encode(part.data or b"").decode()
            return [part.url or part.file_id or data]
        case _:
            return []


def is_lost(path: str, losses: tuple[Loss, ...]) -> bool:
    """Whether a loss tells of this place, of one around it, or of one inside."""
    return any(loss.path.startswith(path) or path.startswith(loss.path) for loss in losses)


def _dumped(word: str) -> bytes:
    return dump(word)[1:-1]


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
    return response.replace(raw=EMPTY)


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
each_provider = pytest.mark.parametrize("name", WAYS)


def client_of(name: str, server: Vendor) -> Client:
    url = server.url + WAYS[name].base
    return Client(f"{name}:m", api_key="canary-key", base_url=url, max_retries=0)


@each_provider
def test_a_provider_sends_the_bytes_and_reads_the_answer(name: str) -> None:
    api = WAYS[name].api
    body = next(iter(samples.answers(api).values()))

    with vendor(says(body)) as server, client_of(name, server) as client:
        response = client.generate("Grüße", max_tokens=5)

    request, _ = provider(name).prepare(Request("m", ["Grüße"], max_tokens=5), name)
    assert server.asked[0].content == codec(api).encode(request).content
    assert without_origin(response) == without_origin(codec(api).decode(body))
    assert (response.provider, response.api) == (name, api)


def without_origin(response: Response) -> tuple[object, ...]:
    return response.message.content, response.finish_reason, response.usage, response.id


@each_provider
def test_a_provider_streams(name: str) -> None:
    api = WAYS[name].api
    raw = next(iter(samples.whole_streams(api).values()))

    with (
        vendor(streams(*map(events, raw))) as server,
        client_of(name, server) as client,
        client.stream("Hi", max_tokens=5) as answer,
    ):
        texts = [event.text for event in answer if isinstance(event, TextDelta)]

    assert "".join(texts) == answer.response.text
    assert without_origin(answer.response) == without_origin(finished(api, raw))


@each_provider
def test_a_provider_without_an_answer_raises_our_error(name: str) -> None:
    with (
        vendor(says({"error": {"message": "No."}}, 500)) as server,
        client_of(name, server) as client,
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
