"""What a configuration file may say: its tables, and what is wrong with one, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from interlingua.facts import Budget, Effort, Fact, OnChat, Reasons, Setting, System
from interlingua.frozen import EMPTY, is_mapping
from interlingua.loss import LossPolicy, Reaction
from interlingua.request import UNSET, Request

Seconds: TypeAlias = Annotated[float, Meta(gt=0)]
Count: TypeAlias = Annotated[int, Meta(ge=1)]
Times: TypeAlias = Annotated[int, Meta(ge=0)]

POLICIES = {
    "default": LossPolicy.default,
    "allow": LossPolicy.allow,
    "strict": LossPolicy.strict,
}


class Losses(Struct, frozen=True, forbid_unknown_fields=True):
    """What happens on a loss of each kind."""

    content: Reaction = "raise"
    setting: Reaction = "warn"
    provenance: Reaction = "record"
    every: bool = False


OnLoss: TypeAlias = Literal["default", "allow", "strict"] | Losses


class FactsTable(Struct, frozen=True, forbid_unknown_fields=True):
    """What a model refuses or needs, where what is known of it is wrong or missing."""

    refuses: tuple[Setting, ...] | None = None
    refuses_while_reasoning: tuple[Setting, ...] | None = None
    reasons: Reasons | None = None
    efforts: tuple[Effort, ...] | None = None
    budget: Budget | None = None
    on_chat: OnChat | None = None
    system: System | None = None

    def over(self, known: Fact | None) -> Fact:
        """What is known, with what is set here in its place."""
        told = {
            name: held for name, held in msgspec.structs.asdict(self).items() if held is not None
        }
        source = f"{known.origin}; the configuration" if known else "the configuration"
        row = known or Fact((), source, "")
        return msgspec.structs.replace(row, source=source, date="", **told)


class ModelTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A named model: whom to ask, how long to wait, and the settings of every request to it."""

    model: str
    """`provider:model`; a provider alone is its default model."""
    fallback: tuple[str, ...] = ()
    """Whom to ask when it fails: names of this file, or `provider:model`."""
    timeout: Seconds | None = None
    deadline: Seconds | None = None
    max_retries: Times | None = None
    on_loss: OnLoss | None = None
    max_tokens: Count | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop: str | tuple[str, ...] = ()
    seed: int | None = None
    reasoning: str | dict[str, Any] | None = None
    response_format: str | dict[str, Any] | None = None
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    user: str | None = None
    metadata: dict[str, Any] = {}
    cache: dict[str, Any] | None = None
    extras: dict[str, dict[str, Any]] = {}
    facts: FactsTable | None = None
    """What it refuses or needs, where that is known wrongly or not at all."""

    @property
    def given(self) -> dict[str, Any]:
        """The settings of a request that it sets. Raises `MessageError`."""
        names = [name for name in self.__struct_fields__ if name in REQUEST]
        set_here = {name: value for name in names if (value := getattr(self, name)) not in UNSET}
        request = Request("", **set_here)
        return {name: getattr(request, name) for name in set_here}


class ProviderTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A provider of one's own, or how an installed one is reached."""

    api: str | None = None
    """What a provider of one's own speaks: `openai-chat`, `openai-responses`, …"""
    like: str | None = None
    """The installed provider that one of one's own resembles, instead of `api`."""
    base_url: str | None = None
    api_key: str | None = None
    """`env:NAME`, `file:PATH` or `cmd:COMMAND`; never the key itself."""
    api_key_env: str | None = None
    headers: Mapping[str, str] = EMPTY
    """A value may also be `env:NAME`, `file:PATH` or `cmd:COMMAND`."""
    query: Mapping[str, str] = EMPTY
    """Parameters of every address, such as `api-version`."""
    options: Mapping[str, Any] = EMPTY
    """Further arguments of the vendor's own client class."""


class Top(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    default: str | None = None
    """The model to ask when none is named."""
    timeout: Seconds | None = None
    deadline: Seconds | None = None
    max_retries: Times | None = None
    on_loss: OnLoss | None = None
    models: dict[str, str | ModelTable] = {}
    """Named models; a string is `provider:model`, or another name."""
    providers: dict[str, ProviderTable] = {}


REQUEST = frozenset(Request.__struct_fields__) - {"model", "messages", "tools", "stream"}

WORDS: dict[str, tuple[str, ...]] = {
    "refuses": get_args(Setting),
    "refuses_while_reasoning": get_args(Setting),
    "reasons": get_args(Reasons),
    "efforts": get_args(Effort),
    "budget": get_args(Budget),
    "on_chat": get_args(OnChat),
    "system": get_args(System),
}
"""What the keys of facts take."""
WRONG = re.compile(r"Invalid enum value '(.*)'")

INDEX = re.compile(r"\[\d+\]$")
PATH = re.compile(r" - at `\$\.?(.*)`$")
KEY = r"""(?:"[^"]*"|'[^']*'|[\w-]+)"""
DOTTED = rf"{KEY}(?:\s*\.\s*{KEY})*"
HEADER = re.compile(rf"\s*\[\[?\s*({DOTTED})\s*\]")
ASSIGNED = re.compile(rf"\s*({DOTTED})\s*=")

Place: TypeAlias = tuple[str, ...]
Table = TypeVar("Table", Top, ModelTable, FactsTable, ProviderTable)


def schema() -> dict[str, Any]:
    """The JSON Schema of the file, for editors."""
    made = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Top)}
    return msgspec.json.decode(msgspec.json.encode(made))


