"""OpenAI: Responses by default, Chat Completions as `openai-chat`."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from interlingua.codec import Codec
from interlingua.models import Catalog
from interlingua.provider import AsyncTransport, Provider, Settings, Transport, needs
from interlingua_openai.catalog import catalog, chat_catalog
from interlingua_openai.chat import codec as chat
from interlingua_openai.facts import facts
from interlingua_openai.prepare import Host, prepare
from interlingua_openai.responses import codec as responses


def connect(settings: Settings) -> Transport:
    """A connection through the official SDK."""
    with needs("openai", "openai"):
        from interlingua_openai import transport
    return transport.Transport(settings)


def connect_async(settings: Settings) -> AsyncTransport:
    """The same, asynchronous."""
    with needs("openai", "openai"):
        from interlingua_openai import transport
    return transport.AsyncTransport(settings)


def _provider(name: str, codec: Codec, asked: Catalog) -> Provider:
    host = Host(name, "", api=codec.api, developer=True, refusals=True)
    ready = partial(prepare, host)
    return Provider(name, codec, connect, connect_async, prepare=ready, catalog=asked, facts=facts)


openai = _provider("openai", responses, catalog)
openai_chat = replace(_provider("openai-chat", chat, chat_catalog), responses=openai)
