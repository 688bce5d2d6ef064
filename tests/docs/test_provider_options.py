"""What the providers' pages say of options: keys, headers, HTTP clients, proxies, clouds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from interlingua import AsyncClient, Client, ConfigError
from interlingua.provider import Settings
from interlingua.registry import provider
from loopback import Asked, Vendor, says, vendor

KEY = "canary-key-0123456789"
NOWHERE = "http://vendor.test"
VENDORS = ["openai", "anthropic", "google"]
every_vendor = pytest.mark.parametrize("name", VENDORS)


def asked(make: Callable[[Vendor], Client]) -> Asked:
    """The request that a list of models is."""
    with vendor(last=says({"data": [], "models": []})) as server, make(server) as client:
        client.list_models()
    return server.asked[0]


def asked_async(make: Callable[[Vendor], AsyncClient]) -> Asked:
    """The same, asynchronous."""

    async def run(server: Vendor) -> None:
        async with make(server) as client:
            await client.list_models()

    with vendor(last=says({"data": [], "models": []})) as server:
        asyncio.run(run(server))
    return server.asked[0]


def through(name: str, kind: type[httpx2.Client | httpx2.AsyncClient], server: Vendor) -> Any:
    """The option that sends a provider's calls through a proxy."""
    if name == "google":
        option = "client_args" if kind is httpx2.Client else "async_client_args"
        return {option: {"proxy": server.url}}
    return {"http_client": kind(proxy=server.url)}


def test_openai_takes_an_organization_and_a_project() -> None:
    request = asked(
        lambda server: Client(
            "openai:m", api_key=KEY, base_url=server.url, organization="org-1", project="proj-1"
        )
    )

    assert request.headers["openai-organization"] == "org-1"
    assert request.headers["openai-project"] == "proj-1"


def test_azures_own_v1_address_is_spoken_to_with_its_key() -> None:
    request = asked(
        lambda server: Client("openai:deployment", api_key=KEY, base_url=f"{server.url}/openai/v1/")
    )

    assert request.path == "/openai/v1/models"
    assert request.headers["authorization"] == f"Bearer {KEY}"


def test_azures_older_addresses_are_not_spoken_to() -> None:
    with pytest.raises(ConfigError, match="does not take this setting"):
        Client("openai:m", api_key=KEY, azure_endpoint="https://example.test", api_version="1")


def test_anthropic_takes_a_token_and_headers() -> None:
    request = asked(
        lambda server: Client(
            "anthropic:m", auth_token=KEY, base_url=server.url, headers={"anthropic-beta": "one"}
        )
    )

    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["anthropic-beta"] == "one"


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_headers_stand_beside_those_of_the_vendors_own_option(name: str) -> None:
    request = asked(
        lambda server: Client(
            f"{name}:m",
            api_key=KEY,
            base_url=server.url,
            headers={"x-one": "1", "x-both": "ours"},
            default_headers={"x-two": "2", "x-both": "theirs"},
        )
    )

    sent = [request.headers[header] for header in ("x-one", "x-two", "x-both")]
    assert sent == ["1", "2", "ours"]


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_retries_of_the_vendors_own_client_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="max_retries"):
        provider(name).connect(Settings(KEY, options={"max_retries": 3}))


def test_google_takes_a_version_of_its_api() -> None:
    request = asked(
        lambda server: Client("google:m", api_key=KEY, base_url=server.url, api_version="v1alpha")
    )

    assert request.path == "/v1alpha/models?pageSize=1000"


def test_vertex_takes_a_key_without_a_project() -> None:
    request = asked(
        lambda server: Client(
            "google:m", api_key=KEY, base_url=server.url, vertexai=True, api_version="v1"
        )
    )

    assert request.path == "/v1/publishers/google/models?pageSize=1000"
    assert request.headers["x-goog-api-key"] == KEY


@every_vendor
def test_a_proxy_is_an_option(name: str) -> None:
    request = asked(
        lambda server: Client(
            f"{name}:m", api_key=KEY, base_url=NOWHERE, **through(name, httpx2.Client, server)
        )
    )

    assert request.path.startswith(NOWHERE)


@every_vendor
def test_a_proxy_is_an_option_of_an_async_client(name: str) -> None:
    request = asked_async(
        lambda server: AsyncClient(
            f"{name}:m", api_key=KEY, base_url=NOWHERE, **through(name, httpx2.AsyncClient, server)
        )
    )

    assert request.path.startswith(NOWHERE)


@every_vendor
def test_the_environments_proxy_is_used(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def make(server: Vendor) -> Client:
        monkeypatch.setenv("http_proxy", server.url)
        return Client(f"{name}:m", api_key=KEY, base_url=NOWHERE)

    assert asked(make).path.startswith(NOWHERE)
