"""The calls to the embedded model's server. It is started before a call when it does not run."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from interlingua.errors import ConfigError, NotFoundError
from interlingua.provider import Answer, AsyncEvents, Call, Events, Query, Settings
from interlingua_local import server
from interlingua_local.model import NAME, find_model
from interlingua_openai.transport import AsyncTransport, Transport

OPTIONS = ("model_path", "threads", "port")


class Engine:
    """The server, and how to reach it."""

    def __init__(self, settings: Settings) -> None:
        for name in settings.options:
            if name not in OPTIONS:
                raise ConfigError(
                    f"no such option of local: {name!r}; there are {', '.join(OPTIONS)}",
                    option=name,
                )
        given: dict[str, Any] = dict(settings.options)
        self._path: Path = find_model(_path(given.pop("model_path", None)))
        self._given = {name: _whole(name, value) for name, value in given.items()}
        self._settings = settings

    def start(self) -> Settings:
        """The settings that reach the running server."""
        running = server.start(self._path, **self._given)
        return Settings(running.key, f"{running.address}/v1", timeout=self._settings.timeout)

    def ready(self, call: Call) -> None:
        """Start the server if it does not run. Raises `NotFoundError` for a model it has not."""
        running = server.start(self._path, **self._given)
        # The provider's default name stands for whichever model runs.
        if call.model not in (NAME, running.model_name):
            raise NotFoundError(
                f"no local model is called {call.model!r}; there is {running.model_name!r}, and "
                "model_path=… or INTERLINGUA_LOCAL_MODEL names the file of another",
                provider="local",
            )


def _path(given: object) -> str | Path | None:
    if given is None or isinstance(given, str | Path):
        return given
    raise ConfigError(f"model_path={given!r} is no path to a GGUF file", option="model_path")


def _whole(name: str, given: object) -> int:
    """A number, which a command line or a file may give as text."""
    try:
        return int(str(given))
    except ValueError:
        raise ConfigError(f"{name}={given!r} is no whole number", option=name) from None


class Local:
    """A synchronous client."""

    def __init__(self, settings: Settings) -> None:
        self._engine = Engine(settings)
        self._transport = Transport(self._engine.start())

    def send(self, call: Call) -> Answer:
        self._engine.ready(call)
        return self._transport.send(call)

    def stream(self, call: Call) -> Events:
        self._engine.ready(call)
        return self._transport.stream(call)

    def fetch(self, query: Query) -> Answer:
        self._engine.start()
        return self._transport.fetch(query)

    def close(self) -> None:
        self._transport.close()


class AsyncLocal:
    """An asynchronous client."""

    def __init__(self, settings: Settings) -> None:
        self._engine = Engine(settings)
        self._transport = AsyncTransport(self._engine.start())

    async def send(self, call: Call) -> Answer:
        await asyncio.to_thread(self._engine.ready, call)
        return await self._transport.send(call)

    async def stream(self, call: Call) -> AsyncEvents:
        await asyncio.to_thread(self._engine.ready, call)
        return await self._transport.stream(call)

    async def fetch(self, query: Query) -> Answer:
        await asyncio.to_thread(self._engine.start)
        return await self._transport.fetch(query)

    async def close(self) -> None:
        await self._transport.close()
