"""The port between clients and vendors."""

from __future__ import annotations

import pytest

from interlingua import ConfigError, Request, codec
from interlingua.provider import Answer, Call, Settings, needs
from interlingua.registry import PROVIDERS, names, provider

URL = "https://canary:canary-password@example.org/v1?key=canary"


@pytest.mark.parametrize("name", names(PROVIDERS))
def test_a_provider_says_its_name_and_speaks_an_installed_api(name: str) -> None:
    found = provider(name)

    assert found.name == name
    assert found.codec is codec(found.codec.api)


def test_settings_show_no_secrets() -> None:
    settings = Settings("canary-key", URL, {"authorization": "canary-header"}, 5.0, {"x": "canary"})

    assert repr(settings) == (
        "Settings(base_url='https://example.org/v1?key=[redacted]', timeout=5.0)"
    )


def test_settings_know_what_is_secret_in_them() -> None:
    headers = {"authorization": "Bearer canary-header", "x-title": "My application"}

    assert Settings("canary-key", URL, headers).secrets == (
        "canary-key",
        "canary-password",
        "Y2FuYXJ5OmNhbmFyeS1wYXNzd29yZA==",
        "canary-header",
    )
    assert Settings("short", "https://example.org").secrets == ()
    assert Settings().address is None


def test_a_call_shows_no_secrets() -> None:
    found = provider("openai-chat")
    encoded = found.codec.encode(Request("m", ["Hi"]))

    assert repr(Call(found, "m", encoded, {"x-token": "canary"})) == "Call('openai-chat', 'm')"


def test_an_answer_is_bytes_and_headers() -> None:
    assert Answer(b"{}").headers == {}


def test_a_missing_package_is_named_with_the_extra_that_brings_it() -> None:
    with (
        pytest.raises(
            ConfigError,
            match=r"no_such_sdk cannot be imported \(.*\); install it: pip install 'interlingua\[such\]'",
        ),
        needs("no_such_sdk", "such"),
    ):
        __import__("no_such_sdk")
