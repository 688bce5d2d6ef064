"""What a docstring says of a function and of its parameters: Google's, NumPy's and Sphinx's way."""

from __future__ import annotations

import re
from inspect import cleandoc

PARAMETERS = {
    *("args", "arguments", "parameters", "params"),
    *("keyword args", "keyword arguments", "other parameters"),
    *("param", "parameter", "arg", "argument", "key", "keyword"),
}
OTHERS = {
    *("returns", "return", "yields", "yield", "raises", "raise", "receives", "warns"),
    *("rtype", "type", "except"),
}
"""Sections for whoever reads the code; a section of any other name stays in the description."""

_WORDS = "|".join(sorted(PARAMETERS | OTHERS, key=len, reverse=True))
OPENING = re.compile(
    rf"^(?P<google>{_WORDS}):[ \t]*$"
    r"|^(?P<numpy>[A-Z][\w ]*)\n-{3,}[ \t]*$"
    rf"|^:(?P<field>{_WORDS})(?:[ \t]+[^:\n]*?\b(?P<name>\w+))?:",
    re.MULTILINE | re.IGNORECASE,
)
GOOGLE = re.compile(r"^\*{0,2}(\w+)[ \t]*(?:\([^\n]*?\))?[ \t]*:", re.MULTILINE)
NUMPY = re.compile(r"^\*{0,2}(\w+)[ \t]*(?::.*)?$", re.MULTILINE)


def read_docstring(docstring: str) -> tuple[str, dict[str, str]]:
    """The description, and each parameter's own."""
    whole = cleandoc(docstring)
    openings = [*OPENING.finditer(whole)]
    ends = [*(opening.start() for opening in openings), len(whole)]
    text = [whole[: ends[0]]]
    found: dict[str, str] = {}
    for opening, end in zip(openings, ends[1:], strict=True):
        body, after = _split(opening, whole[opening.end() : end])
        title = _title(opening)
        if title in PARAMETERS:
            found |= _described(opening, body)
        elif title not in OTHERS:
            text.append(opening[0] + body)
        text.append(after)
    return "".join(text).strip(), {name: said for name, said in found.items() if said}


def _title(opening: re.Match[str]) -> str:
    title: str = opening["google"] or opening["numpy"] or opening["field"]
    return title.strip().lower()


def _split(opening: re.Match[str], body: str) -> tuple[str, str]:
    """A section and the text after it, which begins where a line is not indented, but for NumPy."""
    flush = None if opening["numpy"] else re.search(r"\n(?=\S)", body)
    return (body[: flush.end()], body[flush.end() :]) if flush else (body, "")


def _described(opening: re.Match[str], body: str) -> dict[str, str]:
    """What a section says of each parameter."""
    if opening["field"]:
        return {opening["name"]: _line(body)} if opening["name"] else {}
    body = cleandoc(body)
    entries = [*(NUMPY if opening["numpy"] else GOOGLE).finditer(body)]
    ends = [*(entry.start() for entry in entries), len(body)]
    pairs = zip(entries, ends[1:], strict=True)
    return {entry[1]: _line(body[entry.end() : end]) for entry, end in pairs}


def _line(text: str) -> str:
    return " ".join(text.split())
