"""OpenAI's models, and the tokens of a prompt; the former also of hosts compatible with it."""

from __future__ import annotations

from interlingua.errors import ConfigError
from interlingua.frozen import FrozenDict
from interlingua.models import Catalog, Model, Page, Question, instant
from interlingua.wire import Json, as_count, as_object, as_text, objects

COUNTED = frozenset(
    {
        "conversation",
        "input",
        "instructions",
        "model",
        "parallel_tool_calls",
        "personality",
        "previous_response_id",
        "reasoning",
        "text",
        "tool_choice",
        "tools",
        "truncation",
    }
)
"""The fields of a call that its counting takes; it refuses all others."""

CONTEXTS = ("context_length", "context_window", "max_model_len")
"""What hosts compatible with OpenAI call the longest prompt; OpenAI itself does not say."""


def listed(body: Json) -> Page:
    """The models, all on one page. Raises `MessageError` for one without an id."""
    return Page(tuple(map(_model, objects(body.get("data")))))


def counting(model: str, body: Json) -> Question:
    """Asks for the tokens of a prompt."""
    kept = {key: item for key, item in body.items() if key in COUNTED}
    return Question("/responses/input_tokens", kept)


def chat_counting(model: str, body: Json) -> Question:
    """Says that Chat Completions does not count: raises `ConfigError`."""
    raise ConfigError(
        f"openai-chat cannot count tokens: its API does not; 'openai:{model}' counts them, "
        "where the host also speaks the Responses API"
    )


def counted(body: Json) -> int | None:
    """The count that an answer gives."""
    return as_count(body.get("input_tokens"))


def _model(about: Json) -> Model:
    told = (about.get(name) for name in CONTEXTS)
    ours = as_object(about.get("meta")).get("n_ctx")
    sizes = map(as_count, (*told, ours))
    return Model(
        about.get("id") or "",
        as_text(about.get("name")),
        instant(about.get("created")),
        next((size for size in sizes if size is not None), None),
        raw=FrozenDict(about),
    )


LISTING = Question("/models")

catalog = Catalog(LISTING, listed, counting, counted)
chat_catalog = Catalog(LISTING, listed, chat_counting, counted)
