"""Tools are rendered once."""

from __future__ import annotations

import pickle

from interlingua import Loss, ServerTool, Tool
from interlingua.declared import declared
from interlingua.loss import At
from interlingua.wire import Json


def test_a_tool_is_rendered_once_for_each_api() -> None:
    asked: list[str] = []

    def render(tool: Tool | ServerTool) -> Json:
        asked.append(tool.name if isinstance(tool, Tool) else tool.type)
        return {"name": "add"}

    tool = Tool("add")
    for api in ("one", "one", "other"):
        assert len([*declared([tool], api, render, At("", []), {})]) == 1

    assert asked == ["add", "add"]


def test_what_is_kept_with_a_tool_is_no_part_of_its_value() -> None:
    fresh, used = Tool("add"), Tool("add")
    assert [*declared([used], "one", lambda tool: {"name": "add"}, At("", []), {})]

    assert used == fresh
    assert hash(used) == hash(fresh)
    assert pickle.dumps(used) == pickle.dumps(fresh)


def test_a_tool_that_another_vendor_runs_is_lost() -> None:
    losses: list[Loss] = []
    tools = [Tool("add"), ServerTool("other", "search")]

    told = [
        tool for tool, _ in declared(tools, "one", lambda tool: {"name": "add"}, At("", losses), {})
    ]

    assert told == [Tool("add")]
    assert losses == [Loss("tools[1]", "content", "tool 'search' runs only at other")]


def test_a_tool_that_is_called_otherwise_is_known_by_both_names() -> None:
    names: dict[str, str] = {}
    tools = [Tool("a.dd"), Tool("add")]

    told = declared(tools, "one", lambda tool: {"name": "add"}, At("", []), names)

    assert (len([*told]), names) == (2, {"add": "a.dd"})
