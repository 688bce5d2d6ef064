"""The calls to Anthropic through the official SDK."""

from __future__ import annotations

from functools import partial
from typing import Any

import anthropic
import httpx2

from interlingua import stainless
from interlingua.errors import (
    AuthenticationError,
    ConfigError,
    ConnectionError,
    ProviderError,
    TimeoutError,
)
from interlingua.provider import Settings
from interlingua.raised import Raised, refused, told
from interlingua.stainless import Sdk
from interlingua_anthropic.errors import judge

PATHS = {"anthropic-messages": "/v1/messages"}

NO_KEY = "Anthropic has no key: pass api_key=…, or set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN"
KEYS = {"authorization", "x-api-key"}

RAISED = Raised(
    "anthropic",
    anthropic.APIStatusError,
    judge,
    (
        (anthropic.APITimeoutError, TimeoutError),
        (anthropic.APIConnectionError, ConnectionError),
        (anthropic.CredentialsError, AuthenticationError),
        (httpx2.TimeoutException, TimeoutError),
        (httpx2.TransportError, ConnectionError),
        (Exception, ProviderError),
    ),
)


def connect(kind: Any, settings: Settings, given: dict[str, Any]) -> Any:
    """The SDK's client. Its own retries are off: ours know more."""
    url = root(settings.base_url)
    try:
        made = kind(api_key=settings.api_key, base_url=url, max_retries=0, **given)
    except anthropic.AnthropicError as error:
        raise ConfigError(f"{NO_KEY} ({told(error)})") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise refused("Anthropic", kind, settings.options, error) from error
    # The SDK itself would say so with the first call.
    if made.credentials is None and not KEYS & {name.lower() for name in made.default_headers}:
        raise ConfigError(NO_KEY)
    return made


def root(base_url: str | None) -> str | None:
    """The base URL without the version, which the path has already."""
    return None if base_url is None else base_url.rstrip("/").removesuffix("/v1")


SDK = Sdk(
    anthropic.Anthropic,
    anthropic.AsyncAnthropic,
    anthropic.Stream[Any],
    anthropic.AsyncStream[Any],
    httpx2,
    PATHS,
    RAISED,
    connect,
)

Transport = partial(stainless.Transport, SDK)
AsyncTransport = partial(stainless.AsyncTransport, SDK)
