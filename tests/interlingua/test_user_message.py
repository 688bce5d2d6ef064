"""UserMessage: a value of its own, and what a client makes of it."""

from __future__ import annotations

import copy
import pickle
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from interlingua import Message, MessageError, UserMessage
from interlingua.calls import messages_of
from strategies import json_objects, maybe, moments, scalars, texts

user_messages = st.builds(
    UserMessage,
    content=texts,
    session_id=scalars,
    system_prompt=maybe(texts),
    metadata=json_objects,
    id=maybe(texts),
    created_at=maybe(moments),
)


@given(user_messages)
def test_any_user_message_comes_back_from_its_mapping_and_its_json(message: UserMessage) -> None:
    for again in (
        UserMessage.from_dict(message.to_dict()),
        UserMessage.from_json(message.to_json()),
        UserMessage.coerce(message.to_dict()),
    ):
        assert again == message
        assert again.id == message.id
        assert again.to_dict() == message.to_dict()


@given(user_messages)
def test_any_user_message_is_hashable_and_pickles(message: UserMessage) -> None:
    again = pickle.loads(pickle.dumps(message))

    assert again == message
    assert hash(again) == hash(message)
    assert (again.id, again.created_at) == (message.id, message.created_at)


def test_it_cannot_change() -> None:
    message: Any = UserMessage("a")

    with pytest.raises(AttributeError):
        message.content = "b"


def test_a_copy_is_itself() -> None:
    message = UserMessage("a")

    assert copy.copy(message) is message
    assert copy.deepcopy(message) is message


def test_replace_keeps_the_id_and_the_time() -> None:
    message = UserMessage("a")

    changed = message.replace(content="b")

    assert changed == UserMessage("b")
    assert (changed.id, changed.created_at) == (message.id, message.created_at)


DIFFERENT = [
    UserMessage("b"),
    UserMessage("a", session_id="s"),
    UserMessage("a", system_prompt="p"),
    UserMessage("a", metadata={"k": 1}),
]


@pytest.mark.parametrize("other", DIFFERENT, ids=["content", "session_id", "prompt", "metadata"])
def test_every_field_but_id_and_time_counts_for_equality(other: UserMessage) -> None:
    assert UserMessage("a") != other


def test_it_equals_no_string() -> None:
    assert UserMessage("a") != "a"


def test_only_the_content_may_be_given_without_its_name() -> None:
    make: Any = UserMessage

    with pytest.raises(TypeError):
        make("a", "session")


def test_a_time_keeps_its_own_offset() -> None:
    zone = timezone(timedelta(hours=-5))

    written = UserMessage("a", created_at=datetime(2026, 11, 30, 10, 0, 0, 5, zone)).to_dict()

    assert written["created_at"] == "2026-11-30T10:00:00-05:00"


def test_utc_is_written_as_an_offset() -> None:
    message = UserMessage("a", created_at="2026-11-30T10:00:00Z")

    assert message.created_at == datetime(2026, 11, 30, 10, tzinfo=UTC)
    assert message.to_dict()["created_at"] == "2026-11-30T10:00:00+00:00"


def test_all_wrong_fields_are_named() -> None:
    wrong: dict[str, Any] = {"session_id": object(), "id": 3, "created_at": "soon"}

    with pytest.raises(MessageError) as caught:
        UserMessage("a", **wrong)

    assert [problem.path for problem in caught.value.errors] == ["session_id", "id", "created_at"]


def test_from_dict_knows_no_other_fields() -> None:
    with pytest.raises(MessageError, match="color: no such field"):
        UserMessage.from_dict({"content": "a", "color": 1})


def test_its_message_has_its_id_and_time() -> None:
    message = UserMessage("a")

    made = message.to_message()

    assert (made.id, made.created_at) == (message.id, message.created_at)


@pytest.mark.parametrize("prompt", [None, "", " \n"])
def test_a_blank_prompt_is_no_message(prompt: str | None) -> None:
    assert UserMessage("a", system_prompt=prompt).to_messages() == (Message.user("a"),)


def test_a_client_takes_it_alone_and_among_messages() -> None:
    asked = UserMessage("a", system_prompt="p")

    assert messages_of(asked) == (Message.system("p"), Message.user("a"))
    assert messages_of([Message.user("b"), asked]) == (
        Message.user("b"),
        Message.system("p"),
        Message.user("a"),
    )


def test_it_is_a_field_type_of_pydantic_models() -> None:
    adapter = TypeAdapter(UserMessage)

    assert adapter.validate_python({"content": "a"}) == UserMessage("a")
    assert adapter.json_schema()["required"] == ["content"]
