"""`interlingua chat`: a conversation in the terminal, which may change vendors on its way."""

from __future__ import annotations

import contextlib
import importlib
from pathlib import Path

import click

from interlingua.cli.configured import DEFAULT, USUAL, chosen, complete, configured
from interlingua.cli.faults import FAILED, Misuse
from interlingua.cli.history import SESSIONS, History
from interlingua.cli.talk import Talk, line
from interlingua.config import MODEL, NAME
from interlingua.storage import read_conversation


@click.command()
@click.option(
    "-m",
    "--model",
    envvar=MODEL,
    show_default=DEFAULT,
    show_envvar=True,
    metavar="PROVIDER:MODEL",
    shell_complete=complete,
    help=f"Whom to talk to; a name of {NAME} will do.",
)
@click.option("-s", "--system", metavar="TEXT", help="What the model is told before everything.")
@click.option("--session", metavar="ID", help="Go on with this stored conversation, or begin it.")
@click.option(
    "--sessions",
    "path",
    envvar=SESSIONS,
    show_envvar=True,
    show_default="a file in your own folder for data",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of stored conversations.",
)
@click.option("--plain", is_flag=True, help="Leave Markdown as it is; pipes get it so anyway.")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False))
def chat(
    model: str | None,
    system: str | None,
    session: str | None,
    path: Path | None,
    plain: bool,
    file: str | None,
) -> None:
    """Talk to a model, line by line; go on with the conversation in FILE, if there is one.

    A line that begins with a slash is a command; /help lists them.
    """
    # With it a terminal lets the user edit the line and go back to earlier ones.
    with contextlib.suppress(ImportError):
        importlib.import_module("readline")
    toml = configured()
    spec = model or toml.default() or USUAL
    chosen(toml, spec)
    history = History(path, system, read_conversation(file) if file else ())
    if session is not None:
        _open(history, session)
    with contextlib.closing(Talk(toml, spec, history, plain=plain)) as talk:
        while talk.goes_on and (said := line("> ")) is not None:
            talk.take(said.strip())
    if talk.has_failed:
        raise click.exceptions.Exit(FAILED)


def _open(history: History, session: str) -> None:
    """Go on with a session, or begin it with what is in the file."""
    if not session:
        raise Misuse("--session needs a name for the conversation, such as --session harbour")
    if history.is_unstored and history.sessions.load(session):
        raise Misuse(f"the session {session!r} is there already; FILE can only begin a new one")
    history.open(session)
