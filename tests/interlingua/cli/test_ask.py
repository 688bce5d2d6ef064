"""`interlingua ask`: what the vendor is asked, and what is printed of its answer."""

from __future__ import annotations

import base64
import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.interlingua.cli.conftest import Run, Start, Vendor

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
PDF = b"%PDF-1.7\n%%EOF\n"


def test_the_answer_is_printed_and_its_line_ended(run: Run, vendor: Vendor) -> None:
    done = run("ask", "How", "deep?", *vendor.options)

    assert (done.returncode, done.stdout, done.stderr) == (0, "Nine metres.\n", "")
    assert vendor.asked[0]["messages"] == [{"role": "user", "content": "How deep?"}]


def test_a_line_that_the_model_ended_is_not_ended_again(run: Run, vendor: Vendor) -> None:
    vendor.says("Nine\n", "metres.\n")

    done = run("ask", "How deep?", *vendor.options)

    assert done.stdout == "Nine\nmetres.\n"


def test_words_appear_while_the_next_ones_are_still_to_come(start: Start, vendor: Vendor) -> None:
    read = threading.Event()
    vendor.says("Nine ", read, "metres.")

    process = start("ask", "How deep?", *vendor.options)
    first = process.output.read(5)
    read.set()

    assert (first, process.rest()) == ("Nine ", (0, "metres.\n", ""))


def test_system_and_sampling_settings_reach_the_vendor(run: Run, vendor: Vendor) -> None:
    run(
        "ask", "-s", "Be brief.", "--max-tokens", "9", "--temperature", "0.5", "Hi", *vendor.options
    )

    [asked] = vendor.asked
    assert asked["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
    ]
    assert (asked["max_completion_tokens"], asked["temperature"]) == (9, 0.5)


def test_no_stream_asks_for_the_whole_answer(run: Run, vendor: Vendor) -> None:
    done = run("ask", "--no-stream", "How deep?", *vendor.options)

    assert (done.stdout, "stream" in vendor.asked[0]) == ("Nine metres.\n", False)


def test_json_is_the_whole_response(run: Run, vendor: Vendor) -> None:
    done = run("ask", "--json", "How deep?", *vendor.options)

    response = json.loads(done.stdout)
    assert response["message"]["content"] == [{"type": "text", "text": "Nine metres."}]
    assert (response["usage"]["input_tokens"], response["provider"]) == (7, "openai-chat")


def test_verbose_tells_model_usage_and_losses_on_standard_error(run: Run, vendor: Vendor) -> None:
    done = run("ask", "-v", "--no-stream", "How deep?", *vendor.options)

    assert (done.stdout, done.stderr.splitlines()) == (
        "Nine metres.\n",
        [
            "model: openai-chat:test-1",
            "finish reason: stop",
            "tokens: 7 in, 3 out",
            "lost: nothing",
        ],
    )


def test_standard_input_alone_is_the_prompt(run: Run, vendor: Vendor) -> None:
    run("ask", *vendor.options, piped="How deep\nis it?\n")

    assert vendor.asked[0]["messages"] == [{"role": "user", "content": "How deep\nis it?"}]


@pytest.mark.parametrize("words", [("Sum up:",), ("Sum up:", "-")], ids=["prompt", "dash"])
def test_standard_input_comes_after_the_prompt(
    run: Run, vendor: Vendor, words: tuple[str, ...]
) -> None:
    run("ask", *words, *vendor.options, piped="The harbour.\n")

    assert vendor.asked[0]["messages"] == [{"role": "user", "content": "Sum up:\n\nThe harbour."}]


def test_files_are_sent_in_order_each_as_what_it_is(
    run: Run, vendor: Vendor, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("One.\n", "utf-8")
    (tmp_path / "b.md").write_text("Two.\n", "utf-8")
    (tmp_path / "c.png").write_bytes(PNG)
    (tmp_path / "d.pdf").write_bytes(PDF)

    run(
        "ask",
        "Compare.",
        "-f",
        "a.txt",
        "-f",
        "b.md",
        "-f",
        "c.png",
        "-f",
        "d.pdf",
        *vendor.options,
    )

    [message] = vendor.asked[0]["messages"]
    assert message["content"] == [
        {"type": "text", "text": "Compare.\n\nOne.\n\nTwo."},
        {"type": "image_url", "image_url": {"url": url("image/png", PNG)}},
        {"type": "file", "file": {"file_data": url("application/pdf", PDF), "filename": "d.pdf"}},
    ]


def test_the_environment_names_the_model_and_an_option_overrides_it(
    run: Run, vendor: Vendor
) -> None:
    address = vendor.options[2:]

    run("ask", "Hi", *address, INTERLINGUA_MODEL="openai-chat:one")
    run("ask", "Hi", "-m", "openai-chat:two", *address, INTERLINGUA_MODEL="openai-chat:one")

    assert [asked["model"] for asked in vendor.asked] == ["one", "two"]


def test_an_answer_that_was_cut_off_says_so(run: Run, vendor: Vendor) -> None:
    vendor.says("Nine", finish="length")

    done = run("ask", "How deep?", *vendor.options)

    assert (done.returncode, done.stdout) == (0, "Nine\n")
    assert done.stderr == (
        "interlingua: the answer was cut off at its longest; --max-tokens N allows more\n"
    )


def test_a_refusal_is_a_failure_in_the_words_of_the_model(run: Run, vendor: Vendor) -> None:
    vendor.says(refusal="I cannot help.")

    done = run("ask", "How deep?", *vendor.options)

    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        "interlingua: the model refused: I cannot help.\n",
    )


def test_an_empty_answer_is_a_failure(run: Run, vendor: Vendor) -> None:
    vendor.says()

    done = run("ask", "How deep?", *vendor.options)

    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        "interlingua: the answer holds no text (finish reason: stop)\n",
    )


def test_another_model_answers_when_the_first_one_fails(run: Run, vendor: Vendor) -> None:
    done = run(
        *("ask", "-v", "--no-stream", "Hi"),
        *("-m", "openai:one", "--fallback", "openai-chat:two"),
        *("-o", "base_url=http://127.0.0.1:9/v1", "-o", "max_retries=0"),
        OPENAI_BASE_URL=vendor.address,
    )

    assert (done.stdout, vendor.asked[0]["model"]) == ("Nine metres.\n", "two")
    assert "failed before: openai:one: ConnectionError" in done.stderr


def url(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


@pytest.mark.parametrize("options", [(), ("--no-stream",)], ids=["streamed", "whole"])
def test_what_the_model_thinks_is_no_part_of_a_piped_answer(
    run: Run, vendor: Vendor, options: tuple[str, ...]
) -> None:
    vendor.says("Nine metres.", reasoning_content="A harbour.")

    done = run("ask", "How deep?", *options, *vendor.options)
    told = run("ask", "How deep?", "-v", *options, *vendor.options)

    assert (done.returncode, done.stdout, done.stderr) == (0, "Nine metres.\n", "")
    assert "thought: 10 characters, which --json shows\n" in told.stderr
