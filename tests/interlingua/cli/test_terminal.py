"""`interlingua` in a terminal, as a person sees it."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.interlingua.cli.screens import Terminal, in_terminal

if TYPE_CHECKING:
    from tests.interlingua.cli.conftest import Vendor

TWO = """\
default = "first:small"

[providers.first]
api = "openai-chat"
base_url = "{address}"

[providers.second]
api = "openai-chat"
base_url = "{address}"
"""

MARKDOWN = """\
# Depth

It is **nine** metres deep,
says [the chart](https://x.test/c) of <b>1900</b>.

- one
- two

```python
depth = 9
```

| a | b |
|---|---|
| 1 | 2 |

[1]: https://x.test
"""


@pytest.fixture
def colourful(surroundings: dict[str, str]) -> dict[str, str]:
    """The environment of a terminal that can do everything."""
    return {**surroundings, "TERM": "xterm-256color", "COLUMNS": "80"}


def test_the_answer_appears_in_a_terminal_without_waiting_for_input(
    surroundings: dict[str, str], command: tuple[str, ...], vendor: Vendor
) -> None:
    shown = in_terminal([*command, "ask", "How deep?", *vendor.options], surroundings)

    assert shown == (0, "Nine metres.\r\n")


def test_an_answer_cannot_give_orders_to_the_terminal(
    surroundings: dict[str, str], command: tuple[str, ...], vendor: Vendor
) -> None:
    vendor.says("\x1b]0;mine\x07", "Nine\tmetres\x9b.\n")

    shown = in_terminal([*command, "ask", "How deep?", *vendor.options], surroundings)

    assert shown == (0, "\ufffd]0;mine\ufffdNine\tmetres\ufffd.\r\n")


@pytest.mark.parametrize("kept", [("--no-stream",), ()], ids=["whole", "streamed"])
def test_markdown_is_laid_out_in_a_terminal(
    colourful: dict[str, str], command: tuple[str, ...], vendor: Vendor, kept: tuple[str, ...]
) -> None:
    vendor.says(*pieces(MARKDOWN))

    shown = in_terminal([*command, "ask", "How deep?", *kept, *vendor.options], colourful)

    assert shown.status == 0
    assert "\x1b[1mnine\x1b[0m" in shown.text
    assert [line.strip() for line in shown.lines(24)] == [
        "Depth",
        "",
        "It is nine metres deep,",
        "says the chart (https://x.test/c) of <b>1900</b>.",
        "",
        "• one",
        "• two",
        "",
        "depth = 9",
        "",
        "a  b",
        "────",
        "1  2",
        "",
        "[1]: https://x.test",
    ]


def test_nothing_of_a_long_answer_is_cut(
    colourful: dict[str, str], command: tuple[str, ...], vendor: Vendor
) -> None:
    items = [f"- item {number}" for number in range(40)]
    vendor.says(*pieces("\n".join(["First.", "", *items, "", "Last."])))

    shown = in_terminal([*command, "ask", "Hi", *vendor.options], colourful, height=10)

    bullets = [f" • item {number}" for number in range(40)]
    assert shown.lines(10) == ["First.", "", *bullets, "", "Last."]


@pytest.mark.parametrize("wish", ["NO_COLOR", "TERM", "--plain"])
def test_markdown_stays_as_it_is_where_that_is_wanted(
    colourful: dict[str, str], command: tuple[str, ...], vendor: Vendor, wish: str
) -> None:
    vendor.says("**Nine** ", "metres.")
    wishes: dict[str, Mapping[str, str]] = {"NO_COLOR": {"NO_COLOR": "1"}, "TERM": {"TERM": "dumb"}}
    options = [wish] if wish == "--plain" else []

    shown = in_terminal(
        [*command, "ask", "Hi", *options, *vendor.options], {**colourful, **wishes.get(wish, {})}
    )

    assert shown == (0, "**Nine** metres.\r\n")


def test_what_the_model_thinks_is_dimmed(
    colourful: dict[str, str], command: tuple[str, ...], vendor: Vendor
) -> None:
    vendor.says("Nine metres.", reasoning_content="A harbour.")

    shown = in_terminal([*command, "ask", "Hi", *vendor.options], colourful)

    assert "\x1b[2mA harbour.\x1b[0m" in shown.text
    assert shown.lines(24) == ["A harbour.", "", "Nine metres."]


def test_a_plain_terminal_is_told_that_the_model_thinks(
    surroundings: dict[str, str], command: tuple[str, ...], vendor: Vendor
) -> None:
    vendor.says("Nine metres.", reasoning_content="A harbour.")

    shown = in_terminal([*command, "ask", "Hi", *vendor.options], surroundings)

    assert shown == (0, "interlingua: the model is thinking\r\nNine metres.\r\n")


def test_ctrl_c_leaves_what_came_and_the_cursor(
    colourful: dict[str, str], command: tuple[str, ...], vendor: Vendor
) -> None:
    vendor.says("Nine ", vendor.gone)

    terminal = Terminal([*command, "ask", "How deep?", *vendor.options], colourful)
    terminal.until("Nine")
    terminal.process.send_signal(signal.SIGINT)
    shown = terminal.end()

    assert (shown.status, shown.lines(24)) == (130, ["Nine"])
    assert shown.text.rindex("\x1b[?25h") > shown.text.rindex("\x1b[?25l")
    assert vendor.gone.wait(10)


def test_an_answer_that_is_stopped_is_forgotten_and_the_conversation_goes_on(
    colourful: dict[str, str], command: tuple[str, ...], vendor: Vendor, tmp_path: Path
) -> None:
    file = tmp_path / "two.toml"
    file.write_text(TWO.format(address=vendor.address), "utf-8")
    vendor.says("Nine ", vendor.gone)

    terminal = Terminal([*command, "chat"], {**colourful, "INTERLINGUA_CONFIG": str(file)})
    terminal.type("How deep?\n")
    terminal.until("Nine")
    vendor.says("Ten.")
    terminal.process.send_signal(signal.SIGINT)
    terminal.until("stopped")
    terminal.type("And now?\n")
    terminal.until("Ten.")
    terminal.type("/quit\n")

    assert terminal.end().status == 0
    assert vendor.asked[1]["messages"] == [{"role": "user", "content": "And now?"}]


def test_a_session_knows_what_was_said_the_day_before(
    colourful: dict[str, str], command: tuple[str, ...], vendor: Vendor, tmp_path: Path
) -> None:
    file = tmp_path / "two.toml"
    file.write_text(TWO.format(address=vendor.address), "utf-8")
    environment = {
        **colourful,
        "INTERLINGUA_CONFIG": str(file),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "HOME": str(tmp_path),
    }

    first = in_terminal(
        [*command, "chat", "--session", "harbour", "-s", "Be brief."],
        environment,
        "How deep?\n/quit\n",
    )
    second = in_terminal(
        [*command, "chat"], environment, "/sessions\n/session harbour\nAnd now?\n/quit\n"
    )

    assert (first.status, second.status) == (0, 0)
    assert "  harbour: 3 messages, last on 20" in second.text
    assert "going on with harbour (3 messages)" in second.text
    assert vendor.asked[1]["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "How deep?"},
        {"role": "assistant", "content": "Nine metres."},
        {"role": "user", "content": "And now?"},
    ]


def test_a_prompt_of_a_dash_is_read_from_the_terminal(
    surroundings: dict[str, str], command: tuple[str, ...], vendor: Vendor
) -> None:
    arguments = [*command, "ask", "-", *vendor.options]

    status, _ = in_terminal(arguments, surroundings, "How deep?\n\x04")

    assert status == 0
    assert vendor.asked[0]["messages"] == [{"role": "user", "content": "How deep?"}]


def test_the_list_of_providers_has_colours_unless_they_are_unwanted(
    surroundings: dict[str, str], command: tuple[str, ...]
) -> None:
    arguments = [*command, "providers", "openai"]

    _, coloured = in_terminal(arguments, {**surroundings, "TERM": "xterm"})
    _, plain = in_terminal(arguments, {**surroundings, "TERM": "xterm", "NO_COLOR": "1"})

    assert "\x1b[32mready" in coloured
    assert "\x1b[3" not in plain


def test_a_conversation_changes_vendors_on_its_way(
    surroundings: dict[str, str], command: tuple[str, ...], vendor: Vendor, tmp_path: Path
) -> None:
    vendor.says("Nine ", "metres.", reasoning_content="A harbour.")
    file = tmp_path / "two.toml"
    file.write_text(TWO.format(address=vendor.address), "utf-8")
    typed = "How deep?\n/model second:large\ny\nAnd now?\n/quit\n"

    status, shown = in_terminal(
        [*command, "chat"], {**surroundings, "INTERLINGUA_CONFIG": str(file)}, typed
    )

    lost = "lost: messages[1].content[0]: reasoning of another vendor (dropped)"
    assert status == 0
    assert shown.index("Nine metres.") < shown.index(lost) < shown.rindex("Nine metres.")
    assert [asked["model"] for asked in vendor.asked] == ["small", "large"]
    assert vendor.asked[1]["messages"] == [
        {"role": "user", "content": "How deep?"},
        {"role": "assistant", "content": "Nine metres."},
        {"role": "user", "content": "And now?"},
    ]


def pieces(text: str) -> list[str]:
    """A text as a vendor streams it."""
    return [text[start : start + 5] for start in range(0, len(text), 5)]
