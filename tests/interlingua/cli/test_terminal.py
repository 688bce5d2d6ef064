"""`interlingua` in a terminal, as a person sees it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

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

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")


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


def test_a_prompt_of_a_dash_is_read_from_the_terminal(
    surroundings: dict[str, str], command: tuple[str, ...], vendor: Vendor
) -> None:
    arguments = [*command, "ask", "-", *vendor.options]

    status, _ = in_terminal(arguments, surroundings, typed=b"How deep?\n\x04")

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
    typed = b"How deep?\n/model second:large\ny\nAnd now?\n/quit\n"

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


def in_terminal(
    arguments: list[str], environment: dict[str, str], typed: bytes = b""
) -> tuple[int, str]:
    """Run a command in a pseudo-terminal; give its exit status and what is shown."""
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        arguments, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    os.write(ours, typed)
    shown = b""
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:
        pass  # the command has closed its end
    os.close(ours)
    return process.wait(), shown.decode()
