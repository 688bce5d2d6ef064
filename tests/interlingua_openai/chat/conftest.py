"""Samples of Chat Completions JSON, written by hand from the documented shapes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SAMPLES = Path(__file__).parents[2] / "wire" / "openai-chat"


@pytest.fixture
def sample() -> Callable[[str], dict[str, Any]]:
    """A sample's JSON object by the name of its file."""
    return lambda name: json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
