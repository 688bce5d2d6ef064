"""The API's name, the words of its items, and which tool names and ids it takes."""

import re
from functools import lru_cache

from interlingua.frozen import FrozenDict
from interlingua.wire import fit

API = "openai-responses"

TYPED = FrozenDict({"type": "message"})
"""Fields of a turn whose messages say that they are messages; the API itself can tell."""

TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]+")
CALL_ID = re.compile(r"\S+")

CUSTOM = "custom_tool_call"
OUTPUTS = ("function_call_output", "custom_tool_call_output")

WRITTEN_BY_CALLERS = (
    *OUTPUTS,
    "computer_call_output",
    "local_shell_call_output",
    "apply_patch_call_output",
    "mcp_approval_response",
    "additional_tools",
    "configuration_update",
    "compaction_trigger",
)
"""Items, other than messages, that the caller adds. All others stand on the model's side."""


@lru_cache(1024)
def tool_name(text: str) -> str:
    """The name as the API takes it: at most 64 letters, digits, `_` and `-`."""
    return fit(text, TOOL_NAME, 64)


def call_id(text: str) -> str:
    """The id as the API takes it: at most 64 characters."""
    return fit(text, CALL_ID, 64)
