"""SDK clients where they may live."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable

import pytest

from interlingua import ConfigError
from interlingua.pools import LoopPools, ProcessPool


class Made:
    """Clients that were made, and those that were closed again."""

    def __init__(self) -> None:
        self.clients: list[object] = []
        self.closed: list[object] = []

    def make(self) -> object:
        self.clients.append(object())
        return self.clients[-1]

    def end(self, client: object) -> None:
        self.closed.append(client)

    async def aend(self, client: object) -> None:
        self.closed.append(client)


def test_all_threads_share_one_client() -> None:
    made = Made()
    pool = ProcessPool(made.make, made.end)
    seen: list[object] = []

    threads = [threading.Thread(target=lambda: seen.append(pool.client())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert seen == made.clients * 4


def test_a_closed_pool_says_so_and_closes_its_client_once() -> None:
    made = Made()
    pool = ProcessPool(made.make, made.end)

    pool.close()
    pool.close()

    assert made.closed == made.clients
    with pytest.raises(ConfigError, match="this client is closed"):
        pool.client()


FORKED = """
import os, sys
from interlingua.pools import ProcessPool

made, closed = [], []

def make():
    made.append(os.getpid())
    return made[-1]

pool = ProcessPool(make, closed.append)
parent = pool.client()
child = os.fork()
if child == 0:
    own = pool.client() == os.getpid() and pool.client() == made[-1] and len(made) == 2
    pool.close()
    os._exit(0 if own and closed == [os.getpid()] else 1)
status = os.waitpid(child, 0)[1]
print(status, pool.client() == parent, closed)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_forked_child_has_a_client_of_its_own() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORKED], capture_output=True, text=True, timeout=60
    )

    assert (done.stdout, done.stderr) == ("0 True []\n", "")


LEFT = """
import os
from interlingua.pools import ProcessPool

closed = []
pool = ProcessPool(object, closed.append)
child = os.fork()
if child == 0:
    pool.close()
    os._exit(len(closed))
print(os.waitpid(child, 0)[1], closed)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_forked_child_does_not_close_its_parents_client() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LEFT], capture_output=True, text=True, timeout=60
    )

    assert (done.stdout, done.stderr) == ("0 []\n", "")


def loops(made: Made) -> LoopPools[object]:
    return LoopPools(made.make, made.aend)


def test_each_loop_has_its_client_which_is_closed_with_it() -> None:
    made = Made()
    pools = loops(made)

    async def use() -> list[object]:
        return [await pools.client(), await pools.client()]

    first, second = asyncio.run(use()), asyncio.run(use())

    assert [first, second] == [[client] * 2 for client in made.clients]
    assert made.closed == made.clients


def test_loops_that_have_ended_are_not_kept() -> None:
    made = Made()
    pools = loops(made)
    seen: list[Callable[[], object]] = []

    async def use() -> None:
        await pools.client()
        seen.append(weakref.ref(asyncio.get_running_loop()))

    for _ in range(3):
        asyncio.run(use())
    gc.collect()

    assert [loop() for loop in seen] == [None, None, None]


def test_loops_in_several_threads_do_not_share_a_client() -> None:
    made = Made()
    pools = loops(made)
    together = threading.Barrier(2, timeout=20)
    seen: list[object] = []

    async def use() -> None:
        seen.append(await pools.client())
        await asyncio.to_thread(together.wait)

    threads = [threading.Thread(target=lambda: asyncio.run(use())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({*map(id, seen)}) == 2
    assert {*map(id, made.closed)} == {*map(id, seen)}


def test_closing_closes_what_no_loop_has_taken() -> None:
    made = Made()
    pools = loops(made)

    asyncio.run(pools.close())

    assert made.closed == made.clients
    with pytest.raises(ConfigError, match="this client is closed"):
        asyncio.run(pools.client())


def test_closing_closes_the_client_of_this_loop_once() -> None:
    made = Made()
    pools = loops(made)

    async def use() -> None:
        await pools.client()
        await pools.close()
        await pools.close()

    asyncio.run(use())

    assert made.closed == made.clients
