"""Values as field types of pydantic models."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from pydantic import BaseModel, TypeAdapter, ValidationError

from interlingua import Image, Message, Request, Response, Text, ToolCall, Usage
from strategies import messages, requests, responses


class Stored(BaseModel):
    history: list[Message]
    request: Request | None = None
    response: Response | None = None


HISTORY = [
    Message.system("s"),
    Message.user(["a", Image(data=b"\x00\xff")]),
    Message.assistant("b", tool_calls=[ToolCall("c", "f", {"a": 1})]),
    Message.tool("c", {"a": 1}),
]
PLAIN: dict[str, Any] = {"role": "user", "content": [{"type": "text", "text": "a"}], "metadata": {}}


def test_a_model_holds_messages_as_they_are() -> None:
    stored = Stored(history=HISTORY)

    assert all(one is other for one, other in zip(stored.history, HISTORY, strict=True))


def test_a_model_reads_what_to_dict_writes() -> None:
    assert Stored.model_validate({"history": [PLAIN]}).history == [Message.user("a")]


def test_a_model_writes_what_to_dict_writes() -> None:
    stored = Stored(history=[Message.user("a")])

    expected: dict[str, Any] = {"history": [PLAIN], "request": None, "response": None}
    assert stored.model_dump() == expected
    assert stored.model_dump(mode="json") == expected


def test_bytes_come_back_as_bytes_through_json() -> None:
    stored = Stored(history=HISTORY)

    again = Stored.model_validate_json(stored.model_dump_json())

    assert again == stored
    assert again.history[1].content[1] == Image(data=b"\x00\xff")


@settings(max_examples=30)
@given(messages, requests, responses)
def test_any_value_comes_back_through_json(
    message: Message, request: Request, response: Response
) -> None:
    stored = Stored(history=[message], request=request, response=response)

    assert Stored.model_validate_json(stored.model_dump_json()) == stored


def test_a_wrong_message_is_a_validation_error_that_places_each_problem() -> None:
    wrong = {"role": "bot", "content": [3]}

    with pytest.raises(ValidationError) as caught:
        Stored.model_validate({"history": [PLAIN, wrong]})

    assert [(error["loc"], error["msg"]) for error in caught.value.errors()] == [
        (
            ("history", 1, "role"),
            "Value error, expected one of system, developer, user, assistant, tool, got str 'bot'",
        ),
        (
            ("history", 1, "content", 0),
            "Value error, expected a part, a string or a mapping, got int 3",
        ),
    ]


def test_parts_and_usage_are_field_types_too() -> None:
    adapter = TypeAdapter(dict[str, Text | Usage])

    assert adapter.validate_python({"a": Text("a"), "b": {"input_tokens": 1}}) == {
        "a": Text("a"),
        "b": Usage(1),
    }


SCHEMA: dict[str, Any] = TypeAdapter(Message).json_schema()


@settings(max_examples=10)
@given(messages)
def test_the_json_schema_describes_every_message(message: Message) -> None:
    jsonschema.validate(message.to_dict(), SCHEMA)


WRONG: list[dict[str, Any]] = [
    {"content": []},
    {"role": "bot", "content": []},
    {"role": "user", "content": [{"type": "text"}]},
    {"role": "user", "content": [{"type": "new", "text": "a"}]},
    {"role": "user", "content": [], "metadata": 3},
]


@pytest.mark.parametrize("value", WRONG)
def test_the_json_schema_refuses_what_is_no_message(value: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, SCHEMA)


def test_the_json_schema_of_a_model_that_holds_messages_is_whole() -> None:
    schema = Stored.model_json_schema()

    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(Stored(history=HISTORY).model_dump(mode="json"), schema)


def test_importing_the_library_does_not_import_pydantic() -> None:
    program = "import sys, interlingua; sys.exit('pydantic' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
