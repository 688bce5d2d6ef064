"""`interlingua models`: what a provider offers."""

from __future__ import annotations

import click
import msgspec

from interlingua.cli.configured import USUAL, chosen, complete, configured
from interlingua.cli.rows import show
from interlingua.client import Client

HEADS = ("model", "name", "longest prompt", "longest answer")


@click.command()
@click.argument("provider", required=False, shell_complete=complete)
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def models(provider: str | None, as_json: bool) -> None:
    """List the models of PROVIDER, which is the default model's when none is named."""
    file = configured()
    spec = provider or file.default() or USUAL
    # A client has a model; the list does not depend on it.
    asked = spec if spec in file.models or ":" in spec else f"{spec}:any"
    chosen(file, asked)
    with Client.from_config(asked) as client:
        found = client.list_models()
    if as_json:
        click.echo(msgspec.json.encode(found))
    else:
        show(
            HEADS,
            (
                (one.id, one.name or "", _count(one.input_tokens), _count(one.output_tokens))
                for one in found
            ),
        )


def _count(tokens: int | None) -> str:
    return "" if tokens is None else str(tokens)
