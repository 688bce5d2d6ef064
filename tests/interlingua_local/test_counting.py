"""The embedded model counts for real, and is listed with the one model it is."""

from __future__ import annotations

import pytest

from interlingua import Client, Message, Tool


@pytest.mark.usefixtures("embedded")
def test_a_prompt_counts_what_its_answer_is_charged_for() -> None:
    talk = [Message.system("Be brief."), Message.user("What is the capital of France?")]

    with Client("local") as client:
        counted = client.count_tokens(talk)
        charged = client.generate(talk, max_tokens=1).usage.input_tokens

    assert counted == charged


@pytest.mark.usefixtures("embedded")
def test_tools_count() -> None:
    with Client("local") as client:
        assert client.count_tokens("Hi", tools=[Tool("weather")]) > client.count_tokens("Hi")


@pytest.mark.usefixtures("embedded")
def test_there_is_one_model() -> None:
    with Client("local") as client:
        (model,) = client.list_models()

    assert (model.id, model.input_tokens) == ("smollm2-135m", 2048)
