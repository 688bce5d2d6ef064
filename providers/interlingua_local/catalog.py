"""The running model, and the tokens of a prompt in its chat template."""

from __future__ import annotations

from interlingua.models import Catalog, Question
from interlingua.wire import Json
from interlingua_openai.catalog import LISTING, counted, listed


def counting(model: str, body: Json) -> Question:
    """Asks for the tokens of a prompt."""
    return Question("/chat/completions/input_tokens", body)


catalog = Catalog(LISTING, listed, counting, counted)
