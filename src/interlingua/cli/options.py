"""`-o key=value`: what else the client takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

import msgspec

from interlingua.cli.faults import Misuse
from interlingua.tables import Seconds, Times

SECRET = {"key", "token", "secret", "password", "credentials", "authorization", "cookie"}
"""Words in the names of what must not stand on a command line."""

ELSEWHERE = {"timeout": "--timeout", "on_loss": "--on-loss", "fallback": "--fallback"}
"""Arguments of the client that are options of their own."""

PAIRS = dict[str, str]

TYPES: dict[str, tuple[Any, str]] = {
    "base_url": (str, "an address"),
    "headers": (PAIRS, 'a JSON object of texts, such as {"x-team": "harbour"}'),
    "default_query": (PAIRS, 'a JSON object of texts, such as {"api-version": "3"}'),
    "max_retries": (Times, "a whole number, 0 or more"),
    "deadline": (Seconds, "a number of seconds"),
}
"""Arguments of the client: what they must be. All others are the provider's business."""


def settings_of(given: Iterable[str]) -> dict[str, Any]:
    """The client's arguments. A value that is JSON is read as JSON, any other is a string.

    Raises `Misuse`.
    """
    settings: dict[str, Any] = {}
    for one in given:
        name, equals, text = one.partition("=")
        if not (name and equals):
            # The whole may be a secret, so it is not repeated.
            raise Misuse("-o takes key=value, such as -o base_url=http://127.0.0.1:8080/v1")
        settings[name] = _checked(name, _value(text))
    return settings


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return text


def _checked(name: str, value: Any) -> Any:
    secret = next(filter(_is_secret, _names({name: value})), None)
    if secret is not None:
        raise Misuse(
            f"{secret} cannot be given on the command line, where the list of processes and the "
            "shell's history show it; set the environment variable that the provider reads, "
            "such as OPENAI_API_KEY"
        )
    if name in ELSEWHERE:
        raise Misuse(f"{name} has an option of its own: {ELSEWHERE[name]}")
    kind, words = TYPES.get(name, (Any, ""))
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise Misuse(f"{name} must be {words}, not {value!r}") from error


def _names(value: Any) -> Iterable[str]:
    if isinstance(value, Mapping):
        for name, inner in cast("Mapping[str, Any]", value).items():
            yield name
            yield from _names(inner)


def _is_secret(name: str) -> bool:
    return bool(SECRET & set(re.split(r"[^a-z]+", name.lower())))
