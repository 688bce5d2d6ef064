"""Anthropic's models, and the tokens of a prompt."""

from __future__ import annotations

from interlingua.frozen import FrozenDict
from interlingua.models import Catalog, Model, Page, Question, instant
from interlingua.wire import Json, as_count, as_text, objects

MODELS = "/v1/models"
MOST = "1000"
"""Models on a page: the most that the API gives."""

COUNTED = frozenset(
    {
        "cache_control",
        "messages",
        "model",
        "output_config",
        "prefill",
        "speed",
        "system",
        "thinking",
        "tool_choice",
        "tools",
    }
)
"""The fields of a call that its counting takes; it refuses all others."""


def listed(body: Json) -> Page:
    """A page of models. Raises `MessageError` for one without an id."""
    models = tuple(map(_model, objects(body.get("data"))))
    last = as_text(body.get("last_id"))
    if body.get("has_more") is not True or not last:
        return Page(models)
    return Page(models, Question(MODELS, parameters={"limit": MOST, "after_id": last}))


def counting(model: str, body: Json) -> Question:
    """Asks for the tokens of a prompt."""
    kept = {key: item for key, item in body.items() if key in COUNTED}
    return Question("/v1/messages/count_tokens", kept)


def counted(body: Json) -> int | None:
    """The count that an answer gives."""
    return as_count(body.get("input_tokens"))


def _model(about: Json) -> Model:
    return Model(
        about.get("id") or "",
        as_text(about.get("display_name")),
        instant(about.get("created_at")),
        as_count(about.get("max_input_tokens")),
        as_count(about.get("max_tokens")),
        FrozenDict(about),
    )


catalog = Catalog(Question(MODELS, parameters={"limit": MOST}), listed, counting, counted)
