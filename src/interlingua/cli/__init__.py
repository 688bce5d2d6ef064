"""The command `interlingua`. Importing this needs no extra; running it says which is missing."""

from __future__ import annotations

import sys

EXTRA = ("click", "rich", "markdown_it", "platformdirs")


def main() -> None:
    """Run the command, and exit with its status."""
    try:
        from interlingua.cli.command import run
    except ImportError as error:
        if (words := missing(error)) is None:
            raise
        sys.exit(f"interlingua: {words}")
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(run())


def missing(error: ImportError) -> str | None:
    """What to install when it is a package of the extra that cannot be imported."""
    name = (error.name or "").partition(".")[0]
    if name not in EXTRA:
        return None
    return f"the command needs {name}, which is not installed: pip install 'interlingua[cli]'"
