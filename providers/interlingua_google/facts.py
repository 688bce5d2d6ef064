"""What Google's models refuse or need, as far as Google says."""

import re

from interlingua.facts import Fact, table

TAKES_UNSIGNED = re.compile(r"(?:models/|.*/models/)?gemini-[12]\b.*")
"""Models that take a function call without its thoughtSignature; later ones refuse the request.
Google, Thought signatures, 2026-11."""

facts = table(
    Fact(
        ("gemini-4-argon",),
        source="Google, generate-content latest-model",
        date="2026-11",
        refuses=("temperature", "top_p", "top_k"),
        efforts=("low", "medium", "high"),
    ),
)
