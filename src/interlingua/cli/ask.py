"""`interlingua ask`: put a question to a model, and print the answer as it comes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from interlingua.cli.answer import failed, follow, remark
from interlingua.cli.configured import DEFAULT, USUAL, chosen, complete, configured
from interlingua.cli.faults import FAILED, tell
from interlingua.cli.options import settings_of
from interlingua.cli.page import page
from interlingua.cli.prompt import said
from interlingua.client import Client
from interlingua.config import MODEL, NAME, Entry
from interlingua.loss import LossPolicy
from interlingua.message import Message
from interlingua.response import Response
from interlingua.tables import POLICIES

# With -v every loss is told at the end; it need not warn as well.
TOLD_LATER = {**POLICIES, "default": LossPolicy(setting="record")}


@click.command()
@click.argument("prompt", nargs=-1)
@click.option(
    "-m",
    "--model",
    envvar=MODEL,
    show_default=DEFAULT,
    show_envvar=True,
    metavar="PROVIDER:MODEL",
    shell_complete=complete,
    help=f"Whom to ask; a provider alone is its default model, and a name one of {NAME}.",
)
@click.option(
    "--fallback",
    multiple=True,
    metavar="PROVIDER:MODEL",
    shell_complete=complete,
    help="Whom to ask when that fails; may be repeated.",
)
@click.option(
    "-f",
    "--file",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A text, an image, a PDF, a sound or a film to send along; may be repeated.",
)
@click.option("-s", "--system", metavar="TEXT", help="What the model is told before the prompt.")
@click.option("--max-tokens", type=click.IntRange(min=1), metavar="N", help="The longest answer.")
@click.option(
    "--temperature",
    type=click.FloatRange(min=0),
    metavar="T",
    help="How much chance is in it.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="How long to wait for the first words, and between words.",
)
@click.option(
    "-o",
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="What else the client takes, such as base_url=…; may be repeated.",
)
@click.option(
    "--on-loss",
    type=click.Choice(list(POLICIES)),
    show_default="default",
    help="What to do when the provider cannot carry all of the request.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole response as JSON.")
@click.option("--no-stream", "whole", is_flag=True, help="Print the answer when it is whole.")
@click.option("--plain", is_flag=True, help="Leave Markdown as it is; pipes get it so anyway.")
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Tell on standard error who answered, and what it cost and lost.",
)
def ask(
    prompt: tuple[str, ...],
    model: str | None,
    fallback: tuple[str, ...],
    files: tuple[Path, ...],
    system: str | None,
    max_tokens: int | None,
    temperature: float | None,
    timeout: float | None,
    options: tuple[str, ...],
    on_loss: str | None,
    as_json: bool,
    whole: bool,
    plain: bool,
    verbose: bool,
) -> None:
    """Put PROMPT to a model and print its answer as it comes.

    Standard input is sent after the prompt when it is no terminal, or when PROMPT ends with `-`.
    """
    settings = settings_of(options)
    file = configured()
    model = model or file.default() or USUAL
    entry, *_ = [chosen(file, spec) for spec in (model, *fallback)]
    messages = [Message.user(said(prompt, files))]
    if system:
        messages.insert(0, Message.system(system))
    policy = _policy(on_loss, entry, verbose=verbose)
    settings |= {"fallback": fallback, "timeout": timeout, "on_loss": policy}
    sampling: dict[str, Any] = {"max_tokens": max_tokens, "temperature": temperature}
    with Client.from_config(model, **settings) as client:
        if as_json:
            response = client.generate(messages, **sampling)
            with page(plain=True) as shown:
                shown.write(response.to_json())
        elif whole:
            response = client.generate(messages, **sampling)
            with page(plain=plain) as shown:
                shown.think(response.message.reasoning)
                shown.write(response.text)
        else:
            with page(plain=plain) as shown, client.stream(messages, **sampling) as stream:
                response = follow(stream, shown)
    if verbose:
        for line in _report(response):
            click.echo(line, err=True)
    _conclude(response)


def _policy(told: str | None, entry: Entry, *, verbose: bool) -> LossPolicy | None:
    """The policy of the command line; None is the file's."""
    if told is None and entry.on_loss is not None:
        return None
    return (TOLD_LATER if verbose else POLICIES)[told or "default"]


def _report(response: Response) -> Iterator[str]:
    """What -v says of an answer."""
    usage = response.usage
    yield f"model: {response.provider}:{response.model or 'unknown'}"
    yield f"finish reason: {response.finish_reason}"
    counts = {
        "in": usage.input_tokens,
        "out": usage.output_tokens,
        "read from the cache": usage.cache_read_tokens,
        "written to the cache": usage.cache_write_tokens,
        "for reasoning": usage.reasoning_tokens,
    }
    known = [f"{count} {what}" for what, count in counts.items() if count is not None]
    yield f"tokens: {', '.join(known) or 'not told'}"
    if thought := response.message.reasoning:
        yield f"thought: {len(thought)} characters, which --json shows"
    for attempt in response.attempts:
        yield f"failed before: {attempt.model}: {attempt.error}: {attempt.message}"
    for loss in response.losses:
        yield f"lost: {loss}"
    if not response.losses:
        yield "lost: nothing"


def _conclude(response: Response) -> None:
    """Say what is wrong with an answer; leave with status 1 when it is none."""
    if words := remark(response):
        is_cut = response.finish_reason == "length"
        tell(f"{words}; --max-tokens N allows more" if is_cut else words)
    if failed(response):
        raise click.exceptions.Exit(FAILED)
