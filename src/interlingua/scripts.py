"""One line for scripts: a question, and no client to hold."""

from __future__ import annotations

from typing import Any

from interlingua.client import Client
from interlingua.response import Response


def generate(messages: object, *, model: str | None = None, **settings: Any) -> Response:
    """The answer of a model that `interlingua.toml` names, its default, or `provider:model`.

    Settings as in `Client.generate`. Each call opens a connection and closes it: where there are
    many, a `Client` is faster.
    """
    with Client.from_config(model) as client:
        return client.generate(messages, **settings)
