"""SDK clients where they may live: one per process, or one per event loop."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from interlingua.errors import ConfigError

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
        self._first: Held | None = make()
        self._pools: WeakKeyDictionary[
            asyncio.AbstractEventLoop, tuple[Held, AsyncGenerator[None, None]]
        ] = WeakKeyDictionary()
        self._closed = False

    async def client(self) -> Held:
        if self._closed:
            raise closed()
        loop = asyncio.get_running_loop()
        held = self._pools.get(loop)
        if held is None:
            made, self._first = self._first or self._make(), None
            held = self._pools[loop] = (made, self._guard(made))
            # A loop that ends closes the generators that run in it: so it closes the client too.
            await anext(held[1])
        return held[0]

    async def _guard(self, held: Held) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            await self._end(held)

    async def close(self) -> None:
        """Close the client of this loop; those of loops that have ended are closed already."""
        self._closed = True
        held = self._pools.pop(asyncio.get_running_loop(), None)
        if held is not None:
            await held[1].aclose()
        if self._first is not None:
            first, self._first = self._first, None
            await self._end(first)


def closed() -> ConfigError:
    """The error of a call on a closed client."""
    return ConfigError("this client is closed; make a new one")
