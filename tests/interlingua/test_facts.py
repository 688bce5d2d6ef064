"""What models refuse or need: which row counts, and what becomes of a request."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlingua import Loss, LossError, LossPolicy, LossWarning, Message, Request, Tool
from interlingua.facts import SCALE, Fact, applied, elsewhere, table
from interlingua.registry import PROVIDERS, names, provider
from strategies import APIS, requests

API = "openai-chat"
ORIGIN = "the vendor, 2026-11"


def row(*models: str, **about: Any) -> Fact:
    return Fact(models or ("m",), "the vendor", "2026-11", **about)


def after(fact: Fact, **settings: Any) -> tuple[Request, list[Loss]]:
    return applied(fact, Request("m", ["Hi"], **settings), API)


def asked(**settings: Any) -> Request:
    return Request("m", ["Hi"], **settings)


def lost(path: str, what: str, action: Any = "dropped") -> Loss:
    return Loss(path, "setting", what, action)


# -- which row counts

SMALL, SNAPSHOT, FAMILY, ANY = row("a-1"), row("a-1-2026-01-02"), row("a-1*"), row("a-*")
ROWS = table(ANY, FAMILY, SMALL, SNAPSHOT)


@pytest.mark.parametrize(
    ("model", "known"),
    [
        ("a-1", SMALL),
        ("a-1-2026-03-04", SMALL),
        ("a-1-20260304", SMALL),
        ("a-1-2026-01-02", SNAPSHOT),
        ("models/a-1", SMALL),
        ("a-1-mini", FAMILY),
        ("a-2", ANY),
        ("b", None),
        ("", None),
    ],
)
def test_the_row_that_names_a_model_best_counts(model: str, known: Fact | None) -> None:
    assert ROWS(model) is known


# -- what is refused


def test_what_is_refused_is_left_out_and_told_with_its_source() -> None:
    fact = row(refuses=("temperature", "stop", "metadata", "cache.ttl"))

    given = {"temperature": 0.5, "stop": ["x"], "metadata": {"a": "b"}, "seed": 1}
    assert after(fact, **given, cache={"ttl": "5m", "key": "k"}) == (
        asked(seed=1, cache={"key": "k"}),
        [
            lost("temperature", f"m refuses it ({ORIGIN})"),
            lost("stop", f"m refuses it ({ORIGIN})"),
            lost("metadata", f"m refuses it ({ORIGIN})"),
            lost("cache.ttl", f"m refuses it ({ORIGIN})"),
        ],
    )


def test_a_request_that_asks_for_nothing_refused_is_itself() -> None:
    request = asked(seed=1, reasoning="low", tools=[Tool("f")])

    wanted, losses = applied(row(refuses=("temperature", "reasoning.summary")), request, API)

    assert wanted is request
    assert losses == []


@pytest.mark.parametrize(
    ("reasons", "reasoning", "refused"),
    [
        ("when asked", None, False),
        ("when asked", "none", False),
        ("when asked", {"summary": "auto"}, False),
        ("when asked", {"budget_tokens": 0}, False),
        ("when asked", "low", True),
        ("when asked", {"budget_tokens": 9}, True),
        ("unasked", None, True),
        ("unasked", {"summary": "auto"}, True),
        ("unasked", "low", True),
        ("unasked", "none", False),
        ("unasked", {"budget_tokens": 0}, False),
    ],
)
def test_some_settings_are_refused_only_while_a_model_reasons(
    reasons: Any, reasoning: Any, refused: bool
) -> None:
    fact = row(refuses_while_reasoning=("top_p",), reasons=reasons)

    wanted, losses = after(fact, top_p=0.5, reasoning=reasoning)

    assert wanted == asked(top_p=None if refused else 0.5, reasoning=reasoning)
    told = lost("top_p", f"m refuses it while it reasons ({ORIGIN})")
    assert losses == ([told] if refused else [])


# -- how it reasons


@pytest.mark.parametrize(
    ("efforts", "effort", "sent"),
    [
        (("low", "high"), "minimal", "low"),
        (("low", "high"), "medium", "low"),
        (("low", "high"), "xhigh", "high"),
        (("low", "high"), "none", "low"),
        (("none", "medium"), "minimal", "medium"),
    ],
)
def test_an_effort_that_a_model_does_not_have_becomes_the_nearest(
    efforts: Any, effort: str, sent: str
) -> None:
    reason = f"m has no effort {effort!r} ({ORIGIN}); {sent!r} is sent"

    assert after(row(efforts=efforts), reasoning={"effort": effort, "summary": "auto"}) == (
        asked(reasoning={"effort": sent, "summary": "auto"}),
        [lost("reasoning.effort", reason, "lowered")],
    )


def test_an_effort_is_left_out_when_there_is_none_but_none() -> None:
    assert after(row(efforts=("none",)), reasoning={"effort": "high", "summary": "auto"}) == (
        asked(reasoning={"summary": "auto"}),
        [lost("reasoning.effort", f"m has no effort 'high' ({ORIGIN})")],
    )


def test_a_budget_of_nothing_is_no_effort() -> None:
    reason = f"m has no effort 'none' ({ORIGIN}); 'low' is sent"

    assert after(row(efforts=("low",)), reasoning={"budget_tokens": 0}) == (
        asked(reasoning="low"),
        [lost("reasoning.effort", reason, "lowered")],
    )


@pytest.mark.parametrize("effort", ["low", "adaptive", "LOW"])
def test_efforts_that_a_model_has_and_words_of_no_scale_stay(effort: str) -> None:
    assert after(row(efforts=("low", "high")), reasoning=effort) == (asked(reasoning=effort), [])


@pytest.mark.parametrize("rest", [{}, {"effort": "low"}])
def test_a_budget_that_is_refused_is_left_out_but_the_model_reasons(rest: dict[str, str]) -> None:
    assert after(row(budget="refused"), reasoning={"budget_tokens": 9, **rest}) == (
        asked(reasoning=rest),
        [lost("reasoning.budget_tokens", f"m takes no budget ({ORIGIN})", "lowered")],
    )


@pytest.mark.parametrize("budget", [0, -1])
def test_a_budget_that_is_none_is_not_refused(budget: int) -> None:
    wanted = {"budget_tokens": budget}

    assert after(row(budget="refused"), reasoning=wanted) == (asked(reasoning=wanted), [])


@pytest.mark.parametrize("wanted", ["high", {"summary": "auto"}, {"budget_tokens": -1}, {}])
def test_reasoning_without_a_budget_that_is_needed_is_left_out(wanted: Any) -> None:
    assert after(row(budget="needed"), reasoning=wanted) == (
        asked(),
        [lost("reasoning", f"m reasons only within budget_tokens ({ORIGIN})")],
    )


@pytest.mark.parametrize("wanted", [{"budget_tokens": 9}, {"budget_tokens": 0}, "none", None])
def test_reasoning_within_a_budget_that_is_needed_stays(wanted: Any) -> None:
    assert after(row(budget="needed"), reasoning=wanted) == (asked(reasoning=wanted), [])


# -- where it is asked, and told


@pytest.mark.parametrize(
    ("on_chat", "settings", "moved"),
    [
        ("everything", {"tools": [Tool("f")], "reasoning": "high"}, None),
        ("tools without reasoning", {"reasoning": "high"}, None),
        ("tools without reasoning", {"tools": [Tool("f")]}, None),
        ("tools without reasoning", {"tools": [Tool("f")], "reasoning": "none"}, None),
        (
            "tools without reasoning",
            {"tools": [Tool("f")], "reasoning": "low"},
            lost(
                "tools",
                f"m takes them only in Responses while it reasons, so it is asked there ({ORIGIN})",
                "lowered",
            ),
        ),
        ("no tools", {"reasoning": "high"}, None),
        (
            "no tools",
            {"tools": [Tool("f")], "reasoning": "none"},
            lost(
                "tools",
                f"m takes them only in Responses, so it is asked there ({ORIGIN})",
                "lowered",
            ),
        ),
        (
            "nothing",
            {},
            lost(
                "model", f"m answers only in Responses, so it is asked there ({ORIGIN})", "lowered"
            ),
        ),
    ],
)
def test_what_chat_completions_does_not_take_is_asked_elsewhere(
    on_chat: Any, settings: dict[str, Any], moved: Loss | None
) -> None:
    assert elsewhere(row(on_chat=on_chat), asked(**settings)) == moved


def test_what_is_told_in_mid_conversation_is_told_before_where_it_has_to_be() -> None:
    mark = {API: {"role": "system"}}
    talk = [
        Message.system("Be brief."),
        Message.user("Hi"),
        Message.system("Be long.", extras={**mark, "other": {"a": 1}}),
        Message.user("So?", extras=mark),
    ]

    wanted, losses = applied(row(system="first"), Request("m", talk), API)

    assert wanted.messages == (*talk[:2], talk[2].replace(extras={"other": {"a": 1}}), talk[3])
    told = f"m is told things before the conversation only ({ORIGIN})"
    assert losses == [lost("messages[2].role", told, "merged")]


# -- the laws

facts = st.builds(
    Fact,
    models=st.just(("m",)),
    source=st.just("the vendor"),
    date=st.just("2026-11"),
    refuses=st.lists(st.sampled_from(["temperature", "stop", "metadata", "cache.key"])).map(tuple),
    refuses_while_reasoning=st.lists(st.sampled_from(["top_p", "reasoning.summary"])).map(tuple),
    reasons=st.sampled_from(["when asked", "unasked"]),
    efforts=st.lists(st.sampled_from(SCALE), unique=True).map(tuple),
    budget=st.sampled_from(["free", "needed", "refused"]),
    system=st.sampled_from(["anywhere", "first"]),
)
wishes = st.fixed_dictionaries(
    {},
    optional={
        "effort": st.sampled_from([*SCALE, "new"]),
        "budget_tokens": st.integers(-1, 9),
        "summary": st.just("auto"),
    },
)


@settings(max_examples=30)
@given(facts, requests, st.none() | wishes, st.sampled_from(APIS))
def test_what_a_fact_leaves_is_not_refused_again(
    fact: Fact, request: Request, wanted: Any, api: str
) -> None:
    once, _ = applied(fact, request.replace(reasoning=wanted), api)

    assert applied(fact, once, api) == (once, [])


@settings(max_examples=30)
@given(facts, requests, st.sampled_from(APIS))
def test_nothing_changes_unless_it_is_told_and_nothing_said_is_ever_dropped(
    fact: Fact, request: Request, api: str
) -> None:
    wanted, losses = applied(fact, request, api)

    assert (wanted == request) == (losses == [])
    assert [one.content for one in wanted.messages] == [one.content for one in request.messages]
    assert (wanted.model, wanted.tools, wanted.extras) == (
        request.model,
        request.tools,
        request.extras,
    )
    assert {loss.kind for loss in losses} <= {"setting"}


@settings(max_examples=30)
@given(request=requests)
@pytest.mark.parametrize("name", ["openai", "openai-chat", "anthropic", "google"])
def test_a_model_that_nothing_is_known_of_is_sent_what_was_asked(
    name: str, request: Request
) -> None:
    vendor = provider(name)
    unheard = request.replace(model="unheard-of")
    assert vendor.facts(unheard.model) is None

    wanted, losses = vendor.prepare(unheard, name)
    plain = vendor.codec.encode(wanted, LossPolicy.allow)
    encoded = vendor.encode(unheard, LossPolicy.allow, vendor.facts(unheard.model))

    assert encoded.content == plain.content
    assert encoded.losses == (*losses, *plain.losses)


@pytest.mark.parametrize("name", names(PROVIDERS))
def test_only_the_vendors_themselves_know_their_models(name: str) -> None:
    vendors = {"openai", "openai-chat", "azure", "azure-chat", "anthropic", "google"}
    models = ("gpt-6-astra", "claude-opus-5", "gemini-4-argon")

    assert any(map(provider(name).facts, models)) == (name in vendors)


# -- the policy


def test_a_strict_policy_stops_the_request() -> None:
    vendor = provider("openai")
    fact = row(refuses=("temperature",))

    with pytest.raises(LossError) as caught:
        vendor.encode(asked(temperature=0.5), LossPolicy.strict, fact)

    assert caught.value.losses == (lost("temperature", f"m refuses it ({ORIGIN})"),)


def test_the_usual_policy_warns() -> None:
    vendor = provider("openai")

    with pytest.warns(LossWarning, match=r"openai: temperature: m refuses it \(the vendor, 2026"):
        vendor.encode(asked(temperature=0.5), LossPolicy.default, row(refuses=("temperature",)))
