"""The same question, asked synchronously and asynchronously."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Literal, NamedTuple, TypeVar

from interlingua import AsyncClient, Client, Event, Response
from interlingua.errors import ProviderError
from interlingua.frozen import EMPTY

Way = Literal["sync", "async"]
WAYS: tuple[Way, ...] = ("sync", "async")

LONGEST = 60.0
"""Seconds after which a call hangs, by all measures."""

Made = TypeVar("Made")


class Told(NamedTuple):
    """What a stream told before it ended, or was left, or broke."""

    events: list[Event]
    response: Response
    error: ProviderError | None


def generate(
    way: Way, spec: str, question: object, *, ask: Mapping[str, Any] = EMPTY, **client: Any
) -> Response:
    """The answer of a client made with `client`, asked with `ask`."""
    if way == "sync":
        with Client(spec, **client) as asked:
            return asked.generate(question, **ask)

    async def run() -> Response:
        async with AsyncClient(spec, **client) as asked:
            return await asked.generate(question, **ask)

    return patient(run())


def stream(
    way: Way,
    spec: str,
    question: object,
    *,
    ask: Mapping[str, Any] = EMPTY,
    until: Callable[[list[Event]], bool] = lambda _: False,
    **client: Any,
) -> Told:
    """The same as a stream, which is left as soon as `until` says so of the events."""
    events: list[Event] = []
    if way == "sync":
        with Client(spec, **client) as asked, asked.stream(question, **ask) as opened:
            try:
                for event in opened:
                    events.append(event)
                    if until(events):
                        break
            except ProviderError as error:
                return Told(events, opened.response, error)
        return Told(events, opened.response, None)

    async def run() -> Told:
        async with (
            AsyncClient(spec, **client) as asked,
            asked.stream(question, **ask) as opened,
        ):
            try:
                async for event in opened:
                    events.append(event)
                    if until(events):
                        break
            except ProviderError as error:
                return Told(events, opened.response, error)
        return Told(events, opened.response, None)

    return patient(run())


def patient(work: Coroutine[Any, Any, Made]) -> Made:
    """What this gives in an event loop of its own; an error instead of a hang."""
    made: list[Made] = []

    async def bounded() -> None:
        # As the loop's own result it would be written out, however large, when the loop ends.
        async with asyncio.timeout(LONGEST):
            made.append(await work)

    asyncio.run(bounded())
    return made[0]
