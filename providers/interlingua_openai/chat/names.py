"""The API's name, and which tool names it takes."""

import re
from functools import lru_cache

from interlingua.wire import fit

API = "openai-chat"
LEGACY = "functions"
"""The type, in extras, of a tool that was declared in the way before `tools`."""

TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]+")


@lru_cache(1024)
def tool_name(text: str) -> str:
    """The name as the API takes it: at most 64 letters, digits, `_` and `-`."""
    return fit(text, TOOL_NAME, 64)
