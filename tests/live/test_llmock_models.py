"""The models that llmock, a mock of the vendors by other hands, lists."""

from __future__ import annotations

from typing import Any

import pytest
from llmock.pytest_plugin import LLMock

from interlingua import Client


@pytest.mark.parametrize(
    ("spec", "name", "options"),
    [
        ("openai:m", "openai", {}),
        ("openai-chat:m", "openai", {}),
        ("anthropic:m", "anthropic", {}),
        ("google:m", "gemini", {"api_version": "v1beta"}),
    ],
)
def test_models_are_listed(llmock: LLMock, spec: str, name: str, options: dict[str, Any]) -> None:
    url = llmock.base_url(name)

    with Client(spec, api_key="no-key-at-all", base_url=url, timeout=20, **options) as client:
        listed = client.list_models()

    assert listed
    assert [model.id for model in listed if "/" in model.id] == []
    assert [model for model in listed if model.raw == {}] == []