def policy_of(told: OnLoss | None) -> LossPolicy | None:
    """The policy that the file tells."""
    if isinstance(told, Losses):
        return LossPolicy(**msgspec.structs.asdict(told))
    return None if told is None else POLICIES[told]


def end_of(name: str, models: Mapping[str, str | ModelTable]) -> str | ModelTable:
    """What a name comes to in the end: a table, or `provider:model`."""
    held: str | ModelTable = name
    for _ in range(len(models) + 1):
        if not isinstance(held, str) or held not in models:
            break
        held = models[held]
    return held


def nearest(word: str, known: Iterable[str]) -> str:
    """What may have been meant by a word that is unknown."""
    names = sorted(known)
    near = get_close_matches(word, names, 1)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names) or 'none'}"


class Checked:
    """The tables of a file, and everything that is wrong with them: a place and a reason."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.problems: list[tuple[Place, str]] = []
        self.top = self._table(
            {key: item for key, item in data.items() if key not in ("models", "providers")}, Top, ()
        )
        self.models: dict[str, str | ModelTable] = {}
        for name, held in self._named(data, "models"):
            place = ("models", name)
            made = held if isinstance(held, str) else self._model(held, place)
            if made is not None:
                self.models[name] = made
        self.providers: dict[str, ProviderTable] = {}
        for name, held in self._named(data, "providers"):
            if (made := self._table(held, ProviderTable, ("providers", name))) is not None:
                self.providers[name] = made

    def _named(self, data: Mapping[str, Any], key: str) -> Iterable[tuple[str, Any]]:
        held = data.get(key, {})
        if is_mapping(held):
            return held.items()
        self.problems.append(((key,), f"expected tables, [{key}.NAME]"))
        return ()

    def _model(self, data: Any, place: Place) -> ModelTable | None:
        if not is_mapping(data) or "facts" not in data:
            return self._table(data, ModelTable, place)
        rest = {key: item for key, item in data.items() if key != "facts"}
        made = self._table(rest, ModelTable, place)
        facts = self._table(data["facts"], FactsTable, (*place, "facts"))
        return made and msgspec.structs.replace(made, facts=facts)

    def _table(self, data: Any, kind: type[Table], place: Place) -> Table | None:
        if not is_mapping(data):
            self.problems.append((place, "expected a table"))
            return None
        known = kind.__struct_fields__
        unknown = [key for key in data if key not in known]
        self.problems += [((*place, key), f"unknown; {nearest(key, known)}") for key in unknown]
        held = {key: item for key, item in data.items() if key in known}
        try:
            return msgspec.convert(held, kind)
        except msgspec.ValidationError as error:
            words = str(error)
            inner = PATH.search(words)
            within = inner[1].split(".") if inner and inner[1] else []
            self.problems.append(((*place, *within), _reason(words, within)))
            return None


def _reason(words: str, within: list[str]) -> str:
    """Why a value is refused, and which word may have been meant."""
    reason = PATH.sub("", words)
    wrong = WRONG.fullmatch(reason)
    known = WORDS.get(within[0].partition("[")[0]) if within else None
    return f"{wrong[1]!r} is unknown; {nearest(wrong[1], known)}" if wrong and known else reason


def line_of(text: str, place: Place) -> int | None:
    """The line on which a key stands, or the nearest table around it."""
    lines = _lines(text)
    keys = tuple(INDEX.sub("", key) for key in place)
    for length in range(len(keys), 0, -1):
        if (found := lines.get(keys[:length])) is not None:
            return found
    return None


def _lines(text: str) -> dict[Place, int]:
    found: dict[Place, int] = {}
    table: Place = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := HEADER.match(line):
            table = _keys(header[1])
            place = table
        elif assigned := ASSIGNED.match(line):
            place = (*table, *_keys(assigned[1]))
        else:
            continue
        for length in range(1, len(place) + 1):
            found.setdefault(place[:length], number)
    return found


def _keys(dotted: str) -> Place:
    return tuple(key.strip("\"'") for key in re.findall(KEY, dotted))
