"""What goes wrong, in one line on standard error and an exit status."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress

import click

from interlingua.cli import missing
from interlingua.errors import (
    AuthenticationError,
    ConfigError,
    ConnectionError,
    DecodeError,
    InterlinguaError,
    LossError,
    NotFoundError,
    ProviderError,
    QuotaError,
    StorageError,
    TimeoutError,
)

TRACEBACK = "INTERLINGUA_TRACEBACK"
"""Set in the environment, it shows where an error was raised."""

FAILED = 1
MISUSED = 2
# What a shell gives for a process that such a signal ended.
INTERRUPTED = 128 + signal.SIGINT
NOBODY_READS = 141

HINTS: dict[type[ProviderError], str] = {
    AuthenticationError: "is the key in the environment the right one?",
    NotFoundError: "are the model's name and the address right?",
    QuotaError: "trying again does not help before the account is topped up",
    ConnectionError: "is there a network, and is the address right?",
    TimeoutError: "a longer timeout, an option of ask and a key of interlingua.toml, may help",
}


class Misuse(click.ClickException):
    """A command that says how it should have been; its words need no hint at `--help`."""

    exit_code = MISUSED


@contextmanager
def caught() -> Generator[None]:
    """Say what fails inside, and leave with the status that stands for it."""
    try:
        yield
    except (click.ClickException, click.exceptions.Exit):
        raise
    except (KeyboardInterrupt, click.Abort):
        raise click.exceptions.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _let_go()
        raise click.exceptions.Exit(NOBODY_READS) from None
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        _let_go()
        tell(told(error))
        raise click.exceptions.Exit(_status(error)) from None


@contextmanager
def naming(file: str) -> Generator[None]:
    """Say which file it is that does not hold what it should."""
    try:
        yield
    except (DecodeError, StorageError) as error:
        raise click.ClickException(f"{file}: {error}") from error


def _status(error: Exception) -> int:
    """What the user wrote wrong is a misuse, in a file as on the command line."""
    is_misuse = isinstance(error, ConfigError) and error.option is not None
    return MISUSED if is_misuse else FAILED


def tell(line: str) -> None:
    """One line on standard error."""
    with suppress(OSError):
        click.echo(f"interlingua: {' '.join(line.split())}", err=True)


def told(error: Exception) -> str:
    """An error in words for whoever runs the command."""
    match error:
        case LossError(api=api, losses=losses):
            lost = "; ".join(map(str, losses))
            return f"{api} cannot carry all of this: {lost}; --on-loss allow sends it without"
        case ProviderError():
            return _from_provider(error)
        case InterlinguaError():
            return str(error)
        case ImportError() if words := missing(error):
            return words
        case OSError(strerror=str(reason), filename=name):
            return f"{name}: {reason}" if name else reason
        case _:
            return (
                f"unexpected {type(error).__name__}: {error}; "
                f"this is a bug, and {TRACEBACK}=1 in the environment shows where"
            )


def _from_provider(error: ProviderError) -> str:
    about = [f"status {error.status}"] if error.status else []
    if error.request_id:
        about.append(f"request {error.request_id}")
    if len(error.attempts) > 1:
        about.append(f"{len(error.attempts)} attempts")
    words = f"{error.provider or 'the provider'}: {str(error).rstrip('.')}"
    if about:
        words += f" ({', '.join(about)})"
    hint = next((text for kind, text in HINTS.items() if isinstance(error, kind)), None)
    return f"{words}; {hint}" if hint else words


def _let_go() -> None:
    """Forget what could not be written: else Python tries again, and complains, when it exits."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
