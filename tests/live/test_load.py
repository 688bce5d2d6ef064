"""Many calls at once, and one after another: every answer is right, and nothing is left behind."""

from __future__ import annotations

import asyncio
import gc
import threading
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.live.apis import APIS, Api
from tests.live.asking import patient
from tests.servers import Link, Server, serving

from interlingua import AsyncClient, Client, TextDelta

STREAMS = 200
THREADS = 32
CALLS = 500
"""Through each of the four APIs."""

DESCRIPTORS = Path("/proc/self/fd")
MEGABYTE = 2**20

pytestmark = pytest.mark.parametrize("api", APIS, ids=lambda api: api.spec)


def echo(api: Api, answer: Callable[[str], bytes]) -> Any:
    """A script that says what it was asked: the word after `Say`."""

    async def script(link: Link) -> None:
        word = link.asked.body.partition(b"Say ")[2].partition(b'"')[0].decode()
        await link.send(answer(word))

    return script


def made(kind: Any, server: Server, api: Api) -> Any:
    return kind(
        api.spec,
        api_key="no-key-at-all",
        base_url=server.url + api.root,
        timeout=60,
        max_retries=0,
    )


def descriptors() -> int:
    return len(list(DESCRIPTORS.iterdir())) if DESCRIPTORS.exists() else 0


def test_streams_run_beside_one_another_in_one_loop(api: Api) -> None:
    together = asyncio.Event()

    async def script(link: Link) -> None:
        word = link.asked.body.partition(b"Say ")[2].partition(b'"')[0].decode()
        await link.send(api.begun(word, "-"))
        if server.open == STREAMS:
            together.set()
        await together.wait()
        await link.send(api.told(word), api.ended(f"{word}-{word}"))

    async def run() -> tuple[list[str], int]:
        async with made(AsyncClient, server, api) as client:
            # All connecting at the same moment would be a race with their own timeouts.
            opening = asyncio.Semaphore(25)

            async def one(number: int) -> str:
                stream = client.stream(f"Say {number}", max_tokens=9)
                async with AsyncExitStack() as stack:
                    async with opening:
                        await stack.enter_async_context(stream)
                    texts = [event.text async for event in stream if isinstance(event, TextDelta)]
                assert stream.response.text == "".join(texts)
                return stream.response.text

            said = await asyncio.gather(*map(one, range(STREAMS)))
            return said, len(asyncio.all_tasks())

    with serving(script) as server:
        before = descriptors()
        said, tasks = patient(run())

        assert said == [f"{number}-{number}" for number in range(STREAMS)]
        assert tasks == 1
        assert server.is_idle()
        assert descriptors() <= before


def test_streams_that_are_left_leave_nothing_behind(api: Api) -> None:
    async def script(link: Link) -> None:
        await link.send(api.begun("Hel"))
        await link.left(60)

    async def run() -> int:
        async with made(AsyncClient, server, api) as client:

            async def one(number: int) -> None:
                async with client.stream(f"Say {number}", max_tokens=9) as stream:
                    async for event in stream:
                        if isinstance(event, TextDelta):
                            return

            await asyncio.gather(*map(one, range(THREADS)))
            assert await asyncio.to_thread(server.is_idle)
            return len(asyncio.all_tasks())

    with serving(script) as server:
        before = descriptors()

        assert patient(run()) == 1
        assert descriptors() <= before


def test_tasks_that_are_cancelled_leave_nothing_behind(api: Api) -> None:
    together = threading.Event()

    async def script(link: Link) -> None:
        if server.open == 2 * THREADS:
            together.set()
        await link.left(60)

    async def run() -> int:
        async with made(AsyncClient, server, api) as client:

            async def streamed() -> None:
                async with client.stream("Hi", max_tokens=9) as stream:
                    async for _ in stream:
                        pass

            calls = [client.generate("Hi", max_tokens=9) for _ in range(THREADS)]
            tasks = [asyncio.ensure_future(call) for call in calls]
            tasks += [asyncio.ensure_future(streamed()) for _ in range(THREADS)]
            assert await asyncio.to_thread(together.wait, 20)
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            assert {type(error) for error in ended} == {asyncio.CancelledError}
            assert await asyncio.to_thread(server.is_idle)
            return len(asyncio.all_tasks())

    with serving(script) as server:
        assert patient(run()) == 1


def test_threads_share_a_client(api: Api) -> None:
    with serving(echo(api, api.whole)) as server:
        before = descriptors()
        with made(Client, server, api) as client, ThreadPoolExecutor(THREADS) as pool:

            def one(number: int) -> str:
                return client.generate(f"Say {number}", max_tokens=9).text

            said = list(pool.map(one, range(CALLS)))

            assert server.connected <= THREADS

        assert said == [str(number) for number in range(CALLS)]
        assert server.is_idle()
        assert descriptors() <= before


def test_threads_share_a_client_for_streams(api: Api) -> None:
    with serving(echo(api, lambda word: api.streamed(word, "-", word))) as server:
        with made(Client, server, api) as client, ThreadPoolExecutor(THREADS) as pool:

            def one(number: int) -> str:
                with client.stream(f"Say {number}", max_tokens=9) as stream:
                    texts = [event.text for event in stream if isinstance(event, TextDelta)]
                return "".join(texts)

            said = list(pool.map(one, range(CALLS // 2)))

        assert said == [f"{number}-{number}" for number in range(CALLS // 2)]
        assert server.is_idle()


def test_clients_may_come_and_go(api: Api) -> None:
    with serving(echo(api, api.whole)) as server:
        assert [one_call(server, api) for _ in range(3)] == ["word"] * 3
        before = descriptors()

        assert [one_call(server, api) for _ in range(30)] == ["word"] * 30
        assert server.is_idle()
        assert descriptors() <= before


def test_a_client_lives_through_many_event_loops(api: Api) -> None:
    with serving(echo(api, api.whole)) as server:
        client = made(AsyncClient, server, api)

        async def once() -> str:
            return (await client.generate("Say word", max_tokens=9)).text

        assert [patient(once()) for _ in range(10)] == ["word"] * 10
        assert server.is_idle()


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_calls_keep_no_memory(api: Api, streamed: bool) -> None:
    answer: Callable[[str], bytes] = api.streamed if streamed else api.whole
    with serving(echo(api, answer)) as server, made(Client, server, api) as client:

        def calls(count: int) -> int:
            for _ in range(count):
                if streamed:
                    with client.stream("Say " + "word " * 5000, max_tokens=9) as stream:
                        list(stream)
                else:
                    client.generate("Say " + "word " * 5000, max_tokens=9)
            server.asked.clear()
            gc.collect()
            return tracemalloc.get_traced_memory()[0]

        tracemalloc.start()
        try:
            before = calls(10)
            after = calls(40)
        finally:
            tracemalloc.stop()

    # Each of the calls carries 25 kB: were only one in eight kept, it would show.
    assert after - before < MEGABYTE // 8


def one_call(server: Server, api: Api) -> str:
    with made(Client, server, api) as client:
        return client.generate("Say word", max_tokens=9).text
