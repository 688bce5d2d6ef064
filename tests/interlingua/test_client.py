"""Client and AsyncClient, over real connections to a vendor on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import subprocess
import sys
import threading
import warnings
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx2
import pytest

from interlingua import (
    AsyncClient,
    Attempt,
    AuthenticationError,
    Client,
    ConfigError,
    Event,
    Finished,
    LossError,
    LossPolicy,
    MalformedResponseError,
    Message,
    MessageError,
    OverloadedError,
    PartDone,
    ProviderError,
    RateLimitError,
    Request,
    Response,
    Started,
    StreamInterruptedError,
    TextDelta,
    Tool,
    ToolCallDelta,
    Usage,
    UsageUpdate,
    Video,
    codec,
)
from loopback import Act, Answer, Vendor, events, says, streams, vendor

Json = dict[str, Any]

SPEC = "openai-chat:gpt-6"
KEY = "canary-key-0123456789"
FILM = Video("https://example.org/a.mp4", media_type="video/mp4")


def answer(text: str = "Hello.", **message: Any) -> Json:
    said = {"role": "assistant", "content": text, **message}
    return {
        "id": "chatcmpl-1",
        "model": "gpt-6-2026",
        "choices": [{"index": 0, "message": said, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2},
    }


def chunk(text: str, finish: str | None = None) -> Json:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return {"id": "chatcmpl-1", "model": "gpt-6-2026", "choices": [choice]}


COUNTED: Json = {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}
WHOLE = events(chunk("Hel"), chunk("lo."), chunk("", "stop"), COUNTED) + b"data: [DONE]\n\n"
SLOW_DOWN = says({"error": {"message": "Slow down."}}, 429, retry_after_ms="1")
BUSY = says({"error": {"message": "Busy."}}, 503, retry_after_ms="1")
NO = says({"error": {"message": "No."}}, 401)


def arguments(server: Vendor, about: Json) -> Json:
    return {"api_key": KEY, "base_url": f"{server.url}/v1", "max_retries": 0, **about}


def ask(server: Vendor, *given: object, client: Json | None = None, **call: Any) -> Response:
    with Client(SPEC, **arguments(server, client or {})) as made:
        return made.generate(*(given or ("Hi",)), **call)


def ask_async(server: Vendor, *given: object, client: Json | None = None, **call: Any) -> Response:
    async def run() -> Response:
        async with AsyncClient(SPEC, **arguments(server, client or {})) as made:
            return await made.generate(*(given or ("Hi",)), **call)

    return asyncio.run(run())


def read(
    server: Vendor, *given: object, client: Json | None = None, **call: Any
) -> tuple[list[Event], Response]:
    with (
        Client(SPEC, **arguments(server, client or {})) as made,
        made.stream(*(given or ("Hi",)), **call) as stream,
    ):
        return list(stream), stream.response


def read_async(
    server: Vendor, *given: object, client: Json | None = None, **call: Any
) -> tuple[list[Event], Response]:
    async def run() -> tuple[list[Event], Response]:
        async with (
            AsyncClient(SPEC, **arguments(server, client or {})) as made,
            made.stream(*(given or ("Hi",)), **call) as stream,
        ):
            return [event async for event in stream], stream.response

    return asyncio.run(run())


Asker = Callable[..., Response]
Reader = Callable[..., tuple[list[Event], Response]]
both_ask = pytest.mark.parametrize("asker", [ask, ask_async])
both_read = pytest.mark.parametrize("reader", [read, read_async])


# -- an answer


@both_ask
def test_an_answer_is_a_response(asker: Asker) -> None:
    with vendor(says(answer(), x_request_id="req_1")) as server:
        response = asker(server)

    expected = codec("openai-chat").decode(answer())
    origin = expected.message.origin
    assert origin is not None
    assert response == expected.replace(
        message=expected.message.replace(
            origin=type(origin)("openai-chat", "openai-chat", "gpt-6-2026")
        ),
        provider="openai-chat",
        request_id="req_1",
    )


@both_ask
def test_what_encode_shows_is_what_is_sent(asker: Asker) -> None:
    talk = [Message.system("Be brief."), Message.user("Grüße \N{GRINNING FACE}")]
    with vendor(says(answer())) as server:
        asker(server, talk, temperature=0, tools=[Tool("f")])

    request = Request("gpt-6", talk, [Tool("f")], temperature=0)
    assert server.asked[0].content == codec("openai-chat").encode(request).content


@pytest.mark.parametrize(
    ("given", "messages"),
    [
        ("Hi", [{"role": "user", "content": "Hi"}]),
        (Message.system("Hi"), [{"role": "system", "content": "Hi"}]),
        ({"role": "user", "content": "Hi"}, [{"role": "user", "content": "Hi"}]),
        (
            ["a", Message.assistant("b")],
            [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}],
        ),
        (iter(["a"]), [{"role": "user", "content": "a"}]),
        ([], []),
    ],
)
def test_a_conversation_comes_in_many_forms(given: object, messages: list[Json]) -> None:
    with vendor(says(answer())) as server:
        ask(server, given)

    assert server.asked[0].body["messages"] == messages


class Greeting:
    """What stands for several messages."""

    def to_messages(self) -> tuple[Message, ...]:
        return (Message.system("Be brief."), Message.user("Hi"))


def test_what_stands_for_several_messages_is_those_messages() -> None:
    said = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]

    with vendor(says(answer()), says(answer())) as server:
        ask(server, Greeting())
        ask(server, ["Well.", Greeting()])

    assert server.asked[0].body["messages"] == said
    assert server.asked[1].body["messages"] == [{"role": "user", "content": "Well."}, *said]


def test_what_is_no_message_is_refused_before_anything_is_sent() -> None:
    with vendor() as server, pytest.raises(MessageError):
        ask(server, 7)

    assert server.asked == []


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("method", ["generate", "stream"])
def test_a_misspelt_setting_is_refused_by_name(kind: Callable[..., Any], method: str) -> None:
    client = kind(SPEC, api_key=KEY)

    async def call() -> None:
        made = getattr(client, method)("Hi", temprature=0)
        if isinstance(made, Awaitable):
            await made

    with pytest.raises(
        ConfigError, match="no such setting: 'temprature'; did you mean 'temperature'"
    ):
        asyncio.run(call())


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("nobody:gpt", "no provider is called 'nobody'"),
        ("openai-chat", "'openai-chat' names no model; write 'openai-chat:MODEL'"),
        ("openai-chat:", "'openai-chat:' names no model"),
    ],
)
def test_a_name_of_no_model_is_refused(spec: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        Client(spec, api_key=KEY)
    with pytest.raises(ConfigError, match=words):
        Client(SPEC, api_key=KEY, fallback=[spec])


# -- losses


@both_ask
def test_lost_content_raises_before_anything_is_sent(asker: Asker) -> None:
    with vendor() as server, pytest.raises(LossError):
        asker(server, Message.user(["See", FILM]))

    assert server.asked == []


@both_ask
def test_losses_that_are_allowed_are_in_the_response(asker: Asker) -> None:
    with vendor(last=says(answer())) as server:
        for_call = asker(server, Message.user(["See", FILM]), on_loss=LossPolicy.allow)
        for_all = asker(server, Message.user(["See", FILM]), client={"on_loss": LossPolicy.allow})

    for response in (for_call, for_all):
        assert [loss.path for loss in response.losses] == ["messages[0].content[1]"]


# -- tools under other names


CALL = {"id": "call_1", "type": "function", "function": {"name": "x", "arguments": "{}"}}


def renamed(name: str) -> str:
    return next(iter(codec("openai-chat").encode(Request("m", [], [Tool(name)])).names))


@both_ask
def test_a_tool_that_was_renamed_is_called_by_its_own_name(asker: Asker) -> None:
    called = {**CALL, "function": {"name": renamed("my tool!"), "arguments": "{}"}}
    body = answer(tool_calls=[called])
    body["choices"] += [{**body["choices"][0], "index": 1}]

    with vendor(says(body)) as server:
        response = asker(server, tools=[Tool("my tool!")])

    assert [call.name for call in response.tool_calls] == ["my tool!"]
    assert [one.message.tool_calls[0].name for one in response.candidates] == ["my tool!"] * 2


@both_read
def test_a_renamed_tool_has_its_own_name_in_events(reader: Reader) -> None:
    called = {**CALL, "index": 0, "function": {"name": renamed("my tool!"), "arguments": "{}"}}
    choice = {"index": 0, "delta": {"tool_calls": [called]}, "finish_reason": "tool_calls"}

    with vendor(streams(events({"choices": [choice]}))) as server:
        told, response = reader(server, tools=[Tool("my tool!")])

    (call,) = response.tool_calls
    assert call.name == "my tool!"
    assert told[1:3] == [ToolCallDelta(0, "call_1", "my tool!", "{}"), PartDone(0, call)]


# -- streams


@both_read
def test_a_stream_tells_its_events_and_then_the_response(reader: Reader) -> None:
    with vendor(streams(WHOLE, x_request_id="req_1")) as server:
        told, response = reader(server)

    assert told[:-2] == [
        Started("chatcmpl-1", "gpt-6-2026"),
        TextDelta(0, "Hel"),
        TextDelta(0, "lo."),
        PartDone(0, response.message.content[0]),
    ]
    assert told[-2:] == [UsageUpdate(Usage(3, 2)), Finished(response)]
    assert (response.text, response.request_id, response.provider) == (
        "Hello.",
        "req_1",
        "openai-chat",
    )
    assert server.asked[0].body["stream"] is True


@both_read
def test_the_events_come_as_the_vendor_sends_them(reader: Reader) -> None:
    cut = WHOLE.index(b"Hel") + 1

    with vendor(streams(WHOLE[:cut], WHOLE[cut : cut + 1], WHOLE[cut + 1 :])) as server:
        assert reader(server)[1].text == "Hello."


def test_an_event_is_told_before_the_next_one_is_there() -> None:
    go_on = threading.Event()

    with (
        vendor(streams(events(chunk("Hel")), go_on, events(chunk("lo.", "stop")))) as server,
        Client(SPEC, **arguments(server, {})) as client,
        client.stream("Hi") as stream,
    ):
        told = iter(stream)
        assert [next(told), next(told)][1] == TextDelta(0, "Hel")
        assert (stream.response.text, stream.response.finish_reason) == ("Hel", "error")
        go_on.set()

        assert next(told) == TextDelta(0, "lo.")


@both_read
def test_a_stream_that_breaks_off_is_not_asked_for_again(reader: Reader) -> None:
    with (
        vendor(streams(events(chunk("Hel")), Act.DROP), last=streams(WHOLE)) as server,
        pytest.raises(StreamInterruptedError) as caught,
    ):
        reader(server, client={"max_retries": 2})

    held = caught.value.response
    assert held is not None
    assert (held.text, held.finish_reason) == ("Hel", "error")
    assert len(server.asked) == 1


@both_read
def test_a_stream_that_ends_too_early_is_interrupted(reader: Reader) -> None:
    cut = events(chunk("Hel"), chunk("lo."))[:-20]

    with vendor(streams(cut)) as server, pytest.raises(StreamInterruptedError) as caught:
        reader(server)

    held = caught.value.response
    assert held is not None
    assert held.text == "Hel"


@both_read
def test_an_error_before_the_first_event_is_tried_again(reader: Reader) -> None:
    busy = {"error": {"message": "Busy.", "type": "overloaded_error"}}

    with vendor(BUSY, streams(WHOLE)) as server:
        assert reader(server, client={"max_retries": 1})[1].text == "Hello."
        assert len(server.asked) == 2

    with vendor(streams(events(chunk("Hel"), busy))) as server, pytest.raises(OverloadedError):
        reader(server, client={"max_retries": 1})


@both_read
def test_nonsense_in_a_stream_is_a_malformed_answer(reader: Reader) -> None:
    with vendor(streams(b"data: nonsense\n\n")) as server, pytest.raises(MalformedResponseError):
        reader(server)


def test_a_stream_can_be_read_on_after_a_break() -> None:
    with (
        vendor(streams(WHOLE)) as server,
        Client(SPEC, **arguments(server, {})) as client,
        client.stream("Hi") as stream,
    ):
        for event in stream:
            if isinstance(event, TextDelta):
                break
        rest = [event.text for event in stream if isinstance(event, TextDelta)]

    assert rest == ["lo."]
    assert stream.response.text == "Hello."


def test_a_stream_that_is_not_open_has_no_response() -> None:
    client = Client(SPEC, api_key=KEY)

    with pytest.raises(ConfigError, match="the stream is not open"):
        _ = client.stream("Hi").response


def _leave_the_block(client: Client) -> None:
    with client.stream("Hi") as stream:
        next(iter(stream))


def _close(client: Client) -> None:
    stream = client.stream("Hi")
    next(iter(stream))
    stream.close()


def _raise_inside(client: Client) -> None:
    with contextlib.suppress(ZeroDivisionError), client.stream("Hi") as stream:
        next(iter(stream))
        raise ZeroDivisionError


def _drop_it(client: Client) -> None:
    for _ in client.stream("Hi"):
        break


@pytest.mark.parametrize("leave", [_leave_the_block, _close, _raise_inside, _drop_it])
def test_leaving_a_stream_early_drops_the_connection_at_once(
    leave: Callable[[Client], None],
) -> None:
    with (
        vendor(streams(events(chunk("Hel")), Act.LEAVE), says(answer())) as server,
        Client(SPEC, **arguments(server, {})) as client,
    ):
        leave(client)

        assert server.left.wait(5)
        assert client.generate("Hi").text == "Hello."


async def _aleave_the_block(client: AsyncClient) -> None:
    async with client.stream("Hi") as stream:
        await anext(aiter(stream))


async def _aclose(client: AsyncClient) -> None:
    stream = client.stream("Hi")
    await anext(aiter(stream))
    await stream.close()


async def _araise_inside(client: AsyncClient) -> None:
    with contextlib.suppress(ZeroDivisionError):
        async with client.stream("Hi") as stream:
            await anext(aiter(stream))
            raise ZeroDivisionError


async def _acancel(client: AsyncClient) -> None:
    begun = asyncio.Event()

    async def read_on() -> None:
        async with client.stream("Hi") as stream:
            async for _ in stream:
                begun.set()

    task = asyncio.create_task(read_on())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("leave", [_aleave_the_block, _aclose, _araise_inside, _acancel])
def test_leaving_an_async_stream_early_drops_the_connection_at_once(
    leave: Callable[[AsyncClient], Awaitable[None]],
) -> None:
    async def run(server: Vendor) -> str:
        async with AsyncClient(SPEC, **arguments(server, {})) as client:
            await leave(client)
            assert await asyncio.to_thread(server.left.wait, 5)
            return (await client.generate("Hi")).text

    with vendor(streams(events(chunk("Hel")), Act.LEAVE), says(answer())) as server:
        assert asyncio.run(run(server)) == "Hello."


# -- trying again


@both_ask
def test_what_may_succeed_is_tried_again_and_on_record(asker: Asker) -> None:
    with vendor(SLOW_DOWN, BUSY, says(answer())) as server:
        response = asker(server, client={"max_retries": 2})

    assert response.text == "Hello."
    assert response.attempts == (
        Attempt(SPEC, "RateLimitError", "Slow down.", 429),
        Attempt(SPEC, "OverloadedError", "Busy.", 503),
    )
    assert len({asked.content for asked in server.asked}) == 1


@both_ask
@pytest.mark.parametrize(("most", "sent"), [(0, 1), (3, 4)])
def test_there_are_as_many_calls_as_allowed(asker: Asker, most: int, sent: int) -> None:
    with vendor(last=SLOW_DOWN) as server, pytest.raises(RateLimitError) as caught:
        asker(server, client={"max_retries": most})

    assert len(server.asked) == sent
    assert len(caught.value.attempts) == sent
    assert caught.value.attempts[-1] is caught.value


@both_ask
def test_what_cannot_succeed_is_asked_once(asker: Asker) -> None:
    with vendor(last=NO) as server, pytest.raises(AuthenticationError):
        asker(server, client={"max_retries": 3})

    assert len(server.asked) == 1


@both_ask
def test_an_answer_that_is_none_is_malformed_and_not_tried_again(asker: Asker) -> None:
    page = Answer((b"<html>Sign in to the network</html>",), 200)

    with vendor(last=page) as server, pytest.raises(MalformedResponseError) as caught:
        asker(server, client={"max_retries": 3})

    assert caught.value.provider == "openai-chat"
    assert len(server.asked) == 1


@both_ask
def test_after_the_deadline_nothing_is_tried_again(asker: Asker) -> None:
    later = says({"error": {"message": "Later."}}, 429, retry_after="30")

    with vendor(last=later) as server, pytest.raises(RateLimitError):
        asker(server, client={"max_retries": 3, "deadline": 20.0})

    assert len(server.asked) == 1


# -- other models


@pytest.fixture
def other_vendor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Vendor]:
    """Where the fallback `openai:` is, for whoever has only the environment."""
    with vendor() as server:
        monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        yield server


RESPONSES_ANSWER: Json = {
    "id": "resp_1",
    "object": "response",
    "status": "completed",
    "model": "gpt-6",
    "output": [
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "Hello.", "annotations": []}],
        }
    ],
}


@both_ask
def test_another_model_is_asked_when_one_fails(asker: Asker, other_vendor: Vendor) -> None:
    other_vendor.script.append(says(RESPONSES_ANSWER))

    with vendor(NO) as server:
        response = asker(server, client={"fallback": ["openai:gpt-6"]})

    assert (response.text, response.provider) == ("Hello.", "openai")
    assert response.attempts == (Attempt(SPEC, "AuthenticationError", "No.", 401),)


def test_another_provider_gets_no_keys_and_no_headers_of_the_first(other_vendor: Vendor) -> None:
    other_vendor.script.append(says(RESPONSES_ANSWER))
    client = {"fallback": ["openai:gpt-6"], "headers": {"x-secret": "canary-1"}}

    with vendor(NO) as server:
        ask(server, client=client, headers={"x-other-secret": "canary-2"})

    (asked,) = other_vendor.asked
    assert asked.headers["authorization"] == "Bearer from-the-environment"
    assert "canary" not in str(asked.headers)


def test_another_model_of_the_same_provider_is_reached_in_the_same_way() -> None:
    with vendor(NO, says(answer())) as server:
        ask(server, client={"fallback": ["openai-chat:gpt-6-mini"], "headers": {"x-one": "1"}})

    assert [asked.body["model"] for asked in server.asked] == ["gpt-6", "gpt-6-mini"]
    assert [asked.headers["x-one"] for asked in server.asked] == ["1", "1"]
    assert {asked.headers["authorization"] for asked in server.asked} == {f"Bearer {KEY}"}


@both_read
def test_a_stream_too_moves_on_to_another_model(reader: Reader) -> None:
    with vendor(NO, streams(WHOLE)) as server:
        _, response = reader(server, client={"fallback": ["openai-chat:gpt-6-mini"]})

    assert response.text == "Hello."
    assert [one.model for one in response.attempts] == [SPEC]


def test_when_all_models_fail_the_last_error_knows_all() -> None:
    with vendor(NO, BUSY) as server, pytest.raises(OverloadedError) as caught:
        ask(server, client={"fallback": ["openai-chat:gpt-6-mini"]})

    assert [str(error) for error in caught.value.attempts] == ["No.", "Busy."]
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.attempts[1] is again


# -- the life of a client


def test_calls_share_a_connection() -> None:
    with vendor(last=says(answer())) as server, Client(SPEC, **arguments(server, {})) as client:
        for _ in range(3):
            client.generate("Hi")

    assert len({asked.connection for asked in server.asked}) == 1


def test_a_closed_client_says_so() -> None:
    client = Client(SPEC, api_key=KEY)
    client.close()
    client.close()

    with pytest.raises(ConfigError, match="this client is closed"):
        client.generate("Hi")
    with pytest.raises(ConfigError, match="this client is closed"), client.stream("Hi"):
        pass


def test_a_closed_async_client_says_so() -> None:
    async def run() -> None:
        client = AsyncClient(SPEC, api_key=KEY)
        await client.close()
        await client.close()
        with pytest.raises(ConfigError, match="this client is closed"):
            await client.generate("Hi")

    asyncio.run(run())


def test_one_async_client_serves_several_event_loops() -> None:
    with vendor(last=says(answer())) as server:
        client = AsyncClient(SPEC, **arguments(server, {}))

        async def run() -> list[str]:
            both = await asyncio.gather(client.generate("Hi"), client.generate("Hi"))
            return [response.text for response in both]

        assert [asyncio.run(run()) for _ in range(3)] == [["Hello."] * 2] * 3


def test_one_client_serves_many_threads() -> None:
    seen: list[str] = []

    with (
        vendor(last=says(answer())) as server,
        Client(SPEC, **arguments(server, {})) as client,
    ):
        threads = [
            threading.Thread(target=lambda: seen.append(client.generate("Hi").text))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert seen == ["Hello."] * 8


FORKED = """
import os, sys
from interlingua import Client

