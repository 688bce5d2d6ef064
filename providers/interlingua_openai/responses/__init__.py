"""Responses, OpenAI's own API."""

from interlingua.codec import Codec
from interlingua_openai.errors import judge
from interlingua_openai.responses.decode import decode
from interlingua_openai.responses.encode import API, encode
from interlingua_openai.responses.importing import decode_request
from interlingua_openai.responses.stream import Fold

codec = Codec(
    api=API,
    provider="openai",
    encoder=encode,
    decoder=decode,
    importer=decode_request,
    fold=Fold,
    judge=judge,
)
