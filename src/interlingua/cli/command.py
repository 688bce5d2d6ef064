"""The command itself: its subcommands, and the status it exits with."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import click

from interlingua.cli.ask import ask
from interlingua.cli.chat import chat
from interlingua.cli.check import check
from interlingua.cli.config import config
from interlingua.cli.convert import convert
from interlingua.cli.faults import FAILED, INTERRUPTED, caught, tell
from interlingua.cli.models import models
from interlingua.cli.plan import plan
from interlingua.cli.providers import providers


class Command(click.Group):
    """A group whose subcommands fail in one line, each with its exit status."""

    def invoke(self, ctx: click.Context) -> Any:
        with caught():
            return super().invoke(ctx)


@click.group(
    cls=Command,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="interlingua", message="%(prog)s %(version)s")
@click.pass_context
def command(context: click.Context) -> None:
    """Ask language models, whoever serves them."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for _one in (ask, chat, check, config, convert, models, plan, providers):
    command.add_command(_one)


def run() -> int:
    """Run what the arguments say; the exit status."""
    # A process may be started without one.
    if not sys.stdout:
        tell("standard output is closed")
        return FAILED
    warnings.formatwarning = _line
    try:
        status = command.main(
            prog_name="interlingua",
            standalone_mode=False,
            # It would take the question mark of a prompt for a pattern of file names.
            windows_expand_args=False,
        )
    except click.ClickException as error:
        tell(_usage(error))
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    return status or 0


def _usage(error: click.ClickException) -> str:
    words = error.format_message()
    if not isinstance(error, click.UsageError):
        return words
    path = error.ctx.command_path if error.ctx else "interlingua"
    return f"{words.rstrip('.')} (see {path} --help)"


def _line(message: Warning | str, *_: object) -> str:
    return f"interlingua: {message}\n"