client = Client("openai-chat:gpt-6", base_url=sys.argv[1], max_retries=0)
client.generate("Hi")
child = os.fork()
if child == 0:
    os._exit(0 if client.generate("Hi").text == "Hello." else 1)
status = os.waitpid(child, 0)[1]
print(status, client.generate("Hi").text)
client.close()
"""


def program(source: str, *arguments: str) -> tuple[str, str]:
    """What a program of its own prints, with every warning an error."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", source, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "OPENAI_API_KEY": KEY},
    )
    return done.stdout, done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_forked_child_asks_over_a_connection_of_its_own() -> None:
    with vendor(last=says(answer())) as server:
        assert program(FORKED, f"{server.url}/v1") == ("0 Hello.\n", "")

    first, child, parent = (asked.connection for asked in server.asked)
    assert (first == parent, first == child) == (True, False)


CLEAN = """
import asyncio, sys
from interlingua import AsyncClient, Client

client = Client("openai-chat:gpt-6", base_url=sys.argv[1], max_retries=0)
print(client.generate("Hi").text)
for event in client.stream("Hi"):
    break
with client.stream("Hi") as stream:
    for event in stream:
        pass
client.close()

unclosed = AsyncClient("openai-chat:gpt-6", base_url=sys.argv[1], max_retries=0)

async def main():
    print((await unclosed.generate("Hi")).text)
    async with unclosed.stream("Hi") as stream:
        async for event in stream:
            break

asyncio.run(main())
asyncio.run(main())
"""


