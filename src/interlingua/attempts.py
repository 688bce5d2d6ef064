"""When a call is made again, and to whom. Pure: whoever calls does the waiting."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from interlingua.errors import ProviderError
from interlingua.failures import without
from interlingua.hidden import in_environment, long_enough
from interlingua.response import Attempt

LONGEST_WAIT = 60.0
"""Seconds. A vendor that asks for more is not waited for."""

FIRST_WAIT = 0.5


class Retries(Struct, frozen=True):
    """How often a call is made again, and until when."""

    most: int = 2
    deadline: float | None = None
    """Seconds from the first attempt after which no other begins."""

    def wait(
        self, error: ProviderError, attempt: int, elapsed: float, chance: float
    ) -> float | None:
        """Seconds to wait before attempt `attempt + 1`; None when there is no point or no time.

        `chance`, between 0 and 1, spreads the waits of many clients.
        """
        if attempt > self.most or not error.retryable:
            return None
        seconds = error.retry_after
        if seconds is None:
            grown = FIRST_WAIT * 2 ** min(attempt - 1, 10)
            seconds = min(grown, LONGEST_WAIT) * (0.75 + chance / 4)
        if seconds > LONGEST_WAIT:
            return None
        return None if self.late(elapsed + seconds) else seconds

    def late(self, elapsed: float) -> bool:
        """Whether no other attempt begins."""
        return self.deadline is not None and elapsed > self.deadline


class Attempts:
    """The state of one call: whom to ask now, and what has failed."""

    def __init__(
        self,
        targets: Mapping[str, str],
        retries: Retries,
        now: float,
        secrets: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        """`targets` are the names to ask by, each with its provider's name, in order.

        `secrets` are asked for when something has failed: on the way there may be new ones.
        """
        self._targets = list(targets)
        self._providers = targets
        self._retries = retries
        self._begun = now
        self._secrets = secrets
        self._tries = 0
        self.failures: list[ProviderError] = []
        self.record: list[Attempt] = []

    @property
    def spec(self) -> str:
        """Whom to ask now."""
        return self._targets[0]

    @property
    def until(self) -> float | None:
        """When the call must be over."""
        deadline = self._retries.deadline
        return None if deadline is None else self._begun + deadline

    def left(self, now: float, timeout: float | None) -> float | None:
        """Seconds that the attempt at hand may wait: its timeout, and no more than the deadline."""
        if self.until is None:
            return timeout
        left = max(0.001, self.until - now)
        return left if timeout is None else min(left, timeout)

    def veiled(self, error: ProviderError) -> ProviderError:
        """The error without the secrets of this call, should the vendor have repeated them."""
        secrets = long_enough((*self._secrets(), *in_environment(os.environ)))
        # A secret may be part of a longer one.
        secrets = sorted(secrets, key=len, reverse=True)
        error.args = tuple(without(secrets, word) for word in error.args)
        error.body = without(secrets, error.body)
        return error

    def failed(self, error: ProviderError, now: float, chance: float) -> float:
        """Seconds to wait before asking `spec`, which may be another now.

        Raises the error when nobody is left to ask; it knows all attempts.
        """
        self._tries += 1
        # The adapter knows the vendor, which may be reached under several names.
        error.provider = self._providers[self.spec]
        self.failures.append(self.veiled(error))
        name = type(error).__name__
        self.record.append(Attempt(self.spec, name, str(error), error.status))
        elapsed = now - self._begun
        seconds = self._retries.wait(error, self._tries, elapsed, chance)
        if seconds is not None:
            return seconds
        if len(self._targets) == 1 or self._retries.late(elapsed):
            error.attempts = tuple(self.failures)
            raise error
        del self._targets[0]
        self._tries = 0
        return 0.0
