"""A canary in every place where a secret can enter, sought in everything that comes out."""

from __future__ import annotations

import base64
import json
import logging
import pickle
import sys
import traceback
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.live.apis import APIS, CHAT, GEMINI, MESSAGES, RESPONSES, Api
from tests.live.asking import patient
from tests.servers import SSE, Link, Script, Server, chunk, serving, whole

from interlingua import AsyncClient, Client
from interlingua.errors import InterlinguaError, ProviderError
from interlingua.frozen import EMPTY

CANARY = "c4n4ry0f4ll5ecrets7"
HIDDEN = base64.b64encode(f"someone:{CANARY}".encode()).decode()


class Place(NamedTuple):
    """A place where a secret enters."""

    client: Mapping[str, Any] = EMPTY
    ask: Mapping[str, Any] = EMPTY
    environment: Mapping[str, str] = EMPTY
    user: str = ""
    """What stands before the host of the base URL."""
    proxied: bool = False
    apis: tuple[Api, ...] = APIS


KEY = {"api_key": "some-other-key"}
OPENAI = (RESPONSES, CHAT)

PLACES = {
    "api_key": Place({"api_key": CANARY}),
    "bearer": Place({**KEY, "headers": {"Authorization": f"Bearer {CANARY}"}}),
    "headers": Place({**KEY, "headers": {"X-Secret-Token": CANARY}}),
    "headers of a call": Place(KEY, {"headers": {"X-Api-Key": CANARY}}),
    "cookie": Place({**KEY, "headers": {"Cookie": f"session={CANARY}; theme=dark"}}),
    "base_url": Place(KEY, user=f"someone:{CANARY}@"),
    "user of base_url": Place(KEY, user=f"{CANARY}@"),
    "proxy": Place(KEY, proxied=True),
    "OPENAI_API_KEY": Place(environment={"OPENAI_API_KEY": CANARY}, apis=OPENAI),
    "ANTHROPIC_API_KEY": Place(environment={"ANTHROPIC_API_KEY": CANARY}, apis=(MESSAGES,)),
    "ANTHROPIC_AUTH_TOKEN": Place(environment={"ANTHROPIC_AUTH_TOKEN": CANARY}, apis=(MESSAGES,)),
    "GOOGLE_API_KEY": Place(environment={"GOOGLE_API_KEY": CANARY}, apis=(GEMINI,)),
    "GEMINI_API_KEY": Place(environment={"GEMINI_API_KEY": CANARY}, apis=(GEMINI,)),
    "OPENAI_CUSTOM_HEADERS": Place(
        KEY, environment={"OPENAI_CUSTOM_HEADERS": f"X-Proxy-Key: {CANARY}"}, apis=OPENAI
    ),
    "ANTHROPIC_CUSTOM_HEADERS": Place(
        KEY, environment={"ANTHROPIC_CUSTOM_HEADERS": f"X-Proxy-Key: {CANARY}"}, apis=(MESSAGES,)
    ),
    "option": Place({"auth_token": CANARY}, apis=(MESSAGES,)),
    "query": Place({**KEY, "default_query": {"api_key": CANARY}}, apis=(RESPONSES, CHAT, MESSAGES)),
    "webhook_secret": Place({**KEY, "webhook_secret": CANARY}, apis=OPENAI),
}

PRINTS = json.dumps(f"cmd:'{sys.executable}' -c 'print(\"{CANARY[:9]}\" + \"{CANARY[9:]}\")'")

FILED = {
    "file": 'api_key = "file:key.txt"',
    "command": f"api_key = {PRINTS}",
    "variable": 'api_key_env = "HARBOUR"',
    "header": 'api_key_env = "HARBOUR"\nheaders = { x-team = "file:key.txt" }',
}
"""Tables of a provider that say where the secret is."""

ENVIRONMENT = (
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "GOOGLE_API_KEY",
    "GEMINI_API_KEY",
)


def echo(link: Link) -> dict[str, Any]:
    """An error that tells all that it knows of the request."""
    asked = link.asked
    known = {value.rpartition(" ")[2] for value in asked.headers.values()}
    words = f"Refused: {', '.join(sorted(known))} at {asked.path}"
    error = {"message": words, "type": "authentication_error", "status": "UNAUTHENTICATED"}
    return {"error": {**error, "code": 401}, "headers": asked.headers, "said": [words]}


async def refuses(link: Link) -> None:
    await link.send(whole(json.dumps(echo(link)).encode(), 401))


async def refuses_in_words(link: Link) -> None:
    page = f"<p>{echo(link)}</p>".encode()
    await link.send(whole(page, 500, content_type="text/html"))


async def refuses_with_status_200(link: Link) -> None:
    await link.send(whole(json.dumps(echo(link)).encode()))


async def refuses_in_a_stream(link: Link) -> None:
    event = {"type": "error", **echo(link)}
    await link.send(SSE, chunk(f"event: error\ndata: {json.dumps(event)}\n\n".encode()))
    link.close()


async def says_nothing(link: Link) -> None:
    await link.left(30)


async def breaks_off(link: Link) -> None:
    link.drop()


SCRIPTS: tuple[Script, ...] = (
    refuses,
    refuses_in_words,
    refuses_with_status_200,
    refuses_in_a_stream,
    says_nothing,
    breaks_off,
)

