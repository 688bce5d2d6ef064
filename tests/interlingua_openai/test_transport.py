"""The calls to OpenAI, over real connections to a vendor on loopback."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable
from typing import Any

import httpx2
import openai
import pytest

from interlingua import (
    AuthenticationError,
    ConfigError,
    ConnectionError,
    ProviderError,
    Request,
    ServerError,
    StreamInterruptedError,
    TimeoutError,
    codec,
)
from interlingua.provider import Answer as Given
from interlingua.provider import Call, Settings
from interlingua.registry import provider
from interlingua_openai.transport import RAISED, AsyncTransport, Transport
from loopback import Act, Answer, Vendor, events, says, streams, vendor

CHUNK = {"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]}
KEY = "canary-key-0123456789"


def a_call(name: str = "openai-chat", **about: Any) -> Call:
    chosen = provider(name)
    encoded = chosen.codec.encode(Request("gpt-6", ["Grüße"], stream=about.pop("stream", False)))
    return Call(chosen, "gpt-6", encoded, **about)


def settings(server: Vendor, **more: Any) -> Settings:
    return Settings(KEY, f"{server.url}/v1", **more)


def send(server: Vendor, call: Call, **more: Any) -> Given:
    transport = Transport(settings(server, **more))
    try:
        return transport.send(call)
    finally:
        transport.close()


def send_async(server: Vendor, call: Call, **more: Any) -> Given:
    async def run() -> Given:
        transport = AsyncTransport(settings(server, **more))
        try:
            return await transport.send(call)
        finally:
            await transport.close()

    return asyncio.run(run())


def read(server: Vendor, call: Call, **more: Any) -> list[object]:
    transport = Transport(settings(server, **more))
    try:
        return list(transport.stream(call))
    finally:
        transport.close()


def read_async(server: Vendor, call: Call, **more: Any) -> list[object]:
    async def run() -> list[object]:
        transport = AsyncTransport(settings(server, **more))
        try:
            stream = await transport.stream(call)
            return [event async for event in stream.events()]
        finally:
            await transport.close()

    return asyncio.run(run())


Sender = Callable[..., Given]
Reader = Callable[..., list[object]]
both_send = pytest.mark.parametrize("sender", [send, send_async])
both_read = pytest.mark.parametrize("reader", [read, read_async])


@both_send
@pytest.mark.parametrize(
    ("name", "path"),
    [("openai-chat", "/v1/chat/completions"), ("openai", "/v1/responses")],
)
def test_the_bytes_shown_are_the_bytes_sent(sender: Sender, name: str, path: str) -> None:
    call = a_call(name)

    with vendor(says({"ok": True}, x_request_id="req_1")) as server:
        answer = sender(server, call)

    (asked,) = server.asked
    assert (asked.path, asked.content) == (path, call.encoded.content)
    assert asked.headers["content-type"] == "application/json"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert answer.content == b'{"ok": true}'
    assert answer.headers["x-request-id"] == "req_1"


@both_send
def test_headers_of_the_client_and_of_the_call_are_sent(sender: Sender) -> None:
    with vendor(says({})) as server:
        sender(server, a_call(headers={"x-one": "call"}), headers={"x-one": "client", "x-two": "2"})

    (asked,) = server.asked
    assert (asked.headers["x-one"], asked.headers["x-two"]) == ("call", "2")


@both_read
def test_events_are_read_from_the_stream(reader: Reader) -> None:
    call = a_call(stream=True)

    with vendor(streams(b": hello\n\n", events(CHUNK), b"data: [DONE]\n\n")) as server:
        assert reader(server, call) == [CHUNK]

    assert server.asked[0].content == call.encoded.content


@both_send
def test_the_sdk_itself_does_not_try_again(sender: Sender) -> None:
    with (
        vendor(last=says({"error": {"message": "Boom."}}, 500)) as server,
        pytest.raises(ServerError, match="Boom"),
    ):
        sender(server, a_call())

    assert len(server.asked) == 1


@both_send
def test_an_error_is_ours_and_does_not_show_theirs(sender: Sender) -> None:
    key = "sk-canary-1234567890abcdef"
    answer = says({"error": {"message": f"Incorrect API key: {key}"}}, 401, x_request_id="req_1")

    with vendor(answer) as server, pytest.raises(AuthenticationError) as caught:
        sender(server, a_call())

    error = caught.value
    assert (str(error), error.status, error.request_id) == (
        "Incorrect API key: [redacted]",
        401,
        "req_1",
    )
    assert "canary" not in "".join(traceback.format_exception(error))


@both_read
def test_an_error_before_a_stream_is_the_same_error(reader: Reader) -> None:
    with (
        vendor(says({"error": {"message": "No."}}, 401)) as server,
        pytest.raises(AuthenticationError, match="No"),
    ):
        reader(server, a_call(stream=True))


@both_send
def test_nobody_there_is_a_connection_error(sender: Sender) -> None:
    with vendor() as server:
        pass

    with pytest.raises(ConnectionError) as caught:
        sender(server, a_call())

    assert caught.value.provider == "openai"


@both_send
def test_an_answer_that_breaks_off_is_a_connection_error(sender: Sender) -> None:
    with vendor(Answer((b'{"half', Act.DROP))) as server, pytest.raises(ConnectionError):
        sender(server, a_call())


@both_read
def test_a_stream_that_breaks_off_is_interrupted(reader: Reader) -> None:
    with (
        vendor(streams(events(CHUNK), Act.DROP)) as server,
        pytest.raises(StreamInterruptedError, match="the connection broke"),
    ):
        reader(server, a_call(stream=True))


@both_send
def test_no_answer_in_time_is_a_timeout(sender: Sender) -> None:
    with vendor(Answer((Act.LEAVE,))) as server, pytest.raises(TimeoutError):
        sender(server, a_call(timeout=0.05))

    with vendor(Answer((Act.LEAVE,))) as server, pytest.raises(TimeoutError):
        sender(server, a_call(), timeout=0.05)


@both_read
def test_a_stream_that_falls_silent_is_interrupted(reader: Reader) -> None:
    with vendor(streams(events(CHUNK), Act.LEAVE)) as server, pytest.raises(StreamInterruptedError):
        reader(server, a_call(stream=True, timeout=0.2))


def test_closing_a_stream_drops_the_connection_at_once() -> None:
    with vendor(streams(events(CHUNK), Act.LEAVE)) as server:
        transport = Transport(settings(server))
        stream = transport.stream(a_call(stream=True))
        assert next(iter(stream)) == CHUNK

        stream.close()

        assert server.left.wait(5)
        transport.close()


@pytest.mark.parametrize("kind", [Transport, AsyncTransport], ids=["sync", "async"])
def test_without_a_key_it_says_what_to_do(
    kind: Callable[[Settings], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(name, raising=False)

    with pytest.raises(
        ConfigError, match=r"OpenAI has no key: pass api_key=… or set OPENAI_API_KEY"
    ):
        kind(Settings())


@pytest.mark.parametrize("kind", [Transport, AsyncTransport], ids=["sync", "async"])
def test_an_option_the_sdk_does_not_have_is_refused(
    kind: Callable[[Settings], object],
) -> None:
    with pytest.raises(ConfigError, match=r"does not take this setting.*organisation"):
        kind(Settings(KEY, options={"organisation": "x"}))


def test_options_go_to_the_sdk() -> None:
    with vendor(says({})) as server:
        send(server, a_call(), options={"organization": "org-1"})

    assert server.asked[0].headers["openai-organization"] == "org-1"


def test_a_given_pool_is_used() -> None:
    seen: list[str] = []

    def look(request: httpx2.Request) -> None:
        seen.append(request.method)

    pool = httpx2.Client(event_hooks={"request": [look]})

    with vendor(says({})) as server:
        send(server, a_call(), options={"http_client": pool})

    assert seen == ["POST"]
    assert pool.is_closed


def test_secrets_are_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    headers = {"x-extra-token": "canary-token-1"}

    with vendor(says({"error": {"message": "No."}}, 401)) as server, pytest.raises(ProviderError):
        send(server, a_call(), headers=headers)

    assert "canary" not in caplog.text


def test_every_error_of_the_sdk_has_a_class_of_ours() -> None:
    request = httpx2.Request("POST", "https://example.org")
    timeout, connection = (
        openai.APITimeoutError(request),
        openai.APIConnectionError(request=request),
    )

    assert type(RAISED.error(timeout)) is TimeoutError
    assert type(RAISED.error(connection)) is ConnectionError
    assert type(RAISED.error(httpx2.ReadTimeout("x"))) is TimeoutError
    assert type(RAISED.error(httpx2.RemoteProtocolError("x"))) is ConnectionError
    assert type(RAISED.error(ValueError("x"))) is ProviderError


def test_the_codec_is_the_providers() -> None:
    assert provider("openai-chat").codec is codec("openai-chat")
    assert provider("openai").codec is codec("openai-responses")
