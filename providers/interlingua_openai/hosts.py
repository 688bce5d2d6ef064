"""Hosts compatible with OpenAI: one row each, as their documents had it in December 2026."""

from __future__ import annotations

import os
import re
from functools import partial
from typing import Any, cast

import msgspec

from interlingua.errors import ConfigError
from interlingua.frozen import FrozenDict
from interlingua.models import Catalog, Question
from interlingua.provider import Provider, Settings, needs
from interlingua.wire import Json
from interlingua_openai import connect, connect_async
from interlingua_openai.catalog import LISTING, counted, listed
from interlingua_openai.chat import codec as chat
from interlingua_openai.facts import facts
from interlingua_openai.prepare import Host, prepare
from interlingua_openai.responses import codec as responses

RESPONSES = "openai-responses"
CODECS = {"openai-chat": chat, RESPONSES: responses}

VARIABLE = re.compile(r"\{(\w+)\}")

NO_KEY = "none"
"""What is sent as the key where none is needed: OpenAI's SDK wants one."""

# OpenAI has `safety_identifier` and `max_completion_tokens` now; most others have the old names.
USER = {"user": "user"}
OLD = FrozenDict({**USER, "max_tokens": "max_tokens"})
OLD_TOP_K = FrozenDict({**OLD, "top_k": "top_k"})

# While their models think, which they do unasked, some answer the first two with an error.
FREE = FrozenDict({"required": None, "name": None})
AUTO = FrozenDict({**FREE, "none": None})

HOSTS = (
    Host(
        "alibaba",
        "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        ("DASHSCOPE_API_KEY", "ALIBABA_API_KEY"),
        spelled=OLD_TOP_K,
    ),
    # A deployment's name is the model; what the resource is called is in the address.
    Host(
        "azure",
        "{AZURE_OPENAI_ENDPOINT}/openai/v1",
        ("AZURE_OPENAI_API_KEY",),
        RESPONSES,
        developer=True,
    ),
    Host(
        "azure-chat",
        "{AZURE_OPENAI_ENDPOINT}/openai/v1",
        ("AZURE_OPENAI_API_KEY",),
        developer=True,
        refusals=True,
    ),
    Host(
        "cerebras",
        "https://api.cerebras.ai/v1",
        ("CEREBRAS_API_KEY",),
        spelled=FrozenDict(USER),
        refused=("parallel_tool_calls", "metadata"),
    ),
    Host(
        "deepseek",
        "https://api.deepseek.com",
        ("DEEPSEEK_API_KEY",),
        spelled=FrozenDict({"max_tokens": "max_tokens", "user": "user_id"}),
        choices=FREE,
        reasoning_with_calls=True,
    ),
    Host(
        "fireworks",
        "https://api.fireworks.ai/inference/v1",
        ("FIREWORKS_API_KEY",),
        spelled=FrozenDict({**USER, "top_k": "top_k"}),
        message_names=False,
    ),
    Host(
        "groq",
        "https://api.groq.com/openai/v1",
        ("GROQ_API_KEY",),
        spelled=FrozenDict(USER),
        refused=("metadata", "cache.key"),
        message_names=False,
        own_reasoning_only=True,
    ),
    Host(
        "huggingface",
        "https://router.huggingface.co/v1",
        ("HF_TOKEN",),
        spelled=OLD,
    ),
    Host(
        "litellm",
        "http://localhost:4000",
        ("LITELLM_API_KEY", "LITELLM_PROXY_API_KEY"),
        needs_key=False,
        spelled=FrozenDict(USER),
        developer=True,
    ),
    Host(
        "llamacpp",
        "http://localhost:8080/v1",
        ("LLAMA_API_KEY",),
        needs_key=False,
        spelled=OLD_TOP_K,
        choices=FrozenDict({"name": "required"}),
    ),
    Host(
        "llamacpp-responses",
        "http://localhost:8080/v1",
        ("LLAMA_API_KEY",),
        RESPONSES,
        needs_key=False,
        choices=FrozenDict({"name": "required"}),
        typed_messages=True,
    ),
    Host(
        "lmstudio",
        "http://localhost:1234/v1",
        ("LM_API_TOKEN",),
        needs_key=False,
        spelled=OLD_TOP_K,
    ),
    # It forbids every field that it does not know, and tells the usage of a stream unasked.
    Host(
        "mistral",
        "https://api.mistral.ai/v1",
        ("MISTRAL_API_KEY",),
        spelled=FrozenDict({"max_tokens": "max_tokens", "seed": "random_seed", "top_k": "top_k"}),
        refused=("user",),
        choices=FrozenDict({"required": "any"}),
        left_out=("stream_options",),
        message_names=False,
        nine_letter_ids=True,
    ),
    Host(
        "moonshot",
        "https://api.moonshot.ai/v1",
        ("MOONSHOT_API_KEY", "MOONSHOTAI_API_KEY"),
        choices=FREE,
        text_lists=False,
        strict_tools=False,
        reasoning_with_calls=True,
    ),
    Host(
        "nvidia",
        "https://integrate.api.nvidia.com/v1",
        ("NVIDIA_API_KEY",),
        spelled=OLD,
        refused=("metadata", "cache.key"),
        strict_tools=False,
    ),
    Host(
        "ollama",
        "http://localhost:11434/v1",
        ("OLLAMA_API_KEY",),
        needs_key=False,
        spelled=OLD,
        choices=AUTO,
        strict_tools=False,
    ),
    Host(
        "openrouter",
        "https://openrouter.ai/api/v1",
        ("OPENROUTER_API_KEY",),
        spelled=FrozenDict(
            {
                **OLD_TOP_K,
                "reasoning.effort": "reasoning.effort",
                "reasoning.budget_tokens": "reasoning.max_tokens",
            }
        ),
        developer=True,
    ),
    # Its Chat Completions ended in September 2026.
    Host(
        "perplexity",
        "https://api.perplexity.ai/v1",
        ("PERPLEXITY_API_KEY", "PPLX_API_KEY"),
        RESPONSES,
        own_items=False,
    ),
    Host(
        "together",
        "https://api.together.ai/v1",
        ("TOGETHER_API_KEY",),
        spelled=OLD_TOP_K,
        strict_tools=False,
    ),
    Host(
        "vllm",
        "http://localhost:8000/v1",
        ("VLLM_API_KEY",),
        needs_key=False,
        spelled=OLD_TOP_K,
    ),
    # Its Chat Completions are deprecated.
    Host(
        "xai",
        "https://api.x.ai/v1",
        ("XAI_API_KEY",),
        RESPONSES,
    ),
    Host(
        "zai",
        "https://api.z.ai/api/paas/v4",
        ("ZAI_API_KEY",),
        spelled=FrozenDict({"max_tokens": "max_tokens", "user": "user_id"}),
        choices=AUTO,
        message_names=False,
        text_lists=False,
        strict_tools=False,
    ),
)


