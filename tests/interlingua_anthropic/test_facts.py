"""Anthropic's models: how they think, and when they are told things."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from anthropic.types import Model

from interlingua import LossPolicy, Request
from interlingua.registry import provider

Json = dict[str, Any]

MARK = {"anthropic-messages": {"role": "system"}}


def sent(model: str, *messages: Any, **settings: Any) -> tuple[Json, list[str]]:
    vendor = provider("anthropic")
    request = Request(model, messages or ["Hi"], max_tokens=9000, **settings)
    encoded = vendor.encode(request, LossPolicy.allow, vendor.facts(model))
    return encoded.body, [loss.path for loss in encoded.losses]


@pytest.mark.parametrize(
    ("model", "reasoning", "thinking", "losses"),
    [
        ("claude-haiku-4-5-20251001", "high", None, ["reasoning"]),
        (
            "claude-haiku-4-5",
            {"budget_tokens": 2000},
            {"type": "enabled", "budget_tokens": 2000},
            [],
        ),
        ("claude-opus-4-6", "high", {"type": "adaptive"}, []),
        (
            "claude-opus-4-6",
            {"budget_tokens": 2000},
            {"type": "enabled", "budget_tokens": 2000},
            [],
        ),
        (
            "claude-opus-5",
            {"budget_tokens": 2000},
            {"type": "adaptive"},
            ["reasoning.budget_tokens"],
        ),
        ("claude-opus-5", "none", {"type": "disabled"}, []),
        ("claude-opus-5-5", "none", {"type": "adaptive"}, ["reasoning.effort"]),
    ],
)
def test_a_model_thinks_as_it_can(
    model: str, reasoning: Any, thinking: Json | None, losses: list[str]
) -> None:
    body, lost = sent(model, reasoning=reasoning)

    assert (body.get("thinking"), lost) == (thinking, losses)


@pytest.mark.parametrize(
    ("model", "roles", "losses"),
    [
        ("claude-opus-4-8", ["user", "system"], []),
        ("claude-opus-4-7", ["user"], ["messages[1].role"]),
    ],
)
def test_a_system_message_stays_in_its_place_where_the_model_takes_it(
    model: str, roles: list[str], losses: list[str]
) -> None:
    told = {"role": "system", "content": "Be brief.", "extras": MARK}
    body, lost = sent(model, "Hi", told)

    assert ([turn["role"] for turn in body["messages"]], lost) == (roles, losses)


def test_every_model_of_the_sdk_but_the_preview_is_known() -> None:
    every = {name for kind in get_args(Model) for name in get_args(kind)}

    assert {name for name in every if not provider("anthropic").facts(name)} == {
        "claude-mythos-preview"
    }
