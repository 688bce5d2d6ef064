"""Hosts compatible with OpenAI: one row each, as they were in November 2026."""

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

HOSTS = (
    Host(
        "alibaba",
        "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        ("DASHSCOPE_API_KEY",),
        spelled=OLD,
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
    ),
    Host(
        "cerebras",
        "https://api.cerebras.ai/v1",
        ("CEREBRAS_API_KEY",),
        spelled=FrozenDict(USER),
        refused=("parallel_tool_calls",),
    ),
    Host(
        "deepseek",
        "https://api.deepseek.com",
        ("DEEPSEEK_API_KEY",),
        spelled=OLD,
    ),
    Host(
        "fireworks",
        "https://api.fireworks.ai/inference/v1",
        ("FIREWORKS_API_KEY",),
        spelled=OLD,
    ),
    Host(
        "groq",
        "https://api.groq.com/openai/v1",
        ("GROQ_API_KEY",),
        spelled=FrozenDict(USER),
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
        ("LITELLM_API_KEY",),
        needs_key=False,
        spelled=FrozenDict(USER),
    ),
    Host(
        "llamacpp",
        "http://localhost:8080/v1",
        ("LLAMA_API_KEY",),
        needs_key=False,
        spelled=OLD_TOP_K,
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
        spelled=FrozenDict({"max_tokens": "max_tokens", "seed": "random_seed"}),
        refused=("user", "metadata"),
        choices=FrozenDict({"required": "any"}),
        left_out=("stream_options",),
        nine_letter_ids=True,
    ),
    Host(
        "moonshot",
        "https://api.moonshot.ai/v1",
        ("MOONSHOT_API_KEY", "MOONSHOTAI_API_KEY"),
        spelled=OLD,
        choices=FrozenDict({"required": None}),
        strict_tools=False,
    ),
    Host(
        "nvidia",
        "https://integrate.api.nvidia.com/v1",
        ("NVIDIA_API_KEY",),
        spelled=OLD,
        strict_tools=False,
    ),
    Host(
        "ollama",
        "http://localhost:11434/v1",
        ("OLLAMA_API_KEY",),
        needs_key=False,
        spelled=OLD,
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
        spelled=OLD,
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


PROVIDERS = {host.name: _provider(host) for host in HOSTS}


def __getattr__(name: str) -> Provider:
    """The provider of a host, as entry points name it."""
    try:
        return PROVIDERS[name.replace("_", "-")]
    except KeyError:
        raise AttributeError(f"no host is called {name!r}") from None
