"""The calls to the embedded model's server. It is started before a call when it does not run."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from interlingua.errors import ConfigError
from interlingua.provider import Answer, AsyncEvents, Call, Events, Settings
from interlingua_local import server
from interlingua_local.model import find_model
from interlingua_openai.transport import AsyncTransport, Transport

OPTIONS = ("model_path", "threads", "port")


class Engine:
    """The server, and how to reach it."""

    def __init__(self, settings: Settings) -> None:
        for name in settings.options:
            if name not in OPTIONS:
                raise ConfigError(
                    f"no such option of local: {name!r}; there are {', '.join(OPTIONS)}"
                )
        given: dict[str, Any] = dict(settings.options)
        self._path: Path = find_model(given.pop("model_path", None))
        self._given = given
        self._settings = settings

    def start(self) -> Settings:
        """The settings that reach the running server."""
        running = server.start(self._path, **self._given)
        return Settings(running.key, f"{running.address}/v1", timeout=self._settings.timeout)


class Local:
    """A synchronous client."""

    def __init__(self, settings: Settings) -> None:
        self._engine = Engine(settings)
        self._transport = Transport(self._engine.start())

    def send(self, call: Call) -> Answer:
        self._engine.start()
        return self._transport.send(call)

    def stream(self, call: Call) -> Events:
        self._engine.start()
        return self._transport.stream(call)

    def close(self) -> None:
        self._transport.close()


class AsyncLocal:
    """An asynchronous client."""

    def __init__(self, settings: Settings) -> None:
        self._engine = Engine(settings)
        self._transport = AsyncTransport(self._engine.start())

    async def send(self, call: Call) -> Answer:
        await asyncio.to_thread(self._engine.start)
        return await self._transport.send(call)

    async def stream(self, call: Call) -> AsyncEvents:
        await asyncio.to_thread(self._engine.start)
        return await self._transport.stream(call)

    async def close(self) -> None:
        await self._transport.close()
