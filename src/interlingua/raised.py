"""What a vendor's SDK raises, as our errors."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from interlingua import errors
from interlingua.errors import ConfigError, InterlinguaError, ProviderError, StreamInterruptedError
from interlingua.failures import redacted
from interlingua.streaming import UNTIL, lowered


class Raised(Struct, frozen=True):
    """One SDK's exceptions. The table, most exact first, ends in `Exception`: all is caught."""

    provider: str
    status: type[Exception]
    """Raised for an answer other than 2xx; its `response` is that answer."""
    judge: Callable[[int, Mapping[str, str], object], ProviderError]
    table: tuple[tuple[type[Exception], type[ProviderError]], ...]

    @contextmanager
    def translated(self, until: float | None) -> Generator[None]:
        """Whatever is raised inside leaves as one of our errors, raised from theirs.

        The SDK reads no error's body past `until`.
        """
        before = UNTIL.set(until)
        try:
            yield
        except InterlinguaError:
            raise
        except Exception as error:
            # The words of an answer may repeat a key; ours are without it, and say as much.
            cause = None if isinstance(error, self.status) else error
            raise self.error(error) from cause
        finally:
            UNTIL.reset(before)

    def error(self, error: Exception) -> ProviderError:
        """Our error for one of theirs."""
        response: Any = getattr(error, "response", None)
        if isinstance(error, self.status) and response is not None:
            return self.judge(response.status_code, lowered(response.headers), response.content)
        if isinstance(error, TimeoutError):
            return errors.TimeoutError(told(error), provider=self.provider)
        kind = next(ours for theirs, ours in self.table if isinstance(error, theirs))
        return kind(told(error), provider=self.provider)

    def interrupted(self, error: Exception) -> ProviderError:
        """The error of a connection that broke while the answer was being read."""
        if isinstance(error, ProviderError):
            return error
        return StreamInterruptedError(
            f"the connection broke while the answer was streamed: {told(error)}",
            provider=self.provider,
        )


def refused(
    vendor: str, client: Callable[..., Any], given: Mapping[str, Any], error: Exception
) -> ConfigError:
    """The error of an SDK's client that does not take what it is made with."""
    from inspect import signature

    known = signature(client).parameters
    option = next((name for name in given if name not in known), "")
    reason = f"it has no {option!r}" if option else told(error)
    return ConfigError(f"{vendor}'s client does not take this setting: {reason}", option=option)


def told(error: BaseException) -> str:
    """An exception's words and those of its cause, without secrets; its class when it has none."""
    words = [str(one) for one in (error, error.__cause__) if one is not None and str(one)]
    return redacted(": ".join(dict.fromkeys(words))) or type(error).__name__
