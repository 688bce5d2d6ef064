"""What nobody may see: the secrets in headers, addresses, options and the environment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from interlingua.frozen import is_mapping

NAMES = ("auth", "key", "token", "secret", "cookie", "password", "credential")
"""A header or an option whose name holds one of these holds a secret."""

VARIABLES = ("KEY", "TOKEN", "SECRET", "PASSWORD")
"""How an environment variable's name ends that holds one."""

HEADERS = "_CUSTOM_HEADERS"
"""How the names of those end that hold headers, one a line."""

SHORTEST = 8
"""Characters of a secret. Shorter ones stand in too many words to be blotted out of all."""

USER = re.compile(r"(?<=://)[^/\s@]+@")
"""The user of a URL, and the password."""


def long_enough(secrets: Iterable[str]) -> tuple[str, ...]:
    """Each secret once, in order."""
    return tuple(dict.fromkeys(one for one in secrets if len(one) >= SHORTEST))


def in_options(options: Mapping[str, Any]) -> Iterator[str]:
    """Values of headers and of an SDK's options, without words such as `Bearer` before them."""
    for name, value in options.items():
        if is_mapping(value):
            yield from in_options(cast("Mapping[str, Any]", value))
        elif isinstance(value, str):
            if any(word in name.lower() for word in NAMES):
                yield value.rpartition(" ")[2]
                yield from (pair.partition("=")[2] for pair in value.split(";"))
            yield from in_address(value)


def in_address(address: str) -> Iterator[str]:
    """The password of a URL, or its user alone, and the header that both are sent as."""
    for found in USER.findall(address):
        from base64 import b64encode
        from urllib.parse import unquote

        name, _, password = found[:-1].partition(":")
        secret = password or name
        yield secret
        yield unquote(secret)
        yield b64encode(unquote(f"{name}:{password}").encode()).decode()


def in_environment(variables: Mapping[str, str]) -> Iterator[str]:
    """Values of variables with names such as `OPENAI_API_KEY`; a path is no secret."""
    for name, value in variables.items():
        upper = name.upper()
        if upper.rpartition("_")[2] in VARIABLES and not value.startswith("/"):
            yield value.strip()
        elif upper.endswith(HEADERS):
            pairs = (line.partition(":") for line in value.splitlines())
            yield from in_options({header: content.strip() for header, _, content in pairs})
        elif "://" in value:
            yield from in_address(value)
