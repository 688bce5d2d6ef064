"""The waits between attempts: the one place that asks the clock and throws dice."""

from __future__ import annotations

import time

from interlingua.attempts import Attempts
from interlingua.errors import ProviderError

now = time.monotonic


def wait(attempts: Attempts, error: ProviderError) -> None:
    """Wait until the next attempt. Raises the error when there is none."""
    time.sleep(attempts.failed(error, now(), _chance()))


async def wait_async(attempts: Attempts, error: ProviderError) -> None:
    """The same, awaited."""
    seconds = attempts.failed(error, now(), _chance())
    # Loaded by the first failure, not by every program.
    from asyncio import sleep

    await sleep(seconds)


def _chance() -> float:
    from random import random

    return random()
