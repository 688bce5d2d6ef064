"""The command and the embedded model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.interlingua.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("local_model")


def test_the_embedded_model_answers_without_an_account(run: Run) -> None:
    done = run("ask", "Say hello in one short sentence.")

    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "Hello, I'm here to help with any creative writing project.\n",
        "",
    )


def test_a_longest_answer_cuts_the_embedded_model_off(run: Run) -> None:
    done = run("ask", "--max-tokens", "3", "Say hello in one short sentence.")

    assert (done.returncode, done.stdout) == (0, "Hello, I\n")
    assert "--max-tokens N allows more" in done.stderr


def test_an_option_of_the_wrong_kind_is_told(run: Run) -> None:
    done = run("ask", "-o", "threads=two", "Hi")

    said = "interlingua: threads='two' is no whole number\n"
    assert (done.returncode, done.stderr) == (2, said)
