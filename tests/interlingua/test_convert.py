"""From one API's JSON to another's."""

from __future__ import annotations

import pytest

from interlingua import (
    ConfigError,
    DecodeError,
    Loss,
    LossError,
    LossPolicy,
    Message,
    Origin,
    Reasoning,
    Text,
    Tool,
    Video,
    convert,
    plan,
)

BODY = {
    "model": "gpt-6",
    "messages": [{"role": "user", "content": "Hello"}],
    "temperature": 0.5,
}
FILM = Video("https://example.org/a.mp4", media_type="video/mp4")


def test_the_same_api_gives_the_same_request() -> None:
    encoded = convert(BODY, source="openai-chat", target="openai-chat")

    assert (encoded.body, encoded.losses) == (BODY, ())


def test_another_model_may_be_asked() -> None:
    encoded = convert(BODY, source="openai-chat", target="openai-chat", model="other")

    assert encoded.body == BODY | {"model": "other"}


def test_another_api_says_the_same_in_its_own_words() -> None:
    encoded = convert(BODY, source="openai-chat", target="gemini-generate", model="gemini-4")

    assert encoded.api == "gemini-generate"
    assert encoded.body["contents"] == [{"role": "user", "parts": [{"text": "Hello"}]}]


def test_losses_are_treated_as_the_policy_says() -> None:
    film = {"fileData": {"fileUri": "https://example.org/a.mp4", "mimeType": "video/mp4"}}
    body = {"contents": [{"role": "user", "parts": [{"text": "See"}, film]}]}

    with pytest.raises(LossError):
        convert(body, source="gemini-generate", target="openai-chat", model="gpt-6")

    encoded = convert(
        body, source="gemini-generate", target="openai-chat", model="gpt-6", losses=LossPolicy.allow
    )
    assert [(loss.path, loss.kind) for loss in encoded.losses] == [
        ("messages[0].content[1]", "content")
    ]


def test_what_is_no_request_of_the_source_is_a_decode_error() -> None:
    with pytest.raises(DecodeError, match="openai-chat"):
        convert({"contents": []}, source="openai-chat", target="gemini-generate")


def test_an_api_that_nobody_speaks_is_refused() -> None:
    with pytest.raises(ConfigError, match="no API is called 'nope'"):
        convert(BODY, source="openai-chat", target="nope")


def test_a_plan_tells_what_a_switch_costs_and_raises_nothing() -> None:
    talk = [
        Message.user(["See", FILM]),
        Message.assistant(
            [Reasoning("Hm.", "seal"), Text("Seen.")],
            origin=Origin("anthropic", "anthropic-messages"),
        ),
    ]

    assert plan(talk, "openai-chat") == (
        Loss("messages[0].content[1]", "content", "Chat Completions takes no video"),
        Loss("messages[1].content[0]", "provenance", "reasoning of another vendor"),
    )


def test_a_plan_takes_words_and_tools() -> None:
    assert plan(["Hello"], "openai-chat", tools=[Tool("f")]) == ()