def at_host(host: Host, settings: Settings) -> Settings:
    """The settings with the host's address, and its key from the environment.

    Raises `ConfigError` when the environment does not have what is needed.
    """
    key = settings.api_key or next(filter(None, map(os.environ.get, host.keys)), None)
    if key is None and host.needs_key:
        variables = " or ".join(host.keys)
        raise ConfigError(f"{host.name} has no key: pass api_key=… or set {variables}")
    return msgspec.structs.replace(
        settings,
        api_key=key or NO_KEY,
        base_url=settings.base_url or VARIABLE.sub(partial(_variable, host), host.base_url),
        headers=cast("Any", {**_unsent(), **settings.headers}),
    )


def _variable(host: Host, found: re.Match[str]) -> str:
    value = os.environ.get(found[1])
    if not value:
        raise ConfigError(f"{host.name} has no address: pass base_url=… or set {found[1]}")
    return value.rstrip("/")


def _unsent() -> dict[str, Any]:
    """Headers that OpenAI's SDK would make of OpenAI's environment variables."""
    with needs("openai", "openai"):
        from openai import omit
    return {"OpenAI-Organization": omit, "OpenAI-Project": omit}


def _provider(host: Host) -> Provider:
    return Provider(
        host.name,
        CODECS[host.api],
        lambda settings: connect(at_host(host, settings)),
        lambda settings: connect_async(at_host(host, settings)),
        prepare=partial(prepare, host),
        catalog=Catalog(LISTING, listed, partial(_uncounted, host), counted),
    )


def _uncounted(host: Host, model: str, body: Json) -> Question:
    raise ConfigError(f"{host.name} cannot count tokens")


_made = {host.name: _provider(host) for host in HOSTS}

# The models of Azure are OpenAI's own.
_azure = msgspec.structs.replace(_made["azure"], facts=facts)
_azure_chat = msgspec.structs.replace(_made["azure-chat"], facts=facts, responses=_azure)

PROVIDERS = {**_made, "azure": _azure, "azure-chat": _azure_chat}


def __getattr__(name: str) -> Provider:
    """The provider of a host, as entry points name it."""
    try:
        return PROVIDERS[name.replace("_", "-")]
    except KeyError:
        raise AttributeError(f"no host is called {name!r}") from None
