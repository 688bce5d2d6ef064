"""interlingua.toml: where it is found, whom its names stand for, and what is wrong with it."""

from __future__ import annotations

import asyncio
import json
import pickle
import sys
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import respx
from jsonschema import Draft202012Validator

import interlingua
from interlingua import AsyncClient, Client, ConfigError, LossError, Video
from interlingua.config import File, find
from interlingua.facts import Fact
from interlingua.registry import PROVIDERS, names
from interlingua.tables import schema

Json = dict[str, Any]

KEY = "canary-key-0123456789"
ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "docs" / "schema" / "config-1.json"
ANSWER = {"choices": [{"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]}

WHOLE = """\
default = "fast"
timeout = 30

[models]
quick = "fast"

[models.fast]
model = "mine:small"
max_tokens = 5
temperature = 0.5
fallback = ["careful"]
max_retries = 0
on_loss = "strict"
extras.openai-chat.min_p = 0.1

[models.careful]
model = "groq:large"
timeout = 90

[providers.mine]
api = "openai-chat"
base_url = "http://127.0.0.1:9/v1"
api_key_env = "MY_KEY"
headers = { x-team = "harbour" }
query = { api-version = "3" }

[providers.groq]
api_key = "env:MY_KEY"
"""


@pytest.fixture(autouse=True)
def nothing_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty working directory and user's folder, and an environment that says nothing."""
    work = tmp_path / "home" / "work"
    work.mkdir(parents=True)
    monkeypatch.chdir(work)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "users"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "users"))
    monkeypatch.setenv("MY_KEY", KEY)
    for name in ("INTERLINGUA_CONFIG", "INTERLINGUA_MODEL", "OPENAI_API_KEY", "GROQ_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def write(text: str = WHOLE, path: str = "interlingua.toml") -> Path:
    file = Path.cwd() / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def problem(text: str, path: str = "interlingua.toml") -> str:
    """What is said of a file, without its folder."""
    file = write(text, path)
    with pytest.raises(ConfigError) as caught:
        find()
    return str(caught.value).replace(str(file), path)


# -- where it is found


def test_without_a_file_nothing_is_configured() -> None:
    assert repr(find()) == "File()"


def test_the_file_of_the_working_directory_counts() -> None:
    assert find().path is None
    assert find(write()).path == Path.cwd() / "interlingua.toml"


def test_a_folder_above_may_hold_it(monkeypatch: pytest.MonkeyPatch) -> None:
    file = write()
    inner = Path.cwd() / "a" / "b"
    inner.mkdir(parents=True)

    monkeypatch.chdir(inner)

    assert find().path == file


def test_a_table_of_the_project_counts() -> None:
    file = write('[tool.interlingua]\ndefault = "local"\n', "pyproject.toml")

    assert find().path == file
    assert find().default() == "local"


def test_a_project_without_the_table_does_not_count() -> None:
    write("[tool.ruff]\n", "pyproject.toml")

    assert find().path is None


def test_the_environment_names_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    write()
    other = write('default = "local"', "other.toml")
    monkeypatch.setenv("INTERLINGUA_CONFIG", str(other))

    assert find().path == other


@pytest.mark.skipif(sys.platform == "darwin", reason="the user's folder hangs on no variable")
def test_the_users_own_file_comes_last(tmp_path: Path) -> None:
    users = write('default = "local"', str(tmp_path / "users" / "interlingua" / "interlingua.toml"))

    assert find().path == users
    assert find(write()).path != users


def test_a_file_that_was_named_must_be_there() -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: the configuration cannot be read"):
        find("nowhere.toml")


# -- who is asked


def test_a_named_model_is_asked_as_the_file_says(wire: respx.Router) -> None:
    write()
    route = wire.post("http://127.0.0.1:9/v1/chat/completions").mock(
        return_value=httpx.Response(200, json=ANSWER)
    )

    with Client.from_config() as client:
        response = client.generate("Hello")

    asked = route.calls.last.request
    assert response.provider == "mine"
    assert json.loads(asked.content) == {
        "model": "small",
        "messages": [{"role": "user", "content": "Hello"}],
        "max_completion_tokens": 5,
        "temperature": 0.5,
        "min_p": 0.1,
    }
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["x-team"] == "harbour"
    assert asked.url.params["api-version"] == "3"


def test_an_asynchronous_client_is_asked_the_same_way(wire: respx.Router) -> None:
    write()
    wire.post("http://127.0.0.1:9/v1/chat/completions").mock(
        return_value=httpx.Response(200, json=ANSWER)
    )

    async def ask() -> str:
        async with AsyncClient.from_config("quick") as client:
            return (await client.generate("Hello")).text

    assert asyncio.run(ask()) == "Hi"


def test_a_script_asks_in_one_line(wire: respx.Router) -> None:
    write()
    wire.post("http://127.0.0.1:9/v1/chat/completions").mock(
        return_value=httpx.Response(200, json=ANSWER)
    )

    assert interlingua.generate("Hello").text == "Hi"


def test_what_a_call_says_wins_over_the_file(wire: respx.Router) -> None:
    write()
    route = wire.post("http://127.0.0.1:9/v1/chat/completions").mock(
        return_value=httpx.Response(200, json=ANSWER)
    )

    with Client("fast") as client:
        client.generate("Hello", temperature=0, extras={"openai-chat": {"n": 1}})

    body = json.loads(route.calls.last.request.content)
    assert (body["temperature"], body["min_p"], body["n"]) == (0, 0.1, 1)


def test_a_fallback_has_its_own_settings_and_key(wire: respx.Router) -> None:
    write()
    wire.post("http://127.0.0.1:9/v1/chat/completions").mock(return_value=httpx.Response(500))
    second = wire.post("https://api.groq.com/openai/v1/chat/completions").mock(
        return_value=httpx.Response(200, json=ANSWER)
    )

    with Client("fast") as client:
        response = client.generate("Hello")

    assert [attempt.model for attempt in response.attempts] == ["fast"]
    assert json.loads(second.calls.last.request.content).keys() == {"model", "messages"}
    assert second.calls.last.request.headers["authorization"] == f"Bearer {KEY}"
    assert "x-team" not in second.calls.last.request.headers


def test_a_policy_of_the_file_holds() -> None:
    write()

    with Client("fast") as client, pytest.raises(LossError):
        client.generate(["Hello", {"role": "user", "content": [Video(url="https://x.test/v")]}])


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("fast", "Client('fast', timeout=30.0, max_retries=0, fallback=('careful',))"),
        ("quick", "Client('quick', timeout=30.0, max_retries=0, fallback=('careful',))"),
        ("careful", "Client('careful', timeout=90.0, max_retries=2)"),
        ("groq:other", "Client('groq:other', timeout=30.0, max_retries=2)"),
    ],
)
def test_a_table_wins_over_the_whole_file(name: str, shown: str) -> None:
    write()

    assert repr(Client.from_config(name)) == shown


