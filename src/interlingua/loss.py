"""What an API cannot carry, and what is done about it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, TypeAlias

from msgspec import Struct

from interlingua import fields
from interlingua.errors import LossError
from interlingua.fields import Rule
from interlingua.value import Value

LossKind: TypeAlias = Literal["content", "setting", "provenance"]
LossAction: TypeAlias = Literal["dropped", "lowered", "synthesised", "merged"]
Reaction: TypeAlias = Literal["raise", "warn", "record"]


class LossWarning(UserWarning):
    """A setting was left out because the API does not have it."""


class Loss(Struct, frozen=True):
    """One thing that a request says and the API's JSON does not."""

    path: str
    """Where it stands in the request: `messages[3].content[0]`, `temperature`."""
    kind: LossKind
    """`content` the model would have read, a `setting`, or `provenance`: data of another vendor."""
    reason: str
    action: LossAction = "dropped"
    """Left out, said in a weaker form, made up because the API demands it, or merged."""

    def __str__(self) -> str:
        return f"{self.path}: {self.reason} ({self.action})"


_reaction = fields.one_of("raise", "warn", "record")


class LossPolicy(Value, frozen=True):
    """What happens on a loss of each kind: `raise`, `warn` or `record`.

    Content and settings count when they are dropped; under `every`, also when they are lowered,
    made up or merged. Whatever the policy, every loss is in `Encoded.losses` and `Response.losses`.
    """

    content: Reaction = "raise"
    setting: Reaction = "warn"
    provenance: Reaction = "record"
    every: bool = False

    rules: ClassVar[dict[str, Rule]] = {
        "content": _reaction,
        "setting": _reaction,
        "provenance": _reaction,
        "every": fields.flag,
    }
    default: ClassVar[LossPolicy]
    """Lost content raises, a lost setting warns, provenance is recorded."""
    allow: ClassVar[LossPolicy]
    """Nothing raises, nothing warns."""
    strict: ClassVar[LossPolicy]
    """Everything raises."""

    def reaction(self, loss: Loss) -> Reaction:
        """What this policy does on a loss."""
        if loss.action != "dropped" and not self.every:
            return "record"
        match loss.kind:
            case "content":
                return self.content
            case "setting":
                return self.setting
            case "provenance":
                return self.provenance

    def apply(self, losses: Iterable[Loss], api: str) -> None:
        """Raise `LossError` or warn, as the policy says."""
        forbidden: list[Loss] = []
        for loss in losses:
            match self.reaction(loss):
                case "raise":
                    forbidden.append(loss)
                case "warn":
                    warnings.warn(f"{api}: {loss}", LossWarning, stacklevel=3)
                case "record":
                    pass
        if forbidden:
            raise LossError(forbidden, api)


class At(Struct):
    """Where an encoder stands, and the losses so far. `index` moves on through a list."""

    step: str
    losses: list[Loss]
    within: At | None = None
    index: int | None = None

    @property
    def path(self) -> str:
        """The place, from the outermost value. Put together only when something is lost."""
        here = self.step if self.index is None else f"{self.step}[{self.index}]"
        before = "" if self.within is None else self.within.path
        return f"{before}.{here}" if before and here else before + here

    def lose(self, kind: LossKind, reason: str, action: LossAction = "dropped") -> None:
        """Record a loss at this place."""
        self.losses.append(Loss(self.path, kind, reason, action))

    def of(self, step: str) -> At:
        """The place `step` inside this one."""
        return At(step, self.losses, self)

    def foreign(self, extras: Mapping[str, Any], api: str) -> None:
        """Record the fields that only other APIs understand."""
        for other, held in extras.items():
            if other != api:
                self.lose("provenance", f"{', '.join(held) or 'a mark'}: belongs to {other}")


LossPolicy.default = LossPolicy()
LossPolicy.allow = LossPolicy("record", "record", "record")
LossPolicy.strict = LossPolicy("raise", "raise", "raise", every=True)
