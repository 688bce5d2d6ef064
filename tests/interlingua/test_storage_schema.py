"""The published JSON Schema says what is stored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from interlingua import (
    Message,
    StorageError,
    conversation_from_dict,
    conversation_to_dict,
)
from interlingua.storage import json_schema
from strategies import messages

TESTS = Path(__file__).parents[1]
SCHEMA = TESTS.parent / "docs" / "schema" / "conversation-1.json"
VALIDATOR: Any = Draft202012Validator(json_schema())


def test_the_published_schema_is_the_one_the_types_give() -> None:
    published = json.loads(SCHEMA.read_text("utf-8"))

    assert published == json_schema(), (
        "write it anew: python -c 'import json; from interlingua.storage import json_schema; "
        f"print(json.dumps(json_schema(), indent=2))' > {SCHEMA.relative_to(TESTS.parent)}"
    )


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(json_schema())


@pytest.mark.parametrize(
    "path", sorted((TESTS / "golden").glob("*.json")), ids=lambda path: path.stem
)
def test_the_schema_takes_every_file_of_version_1(path: Path) -> None:
    assert faults(json.loads(path.read_bytes())) == []


@pytest.mark.parametrize(
    "messages",
    [
        [{"content": []}],
        [{"role": "bot", "content": []}],
        [{"role": "user", "content": [], "voice": 1}],
        [{"role": "user", "content": [{"type": "hologram"}]}],
        [{"role": "user", "content": [{"type": "text"}]}],
        [{"role": "user", "content": [{"type": "text", "text": "hi", "voice": 1}]}],
        [{"role": "user", "content": [{"type": "image"}]}],
        [{"role": "user", "content": [{"type": "image", "url": "u", "file_id": "f"}]}],
        [{"role": "user", "content": [], "extras": {"openai-chat": 1}}],
    ],
    ids=json.dumps,
)
def test_the_schema_and_the_reader_refuse_the_same(messages: list[object]) -> None:
    stored: dict[str, object] = {"interlingua": 1, "messages": messages}

    assert faults(stored) != []
    with pytest.raises(StorageError):
        conversation_from_dict(stored)


@given(st.lists(messages, max_size=3))
def test_the_schema_takes_whatever_is_stored(history: list[Message]) -> None:
    assert faults(conversation_to_dict(history)) == []


def faults(stored: object) -> list[str]:
    return [error.message for error in VALIDATOR.iter_errors(stored)]
