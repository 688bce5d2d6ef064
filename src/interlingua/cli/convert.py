"""`interlingua convert`: a request of one API as one of another."""

from __future__ import annotations

from typing import BinaryIO

import click

from interlingua import registry
from interlingua.cli.ask import TOLD_LATER
from interlingua.cli.faults import naming, tell
from interlingua.convert import convert as converted
from interlingua.tables import POLICIES


@click.command()
@click.option(
    "--from",
    "source",
    required=True,
    type=click.Choice(registry.names(registry.CODECS)),
    help="The API that the request is for.",
)
@click.option(
    "--to",
    "target",
    required=True,
    type=click.Choice(registry.names(registry.CODECS)),
    help="The API that it shall be for.",
)
@click.option("-m", "--model", metavar="MODEL", help="The model to ask there.")
@click.option(
    "--on-loss",
    type=click.Choice(list(POLICIES)),
    default="default",
    show_default=True,
    help="What to do when the other API cannot carry all of it.",
)
@click.argument("file", type=click.File("rb"), default="-")
def convert(source: str, target: str, model: str | None, on_loss: str, file: BinaryIO) -> None:
    """Print the request in FILE, or on standard input, in another API's JSON.

    What is lost is told on standard error.
    """
    with naming(file.name):
        made = converted(
            file.read(), source=source, target=target, model=model, losses=TOLD_LATER[on_loss]
        )
    click.echo(made.content)
    for loss in made.losses:
        tell(f"lost: {loss}")
