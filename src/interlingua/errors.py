"""Everything this library raises.

    InterlinguaError
    ├── ConfigError                 a setting, an installation or a model that is not there
    ├── MessageError                a value that is no message, part or request (also a ValueError)
    │   └── LegacyFormatError       a legacy tuple that cannot be read
    ├── StorageError                stored messages that cannot be read, or stored
    ├── EncodeError                 a request that cannot be said in an API's JSON
    │   └── LossError               … without losing what the policy forbids to lose
    ├── DecodeError                 JSON that is no answer or request of that API
    └── ProviderError               what a vendor, or the way to it, answered
        ├── AuthenticationError     401
        ├── PermissionDeniedError   403
        ├── NotFoundError           404
        ├── InvalidRequestError     other 4xx
        │   ├── ContextLengthError  the prompt is longer than the model takes
        │   └── ContentFilterError  the vendor's policy refused the prompt
        ├── RateLimitError          429: try again later
        ├── QuotaError              402, and 429 when money has run out
        ├── OverloadedError         503, 529
        ├── ServerError             other 5xx
        ├── TimeoutError            408, 504, or no answer in time
        ├── ConnectionError         no connection, or it broke before the answer
        ├── StreamInterruptedError  the stream stopped before its end; `.response` holds what came
        └── MalformedResponseError  the answer is no JSON of that API

Each says what is wrong and the way out; each pickles with what it carries.
"""

from __future__ import annotations

from reprlib import Repr
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua.loss import Loss
    from interlingua.response import Response


class InterlinguaError(Exception):
    """The root of all errors here. Every one pickles with what it carries."""

    def __reduce__(self) -> tuple[Any, ...]:
        # The state stands apart from what makes the error, which may be among its own attempts.
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[InterlinguaError], args: tuple[Any, ...]) -> InterlinguaError:
    error = kind.__new__(kind, *args)
    error.args = args
    return error


class ConfigError(InterlinguaError):
    """A setting, an installation or a model that is missing or wrong, and the way out."""

    def __init__(self, reason: str, *, option: str | None = None) -> None:
        super().__init__(reason)
        self.option = option
        """The client's argument that is wrong; empty when it is one of several."""


class StorageError(InterlinguaError):
    """Messages that cannot be read or stored; says which file or place, and why.

    `errors` names all that is wrong with the first message that is none.
    """

    errors: tuple[Problem, ...]

    def __init__(
        self, reason: str, *, errors: Iterable[Problem] = (), response: Response | None = None
    ) -> None:
        super().__init__(reason)
        self.errors = tuple(errors)
        self.response = response
        """The answer that a session could not take."""


_short = Repr()
_short.maxstring = _short.maxother = 60


def shown(value: object) -> str:
    """A value as an error message shows it: in a few words, however large or deep it is."""
    return _short.repr(value[:100] if isinstance(value, str | bytes) else value)


class Problem(NamedTuple):
    """One thing wrong with an input: where (`content[0].text`), and what."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason

    def under(self, place: str) -> Problem:
        """The same problem, seen from the value that holds this one at `place`."""
        inner = self.path if len(self.path) < 100 else f"…{self.path[-60:]}"
        joint = "." if inner and inner[0] not in "[…" else ""
        return Problem(f"{place}{joint}{inner}", self.reason)


class MessageError(InterlinguaError, ValueError):
    """An input that is no message, part or request. `errors` names all its problems."""

    errors: tuple[Problem, ...]

    def __init__(self, errors: Iterable[Problem], what: str = "") -> None:
        self.errors = tuple(errors)
        self.what = what
        lead = f"{what}: " if what else ""
        super().__init__(lead + "; ".join(map(str, self.errors)))

    @classmethod
    def of(cls, reason: str, path: str = "") -> MessageError:
        """The error of a single problem."""
        return cls([Problem(path, reason)])

    def under(self, place: str) -> MessageError:
        """The same error, seen from the value that holds this one at `place`."""
        return MessageError([problem.under(place) for problem in self.errors], self.what)


class LegacyFormatError(MessageError):
    """A legacy tuple that cannot be read, or a message that none can say; names all problems."""


class EncodeError(InterlinguaError):
    """A request that cannot be said in an API's JSON."""


class LossError(EncodeError):
    """A request that an API can say only with losses the policy forbids. Nothing was sent."""

    losses: tuple[Loss, ...]

    def __init__(self, losses: Iterable[Loss], api: str) -> None:
        self.losses, self.api = tuple(losses), api
        told = "; ".join(map(str, self.losses))
        super().__init__(
            f"{api} cannot carry all of this: {told}. "
            "Change the request, or pass LossPolicy.allow to send it without"
        )


class DecodeError(InterlinguaError):
    """JSON that is no answer or request of the API; `path` says where."""

    def __init__(self, reason: str, *, api: str = "", path: str = "") -> None:
        self.reason, self.api, self.path = reason, api, path
        lead = f"{api}: " if api else ""
        where = f" at {path}" if path else ""
        super().__init__(f"{lead}{reason}{where}")


class ProviderError(InterlinguaError):
    """What a vendor, or the way to it, answered. `body` is its own words, without secrets."""

    retries: bool = False
    """Whether errors of this class are worth another try, when the vendor does not say."""

    def __init__(
        self,
        message: str,
        *,
        provider: str | None = None,
        status: int | None = None,
        code: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        retryable: bool | None = None,
        body: Any = None,
    ) -> None:
        super().__init__(message)
        self.provider = provider
        self.status = status
        self.code = code
        self.request_id = request_id
        self.retry_after = retry_after
        self.retryable = self.retries if retryable is None else retryable
        self.body = body
        self.response: Response | None = None
        """What had arrived of a stream when it failed."""
        self.attempts: tuple[ProviderError, ...] = ()
        """Every failed attempt, this one too, when a call was made several times."""


class AuthenticationError(ProviderError):
    """The key is missing, wrong or expired."""


class PermissionDeniedError(ProviderError):
    """The key may not do this."""


class NotFoundError(ProviderError):
    """No such model, file or endpoint."""


class InvalidRequestError(ProviderError):
    """The vendor refuses the request as it is."""


class ContextLengthError(InvalidRequestError):
    """The prompt is longer than the model takes."""


class ContentFilterError(InvalidRequestError):
    """The vendor's policy refused the prompt."""


class RateLimitError(ProviderError):
    """Too many requests or tokens; `retry_after` is the seconds to wait, if the vendor said so."""

    retries = True


class QuotaError(ProviderError):
    """The account's money or allowance has run out: trying again does not help."""


class OverloadedError(ProviderError):
    """The vendor has no capacity now."""

    retries = True


class ServerError(ProviderError):
    """The vendor failed."""

    retries = True


class TimeoutError(ProviderError):
    """No answer in time."""

    retries = True


class ConnectionError(ProviderError):
    """No connection, or it broke before the answer."""

    retries = True


class StreamInterruptedError(ProviderError):
    """The stream stopped before its end. `response` holds what had arrived, marked incomplete."""

    def __init__(self, message: str, *, response: Response | None = None, **about: Any) -> None:
        super().__init__(message, **about)
        self.response = response


class MalformedResponseError(ProviderError):
    """The answer is no JSON, or no answer of that API."""
