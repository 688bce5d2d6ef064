"""The Gemini API's generateContent, as the Gemini Developer API and Vertex speak it."""

from interlingua.codec import Codec
from interlingua.provider import AsyncTransport, Provider, Settings, Transport, needs
from interlingua_google.catalog import catalog
from interlingua_google.decode import decode
from interlingua_google.encode import encode
from interlingua_google.errors import judge
from interlingua_google.facts import facts
from interlingua_google.importing import decode_request
from interlingua_google.names import API, PROVIDER
from interlingua_google.stream import Fold

codec = Codec(
    api=API,
    provider=PROVIDER,
    encoder=encode,
    decoder=decode,
    importer=decode_request,
    fold=Fold,
    judge=judge,
)


def connect(settings: Settings) -> Transport:
    """A connection through the official SDK."""
    with needs("google-genai", "google"):
        from interlingua_google import transport
    return transport.Transport(settings)


def connect_async(settings: Settings) -> AsyncTransport:
    """The same, asynchronous."""
    with needs("google-genai", "google"):
        from interlingua_google import transport
    return transport.AsyncTransport(settings)


provider = Provider("google", codec, connect, connect_async, catalog=catalog, facts=facts)
