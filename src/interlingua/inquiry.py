"""What a client asks beside answers: a vendor's models, and the tokens of a prompt. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from interlingua.attempts import Attempts
from interlingua.calls import Asked, request_id
from interlingua.errors import ConfigError, DecodeError, MalformedResponseError, MessageError
from interlingua.failures import secret_values
from interlingua.models import Catalog, Model, Question
from interlingua.provider import Answer, Query
from interlingua.streaming import malformed
from interlingua.targets import Config
from interlingua.wire import Json, parse

Told = TypeVar("Told")


class Inquiry(Struct, Generic[Told], frozen=True):
    """One question to the client's own provider, never to a fallback, and how its answer reads."""

    config: Config
    question: Question
    read: Callable[[Json], Told]
    headers: Mapping[str, str]
    timeout: float | None

    def attempts(self, now: float) -> Attempts:
        """The attempts at an answer, none of which has been made."""
        own = {self.config.spec: self.config.providers[self.config.spec]}
        return Attempts(own, self.config.retries, now, self.secrets)

    def secrets(self) -> tuple[str, ...]:
        """What nobody may see, should a vendor repeat it."""
        return (*self.config.secrets(), *secret_values(self.headers))

    def query(self, attempts: Attempts, now: float) -> Query:
        """The question as it is asked now."""
        timeout = attempts.left(now, self.timeout or self.config.settings.timeout)
        provider = self.config.targets[self.config.spec].provider
        return Query(provider, self.question, self.headers, timeout, attempts.until)

    def told(self, answer: Answer) -> Told:
        """What the answer says. Raises `MalformedResponseError`."""
        provider = self.config.targets[self.config.spec].provider
        try:
            return self.read(parse(answer.content, provider.codec.api))
        except DecodeError as error:
            failed = malformed(error)
        except MessageError as error:
            failed = MalformedResponseError(f"the vendor's answer cannot be read: {error}")
        failed.provider, failed.request_id = provider.name, request_id(answer.headers)
        raise failed

    def __repr__(self) -> str:
        return f"Inquiry({self.config!r}, {self.question.path!r})"


class Some(Struct, frozen=True):
    """Models of one answer, and the inquiry that gives more."""

    models: tuple[Model, ...]
    more: Inquiry[Some] | None


def counting(asked: Asked, now: float) -> Inquiry[int]:
    """Asks for the tokens of a prompt. Raises `LossError`, `ConfigError` where nobody counts."""
    catalog = _catalog(asked.config)
    call = asked.call(asked.attempts(now), now)
    question = catalog.counting(call.model, call.encoded.body)

    def read(body: Json) -> int:
        count = catalog.counted(body)
        if count is None:
            raise DecodeError("an answer without a count", api=call.encoded.api)
        return count

    return Inquiry(asked.config, question, read, asked.headers, asked.timeout)


def listing(config: Config, headers: Mapping[str, str], timeout: float | None) -> Inquiry[Some]:
    """Asks for the models of a provider. Raises `ConfigError` where there is no list."""
    catalog = _catalog(config)

    def page(question: Question) -> Inquiry[Some]:
        def read(body: Json) -> Some:
            models, more = catalog.listed(body)
            # A vendor that gives the same page for ever is not asked for ever.
            return Some(models, None if more in (None, question) else page(more))

        return Inquiry(config, question, read, headers, timeout)

    return page(catalog.listing)


def _catalog(config: Config) -> Catalog:
    provider = config.targets[config.spec].provider
    if provider.catalog is None:
        raise ConfigError(f"{provider.name} neither counts tokens nor lists its models")
    return provider.catalog
