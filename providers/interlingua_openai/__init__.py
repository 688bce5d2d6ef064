"""OpenAI: Responses by default, Chat Completions as `openai-chat`."""

from __future__ import annotations

from interlingua.provider import AsyncTransport, Provider, Settings, Transport, needs
from interlingua_openai.chat import codec as chat
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


openai = Provider("openai", responses, connect, connect_async)
openai_chat = Provider("openai-chat", chat, connect, connect_async)
