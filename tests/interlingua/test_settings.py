"""What a client is made with, and what it says when that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from anthropic.lib.credentials import AccessToken

from interlingua import AsyncClient, Client, ConfigError
from loopback import says, vendor

KEY = "canary-key-0123456789"
SPECS = ["openai:m", "openai-chat:m", "anthropic:m", "google:m", "local"]
both = pytest.mark.parametrize("kind", [Client, AsyncClient])

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS")


@pytest.fixture
def keyless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No key of Anthropic's in sight."""
    for name in (*KEYS, "ANTHROPIC_PROFILE", "ANTHROPIC_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path))


@both
@pytest.mark.parametrize("spec", SPECS)
def test_an_address_without_a_protocol_is_refused(kind: Callable[..., Any], spec: str) -> None:
    with pytest.raises(ConfigError, match="'localhost:8080/v1' has no protocol; write it whole"):
        kind(spec, api_key=KEY, base_url="localhost:8080/v1")


def test_a_refused_address_shows_no_password() -> None:
    with pytest.raises(ConfigError) as caught:
        Client("openai:m", api_key=KEY, base_url="me:canary-password@localhost:8080")

    assert "canary" not in str(caught.value)


def test_one_fallback_may_be_a_string() -> None:
    alone = Client("openai:a", api_key=KEY, fallback="openai:b")
    listed = Client("openai:a", api_key=KEY, fallback=["openai:b"])

    assert repr(alone) == repr(listed)


@both
@pytest.mark.usefixtures("keyless")
def test_anthropic_without_a_key_is_refused_at_once(kind: Callable[..., Any]) -> None:
    with pytest.raises(ConfigError, match="ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN"):
        kind("anthropic:m")


def lent(*, force_refresh: bool = False) -> AccessToken:
    return AccessToken(KEY)


@pytest.mark.usefixtures("keyless")
@pytest.mark.parametrize(
    "given",
    [
        {"api_key": KEY},
        {"auth_token": KEY},
        {"headers": {"Authorization": f"Bearer {KEY}"}},
        {"credentials": lent},
    ],
    ids=["key", "token", "header", "provider"],
)
def test_anthropic_takes_any_of_its_credentials(given: dict[str, Any]) -> None:
    Client("anthropic:m", **given).close()


@both
@pytest.mark.parametrize("name", ["threads", "port"])
def test_a_word_is_no_number_for_the_local_model(kind: Callable[..., Any], name: str) -> None:
    with pytest.raises(ConfigError, match=f"{name}='two' is no whole number"):
        kind("local", **{name: "two"})


def test_a_number_is_no_path_of_a_local_model() -> None:
    with pytest.raises(ConfigError, match="model_path=7 is no path"):
        Client("local", model_path=7)


def test_an_address_in_capitals_is_one() -> None:
    with (
        vendor(says({"data": []})) as server,
        Client("openai:m", api_key=KEY, base_url=f"HTTP{server.url[4:]}/v1") as client,
    ):
        assert client.list_models() == ()
