"""The API's name, whose turns are its own, and which ids and tool names it takes."""

import re
from functools import lru_cache

from interlingua.message import Message
from interlingua.wire import fit

API = "anthropic-messages"
PLAIN = re.compile(r"[a-zA-Z0-9_-]+")


def home(message: Message) -> bool:
    """Whether the message came from this API."""
    return message.origin is not None and message.origin.api == API


def call_id(text: str) -> str:
    """The id as the API takes it: letters, digits, `_` and `-`."""
    return fit(text, PLAIN, 256)


@lru_cache(1024)
def tool_name(text: str) -> str:
    """The name as the API takes it: at most 128 letters, digits, `_` and `-`."""
    return fit(text, PLAIN, 128)
