"""Losses, and what a policy does about them."""

from __future__ import annotations

import warnings
from itertools import product
from typing import Any

import pytest

from interlingua import Loss, LossError, LossPolicy, LossWarning, MessageError
from interlingua.loss import At, LossAction, LossKind, Reaction

CONTENT = Loss("messages[0]", "content", "no video")
SETTING = Loss("top_k", "setting", "no such setting")
PROVENANCE = Loss("messages[1]", "provenance", "signed elsewhere")
LOWERED = Loss("messages[0]", "content", "said as text", "lowered")


def test_a_loss_reads_as_a_sentence() -> None:
    assert str(CONTENT) == "messages[0]: no video (dropped)"


def test_by_default_content_raises_before_anything_is_sent() -> None:
    with pytest.raises(LossError) as caught:
        LossPolicy.default.apply([CONTENT, PROVENANCE], "openai-chat")

    assert (caught.value.losses, caught.value.api) == ((CONTENT,), "openai-chat")


def test_by_default_a_lost_setting_warns() -> None:
    with pytest.warns(LossWarning) as caught:
        LossPolicy.default.apply([SETTING, PROVENANCE], "openai-chat")

    assert [str(one.message) for one in caught] == ["openai-chat: top_k: no such setting (dropped)"]


def test_by_default_provenance_and_weaker_forms_are_only_recorded() -> None:
    LossPolicy.default.apply([PROVENANCE, LOWERED], "openai-chat")


def test_allow_neither_raises_nor_warns() -> None:
    LossPolicy.allow.apply([CONTENT, SETTING, PROVENANCE, LOWERED], "openai-chat")


@pytest.mark.parametrize("loss", [CONTENT, SETTING, PROVENANCE, LOWERED])
def test_strict_raises_on_everything(loss: Loss) -> None:
    with pytest.raises(LossError):
        LossPolicy.strict.apply([loss], "openai-chat")


def test_all_forbidden_losses_are_raised_together() -> None:
    with pytest.raises(LossError) as caught:
        LossPolicy.strict.apply([CONTENT, SETTING], "openai-chat")

    assert caught.value.losses == (CONTENT, SETTING)


KINDS: tuple[LossKind, ...] = ("content", "setting", "provenance")
ACTIONS: tuple[LossAction, ...] = ("dropped", "lowered", "synthesised", "merged")
REACTIONS: tuple[Reaction, ...] = ("raise", "warn", "record")


@pytest.mark.parametrize(("kind", "action", "reaction"), [*product(KINDS, ACTIONS, REACTIONS)])
def test_a_policy_of_ones_own_decides_by_kind_and_says_whether_every_action_counts(
    kind: LossKind, action: LossAction, reaction: Reaction
) -> None:
    about: dict[str, Any] = {kind: reaction}
    loss = Loss("a", kind, "b", action)

    assert LossPolicy(**about, every=True).reaction(loss) == reaction
    assert LossPolicy(**about).reaction(loss) == (reaction if action == "dropped" else "record")


def test_a_policy_with_an_unknown_word_is_refused() -> None:
    wrong: Any = "explode"

    with pytest.raises(MessageError) as caught:
        LossPolicy(content=wrong)

    assert str(caught.value) == (
        "not a LossPolicy: content: expected one of raise, warn, record, got str 'explode'"
    )


def test_an_encoder_records_losses_where_it_stands() -> None:
    at = At("messages", [], index=0)
    inner = at.of("content")

    for inner.index in (1, 2):
        inner.lose("content", "no video")
    at.of("name").lose("setting", "no such setting", "lowered")
    At("", at.losses).of("top_k").lose("setting", "no such setting")

    assert at.losses == [
        Loss("messages[0].content[1]", "content", "no video"),
        Loss("messages[0].content[2]", "content", "no video"),
        Loss("messages[0].name", "setting", "no such setting", "lowered"),
        Loss("top_k", "setting", "no such setting"),
    ]


def test_fields_of_other_apis_are_losses_of_provenance() -> None:
    at = At("messages[0]", [])

    at.foreign({"openai-chat": {"a": 1}, "gemini-generate": {"b": 1, "c": 2}}, "openai-chat")

    assert at.losses == [Loss("messages[0]", "provenance", "b, c: belongs to gemini-generate")]


def test_a_warning_can_be_told_from_others() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", LossWarning)
        LossPolicy.default.apply([SETTING], "openai-chat")
