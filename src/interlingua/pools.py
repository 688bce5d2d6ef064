"""SDK clients where they may live: one per process, or one per event loop."""

from __future__ import annotations

import os
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TYPE_CHECKING, Generic, TypeVar
from weakref import WeakKeyDictionary

from interlingua.errors import ConfigError

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

Held = TypeVar("Held")


class ProcessPool(Generic[Held]):
    """One client for all threads of a process; a forked child makes its own."""

    def __init__(self, make: Callable[[], Held], end: Callable[[Held], None]) -> None:
        self._make, self._end = make, end
        self._lock = threading.Lock()
        self._client: Held | None = make()
        self._process = os.getpid()

    def client(self) -> Held:
        held = self._client
        if held is None:
            raise closed()
        if self._process == os.getpid():
            return held
        with self._lock:
            if self._process != os.getpid():
                self._client, self._process = self._make(), os.getpid()
        return self.client()

    def close(self) -> None:
        held, self._client = self._client, None
        if held is not None and self._process == os.getpid():
            self._end(held)


class LoopPools(Generic[Held]):
    """One client for each event loop that is used; each is closed when its loop shuts down."""

    def __init__(self, make: Callable[[], Held], end: Callable[[Held], Awaitable[None]]) -> None:
        self._make, self._end = make, end
        self._spare = [make()]
        """The client that no loop has taken yet: it is made at once so that mistakes show."""
        self._pools: WeakKeyDictionary[
            AbstractEventLoop, tuple[Held, AsyncGenerator[None, None]]
        ] = WeakKeyDictionary()
        self._closed = False

    async def client(self) -> Held:
        if self._closed:
            raise closed()
        loop = _loop()
        held = self._pools.get(loop)
        if held is None:
            made = self._taken()
            held = self._pools[loop] = (made, self._guard(made))
            # A loop that ends closes the generators that run in it: so it closes the client too.
            await anext(held[1])
        return held[0]

    def _taken(self) -> Held:
        try:
            return self._spare.pop()
        except IndexError:
            return self._make()

    async def _guard(self, held: Held) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            # The generator knows its loop, and would keep it alive from in here.
            self._pools.pop(_loop(), None)
            await self._end(held)

    async def close(self) -> None:
        """Close the client of this loop; those of loops that have ended are closed already."""
        self._closed = True
        held = self._pools.pop(_loop(), None)
        if held is not None:
            await held[1].aclose()
        while self._spare:
            await self._end(self._spare.pop())


def _loop() -> AbstractEventLoop:
    # Whoever runs a loop has loaded asyncio; whoever runs none never has to.
    from asyncio import get_running_loop

    return get_running_loop()


def closed() -> ConfigError:
    """The error of a call on a closed client."""
    return ConfigError("this client is closed; make a new one")
