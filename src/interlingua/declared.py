"""Tools in one API's JSON: encoded once, kept on the tool, joined into every body."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter, itemgetter
from typing import Any

from msgspec import Raw, Struct

from interlingua.loss import At
from interlingua.tools import ServerTool, Tool
from interlingua.wire import Json, dump


class Declared(Struct, frozen=True):
    """A tool in one API's JSON."""

    body: Json
    content: Raw
    """The same, encoded."""


def declared(
    tools: Iterable[Tool | ServerTool],
    api: str,
    render: Callable[[Tool | ServerTool], Json],
    at: At,
    names: dict[str, str],
    name_of: Callable[[Json], str] = itemgetter("name"),
) -> Iterator[tuple[Tool | ServerTool, Declared]]:
    """The tools that an API can be told of, each rendered at its first use.

    What another vendor runs is lost, and so are the fields that another API gave a tool. Where a
    tool is called otherwise on the wire, `names` learns its own name.
    """
    here = at.of("tools")
    for here.index, tool in enumerate(tools):
        if isinstance(tool, Tool):
            here.foreign(tool.extras, api)
        elif tool.provider != api:
            here.lose("content", f"tool {tool.type!r} runs only at {tool.provider}")
            continue
        made = _declared(tool, api, render)
        if isinstance(tool, Tool) and (name := name_of(made.body)) != tool.name:
            names[name] = tool.name
        yield tool, made


def _declared(
    tool: Tool | ServerTool, api: str, render: Callable[[Tool | ServerTool], Json]
) -> Declared:
    kept = _beside(tool)
    found: Declared | None = kept.get(api)
    if found is None:
        body = render(tool)
        found = kept[api] = Declared(body, Raw(dump(body)))
    return found


_beside: Callable[[Tool | ServerTool], dict[str, Any]] = attrgetter("__dict__")
