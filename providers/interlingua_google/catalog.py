"""Gemini's models, and the tokens of a prompt."""

from __future__ import annotations

from interlingua.frozen import FrozenDict
from interlingua.models import Catalog, Model, Page, Question
from interlingua.wire import Json, as_count, as_object, as_text, objects

MOST = "1000"
"""Models on a page: the most that the API gives."""

COUNTED = frozenset({"contents", "systemInstruction", "tools", "generationConfig"})
"""The fields of a call that Vertex counts; the Developer API takes the call as it is."""


def listed(body: Json) -> Page:
    """A page of models. Raises `MessageError` for one without a name."""
    given = body.get("models", body.get("publisherModels"))
    models = tuple(map(_model, objects(given)))
    more = as_text(body.get("nextPageToken"))
    if not more:
        return Page(models)
    return Page(models, Question("models", parameters={"pageSize": MOST, "pageToken": more}))


def counting(model: str, body: Json) -> Question:
    """Asks for the tokens of a prompt."""
    named = resource(model)
    return Question(f"{named}:countTokens", {"generateContentRequest": {"model": named, **body}})


def counted(body: Json) -> int | None:
    """The count that an answer gives; of nothing it gives none."""
    return as_count(body.get("totalTokens", 0))


def resource(model: str) -> str:
    """A model's name as the Developer API writes it."""
    return model if "/" in model else f"models/{model}"


def on_vertex(question: Question) -> Question:
    """The same question as Vertex takes it."""
    body = question.body
    if body is not None:
        asked = as_object(body.get("generateContentRequest"))
        body = {key: item for key, item in asked.items() if key in COUNTED}
    return Question(vertex_resource(question.path), body, question.parameters)


def vertex_resource(model: str) -> str:
    """A model's name as Vertex writes it: by its publisher, Google unless it is named."""
    if model.startswith(("projects/", "publishers/")):
        return model
    if model.startswith("models"):
        return f"publishers/google/{model}"
    publisher, _, name = model.rpartition("/")
    return f"publishers/{publisher or 'google'}/models/{name}"


def _model(about: Json) -> Model:
    name = as_text(about.get("name")) or ""
    return Model(
        name.removeprefix("publishers/google/").removeprefix("models/"),
        as_text(about.get("displayName")),
        None,
        as_count(about.get("inputTokenLimit")),
        as_count(about.get("outputTokenLimit")),
        FrozenDict(about),
    )


catalog = Catalog(Question("models", parameters={"pageSize": MOST}), listed, counting, counted)
