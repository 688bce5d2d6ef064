"""A conversation line by line, and what its commands do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from interlingua.cli.answer import failed, follow, remark
from interlingua.cli.faults import tell, told
from interlingua.cli.history import History
from interlingua.cli.page import REPLACED, page
from interlingua.client import Client
from interlingua.config import File
from interlingua.errors import InterlinguaError
from interlingua.loss import Loss, LossPolicy
from interlingua.message import Message
from interlingua.request import Request
from interlingua.storage import save_conversation

HELP = """\
/model NAME   go on with another model; what that would lose is shown first
/sessions     list the stored conversations
/session ID   go on with one of them, or store this one from now on
/save FILE    save the conversation in a file
/quit         end, as Ctrl-D does"""

SHOWN = LossPolicy(content="record")
"""What a model is not told of the conversation was shown before it was asked."""


def line(prompt: str) -> str | None:
    """The next line; None at the end. All are read the same way, so that none is read ahead."""
    is_asked = sys.stdin.isatty()
    if is_asked and not sys.stdout.isatty():
        click.echo(prompt, nl=False, err=True)
    try:
        return input(prompt if is_asked and sys.stdout.isatty() else "")
    except EOFError:
        return None


class Talk:
    """A conversation, and the model it goes on with. Raises `ConfigError`."""

    def __init__(self, file: File, spec: str, history: History, *, plain: bool) -> None:
        self._file, self._history, self._plain = file, history, plain
        self._spec, self._client = spec, self._made(spec)
        self.goes_on, self.has_failed = True, False
        self._show_losses(spec)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def take(self, said: str) -> None:
        """Do what a line says. An error is told, and the conversation is as it was."""
        try:
            if said.startswith("/"):
                self._obey(*said[1:].split(maxsplit=1))
            elif said:
                self._ask(said)
        except KeyboardInterrupt:
            tell("stopped; the conversation is as it was")
        except (InterlinguaError, OSError) as error:
            self.has_failed = True
            tell(told(error))

    def _obey(self, name: str = "", argument: str = "") -> None:
        with_argument: dict[str, Callable[[str], None]] = {
            "model": self._switch,
            "session": self._open,
            "save": self._save,
        }
        alone: dict[str, Callable[[], None]] = {"sessions": self._list, "quit": self._quit}
        if argument and name in with_argument:
            with_argument[name](argument)
        elif not argument and name in alone:
            alone[name]()
        else:
            click.echo(HELP, err=True)

    def _ask(self, said: str) -> None:
        question = Message.user(said)
        asked = (*self._history.messages, question)
        policy = None if self._file.choose(self._spec).on_loss else SHOWN
        with page(plain=self._plain) as shown, self._client.stream(asked, on_loss=policy) as stream:
            response = follow(stream, shown)
        if words := remark(response):
            tell(words)
        self.has_failed |= failed(response)
        if response.finish_reason == "error":
            tell("the question is forgotten")
        else:
            self._history.add(question, response.message)

    def _switch(self, spec: str) -> None:
        if self._show_losses(spec) and not self._confirmed(f"Go on with {spec}?"):
            return
        before, self._client = self._client, self._made(spec)
        before.close()
        self._spec = spec
        click.echo(f"going on with {spec}", err=True)

    def _show_losses(self, spec: str) -> list[Loss]:
        """What the model would not be told of what has been said."""
        entry = self._file.choose(spec)
        request = Request(entry.model, self._history.messages)
        encoded = entry.provider.encode(request, LossPolicy.allow, entry.fact)
        losses = [loss for loss in encoded.losses if loss.path.startswith("messages")]
        for loss in losses:
            click.echo(f"lost: {loss}", err=True)
        return losses

    def _open(self, session: str) -> None:
        is_known = session in [held.id for held in self._history.sessions.list()]
        if is_known and self._history.is_unstored:
            tell("what has been said is stored nowhere; /save FILE keeps it")
            if not self._confirmed(f"Leave it for {session}?"):
                return
        self._history.open(session)
        self._show_losses(self._spec)
        about = f"{len(self._history.messages)} messages" if is_known else "a new session"
        click.echo(f"going on with {session} ({about})", err=True)

    def _list(self) -> None:
        for held in self._history.sessions.list():
            mark = "*" if held.id == self._history.session else " "
            when = f"{held.updated_at.astimezone():%Y-%m-%d %H:%M}"
            shown = held.id.translate(REPLACED)
            click.echo(f"{mark} {shown}: {held.messages} messages, last on {when}", err=True)

    def _save(self, name: str) -> None:
        save_conversation(Path(name).expanduser(), self._history.messages)
        click.echo(f"saved in {name}", err=True)

    def _quit(self) -> None:
        self.goes_on = False

    def _confirmed(self, question: str) -> bool:
        return (line(f"{question} [y/N] ") or "").strip().lower() == "y"

    def _made(self, spec: str) -> Client:
        self._file.choose(spec)
        return Client.from_config(spec)
