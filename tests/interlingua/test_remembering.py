"""Calls within a stored conversation, over real connections to a vendor on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from interlingua import (
    AsyncClient,
    AuthenticationError,
    Client,
    ConfigError,
    Message,
    MessageError,
    Response,
    Sessions,
    SessionStore,
    StorageError,
    StreamInterruptedError,
    TextDelta,
    UserMessage,
)
from loopback import Act, Answer, Vendor, events, says, streams, vendor

Json = dict[str, Any]
Asker = Callable[[Vendor, UserMessage, SessionStore], Response]

HELLO = UserMessage("Hello", session_id="ada", metadata={"source": "web"})
DEPTH = UserMessage("How deep is it?", session_id="ada")
PIRATE = UserMessage("Who are you?", session_id="ada", system_prompt="Be a pirate.")
BRIEF = Message.system("Be brief.")


def answer(text: str = "Hi.", finish: str = "stop") -> Json:
    said = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": said, "finish_reason": finish}
    return {"id": "chatcmpl-1", "model": "gpt-6", "choices": [choice]}


def chunk(text: str, finish: str | None = None) -> Json:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return {"id": "chatcmpl-1", "model": "gpt-6", "choices": [choice]}


WHOLE = events(chunk("H"), chunk("i."), chunk("", "stop")) + b"data: [DONE]\n\n"
BUSY = says({"error": {"message": "Busy."}}, 503, retry_after_ms="1")
NO = says({"error": {"message": "No."}}, 401)


def client(server: Vendor) -> Client:
    return Client("openai-chat:gpt-6", api_key="key", base_url=f"{server.url}/v1")


def async_client(server: Vendor) -> AsyncClient:
    return AsyncClient("openai-chat:gpt-6", api_key="key", base_url=f"{server.url}/v1")


def ask(server: Vendor, said: UserMessage, sessions: SessionStore) -> Response:
    with client(server) as made:
        return made.generate(said, sessions=sessions)


def ask_async(server: Vendor, said: UserMessage, sessions: SessionStore) -> Response:
    async def run() -> Response:
        async with async_client(server) as made:
            return await made.generate(said, sessions=sessions)

    return asyncio.run(run())


def read(server: Vendor, said: UserMessage, sessions: SessionStore) -> Response:
    with client(server) as made, made.stream(said, sessions=sessions) as stream:
        for _ in stream:
            pass
        return stream.response


def read_async(server: Vendor, said: UserMessage, sessions: SessionStore) -> Response:
    async def run() -> Response:
        async with async_client(server) as made, made.stream(said, sessions=sessions) as stream:
            async for _ in stream:
                pass
            return stream.response

    return asyncio.run(run())


UNSTREAMED, STREAMED = says(answer()), streams(WHOLE)

every_way = pytest.mark.parametrize(
    ("asker", "hi"),
    [(ask, UNSTREAMED), (ask_async, UNSTREAMED), (read, STREAMED), (read_async, STREAMED)],
    ids=["generate", "async generate", "stream", "async stream"],
)


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[Sessions]:
    with Sessions(tmp_path / "talks.db") as made:
        yield made


def sent(server: Vendor) -> list[list[tuple[str, str]]]:
    """Who said what, in every request."""
    bodies = [asked.body["messages"] for asked in server.asked]
    return [[(one["role"], one["content"]) for one in messages] for messages in bodies]


@every_way
def test_a_whole_answer_is_stored_with_its_question(
    asker: Asker, hi: Answer, sessions: Sessions
) -> None:
    with vendor(hi) as server:
        response = asker(server, HELLO, sessions)

    assert sessions.load("ada") == (HELLO.to_message(), response.message)
    assert [(one.id, one.turns) for one in sessions.list()] == [("ada", 1)]


@every_way
def test_a_message_goes_on_with_what_its_session_holds(
    asker: Asker, hi: Answer, sessions: Sessions
) -> None:
    with vendor(hi, hi) as server:
        asker(server, HELLO, sessions)
        asker(server, DEPTH, sessions)

    hello = ("user", "Hello")
    assert sent(server) == [
        [hello],
        [hello, ("assistant", "Hi."), ("user", "How deep is it?")],
    ]


@every_way
def test_a_prompt_of_its_own_stands_for_the_stored_one_in_this_turn_alone(
    asker: Asker, hi: Answer, sessions: Sessions
) -> None:
    sessions.append("ada", [BRIEF])
    with vendor(hi, hi) as server:
        asker(server, PIRATE, sessions)
        asker(server, DEPTH, sessions)

    who = ("user", "Who are you?")
    assert sent(server) == [
        [("system", "Be a pirate."), who],
        [("system", "Be brief."), who, ("assistant", "Hi."), ("user", "How deep is it?")],
    ]
    assert [one.role for one in sessions.load("ada")] == [
        *("system", "user", "assistant"),
        *("user", "assistant"),
    ]


@every_way
def test_a_failed_answer_leaves_no_trace(asker: Asker, hi: Answer, sessions: Sessions) -> None:
    with vendor(NO) as server, pytest.raises(AuthenticationError):
        asker(server, HELLO, sessions)

    assert sessions.list() == ()


@every_way
def test_an_answer_at_the_second_attempt_is_stored_once(
    asker: Asker, hi: Answer, sessions: Sessions
) -> None:
    with vendor(BUSY, hi) as server:
        asker(server, HELLO, sessions)

    assert [one.turns for one in sessions.list()] == [1]
    assert sent(server) == [[("user", "Hello")]] * 2


@pytest.mark.parametrize("reader", [read, read_async])
def test_a_stream_that_breaks_off_leaves_no_trace(reader: Asker, sessions: Sessions) -> None:
    broken = streams(events(chunk("H")), Act.DROP)
    with vendor(broken) as server, pytest.raises(StreamInterruptedError):
        reader(server, HELLO, sessions)

    assert sessions.list() == ()


def test_a_stream_that_is_left_leaves_no_trace(sessions: Sessions) -> None:
    with (
        vendor(streams(events(chunk("H")), Act.LEAVE)) as server,
        client(server) as made,
        made.stream(HELLO, sessions=sessions) as stream,
    ):
        next(event for event in stream if isinstance(event, TextDelta))
        stream.close()

    assert sessions.list() == ()


def test_an_async_stream_that_is_left_leaves_no_trace(sessions: Sessions) -> None:
    async def run(server: Vendor) -> None:
        async with async_client(server) as made, made.stream(HELLO, sessions=sessions) as stream:
            async for event in stream:
                if isinstance(event, TextDelta):
                    return

    with vendor(streams(events(chunk("H")), Act.LEAVE)) as server:
        asyncio.run(run(server))

    assert sessions.list() == ()


def test_an_answer_that_the_vendor_calls_an_error_is_given_and_not_stored(
    sessions: Sessions,
) -> None:
    with vendor(says(answer("H", finish="error"))) as server:
        response = ask(server, HELLO, sessions)

    assert (response.text, response.finish_reason) == ("H", "error")
    assert sessions.list() == ()


# -- what else may go wrong


class Broken:
    """A store that takes nothing."""

    def load(self, session_id: str, /) -> Sequence[Message]:
        return ()

    def append(self, session_id: str, messages: Sequence[Message], /) -> None:
        raise OSError("the wire is cut")


@every_way
def test_an_answer_that_cannot_be_stored_is_not_lost(asker: Asker, hi: Answer) -> None:
    with vendor(hi) as server, pytest.raises(StorageError) as caught:
        asker(server, HELLO, Broken())

    assert caught.value.response is not None
    assert caught.value.response.text == "Hi."
    assert str(caught.value) == (
        "the answer came and cannot be stored, see `response`: the wire is cut"
    )


@pytest.mark.parametrize("said", ["Hello", [HELLO], UserMessage("Hello"), Message.user("Hello")])
def test_what_names_no_session_is_refused_before_anything_is_sent(
    said: object, sessions: Sessions
) -> None:
    with vendor() as server, client(server) as made:
        with pytest.raises(ConfigError, match="pass a UserMessage with a session_id"):
            made.generate(said, sessions=sessions)

        assert server.asked == []


@pytest.mark.parametrize("name", [42, "", ["ada"]])
def test_a_session_has_a_string_for_a_name(name: object, sessions: Sessions) -> None:
    said = UserMessage("Hello", session_id=name)
    with vendor() as server, client(server) as made:
        with pytest.raises(MessageError, match="session_id: "):
            made.generate(said, sessions=sessions)

        assert server.asked == []


def test_a_session_that_cannot_be_read_is_not_asked_about(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path / "talks.db")
    sessions.close()
    (tmp_path / "talks.db").write_bytes(b"no database at all" * 100)

    with vendor() as server, pytest.raises(StorageError):
        ask(server, HELLO, sessions)

    assert server.asked == []


def test_without_sessions_a_user_message_is_asked_and_not_stored() -> None:
    with vendor(says(answer())) as server, client(server) as made:
        response = made.generate(PIRATE)

    assert response.text == "Hi."
    assert sent(server) == [[("system", "Be a pirate."), ("user", "Who are you?")]]


def test_the_event_loop_goes_on_while_a_store_works(sessions: Sessions) -> None:
    """The store waits for the loop: it would wait for ever if the loop waited for it."""

    async def run(server: Vendor) -> None:
        store = Patient(asyncio.get_running_loop(), sessions)
        async with async_client(server) as made:
            await made.generate(HELLO, sessions=store)

    with vendor(says(answer())) as server:
        asyncio.run(run(server))

    assert [one.turns for one in sessions.list()] == [1]


class Patient:
    """A store that works only while an event loop runs."""

    def __init__(self, loop: asyncio.AbstractEventLoop, sessions: Sessions) -> None:
        self._loop, self._sessions = loop, sessions

    def load(self, session_id: str, /) -> Sequence[Message]:
        self._ask_the_loop(asyncio.sleep(0))
        return self._sessions.load(session_id)

    def append(self, session_id: str, messages: Sequence[Message], /) -> None:
        self._ask_the_loop(asyncio.sleep(0))
        self._sessions.append(session_id, messages)

    def _ask_the_loop(self, coming: Awaitable[None]) -> None:
        async def wait() -> None:
            await coming

        asyncio.run_coroutine_threadsafe(wait(), self._loop).result(timeout=30)
