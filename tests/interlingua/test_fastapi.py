"""Messages and answers as the bodies of a web application."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import BaseModel

from interlingua import Image, Message, Response, ToolCall, Usage, UserMessage

Json = dict[str, Any]

app = FastAPI()
received: list[Message] = []


class Held(BaseModel):
    said: UserMessage
    history: list[Message] = []


@app.post("/reply")
def reply(history: list[Message]) -> Response:
    """Takes messages and gives an answer."""
    received[:] = history
    return Response(
        Message.assistant(f"{len(history)} messages"),
        "stop",
        usage=Usage(3, 2),
        provider="local",
        api="openai-chat",
    )


@app.post("/held")
def held(body: Held) -> Held:
    """Takes and gives a model whose fields are values of ours."""
    return body


client = TestClient(app)

HISTORY = [
    Message.system("s"),
    Message.user(["What is this?", Image(data=b"\x00\xff", media_type="image/png")]),
    Message.assistant("Let me look.", tool_calls=[ToolCall("c", "look", '{"a": 1}')]),
    Message.tool("c", {"a": 1}, name="look"),
]


def test_a_route_takes_messages_and_gives_an_answer() -> None:
    answer = client.post("/reply", json=[message.to_dict() for message in HISTORY])

    assert answer.status_code == 200
    assert received == HISTORY
    assert answer.json() == {
        "message": {
            "role": "assistant",
            "content": [{"type": "text", "text": "4 messages"}],
            "metadata": {},
        },
        "finish_reason": "stop",
        "usage": {"input_tokens": 3, "output_tokens": 2},
        "provider": "local",
        "api": "openai-chat",
    }


def test_the_answer_of_a_route_is_a_response_again() -> None:
    answer = client.post("/reply", json=[])

    assert Response.from_json(answer.content).text == "0 messages"


def test_a_bad_body_is_refused_with_the_path_of_every_problem() -> None:
    bad = {"role": "bot", "content": [{"type": "text"}], "metadata": 3}

    answer = client.post("/reply", json=[HISTORY[0].to_dict(), bad])

    assert answer.status_code == 422
    assert [(error["loc"], error["msg"]) for error in answer.json()["detail"]] == [
        (
            ["body", 1, "role"],
            "Value error, expected one of system, developer, user, assistant, tool, got str 'bot'",
        ),
        (["body", 1, "content", 0, "text"], "Value error, is missing"),
        (["body", 1, "metadata"], "Value error, expected a mapping, got int 3"),
    ]


@pytest.mark.parametrize("body", [[3], [None], ["a"]])
def test_what_is_no_message_at_all_is_refused_at_its_index(body: list[object]) -> None:
    answer = client.post("/reply", json=body)

    assert answer.status_code == 422
    assert [error["loc"] for error in answer.json()["detail"]] == [["body", 0]]


def test_a_model_of_a_route_may_hold_our_values() -> None:
    said = UserMessage("a", session_id="s")
    body = {"said": said.to_dict(), "history": [Message.user("b").to_dict()]}

    answer = client.post("/held", json=body)

    assert answer.json() == body


OPENAPI: Json = client.get("/openapi.json").json()


def schema_of(path: str, *steps: str) -> Json:
    found = OPENAPI["paths"][path]["post"]
    for step in (*steps, "content", "application/json", "schema"):
        found = found[step]
    return {**found, "components": OPENAPI["components"]}


def test_the_schema_of_the_body_describes_the_messages() -> None:
    schema = schema_of("/reply", "requestBody")

    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate([message.to_dict() for message in HISTORY], schema)
    bot: Json = {"role": "bot", "content": []}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate([bot], schema)


def test_the_schema_of_the_answer_describes_the_response() -> None:
    schema = schema_of("/reply", "responses", "200")
    answer = client.post("/reply", json=[]).json()

    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(answer, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**answer, "finish_reason": "bored"}, schema)


def test_the_schema_of_a_model_that_holds_our_values_describes_them() -> None:
    body = {"said": UserMessage("a").to_dict(), "history": [Message.user("b").to_dict()]}

    jsonschema.validate(body, schema_of("/held", "requestBody"))
