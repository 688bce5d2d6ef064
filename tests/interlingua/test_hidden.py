"""What nobody may see is found wherever it enters."""

from __future__ import annotations

from interlingua.hidden import in_address, in_environment, in_options, long_enough

BASIC = "c29tZW9uZTpjYW5hcnktMTpA"
"""`someone:canary-1:@`, as a header says it."""


def test_headers_and_options_are_searched_to_any_depth() -> None:
    options = {
        "default_headers": {"Authorization": "Bearer canary-1", "X-Title": "My application"},
        "webhook_secret": "canary-2",
        "timeout": 5,
        "organization": "no-secret",
    }

    assert long_enough(in_options(options)) == ("canary-1", "canary-2")


def test_cookies_are_taken_apart() -> None:
    found = long_enough(in_options({"Cookie": "session=canary-1; other=canary-2; theme=dark"}))

    assert {"canary-1", "canary-2"} <= set(found)


def test_the_password_of_an_address_is_found_in_each_of_its_forms() -> None:
    address = "https://someone:canary-1%3A%40@example.org/v1"

    assert list(in_address(address)) == ["canary-1%3A%40", "canary-1:@", BASIC]


def test_a_user_without_a_password_is_the_secret() -> None:
    assert next(in_address("https://canary-1@example.org")) == "canary-1"


def test_an_address_without_a_user_holds_none() -> None:
    assert list(in_address("https://example.org/a@b")) == []


def test_variables_are_known_by_their_names() -> None:
    variables = {
        "OPENAI_API_KEY": "canary-1",
        "ANTHROPIC_CUSTOM_HEADERS": "X-Key: canary-2\nX-Title: My application",
        "https_proxy": "http://someone:canary-3@proxy:3128",
        "GOOGLE_APPLICATION_CREDENTIALS": "/home/someone/credentials.json",
        "SSH_HOST_KEY": "/etc/ssh/host",
        "TOKENIZERS_PARALLELISM": "no-secret",
        "LANG": "de_DE.UTF-8",
    }

    found = long_enough(in_environment(variables))

    assert found[:3] == ("canary-1", "canary-2", "canary-3")
    assert len(found) == 4