CASES = [(name, api) for name, place in PLACES.items() for api in place.apis]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.__name__)
@pytest.mark.parametrize(("name", "api"), CASES, ids=[f"{n}-{a.spec}" for n, a in CASES])
def test_no_secret_comes_out(
    name: str,
    api: Api,
    script: Script,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, "interlingua")
    with serving(script) as server, warnings.catch_warnings(record=True) as warned:
        given, ask = prepared(PLACES[name], api, server, monkeypatch)
        shown = outcomes(api.spec, given, ask)

    told = "\n".join([*shown, caplog.text, *map(str, warned)])
    assert len(shown) == 4
    assert "Error" in shown[1]
    assert CANARY not in told
    assert HIDDEN not in told


@pytest.mark.parametrize("script", SCRIPTS[:4], ids=lambda script: script.__name__)
@pytest.mark.parametrize("api", APIS, ids=lambda api: api.spec)
@pytest.mark.parametrize("table", FILED.values(), ids=FILED)
def test_no_secret_that_a_file_names_comes_out(
    table: str, api: Api, script: Script, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "key.txt").write_text(CANARY, "utf-8")
    monkeypatch.setenv("HARBOUR", CANARY)
    monkeypatch.setenv("INTERLINGUA_CONFIG", str(tmp_path / "interlingua.toml"))
    with serving(script) as server:
        given, ask = prepared(Place(), api, server, monkeypatch)
        like = f'[providers.harbour]\nlike = "{api.spec.partition(":")[0]}"\n'
        (tmp_path / "interlingua.toml").write_text(like + table, "utf-8")
        shown = outcomes("harbour:m", given, ask)
        sent = [str(asked.headers) for asked in server.asked]

    assert len(sent) == 4
    assert all(CANARY in headers for headers in sent)
    assert "Error" in shown[1]
    assert CANARY not in "\n".join(shown)


def test_no_secret_of_a_fallback_in_a_file_comes_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "key.txt").write_text(CANARY, "utf-8")
    monkeypatch.setenv("INTERLINGUA_CONFIG", str(tmp_path / "interlingua.toml"))
    with serving(refuses_in_words) as first, serving(refuses) as second:
        (tmp_path / "interlingua.toml").write_text(
            f"""\
[providers.first]
api = "openai-chat"
base_url = "{first.url}"

[providers.second]
api = "openai-chat"
base_url = "{second.url}"
api_key = "file:key.txt"
""",
            "utf-8",
        )
        shown = outcomes("first:m", {"fallback": "second:m", "max_retries": 0}, {})

    assert len(second.asked) == 4
    assert CANARY not in "\n".join(shown)


@pytest.mark.parametrize("api", APIS, ids=lambda api: api.spec)
def test_no_secret_is_in_an_error_of_a_wrong_setting(api: Api) -> None:
    with pytest.raises(InterlinguaError) as caught:
        Client(api.spec, api_key=CANARY, no_such_option=CANARY)

    assert CANARY not in "".join(traceback.format_exception(caught.value))


def prepared(
    place: Place, api: Api, server: Server, monkeypatch: pytest.MonkeyPatch
) -> tuple[dict[str, Any], dict[str, Any]]:
    for variable in ENVIRONMENT:
        monkeypatch.delenv(variable, raising=False)
    for variable, value in place.environment.items():
        monkeypatch.setenv(variable, value)
    address = server.url.removeprefix("http://")
    if place.proxied:
        monkeypatch.setenv("HTTP_PROXY", f"http://someone:{CANARY}@{address}")
        address = "vendor.invalid"
    given = {
        "base_url": f"http://{place.user}{address}{api.root}",
        "timeout": 0.1,
        "max_retries": 0,
        **place.client,
    }
    return given, {"max_tokens": 9, **place.ask}


def outcomes(spec: str, given: dict[str, Any], ask: dict[str, Any]) -> list[str]:
    """All that clients, calls and streams show of themselves."""
    return [*sync_outcomes(spec, given, ask), *patient(async_outcomes(spec, given, ask))]


def sync_outcomes(spec: str, given: dict[str, Any], ask: dict[str, Any]) -> list[str]:
    with Client(spec, **given) as client:
        shown = [everything(client)]
        try:
            client.generate("Hi", **ask)
        except ProviderError as error:
            shown.append(everything(error))
        stream = client.stream("Hi", **ask)
        try:
            with stream:
                list(stream)
        except ProviderError as error:
            shown[-1] += everything(error) + repr(stream)
    return shown


async def async_outcomes(spec: str, given: dict[str, Any], ask: dict[str, Any]) -> list[str]:
    async with AsyncClient(spec, **given) as client:
        shown = [everything(client)]
        try:
            await client.generate("Hi", **ask)
        except ProviderError as error:
            shown.append(everything(error))
        stream = client.stream("Hi", **ask)
        try:
            async with stream:
                async for _ in stream:
                    pass
        except ProviderError as error:
            shown[-1] += everything(error) + repr(stream)
    return shown


def everything(value: object) -> str:
    """Whatever a program might print, log or store of a value."""
    shown = [repr(value), str(value), pickle.dumps(value).decode("latin-1")]
    if isinstance(value, BaseException):
        shown += [repr(vars(value)), *traceback.format_exception(value)]
    return "\n".join(shown)
