"""The hand-made samples of every API's JSON, by what their files are called.

`answer…json` is an answer, `request…json` a request, `error…json` an error's body, `…sse` a stream.
A stream beside a file of the same name in `json` is that answer; one with `error` in its name ends
in an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interlingua.registry import CODECS, names
from interlingua.sse import Events

Json = dict[str, Any]

WIRE = Path(__file__).parent / "wire"
APIS = names(CODECS)


def answers(api: str) -> dict[str, Json]:
    """Answers by the names of their files, those that streams add up to as well."""
    return {
        path.name: body
        for path, body in _bodies(api)
        if path.name.startswith("answer") or path.with_suffix(".sse").exists()
    }


def requests(api: str) -> dict[str, Json]:
    """Requests by the names of their files."""
    return {path.name: body for path, body in _bodies(api) if path.name.startswith("request")}


def errors(api: str) -> dict[str, Json]:
    """Bodies of errors by the names of their files."""
    return {path.name: body for path, body in _bodies(api) if path.name.startswith("error")}


def streams(api: str) -> dict[str, list[Json]]:
    """The events of streams by the names of their files."""
    return {path.name: _events(path) for path in sorted((WIRE / api).glob("*.sse"))}


def whole_streams(api: str) -> dict[str, list[Json]]:
    """Those of the streams that come to their end."""
    return {name: events for name, events in streams(api).items() if "error" not in name}


def unstreamed(api: str, stream: str) -> Json | None:
    """What a stream adds up to, if there is such a file."""
    path = (WIRE / api / stream).with_suffix(".json")
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def _bodies(api: str) -> Iterator[tuple[Path, Json]]:
    for path in sorted((WIRE / api).glob("*.json")):
        yield path, json.loads(path.read_text(encoding="utf-8"))


def _events(path: Path) -> list[Json]:
    reader = Events(path.parent.name)
    return [*reader.feed(path.read_bytes()), *reader.end()]