def test_an_argument_wins_over_the_file() -> None:
    write()

    client = Client.from_config("fast", timeout=5, max_retries=4, fallback="local")

    assert repr(client) == "Client('fast', timeout=5, max_retries=4, fallback=('local',))"


def test_the_environments_model_wins_over_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    write()
    monkeypatch.setenv("INTERLINGUA_MODEL", "careful")

    assert "'careful'" in repr(Client.from_config())
    assert "'fast'" in repr(Client.from_config("fast"))


def test_a_name_that_nobody_installed_is_looked_for_in_the_file() -> None:
    write()

    assert "'quick'" in repr(Client("quick"))
    assert "'mine:other'" in repr(Client("mine:other"))


def test_a_provider_like_another_has_its_ways(wire: respx.Router) -> None:
    write('[providers.mine]\nlike = "mistral"\nbase_url = "http://127.0.0.1:9/v1"\n')
    route = wire.post("http://127.0.0.1:9/v1/chat/completions").mock(
        return_value=httpx.Response(200, json=ANSWER)
    )

    with Client("mine:m") as client:
        client.generate("Hello", seed=3)

    assert json.loads(route.calls.last.request.content)["random_seed"] == 3


def test_a_host_of_ones_own_is_not_sent_anothers_key(
    wire: respx.Router, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    write('[providers.mine]\napi = "openai-chat"\nbase_url = "http://127.0.0.1:9/v1"\n')
    route = wire.post("http://127.0.0.1:9/v1/chat/completions").mock(
        return_value=httpx.Response(200, json=ANSWER)
    )

    with Client("mine:m") as client:
        client.generate("Hello")

    assert route.calls.last.request.headers["authorization"] == "Bearer none"


def test_a_client_of_the_file_is_pickled_without_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    file = write()
    client = Client.from_config("fast", path=file)

    pickled = pickle.dumps(client)
    monkeypatch.chdir(file.parent.parent)

    assert KEY.encode() not in pickled
    assert repr(pickle.loads(pickled)) == repr(client)


def test_no_model_at_all_says_where_to_write_one() -> None:
    with pytest.raises(ConfigError, match="no model is named: pass one, set INTERLINGUA_MODEL"):
        Client.from_config()


# -- keys


def test_a_key_may_stand_in_another_file(tmp_path: Path) -> None:
    (Path.cwd() / "key.txt").write_text(f"{KEY}\n", "utf-8")
    write('[providers.groq]\napi_key = "file:key.txt"\n')

    assert Client.from_config("groq:m")


def test_a_command_may_give_a_key() -> None:
    command = f"cmd:'{sys.executable}' -c 'print(1)'"
    file = write(f"[providers.groq]\napi_key = {json.dumps(command)}\n")

    assert Client.from_config("groq:m", path=file)


def test_a_command_of_a_file_that_was_merely_found_does_not_run() -> None:
    said = problem('[providers.groq]\napi_key = "cmd:touch run"\n')

    assert said.startswith("interlingua.toml:2: providers.groq.api_key: commands run only from")


def test_a_key_that_is_not_there_is_named_with_its_line() -> None:
    file = write('[providers.groq]\n\napi_key = "env:NOWHERE"\n')

    with pytest.raises(ConfigError) as caught:
        Client.from_config("groq:m")

    assert str(caught.value) == (
        f"{file}:3: providers.groq.api_key: NOWHERE is not set in the environment"
    )


def test_what_a_failing_command_prints_is_not_repeated() -> None:
    command = f"cmd:'{sys.executable}' -c 'exit(\"{KEY}\")'"
    file = write(f"[providers.groq]\napi_key = {json.dumps(command)}\n")

    with pytest.raises(ConfigError, match="CalledProcessError") as caught:
        Client.from_config("groq:m", path=file)

    assert caught.value.__cause__ is not None
    assert caught.value.__cause__.__cause__ is None


# -- what is wrong


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('\ndefalt = "local"', "interlingua.toml:2: defalt: unknown; did you mean 'default'?"),
        (
            'default = "lokal"',
            "interlingua.toml:1: default: nobody is called 'lokal'; did you mean 'local'?",
        ),
        ("timeout = 0", "interlingua.toml:1: timeout: Expected `float` > 0.0"),
        ('on_loss = "never"', "interlingua.toml:1: on_loss: Invalid enum value 'never'"),
        (
            '[models.a]\nmodel = "local"\nmax_tokns = 3',
            "interlingua.toml:3: models.a.max_tokns: unknown; did you mean 'max_tokens'?",
        ),
        (
            '[models.a]\nmodel = "local"\nmax_tokens = "many"',
            "interlingua.toml:3: models.a.max_tokens: Expected `int | null`, got `str`",
        ),
        (
            "[models.a]\nseed = 1",
            "interlingua.toml:1: models.a: Object missing required field `model`",
        ),
        (
            '[models]\na = "gorq:x"',
            "interlingua.toml:2: models.a: nobody is called 'gorq'; did you mean 'groq'?",
        ),
        (
            '[models.a]\nmodel = "local"\nfallback = ["gorq:x"]',
            "interlingua.toml:3: models.a.fallback: nobody is called 'gorq'; did you mean 'groq'?",
        ),
        (
            '[models.a]\nmodel = "local"\nreasoning = { efort = "low" }',
            "interlingua.toml:3: models.a.reasoning: expected one of effort, budget_tokens, summary, got str 'efort'",
        ),
        (
            '[models]\na = "b"\nb = "a"',
            "interlingua.toml:2: models.a: these names stand for one another; interlingua.toml:3: models.b: these names stand for one another",
        ),
        ("models = 3", "interlingua.toml:1: models: expected tables, [models.NAME]"),
        (
            '[providers.mine]\nbase_url = "http://x.test"',
            "interlingua.toml:1: providers.mine: it is not installed, so it needs either api or like",
        ),
        (
            '[providers.mine]\napi = "openai-chat"',
            "interlingua.toml:1: providers.mine: base_url is missing",
        ),
        (
            '[providers.mine]\nbase_url = "http://x.test"\napi = "openai-caht"',
            "interlingua.toml:3: providers.mine.api: no API is called 'openai-caht'; did you mean 'openai-chat'?",
        ),
        (
            '[providers.mine]\nlike = "mistrel"',
            "interlingua.toml:2: providers.mine.like: no provider is called 'mistrel'; did you mean 'mistral'?",
        ),
        (
            '[providers.groq]\napi = "openai-chat"\nbase_url = "http://x.test"',
            "interlingua.toml:2: providers.groq.api: 'groq' is installed and speaks its own API",
        ),
        (
            '[providers.mine]\napi = "openai-chat"\nbase_url = "x.test"',
            "interlingua.toml:3: providers.mine.base_url: base_url='x.test' has no protocol; write it whole, as in 'http://localhost:8080/v1' or 'https://api.example.org/v1'",
        ),
        (
            '[models.a]\nmodel = "a"',
            f"interlingua.toml:2: models.a.model: nobody is called 'a'; there are {', '.join(names(PROVIDERS))}",
        ),
        (
            f'[providers.groq]\napi_key = "{KEY}"',
            "interlingua.toml:2: providers.groq.api_key: no key may stand here: write env:NAME, file:PATH or cmd:COMMAND",
        ),
        (
            '[providers.groq]\napi_key = "env:A"\napi_key_env = "A"',
            "interlingua.toml:3: providers.groq.api_key_env: there is an api_key as well",
        ),
        ("default = ", "interlingua.toml:1: no TOML: Invalid value (at end of document)"),
        (
            'timeout = 3\ndefault = "local\n',
            "interlingua.toml:2: no TOML: Illegal character '\\n' (at line 2, column 17)",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, said: str) -> None:
    assert problem(text) == said


@pytest.mark.parametrize(
    ("name", "option", "said"),
    [
        ("local", 'threads = "x"', ":4: providers.local.options.threads: threads='x' is no whole number"),
        ("local", "treads = 2", ":4: providers.local.options.treads: no such option of local: 'treads'"),
        ("groq", "organisation = 1", ":4: providers.groq.options.organisation: OpenAI's client does"),
        ("groq", "http_client = 1", ":4: providers.groq.options: OpenAI's client does not take"),
        ("anthropic", "proxy = 1", ":4: providers.anthropic.options.proxy: Anthropic's client does"),
        ("google", "proxy = 1", ":4: providers.google.options.proxy: Google's client does not take"),
        ("google", "api_version = 1", ":4: providers.google.options: Google's client does not take"),
    ],
)  # fmt: skip
def test_an_option_that_the_vendors_client_refuses_is_told_with_its_line(
    name: str, option: str, said: str
) -> None:
    file = write(f'[providers.{name}]\napi_key_env = "MY_KEY"\n\noptions.{option}\n')

    with pytest.raises(ConfigError) as caught:
        Client.from_config(f"{name}:m")
    with pytest.raises(ConfigError) as caught_later:
        AsyncClient.from_config(f"{name}:m")

    assert str(caught.value).startswith(f"{file}{said}")
    assert str(caught_later.value) == str(caught.value)


def test_an_option_of_a_call_is_no_mistake_of_the_file() -> None:
    write("[providers.local]\noptions.threads = 2\n")

    with pytest.raises(ConfigError) as caught:
        Client.from_config("local", threads="x")

    assert str(caught.value) == "threads='x' is no whole number"


def test_lines_of_a_project_count_from_its_top() -> None:
    said = problem('[project]\nname = "x"\n\n[tool.interlingua]\ndefalt = 1\n', "pyproject.toml")

    assert said == "pyproject.toml:5: defalt: unknown; did you mean 'default'?"


def test_everything_that_is_wrong_is_told_at_once() -> None:
    assert problem("a = 1\nb = 2").count("unknown") == 2


def test_a_name_that_is_neither_in_the_file_nor_installed_has_a_neighbour() -> None:
    file = write()

    with pytest.raises(ConfigError) as caught:
        Client("fsat")

    said = f"no provider and no model of {file} is 'fsat'; did you mean 'fast'?"
    assert str(caught.value) == said


# -- for editors


def test_the_published_schema_is_the_one_the_types_give() -> None:
    assert json.loads(SCHEMA.read_text("utf-8")) == schema(), (
        "write it anew: python -c 'import json; from interlingua.tables import schema; "
        f"print(json.dumps(schema(), indent=2))' > {SCHEMA.relative_to(ROOT)}"
    )


def test_the_schema_takes_a_whole_file() -> None:
    import tomllib

    validator: Any = Draft202012Validator(schema())

    assert list(validator.iter_errors(tomllib.loads(WHOLE))) == []
    assert len(list(validator.iter_errors({"defalt": "x"}))) == 1


def test_a_file_shows_its_path_and_no_more() -> None:
    file = write()

    assert repr(File(file, WHOLE)) == f"File({str(file)!r})"


# -- facts of models


def test_a_table_of_facts_wins_over_what_is_known_key_by_key() -> None:
    file = write(
        '[models.own]\nmodel = "openai-chat:gpt-6-astra"\n'
        'facts = { on_chat = "everything", efforts = ["low", "high"] }\n'
        '[models.new]\nmodel = "openai:unheard-of"\nfacts.refuses = ["seed"]\n'
    )
    known = find(file).choose("openai-chat:gpt-6-astra").fact
    own, new = find(file).choose("own").fact, find(file).choose("new").fact

    assert known is not None
    assert own == msgspec.structs.replace(
        known,
        on_chat="everything",
        efforts=("low", "high"),
        source="OpenAI, guide latest-model, 2026-11; the configuration",
        date="",
    )
    assert new == Fact((), "the configuration", "", refuses=("seed",))


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ('refues = ["seed"]', "refues: unknown; did you mean 'refuses'?"),
        ('refuses = ["sed"]', "refuses[0]: 'sed' is unknown; did you mean 'seed'?"),
        ('on_chat = "no tool"', "on_chat: 'no tool' is unknown; did you mean 'no tools'?"),
    ],
)
def test_a_wrong_fact_is_told_with_its_line(facts: str, said: str) -> None:
    text = f'[models.a]\nmodel = "openai:m"\n\n[models.a.facts]\n{facts}\n'

    assert problem(text) == f"interlingua.toml:5: models.a.facts.{said}"


def test_a_provider_of_ones_own_knows_nothing_of_a_vendors_models() -> None:
    file = find(write())

    assert file.choose("mine:gpt-6-astra").fact is None
    assert file.provider("mine").responses is None
