"""`interlingua ask`: put a question to a model, and print the answer as it comes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from interlingua import registry
from interlingua.cli.faults import FAILED, Misuse, tell
from interlingua.cli.options import settings_of
from interlingua.cli.page import Page
from interlingua.cli.prompt import said
from interlingua.client import Client
from interlingua.config import MODEL, NAME, Entry, File, find
from interlingua.errors import ConfigError
from interlingua.events import TextDelta
from interlingua.loss import LossPolicy
from interlingua.message import Message
from interlingua.parts import Refusal
from interlingua.response import Response
from interlingua.tables import POLICIES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

USUAL = "local"
"""Whom to ask when neither the user nor a file says."""

# With -v every loss is told at the end; it need not warn as well.
TOLD_LATER = {**POLICIES, "default": LossPolicy(setting="record")}

REMARKS = {
    "length": "the answer was cut off at its longest; --max-tokens N allows more",
    "content_filter": "the provider's content filter stopped the answer",
    "error": "the answer ended in an error",
}
"""What to say of an answer that ended for another reason than that it was finished."""


def _providers(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    names = registry.names(registry.PROVIDERS)
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


@click.command()
@click.argument("prompt", nargs=-1)
@click.option(
    "-m",
    "--model",
    envvar=MODEL,
    show_default=f"the default of {NAME}, else {USUAL}",
    show_envvar=True,
    metavar="PROVIDER:MODEL",
    shell_complete=_providers,
    help=f"Whom to ask; a provider alone is its default model, and a name one of {NAME}.",
)
@click.option(
    "--fallback",
    multiple=True,
    metavar="PROVIDER:MODEL",
    shell_complete=_providers,
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
    verbose: bool,
) -> None:
    """Put PROMPT to a model and print its answer as it comes.

    Standard input is sent after the prompt when it is no terminal, or when PROMPT ends with `-`.
    """
    settings = settings_of(options)
    file = find()
    model = model or file.default() or USUAL
    entry = _check(file, model, *fallback)
    messages = [Message.user(said(prompt, files))]
    if system:
        messages.insert(0, Message.system(system))
    policy = _policy(on_loss, entry, verbose=verbose)
    sampling = {"max_tokens": max_tokens, "temperature": temperature}
    with _client(model, settings, timeout=timeout, on_loss=policy, fallback=fallback) as client:
        response = _answer(client, messages, sampling, as_json=as_json, whole=whole)
    if verbose:
        for line in _report(response):
            click.echo(line, err=True)
    _conclude(response)


def _check(file: File, model: str, *fallback: str) -> Entry:
    """What the file says of the model. Raises `Misuse` for one that nobody has."""
    source = click.get_current_context().get_parameter_source("model")
    entries: list[Entry] = []
    for spec in (model, *fallback):
        try:
            entries.append(file.choose(spec))
        except ConfigError as error:
            is_default = spec is model and source is ParameterSource.ENVIRONMENT
            where = f"{MODEL} in the environment: " if is_default else ""
            is_model_alone = ":" not in spec and spec not in registry.names(registry.PROVIDERS)
            hint = f"; a model is written PROVIDER:{spec or 'MODEL'}" if is_model_alone else ""
            raise Misuse(f"{where}{error}{hint}") from error
    return entries[0]


def _policy(told: str | None, entry: Entry, *, verbose: bool) -> LossPolicy | None:
    """The policy of the command line; None is the file's."""
    if told is None and entry.on_loss is not None:
        return None
    return (TOLD_LATER if verbose else POLICIES)[told or "default"]


def _client(model: str, settings: dict[str, Any], **about: Any) -> Client:
    try:
        return Client.from_config(model, **about, **settings)
    except (TypeError, ValueError, AttributeError) as error:
        if not settings:
            raise
        raise Misuse(f"{model} cannot use the options given with -o: {error}") from error


def _answer(
    client: Client, messages: list[Message], sampling: dict[str, Any], *, as_json: bool, whole: bool
) -> Response:
    with Page(sys.stdout) as page:
        if as_json or whole:
            response = client.generate(messages, **sampling)
            page.write(response.to_json() if as_json else response.text)
            return response
        with client.stream(messages, **sampling) as stream:
            for event in stream:
                if isinstance(event, TextDelta):
                    page.write(event.text)
        return stream.response


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
    for attempt in response.attempts:
        yield f"failed before: {attempt.model}: {attempt.error}: {attempt.message}"
    for loss in response.losses:
        yield f"lost: {loss}"
    if not response.losses:
        yield "lost: nothing"


def _conclude(response: Response) -> None:
    """Say what is wrong with an answer; leave with status 1 when it is none."""
    refusals = [part.text for part in response.message.content if isinstance(part, Refusal)]
    remark = REMARKS.get(response.finish_reason)
    if refusals or response.finish_reason == "refusal":
        remark = f"the model refused: {' '.join(refusals) or 'it gave no reason'}"
    elif not response.text and remark is None:
        remark = f"the answer holds no text (finish reason: {response.finish_reason})"
    if remark:
        tell(remark)
    if not response.text or response.finish_reason in ("content_filter", "refusal", "error"):
        raise click.exceptions.Exit(FAILED)
