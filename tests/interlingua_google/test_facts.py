"""Google's models: the levels and settings that some do not have."""

from __future__ import annotations

import pytest

from interlingua import LossPolicy, Request
from interlingua.registry import provider


@pytest.mark.parametrize("model", ["gemini-4-argon", "models/gemini-4-argon"])
def test_argon_samples_as_it_likes_and_thinks_at_three_levels(model: str) -> None:
    vendor = provider("google")
    request = Request(model, ["Hi"], temperature=0.5, seed=1, reasoning="none")

    encoded = vendor.encode(request, LossPolicy.allow, vendor.facts(model))

    assert encoded.body["generationConfig"] == {
        "seed": 1,
        "thinkingConfig": {"thinkingLevel": "LOW"},
    }
    assert [loss.path for loss in encoded.losses] == ["reasoning.effort", "temperature"]
