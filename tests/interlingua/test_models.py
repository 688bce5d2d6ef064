"""Lists of models and counts of tokens, over real connections to a vendor on loopback."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from interlingua import (
    AsyncClient,
    AuthenticationError,
    Client,
    ConfigError,
    FrozenDict,
    LossError,
    MalformedResponseError,
    Message,
    MessageError,
    Model,
    NotFoundError,
    ServerError,
    Video,
)
from interlingua import errors as ours
from interlingua.models import instant
from interlingua.provider import Query
from interlingua.registry import provider
from loopback import Act, Answer, Vendor, says, vendor

KEY = "canary-key-0123456789"
FILM = Video("https://example.org/a.mp4", media_type="video/mp4")
BUSY = says({"error": {"message": "Busy."}}, 503, retry_after_ms="1")
COUNTED = says({"input_tokens": 7, "object": "response.input_tokens"})

Asker = Callable[..., Any]


def ask(server: Vendor, method: str, *given: object, **about: Any) -> Any:
    about = {"max_retries": 0, **about}
    with Client("openai:gpt-6", api_key=KEY, base_url=f"{server.url}/v1", **about) as client:
        return getattr(client, method)(*given)


def ask_async(server: Vendor, method: str, *given: object, **about: Any) -> Any:
    about = {"max_retries": 0, **about}

    async def run() -> Any:
        async with AsyncClient(
            "openai:gpt-6", api_key=KEY, base_url=f"{server.url}/v1", **about
        ) as client:
            return await getattr(client, method)(*given)

    return asyncio.run(run())


both = pytest.mark.parametrize("asker", [ask, ask_async])
everything = pytest.mark.parametrize(
    "given", [("count_tokens", "Hi"), ("list_models",)], ids=lambda given: given[0]
)


# -- the value


def test_a_model_is_a_value() -> None:
    model = Model("gpt-6", created_at=datetime(2026, 1, 1, tzinfo=UTC), raw=FrozenDict({"a": [1]}))

    assert pickle.loads(pickle.dumps(model)) == model
    assert Model.from_json(model.to_json()) == model
    assert len({model, model.replace()}) == 1
    assert str(model) == "gpt-6"


def test_a_model_has_an_id() -> None:
    with pytest.raises(MessageError, match="id"):
        Model("")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (1790000000, datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)),
        ("2026-09-21T14:13:20Z", datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)),
        (0, None),
        (1e300, None),
        (float("nan"), None),
        ("yesterday", None),
        (None, None),
        ([], None),
    ],
)
def test_a_vendors_time_is_read_or_unknown(given: object, expected: datetime | None) -> None:
    assert instant(given) == expected


# -- counting


@both
def test_a_prompt_is_counted(asker: Asker) -> None:
    with vendor(COUNTED) as server:
        assert asker(server, "count_tokens", "Hi") == 7

    assert [(asked.method, asked.path) for asked in server.asked] == [
        ("POST", "/v1/responses/input_tokens")
    ]


def test_lost_content_raises_before_anything_is_counted() -> None:
    with vendor() as server, pytest.raises(LossError):
        ask(server, "count_tokens", Message.user(["See", FILM]))

    assert server.asked == []


def test_a_misspelt_setting_is_refused_by_name() -> None:
    with Client("openai:gpt-6", api_key=KEY) as client, pytest.raises(ConfigError, match="tols"):
        client.count_tokens("Hi", tols=[])


@both
def test_an_answer_without_a_count_is_malformed(asker: Asker) -> None:
    with (
        vendor(says({"tokens": 7}, x_request_id="req_1")) as server,
        pytest.raises(MalformedResponseError, match="an answer without a count") as caught,
    ):
        asker(server, "count_tokens", "Hi")

    assert (caught.value.provider, caught.value.request_id) == ("openai", "req_1")


def test_no_fallback_counts_in_the_place_of_the_model() -> None:
    with vendor(last=BUSY) as server, pytest.raises(ours.OverloadedError):
        ask(server, "count_tokens", "Hi", fallback="openai:gpt-5")

    assert [asked.body["model"] for asked in server.asked] == ["gpt-6"]


# -- models


@both
def test_models_are_listed_in_the_vendors_order(asker: Asker) -> None:
    given = {"data": [{"id": "b", "created": 1790000000}, {"id": "a"}]}

    with vendor(says(given)) as server:
        listed = asker(server, "list_models")

    assert listed == (
        Model("b", created_at=instant(1790000000), raw=FrozenDict(given["data"][0])),
        Model("a", raw=FrozenDict({"id": "a"})),
    )
    assert [(asked.method, asked.path, asked.content) for asked in server.asked] == [
        ("GET", "/v1/models", b"")
    ]


@both
def test_a_model_without_an_id_is_a_malformed_answer(asker: Asker) -> None:
    with (
        vendor(says({"data": [{"name": "b"}]})) as server,
        pytest.raises(MalformedResponseError, match="id"),
    ):
        asker(server, "list_models")


def test_a_vendor_that_repeats_a_page_is_not_asked_for_ever() -> None:
    page = {"data": [{"id": "a"}], "has_more": True, "last_id": "a"}

    with (
        vendor(last=says(page)) as server,
        Client("anthropic:m", api_key=KEY, base_url=server.url) as client,
    ):
        listed = client.list_models()

    assert [model.id for model in listed] == ["a", "a"]
    assert len(server.asked) == 2


# -- both, as for an answer


@both
@everything
def test_what_may_pass_is_tried_again(asker: Asker, given: tuple[str, ...]) -> None:
    answer = COUNTED if given[0] == "count_tokens" else says({"data": []})

    with vendor(BUSY, answer) as server:
        assert asker(server, *given, max_retries=1) in (7, ())

    assert len(server.asked) == 2


@both
@everything
@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (says({"error": {"message": "No."}}, 401), AuthenticationError),
        (says({"error": {"message": "No."}}, 404), NotFoundError),
        (says({"error": {"message": "No."}}, 500), ServerError),
        (Answer((b"no JSON",)), MalformedResponseError),
        (Answer((b"{", Act.DROP)), ours.ConnectionError),
    ],
    ids=["401", "404", "500", "no JSON", "dropped"],
)
def test_a_failure_is_our_error(
    asker: Asker, given: tuple[str, ...], answer: Answer, kind: type[Exception]
) -> None:
    with vendor(answer) as server, pytest.raises(kind) as caught:
        asker(server, *given)

    assert getattr(caught.value, "provider", None) == "openai"


@both
@everything
def test_a_vendor_that_does_not_answer_times_out(asker: Asker, given: tuple[str, ...]) -> None:
    with vendor(Answer((Act.LEAVE,))) as server, pytest.raises(ours.TimeoutError):
        asker(server, *given, timeout=0.05)


def test_headers_of_the_call_are_sent() -> None:
    with (
        vendor(COUNTED, says({"data": []})) as server,
        Client("openai:m", api_key=KEY, base_url=f"{server.url}/v1") as client,
    ):
        client.count_tokens("Hi", headers={"x-one": "1"})
        client.list_models(headers={"x-one": "2"})

    assert [asked.headers["x-one"] for asked in server.asked] == ["1", "2"]


@pytest.mark.parametrize("name", ["openai-chat", "openai", "anthropic", "google", "local"])
def test_every_provider_has_a_catalog(name: str) -> None:
    assert provider(name).catalog is not None


def test_a_query_shows_no_secrets() -> None:
    found = provider("openai")
    assert found.catalog is not None
    query = Query(found, found.catalog.listing, {"x-token": "canary"})

    assert repr(query) == "Query('openai', '/models')"