def test_a_program_with_all_warnings_as_errors_is_clean() -> None:
    script = [
        *(says(answer()), streams(WHOLE), streams(WHOLE)),
        *(says(answer()), streams(WHOLE), says(answer()), streams(WHOLE)),
    ]

    with vendor(*script) as server:
        assert program(CLEAN, f"{server.url}/v1") == ("Hello.\n" * 3, "")


# -- secrets


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_client_shows_its_configuration_without_secrets(kind: Callable[..., object]) -> None:
    client = kind(
        SPEC,
        api_key=KEY,
        base_url="https://canary:canary@example.org/v1",
        headers={"x-extra-token": "canary-token"},
        timeout=5,
        fallback=["openai-chat:gpt-6-mini"],
    )

    assert repr(client) == (
        f"{kind.__name__}('openai-chat:gpt-6', base_url='https://example.org/v1', timeout=5, "
        "max_retries=2, fallback=('openai-chat:gpt-6-mini',))"
    )


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_client_is_pickled_by_its_configuration_without_secrets(
    kind: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
    client = kind(
        SPEC,
        api_key=KEY,
        base_url="https://canary:canary@example.org/v1",
        headers={"x-extra-token": "canary-token"},
        max_retries=5,
        deadline=9.0,
        on_loss=LossPolicy.strict,
    )

    held = pickle.dumps(client)

    assert b"canary" not in held
    assert repr(pickle.loads(held)) == repr(client)


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_pickled_client_has_its_options_save_the_secret_ones(
    kind: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
    client = kind(
        SPEC,
        organization="org-1",
        default_query={"api-version": "2026-11-01"},
        webhook_secret="canary-webhook",
        default_headers={"x-extra-token": "canary-token"},
        websocket_base_url="wss://canary:canary@example.org",
        project="sk-canary-0123456789",
    )

    held = pickle.dumps(client)
    made, arguments = pickle.loads(held).__reduce__()[1]

    assert b"canary" not in held
    assert made is kind
    assert (
        arguments.items()
        >= {
            "organization": "org-1",
            "default_query": {"api-version": "2026-11-01"},
        }.items()
    )


def test_ones_own_http_client_is_left_as_it_is() -> None:
    own = httpx2.Client()

    with Client(SPEC, api_key=KEY, http_client=own):
        assert own.event_hooks == {"request": [], "response": []}


def test_a_client_with_an_option_that_is_no_data_is_not_pickled() -> None:
    with (
        Client(SPEC, api_key=KEY, http_client=httpx2.Client()) as client,
        pytest.raises(ConfigError, match="cannot be pickled: its option 'http_client' is no plain"),
    ):
        pickle.dumps(client)


@both_ask
def test_secrets_that_a_vendor_repeats_are_shown_nowhere(asker: Asker) -> None:
    body = {"error": {"message": f"I got {KEY}, canary-token, canary-call.", "given": KEY}}
    about = {"headers": {"x-extra-token": "canary-token"}}

    with vendor(last=says(body, 401)) as server, pytest.raises(ProviderError) as caught:
        asker(server, client=about, headers={"x-call-token": "canary-call"})

    error = caught.value
    assert str(error) == "I got [redacted], [redacted], [redacted]."
    for shown in (repr(error), repr(vars(error)), repr(pickle.dumps(error))):
        assert "canary" not in shown


@both_read
def test_secrets_that_a_stream_repeats_are_shown_nowhere(reader: Reader) -> None:
    error = {"error": {"message": f"I got {KEY}."}}

    with (
        vendor(streams(events(chunk("Hel"), error))) as server,
        pytest.raises(ProviderError) as caught,
    ):
        reader(server)

    assert str(caught.value) == "I got [redacted]."
    assert "canary" not in repr(vars(caught.value))


def test_a_failed_attempt_is_on_record_without_secrets() -> None:
    body = {"error": {"message": f"I got {KEY}."}}

    with vendor(says(body, 500, retry_after_ms="1"), says(answer())) as server:
        response = ask(server, client={"max_retries": 1})

    assert response.attempts == (Attempt(SPEC, "ServerError", "I got [redacted].", 500),)


def test_a_lost_setting_warns_once_per_call() -> None:
    with vendor(last=says(answer())) as server, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ask(server, top_k=5)

    assert [str(one.message) for one in caught] == [
        "openai-chat: top_k: Chat Completions has no top_k (dropped)"
    ]
