"""Chat Completions, as OpenAI and the hosts compatible with it speak it."""

from interlingua.codec import Codec
from interlingua_openai.chat.decode import decode
from interlingua_openai.chat.encode import API, encode
from interlingua_openai.chat.importing import decode_request
from interlingua_openai.chat.stream import Fold
from interlingua_openai.errors import judge

codec = Codec(
    api=API,
    provider="openai",
    encoder=encode,
    decoder=decode,
    importer=decode_request,
    fold=Fold,
    judge=judge,
)
