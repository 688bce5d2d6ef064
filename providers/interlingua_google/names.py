"""The API's name, which tool names it takes, and ids for calls that come without one."""

import re
from functools import lru_cache
from hashlib import blake2b

from interlingua.wire import fit

API = "gemini-generate"
PROVIDER = "google"
TOOL_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]*")
NAMELESS = "gemini_call_"
"""What the id of a call starts with that came without one; such ids are not sent."""


@lru_cache(1024)
def tool_name(text: str) -> str:
    """The name as the API takes it: at most 128 characters, a letter or `_` first."""
    return fit(text, TOOL_NAME, 128)


def derived_id(seed: str, number: int) -> str:
    """An id for a call that came without one: the same for the same answer."""
    digest = blake2b(f"{seed}/{number}".encode("utf-8", "replace"), digest_size=8)
    return f"{NAMELESS}{digest.hexdigest()}"


def sent_id(text: str) -> str | None:
    """The id as it is sent: none where none came."""
    return None if text.startswith(NAMELESS) else text
