"""How `interlingua ask` ends when somebody stops listening, or the vendor stops talking."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.interlingua.cli.conftest import Run, Start, Vendor

posix = pytest.mark.skipif(os.name != "posix", reason="signals and devices are those of POSIX")


@posix
def test_ctrl_c_drops_the_connection_and_ends_the_line(start: Start, vendor: Vendor) -> None:
    vendor.says("Nine ", vendor.gone)

    process = start("ask", "How deep?", *vendor.options)
    first = process.output.read(5)
    process.process.send_signal(signal.SIGINT)

    assert (first, process.rest()) == ("Nine ", (130, "\n", ""))
    assert vendor.gone.wait(10)


@posix
@pytest.mark.parametrize("options", [(), ("--json",)], ids=["stream", "whole"])
def test_ctrl_c_before_the_first_word_prints_nothing(
    start: Start, vendor: Vendor, options: tuple[str, ...]
) -> None:
    vendor.says(vendor.gone)

    process = start("ask", "How deep?", *options, *vendor.options)
    assert vendor.reached.wait(120)
    process.process.send_signal(signal.SIGINT)

    assert process.rest() == (130, "", "")
    assert vendor.gone.wait(10)


def test_a_reader_that_has_read_enough_ends_the_command_quietly(
    start: Start, vendor: Vendor
) -> None:
    closed = threading.Event()
    vendor.says("Nine ", closed, "metres.", vendor.gone)

    process = start("ask", "How deep?", *vendor.options)
    process.output.read(5)
    process.output.close()
    closed.set()

    assert (process.errors.read(), process.process.wait()) == ("", 141)
    assert vendor.gone.wait(10)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_an_answer_that_cannot_be_written_is_a_failure(
    surroundings: dict[str, str], vendor: Vendor, command: tuple[str, ...]
) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*command, "ask", "How deep?", *vendor.options],
            env=surroundings,
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert (done.returncode, done.stderr) == (1, b"interlingua: No space left on device\n")


def test_standard_input_that_does_not_end_is_told_of(start: Start, vendor: Vendor) -> None:
    process = start("ask", "How deep?", *vendor.options, piped=subprocess.PIPE)
    notice = process.errors.readline()

    assert notice == "interlingua: reading standard input until it ends\n"
    assert process.rest() == (0, "Nine metres.\n", "")


def test_a_stream_that_breaks_off_keeps_what_came_and_is_a_failure(
    run: Run, vendor: Vendor
) -> None:
    vendor.says("Nine ", finish="")

    done = run("ask", "How deep?", *vendor.options)

    assert (done.returncode, done.stdout) == (1, "Nine \n")
    [line] = done.stderr.splitlines()
    assert line.startswith("interlingua: openai-chat: the stream stopped before its end")
