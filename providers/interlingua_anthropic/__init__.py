"""The Messages API, as Anthropic and the clouds that host its models speak it."""

from interlingua.codec import Codec
from interlingua.provider import AsyncTransport, Provider, Settings, Transport, needs
from interlingua_anthropic.catalog import catalog
from interlingua_anthropic.decode import decode
from interlingua_anthropic.encode import encode
from interlingua_anthropic.errors import judge
from interlingua_anthropic.facts import facts
from interlingua_anthropic.importing import decode_request
from interlingua_anthropic.names import API
from interlingua_anthropic.stream import Fold

codec = Codec(
    api=API,
    provider="anthropic",
    encoder=encode,
    decoder=decode,
    importer=decode_request,
    fold=Fold,
    judge=judge,
)


def connect(settings: Settings) -> Transport:
    """A connection through the official SDK."""
    with needs("anthropic", "anthropic"):
        from interlingua_anthropic import transport
    return transport.Transport(settings)


def connect_async(settings: Settings) -> AsyncTransport:
    """The same, asynchronous."""
    with needs("anthropic", "anthropic"):
        from interlingua_anthropic import transport
    return transport.AsyncTransport(settings)


provider = Provider("anthropic", codec, connect, connect_async, catalog=catalog, facts=facts)
