"""Samples of generateContent's JSON, written by hand from the documented shapes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Json = dict[str, Any]
SAMPLES = Path(__file__).parents[1] / "wire" / "gemini-generate"


@pytest.fixture
def sample() -> Callable[[str], Json]:
    """A sample's JSON object by the name of its file."""
    return lambda name: json.loads((SAMPLES / f"{name}.json").read_text())


@pytest.fixture
def events() -> Callable[[str], list[Json]]:
    """The events of a streamed sample by the name of its file."""

    def read(name: str) -> list[Json]:
        lines = (SAMPLES / f"{name}.sse").read_text().splitlines()
        return [json.loads(line[6:]) for line in lines if line.startswith("data: ")]

    return read
