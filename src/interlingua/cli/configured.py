"""The configuration that a command goes by, and the names that it knows."""

from __future__ import annotations

import click
from click.core import ParameterSource

from interlingua import registry
from interlingua.cli.faults import Misuse
from interlingua.config import MODEL, NAME, Entry, File, find
from interlingua.errors import ConfigError

USUAL = "local"
"""Whom to ask when neither the user nor a file says."""

DEFAULT = f"the default of {NAME}, else {USUAL}"


def configured() -> File:
    """The file that counts here. Raises `Misuse`, with all that is wrong with it."""
    try:
        return find()
    except ConfigError as error:
        raise Misuse(str(error)) from error


def chosen(file: File, spec: str) -> Entry:
    """Whom a name stands for. Raises `Misuse` for one that nobody has."""
    try:
        return file.choose(spec)
    except ConfigError as error:
        known = registry.names(registry.PROVIDERS)
        is_model_alone = file.path is None and ":" not in spec and spec not in known
        hint = f"; a model is written PROVIDER:{spec or 'MODEL'}" if is_model_alone else ""
        raise Misuse(f"{_environment(spec)}{error}{hint}") from error


def _environment(spec: str) -> str:
    """Where a model stands that the command line does not name."""
    context = click.get_current_context()
    is_set = context.get_parameter_source("model") is ParameterSource.ENVIRONMENT
    return f"{MODEL} in the environment: " if is_set and context.params["model"] == spec else ""


def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """For the shell: who may be asked, of the file and of what is installed."""
    try:
        file = find()
    except ConfigError:
        file = File()
    known = [*file.models, *file.providers, *registry.names(registry.PROVIDERS)]
    return [name for name in dict.fromkeys(known) if name.startswith(incomplete)]
