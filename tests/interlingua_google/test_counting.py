"""What Google is asked for its models and for the tokens of a prompt: whole requests."""

from __future__ import annotations

from typing import Any

import pytest
from google.auth.credentials import AnonymousCredentials, Credentials

from interlingua import Client, FrozenDict, Message, Model, Request, Tool, codec
from loopback import Answer, Vendor, says, vendor

KEY = "canary-key-0123456789"
TALK = [Message.system("Be brief."), Message.user("Grüße")]
TOOL = Tool("weather", "The weather", {"type": "object", "properties": {}})
PRO: dict[str, Any] = {
    "name": "models/gemini-3-pro",
    "displayName": "Gemini 3 Pro",
    "inputTokenLimit": 1048576,
    "outputTokenLimit": 65536,
}
ON_VERTEX = "/v1/projects/p/locations/l/publishers/google/models/gemini-3-pro"


def credentials() -> Credentials:
    made: Any = AnonymousCredentials()
    made.token = "canary-token"
    return made


def client(server: Vendor, spec: str = "google:gemini-3-pro") -> Client:
    return Client(spec, api_key=KEY, base_url=server.url, max_retries=0)


def vertex(server: Vendor, spec: str = "google:gemini-3-pro") -> Client:
    return Client(
        spec,
        base_url=server.url,
        max_retries=0,
        vertexai=True,
        project="p",
        location="l",
        credentials=credentials(),
        api_version="v1",
    )


def called() -> dict[str, Any]:
    return codec("gemini-generate").encode(Request("gemini-3-pro", TALK, [TOOL], top_p=0.5)).body


@pytest.mark.parametrize("name", ["gemini-3-pro", "models/gemini-3-pro"])
def test_what_is_counted_is_what_a_call_would_send(name: str) -> None:
    with vendor(says({"totalTokens": 41})) as server, client(server, f"google:{name}") as made:
        count = made.count_tokens(TALK, tools=[TOOL], top_p=0.5)

    (asked,) = server.asked
    assert count == 41
    assert asked.method == "POST"
    assert asked.path.endswith("/models/gemini-3-pro:countTokens")
    assert asked.body == {"generateContentRequest": {"model": "models/gemini-3-pro", **called()}}
    assert asked.headers["x-goog-api-key"] == KEY


def test_an_empty_answer_counts_nothing() -> None:
    with vendor(says({})) as server, client(server) as made:
        assert made.count_tokens("") == 0


def test_models_are_read_page_by_page() -> None:
    first = says({"models": [PRO], "nextPageToken": "a b"})
    second = says({"models": [{"name": "models/gemini-new"}]})

    with vendor(first, second) as server, client(server) as made:
        listed = made.list_models()

    assert listed == (
        Model(
            "gemini-3-pro",
            "Gemini 3 Pro",
            input_tokens=1048576,
            output_tokens=65536,
            raw=FrozenDict(PRO),
        ),
        Model("gemini-new", raw=FrozenDict({"name": "models/gemini-new"})),
    )
    paths = [asked.path.partition("/models")[2] for asked in server.asked]
    assert paths == ["?pageSize=1000", "?pageSize=1000&pageToken=a+b"]
    assert [asked.method for asked in server.asked] == ["GET", "GET"]


# -- on Vertex


def test_vertex_counts_what_it_takes() -> None:
    with vendor(says({"totalTokens": 41})) as server, vertex(server) as made:
        assert made.count_tokens(TALK, tools=[TOOL], top_p=0.5) == 41

    (asked,) = server.asked
    assert (asked.method, asked.path) == ("POST", f"{ON_VERTEX}:countTokens")
    assert asked.body == called()
    assert asked.headers["authorization"] == "Bearer canary-token"


def test_vertex_lists_the_models_of_google() -> None:
    given = {"publisherModels": [{"name": "publishers/google/models/gemini-3-pro"}]}

    with vendor(says(given)) as server, vertex(server) as made:
        listed = made.list_models()

    assert [model.id for model in listed] == ["gemini-3-pro"]
    assert server.asked[0].path == "/v1/publishers/google/models?pageSize=1000"


@pytest.mark.parametrize(
    ("name", "resource"),
    [
        ("gemini-3-pro", "publishers/google/models/gemini-3-pro"),
        ("models/gemini-3-pro", "publishers/google/models/gemini-3-pro"),
        ("meta/llama-4", "publishers/meta/models/llama-4"),
        ("publishers/meta/models/llama-4", "publishers/meta/models/llama-4"),
    ],
)
def test_vertex_has_models_of_several_publishers(name: str, resource: str) -> None:
    answer: Answer = says({"candidates": [{"content": {"parts": [{"text": "Hi"}]}}]})

    with vendor(answer) as server, vertex(server, f"google:{name}") as made:
        assert made.generate("Hi").text == "Hi"

    assert server.asked[0].path == f"/v1/projects/p/locations/l/{resource}:generateContent"
