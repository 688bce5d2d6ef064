"""`interlingua chat`: a conversation in the terminal, which may change vendors on its way."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable
from pathlib import Path

import click

from interlingua.cli.ask import USUAL
from interlingua.cli.faults import Misuse, tell, told
from interlingua.cli.page import Page
from interlingua.client import Client
from interlingua.config import MODEL, NAME, File, find
from interlingua.errors import ConfigError, InterlinguaError
from interlingua.events import TextDelta
from interlingua.loss import Loss, LossPolicy
from interlingua.message import Message
from interlingua.request import Request
from interlingua.storage import read_conversation, save_conversation

HELP = """\
/model NAME   go on with another model; what it would not be told is shown first
/save FILE    save the conversation
/quit         end, as Ctrl-D does"""


@click.command()
@click.option(
    "-m",
    "--model",
    envvar=MODEL,
    show_default=f"the default of {NAME}, else {USUAL}",
    show_envvar=True,
    metavar="PROVIDER:MODEL",
    help=f"Whom to talk to; a name of {NAME} will do.",
)
@click.option("-s", "--system", metavar="TEXT", help="What the model is told before everything.")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False))
def chat(model: str | None, system: str | None, file: str | None) -> None:
    """Talk to a model, line by line; go on with the conversation in FILE, if there is one.

    A line that begins with a slash is a command; /help lists them.
    """
    # With it a terminal lets the user edit the line and go back to earlier ones.
    with contextlib.suppress(ImportError):
        importlib.import_module("readline")
    configured = find()
    messages = list(read_conversation(file)) if file else []
    if system:
        messages.insert(0, Message.system(system))
    try:
        talk = Talk(configured, model or configured.default() or USUAL, messages)
    except ConfigError as error:
        raise Misuse(str(error)) from error
    with contextlib.closing(talk):
        while talk.goes_on and (line := _line("> ")) is not None:
            talk.take(line.strip())


def _line(prompt: str) -> str | None:
    """The next line; None at the end. All are read the same way, so that none is read ahead."""
    try:
        return input(prompt if sys.stdin.isatty() else "")
    except EOFError:
        return None


class Talk:
    """A conversation, and the model it goes on with. Raises `ConfigError`."""

    def __init__(self, file: File, spec: str, messages: list[Message]) -> None:
        self._file, self._messages = file, messages
        self._client = self._made(spec)
        self.goes_on = True

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def take(self, line: str) -> None:
        """Do what a line says. An error is told, and the conversation goes on."""
        try:
            if line.startswith("/"):
                self._obey(*line[1:].split(maxsplit=1))
            elif line:
                self._ask(line)
        except (InterlinguaError, OSError) as error:
            tell(told(error))

    def _obey(self, name: str = "", argument: str = "") -> None:
        commands: dict[str, Callable[[str], None]] = {
            "model": self._switch,
            "save": self._save,
            "quit": self._quit,
        }
        if name in commands and (argument or name == "quit"):
            commands[name](argument)
        else:
            click.echo(HELP, err=True)

    def _ask(self, line: str) -> None:
        asked = [*self._messages, Message.user(line)]
        try:
            # What is lost on the way to another vendor was shown before the switch.
            with (
                Page(sys.stdout) as page,
                self._client.stream(asked, on_loss=LossPolicy.allow) as stream,
            ):
                for event in stream:
                    if isinstance(event, TextDelta):
                        page.write(event.text)
        except KeyboardInterrupt:
            tell("stopped; the question is forgotten")
        else:
            self._messages = [*asked, stream.response.message]

    def _switch(self, spec: str) -> None:
        losses = self._plan(spec)
        for loss in losses:
            click.echo(f"lost: {loss}", err=True)
        if losses and (_line(f"Go on with {spec}? [y/N] ") or "").strip().lower() != "y":
            return
        before, self._client = self._client, self._made(spec)
        before.close()
        click.echo(f"going on with {spec}", err=True)

    def _plan(self, spec: str) -> list[Loss]:
        """What the model would not be told of what has been said."""
        entry = self._file.choose(spec)
        request = Request(entry.model, self._messages)
        wanted, losses = entry.provider.prepare(request, entry.provider.name)
        losses += entry.provider.codec.encode(wanted, LossPolicy.allow).losses
        return [loss for loss in losses if loss.path.startswith("messages")]

    def _save(self, name: str) -> None:
        save_conversation(Path(name).expanduser(), self._messages)
        click.echo(f"saved in {name}", err=True)

    def _quit(self, _: str) -> None:
        self.goes_on = False

    def _made(self, spec: str) -> Client:
        self._file.choose(spec)
        return Client.from_config(spec)
