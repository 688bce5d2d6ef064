"""`interlingua plan`: what it would cost a conversation to go on at another API."""

from __future__ import annotations

from typing import BinaryIO

import click
import msgspec

from interlingua import registry
from interlingua.cli.faults import naming
from interlingua.cli.rows import show
from interlingua.convert import plan as planned
from interlingua.storage import load_conversation

HEADS = ("place", "kind", "action", "reason")


@click.command()
@click.option(
    "--to",
    "target",
    required=True,
    type=click.Choice(registry.names(registry.CODECS)),
    help="The API that it would go on at.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the losses as JSON.")
@click.argument("file", type=click.File("rb"), default="-")
def plan(target: str, as_json: bool, file: BinaryIO) -> None:
    """Tell what a stored conversation would lose at another API. Nothing is sent.

    FILE is what `save_conversation` wrote; without it, standard input is read.
    """
    with naming(file.name):
        messages = load_conversation(file.read())
    losses = planned(messages, target)
    if as_json:
        click.echo(msgspec.json.encode(losses))
    elif losses:
        show(HEADS, ((loss.path, loss.kind, loss.action, loss.reason) for loss in losses))
    else:
        click.echo(f"{target} carries all of it", err=True)
