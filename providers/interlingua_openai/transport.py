"""The calls to OpenAI, and to hosts compatible with it, through the official SDK."""

from __future__ import annotations

from functools import partial
from typing import Any

import httpx2
import openai

from interlingua import stainless
from interlingua.errors import ConfigError, ConnectionError, ProviderError, TimeoutError
from interlingua.provider import Settings
from interlingua.raised import Raised, refused, told
from interlingua.stainless import Sdk
from interlingua_openai.errors import judge

PATHS = {"openai-chat": "/chat/completions", "openai-responses": "/responses"}

RAISED = Raised(
    "openai",
    openai.APIStatusError,
    judge,
    (
        (openai.APITimeoutError, TimeoutError),
        (openai.APIConnectionError, ConnectionError),
        (httpx2.TimeoutException, TimeoutError),
        (httpx2.TransportError, ConnectionError),
        (Exception, ProviderError),
    ),
)


def connect(kind: Any, settings: Settings, given: dict[str, Any]) -> Any:
    """The SDK's client. Its own retries are off: ours know more."""
    try:
        return kind(api_key=settings.api_key, base_url=settings.base_url, max_retries=0, **given)
    except openai.OpenAIError as error:
        raise ConfigError(
            f"OpenAI has no key: pass api_key=… or set OPENAI_API_KEY ({told(error)})"
        ) from error
    except (TypeError, ValueError, AttributeError) as error:
        raise refused("OpenAI", kind, settings.options, error) from error


SDK = Sdk(
    openai.OpenAI,
    openai.AsyncOpenAI,
    openai.Stream[Any],
    openai.AsyncStream[Any],
    httpx2,
    PATHS,
    RAISED,
    connect,
)

Transport = partial(stainless.Transport, SDK)
AsyncTransport = partial(stainless.AsyncTransport, SDK)
