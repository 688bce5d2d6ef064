"""What models refuse or need: rows of data, and what becomes of a request where one applies."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Literal, TypeAlias, get_args

from msgspec import Struct

from interlingua.frozen import EMPTY
from interlingua.loss import At, Loss
from interlingua.request import Request, taken
from interlingua.wire import Json, as_count

Setting: TypeAlias = Literal[
    "tool_choice",
    "parallel_tool_calls",
    "max_tokens",
    "temperature",
    "top_p",
    "top_k",
    "stop",
    "seed",
    "reasoning",
    "reasoning.effort",
    "reasoning.budget_tokens",
    "reasoning.summary",
    "response_format",
    "user",
    "metadata",
    "cache",
    "cache.key",
    "cache.ttl",
    "cache.name",
]
"""What a model can refuse of a request."""

Effort: TypeAlias = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
Reasons: TypeAlias = Literal["when asked", "unasked"]
Budget: TypeAlias = Literal["free", "needed", "refused"]
OnChat: TypeAlias = Literal["everything", "tools without reasoning", "no tools", "nothing"]
System: TypeAlias = Literal["anywhere", "first"]

SCALE: tuple[str, ...] = get_args(Effort)

TOLD = ("system", "developer")

MOVED: dict[OnChat, tuple[str, str]] = {
    "nothing": ("model", "answers only in Responses"),
    "no tools": ("tools", "takes them only in Responses"),
    "tools without reasoning": ("tools", "takes them only in Responses while it reasons"),
}
"""What does not go to Chat Completions, and why, by what does."""

DATE = re.compile(r"-(?:\d{8}|\d{4}-\d\d-\d\d)$")
"""What follows a model's name in that of a snapshot."""


class Fact(Struct, frozen=True):
    """What some models refuse or need. What a row does not say is taken as it comes."""

    models: tuple[str, ...]
    """Names, which stand for their dated snapshots as well, or beginnings of names and `*`."""
    source: str
    """Who says so, and where."""
    date: str
    """When that was read: the year and the month."""
    refuses: tuple[Setting, ...] = ()
    refuses_while_reasoning: tuple[Setting, ...] = ()
    reasons: Reasons = "when asked"
    """Whether it reasons on a request that says nothing about it."""
    efforts: tuple[Effort, ...] = ()
    """All that it knows; empty when the vendor does not say."""
    budget: Budget = "free"
    """Whether it reasons within a budget of tokens."""
    on_chat: OnChat = "everything"
    """What it takes in Chat Completions, where there is Responses for the rest."""
    system: System = "anywhere"
    """Where it can be told something, when the API leaves the choice."""

    @property
    def origin(self) -> str:
        """The source with its date."""
        return f"{self.source}, {self.date}" if self.date else self.source


Facts: TypeAlias = Callable[[str], Fact | None]
"""Gives the row of a model; None for one that nothing is known of."""


def unknown(_: str) -> Fact | None:
    """Where nothing is known of any model."""
    return None


def table(*rows: Fact) -> Facts:
    """The rows by model. A whole name counts before a beginning, a longer one before a shorter."""
    named = {name: row for row in rows for name in row.models}
    beginnings = sorted((name for name in named if name.endswith("*")), key=len, reverse=True)

    @lru_cache(maxsize=1024)
    def of(model: str) -> Fact | None:
        name = model.rpartition("/")[2]
        for whole in (name, DATE.sub("", name)):
            if whole in named:
                return named[whole]
        return next((named[one] for one in beginnings if name.startswith(one[:-1])), None)

    return of


def applied(fact: Fact, request: Request, api: str) -> tuple[Request, list[Loss]]:
    """The request without what the model refuses of it, and the losses."""
    losses: list[Loss] = []
    at = At("", losses)
    changed = _reasoning(fact, request, at.of("reasoning"))
    refused = dict.fromkeys(fact.refuses, "refuses it")
    if _reasons(fact, changed.get("reasoning", request.reasoning)):
        refused |= dict.fromkeys(fact.refuses_while_reasoning, "refuses it while it reasons")
    for setting, what in refused.items():
        if taken(request, setting, changed) is not None:
            at.of(setting).lose("setting", _said(what, fact, request))
    if fact.system == "first":
        changed |= _told_first(fact, request, api, at.of("messages"))
    return (request.replace(**changed) if changed else request), losses


