"""A small model that runs beside this process: llama.cpp, spoken to through Chat Completions."""

from __future__ import annotations

from interlingua.provider import AsyncTransport, Provider, Settings, Transport, needs
from interlingua_local.catalog import catalog
from interlingua_local.model import NAME
from interlingua_local.prepare import prepare
from interlingua_openai.chat import codec


def connect(settings: Settings) -> Transport:
    """A connection to the embedded model's server, which is started if it does not run."""
    with needs("openai", "local"):
        from interlingua_local import transport
    return transport.Local(settings)


def connect_async(settings: Settings) -> AsyncTransport:
    """The same, asynchronous."""
    with needs("openai", "local"):
        from interlingua_local import transport
    return transport.AsyncLocal(settings)


provider = Provider("local", codec, connect, connect_async, NAME, prepare, catalog)
