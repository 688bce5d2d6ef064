"""Names of APIs and providers."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from interlingua import ConfigError, codec
from interlingua.registry import CODECS, PROVIDERS, names, provider


@pytest.mark.parametrize("api", names(CODECS))
def test_a_codec_goes_by_its_own_name(api: str) -> None:
    assert codec(api).api == api


@pytest.mark.parametrize("name", names(PROVIDERS))
def test_a_provider_goes_by_its_own_name(name: str) -> None:
    assert provider(name).name == name


def test_what_is_built_in_is_installed() -> None:
    assert {"openai", "openai-chat", "anthropic", "google", "local"} <= {*names(PROVIDERS)}
    assert {"openai-chat", "openai-responses", "anthropic-messages", "gemini-generate"} <= {
        *names(CODECS)
    }


def test_a_name_that_nobody_has_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"no API is called 'nope'; installed: .*openai-chat"):
        codec("nope")
    with pytest.raises(ConfigError, match=r"no provider is called 'nope'; installed: .*local"):
        provider("nope")


def installed(monkeypatch: pytest.MonkeyPatch, *values: str) -> None:
    points = EntryPoints(EntryPoint("made-up", value, CODECS) for value in values)
    monkeypatch.setattr(metadata, "entry_points", points.select)


def test_a_name_that_two_packages_claim_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "one:codec", "other:codec")

    with pytest.raises(
        ConfigError, match=r"2 packages claim the API 'made-up': one:codec, other:codec"
    ):
        codec("made-up")


@pytest.mark.parametrize("value", ["no_such_package:codec", "interlingua.codec:nothing"])
def test_what_cannot_be_loaded_is_named(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, value)

    with pytest.raises(ConfigError, match=rf"'made-up' \({value}\) cannot be loaded"):
        codec("made-up")


def test_what_is_no_codec_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "interlingua.registry:CODECS")

    with pytest.raises(ConfigError, match=r"is no Codec: 'interlingua.codecs'"):
        codec("made-up")


CODECS_ONLY = """
import sys
import interlingua
from interlingua.registry import CODECS, names
for api in names(CODECS):
    interlingua.codec(api)
print(sorted({"openai", "anthropic", "google.genai", "httpx", "httpx2", "xllamacpp"} & sys.modules.keys()))
"""


def test_codecs_load_no_sdk_and_no_http_library() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", CODECS_ONLY], capture_output=True, text=True
    )

    assert (done.stdout, done.stderr) == ("[]\n", "")