def elsewhere(fact: Fact, request: Request) -> Loss | None:
    """Why Chat Completions cannot be asked, but Responses can; None when it can be."""
    match fact.on_chat:
        case "everything":
            moved = False
        case "nothing":
            moved = True
        case "no tools":
            moved = bool(request.tools)
        case "tools without reasoning":
            moved = bool(request.tools) and _reasons(fact, request.reasoning)
    if not moved:
        return None
    path, what = MOVED[fact.on_chat]
    reason = _said(f"{what}, so it is asked there", fact, request)
    return Loss(path, "setting", reason, "lowered")


def _said(what: str, fact: Fact, request: Request) -> str:
    return f"{request.model} {what} ({fact.origin})"


# -- settings


def _reasons(fact: Fact, wanted: Mapping[str, Any] | None) -> bool:
    """Whether it reasons when that is asked."""
    effort, budget = _asked(wanted or EMPTY)
    if effort is None and budget is None:
        return fact.reasons == "unasked"
    return effort != "none"


def _asked(wanted: Mapping[str, Any]) -> tuple[object, int | None]:
    """The effort, and the budget of tokens; a budget of none is no effort."""
    budget = as_count(wanted.get("budget_tokens"))
    return ("none" if budget == 0 else wanted.get("effort")), budget


def _reasoning(fact: Fact, request: Request, at: At) -> Json:
    """How it is asked to reason, where it cannot do what was asked."""
    if request.reasoning is None:
        return {}
    held = _lowered(fact, request, at.of("effort"))
    effort, budget = _asked(held)
    within = budget is not None and budget > 0
    if fact.budget == "refused" and within:
        held = {key: item for key, item in held.items() if key != "budget_tokens"}
        at.of("budget_tokens").lose("setting", _said("takes no budget", fact, request), "lowered")
    if fact.budget == "needed" and not within and effort != "none":
        at.lose("setting", _said("reasons only within budget_tokens", fact, request))
        return {"reasoning": None}
    return {} if held == request.reasoning else {"reasoning": held}


def _lowered(fact: Fact, request: Request, at: At) -> Mapping[str, Any]:
    """The wanted reasoning, with the nearest effort that it has. Words of no scale stay."""
    wanted = request.reasoning or EMPTY
    effort, budget = _asked(wanted)
    if not fact.efforts or effort in fact.efforts or effort not in SCALE:
        return wanted
    instead = ("effort", "budget_tokens") if budget == 0 else ("effort",)
    held = {key: item for key, item in wanted.items() if key not in instead}
    what = _said(f"has no effort {effort!r}", fact, request)
    if near := _nearest(str(effort), fact.efforts):
        at.lose("setting", f"{what}; {near!r} is sent", "lowered")
        return {**held, "effort": near}
    at.lose("setting", what)
    return held


def _nearest(effort: str, known: tuple[str, ...]) -> str | None:
    """The effort that is nearest; the less of two, but never none."""
    place = SCALE.index(effort)
    others = [SCALE.index(one) for one in known if one != "none"]
    return SCALE[min(others, key=lambda one: (abs(one - place), one))] if others else None


# -- messages


def _told_first(fact: Fact, request: Request, api: str, at: At) -> Json:
    """The messages without the API's mark of a place for what the model is told."""
    changed = {
        index: message.replace(
            extras={key: held for key, held in message.extras.items() if key != api}
        )
        for index, message in enumerate(request.messages)
        if message.extras and message.role in TOLD and api in message.extras
    }
    if not changed:
        return {}
    for at.index in changed:
        what = _said("is told things before the conversation only", fact, request)
        at.of("role").lose("setting", what, "merged")
    made = [changed.get(index, message) for index, message in enumerate(request.messages)]
    return {"messages": made}
