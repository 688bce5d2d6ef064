"""`interlingua` in a terminal, as a person sees it."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.interlingua.cli.conftest import Vendor

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
