"""Samples of the wire, and the codec."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interlingua.codec import Codec
from interlingua_openai.responses import codec as responses

WIRE = Path(__file__).parents[2] / "wire" / "openai-responses"


@pytest.fixture
def codec() -> Codec:
    return responses


@pytest.fixture
def sample() -> Callable[[str], Any]:
    """Reads a JSON body, or the data of a stream's events."""

    def read(name: str) -> Any:
        text = (WIRE / name).read_text(encoding="utf-8")
        if name.endswith(".json"):
            return json.loads(text)
        lines = [line.removeprefix("data: ") for line in text.splitlines()]
        return [json.loads(line) for line in lines if line.startswith("{")]

    return read
