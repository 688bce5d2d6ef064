"""What the seed systems' documents and real outputs say of user input, chat threads and tuples.

One test for each documented row, named after it; then the recorded outputs, in their own order.
Where this library departs on purpose, the departure is what is tested.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from interlingua import (
    Audio,
    Author,
    ChatMessage,
    Document,
    Image,
    LegacyFormatError,
    Message,
    MessageError,
    Reasoning,
    Text,
    ToolCall,
    UserMessage,
    chat_to_messages,
    messages_from_legacy,
    to_ai_messages,
)

Json = dict[str, Any]

URL = "https://e.com/i.png"
UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
AL = Author("u1", "Al")
BOT = Author("b1", "Robo", is_bot=True)


def chat(text: Any = "hi", **about: Any) -> ChatMessage:
    given: Json = {"id": "1", "author": AL, **about}
    return ChatMessage(text=text, **given)


def refused(item: object) -> str:
    with pytest.raises(LegacyFormatError) as caught:
        Message.from_legacy(item)
    return str(caught.value)


# -- RobotLab: the document


def test_a_standalone_class_not_a_kind_of_message() -> None:
    assert not isinstance(UserMessage("a"), Message)


def test_new_content_session_id_system_prompt_metadata_id_all_but_content_optional() -> None:
    message = UserMessage("a", session_id="s", system_prompt="p", metadata={"k": 1}, id="i")

    assert UserMessage("a") != message
    assert (message.session_id, message.system_prompt, message.id) == ("s", "p", "i")


def test_content_the_message_text() -> None:
    assert UserMessage("a").content == "a"


def test_session_id_names_the_conversation_for_history() -> None:
    assert UserMessage("a", session_id=42).session_id == 42


def test_system_prompt_override_for_this_message() -> None:
    message = UserMessage("a", system_prompt="p")

    assert message.system_prompt == "p"
    assert message.to_messages() == (Message.system("p"), Message.user("a"))


def test_metadata_any_hash() -> None:
    assert UserMessage("a", metadata={"source": "web"}).metadata == {"source": "web"}
    assert UserMessage("a", metadata=None).metadata == {}


def test_id_unique_a_uuid_by_default() -> None:
    first, second = UserMessage("a"), UserMessage("a")

    assert UUID4.fullmatch(first.id)
    assert first.id != second.id
    assert first == second


def test_created_at_time_of_creation() -> None:
    before = datetime.now(UTC)
    message = UserMessage("a")

    assert before <= message.created_at <= datetime.now(UTC)
    assert message.created_at.utcoffset() == datetime.now().astimezone().utcoffset()


def test_to_h_leaves_out_keys_whose_value_is_nil() -> None:
    assert list(UserMessage("a").to_dict()) == ["content", "metadata", "id", "created_at"]


def test_metadata_is_always_in_to_h_empty_by_default() -> None:
    assert UserMessage("a").to_dict()["metadata"] == {}


def test_created_at_in_to_h_is_iso_8601_with_the_local_offset_never_z() -> None:
    written = UserMessage("a").to_dict()["created_at"]

    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", written)


def test_to_json() -> None:
    message = UserMessage("a", session_id="s")

    assert json.loads(message.to_json()) == message.to_dict()


def test_to_message_a_text_message_of_role_user() -> None:
    message = UserMessage("a", metadata={"k": 1}).to_message()

    assert message == Message.user("a", metadata={"k": 1})


def test_to_s_the_content() -> None:
    assert str(UserMessage("a")) == "a"


def test_from_user_message_the_same_object() -> None:
    message = UserMessage("a")

    assert UserMessage.coerce(message) is message


def test_from_string() -> None:
    assert UserMessage.coerce("a") == UserMessage("a")


def test_from_hash_the_five_fields_read() -> None:
    given = {"content": "a", "session_id": "s", "metadata": {"k": {"n": 1}}, "id": "i", "color": 3}

    message = UserMessage.coerce(given)

    assert message == UserMessage("a", session_id="s", metadata={"k": {"n": 1}})
    assert message.id == "i"


def test_from_text_message_only_the_content() -> None:
    assert UserMessage.coerce(Message.system("a", metadata={"k": 1})) == UserMessage("a")


ANYTHING: list[tuple[object, str]] = [(42, "42"), (None, ""), ([1], "[1]"), (b"a", "b'a'")]


@pytest.mark.parametrize(("value", "text"), ANYTHING)
def test_from_anything_else_its_string_never_an_error(value: object, text: str) -> None:
    assert UserMessage.coerce(value).content == text


# -- ChatSDK: the document


def test_to_ai_messages_makes_provider_neutral_role_and_content_messages() -> None:
    assert to_ai_messages([chat()]) == [{"role": "user", "content": "hi"}]
    assert chat_to_messages([chat()]) == (Message.user("hi"),)


def test_an_author_that_is_a_bot_is_assistant() -> None:
    assert to_ai_messages([chat(author=BOT)]) == [{"role": "assistant", "content": "hi"}]


def test_every_other_message_is_user() -> None:
    assert [one["role"] for one in to_ai_messages([chat(), chat(author=None)])] == ["user", "user"]


def test_include_names_user_text_becomes_alice_hello() -> None:
    alice = Author("u2", "Alice")

    made = to_ai_messages([chat("Hello", author=alice)], include_names=True)

    assert made == [{"role": "user", "content": "[Alice]: Hello"}]


def test_assistant_messages_are_never_prefixed() -> None:
    made = to_ai_messages([chat(author=BOT)], include_names=True)

    assert made == [{"role": "assistant", "content": "hi"}]


def test_the_block_gets_the_converted_message_and_the_original_and_its_value_replaces_it() -> None:
    original = chat()
    seen: list[object] = []

    def transform(message: Json, source: object) -> Json:
        seen.extend([message, source])
        return {**message, "a": 1}

    made = to_ai_messages([original], transform=transform)

    assert made == [{"role": "user", "content": "hi", "a": 1}]
    assert seen == [{"role": "user", "content": "hi"}, original]


def test_nil_from_the_block_filters_the_message_out() -> None:
    assert to_ai_messages([chat()], transform=lambda message, source: None) == []


def test_sorted_by_timestamp_by_id_when_there_is_none() -> None:
    late, early = chat("late", timestamp=2), chat("early", timestamp=1)
    second, first = chat("second", id="b"), chat("first", id="a")

    assert texts([late, early]) == ["early", "late"]
    assert texts([second, first]) == ["first", "second"]


def test_nil_or_blank_text_is_filtered_out() -> None:
    assert texts([chat(None), chat(""), chat(" \n"), chat("a")]) == ["a"]


def test_attachments_make_multipart_content_text_first_then_one_part_each() -> None:
    files = ({"url": "u", "mime_type": "image/png"}, "see above")

    assert content(chat(attachments=files)) == [
        {"type": "text", "text": "hi"},
        {"type": "image", "url": "u", "media_type": "image/png"},
        {"type": "text", "text": "see above"},
    ]


def test_image_part_url_media_type() -> None:
    file = {"url": URL, "mime_type": "image/png", "filename": "i.png"}

    assert part(file) == {"type": "image", "url": URL, "media_type": "image/png"}
    assert our_part(file) == Image(URL, media_type="image/png")


def test_file_part_url_filename_media_type() -> None:
    file = {"url": "u", "mime_type": "application/pdf", "filename": "a.pdf"}

    assert part(file) == {
        "type": "file",
        "url": "u",
        "filename": "a.pdf",
        "media_type": "application/pdf",
    }
    assert our_part(file) == Document("u", name="a.pdf", media_type="application/pdf")


def test_attachment_hashes_have_url_and_mime_type_or_content_type() -> None:
    both = {"url": "u", "mime_type": "image/png", "content_type": "image/gif"}

    assert part(both)["media_type"] == "image/png"
    assert part({"url": "u", "content_type": "image/gif"})["media_type"] == "image/gif"
    assert part({"url": "u"})["media_type"] == "application/octet-stream"


def test_a_non_hash_attachment_becomes_a_text_part_of_its_string() -> None:
    assert part(42) == {"type": "text", "text": "42"}
    assert our_part(42) == Text("42")


def texts(messages: list[ChatMessage]) -> list[str]:
    return [one["content"] for one in to_ai_messages(messages)]


def content(message: ChatMessage, **options: Any) -> Any:
    return to_ai_messages([message], **options)[0]["content"]


def part(attachment: object) -> Json:
    return content(chat(attachments=(attachment,)))[1]


def our_part(attachment: object) -> object:
    return chat_to_messages([chat(attachments=(attachment,))])[0].content[1]


# -- legacy tuples: the table


def test_system_prompt_str() -> None:
    assert Message.from_legacy(("system_prompt", "Instructions")) == Message.system("Instructions")


def test_system_prompt_parts() -> None:
    item = ("system_prompt", ["a", ("text", "b")])

    assert Message.from_legacy(item) == Message.system(["a", "b"])


def test_user_prompt_str() -> None:
    assert Message.from_legacy(("user_prompt", "Hello")) == Message.user("Hello")


def test_user_prompt_list_or_tuple_of_parts() -> None:
    parts = [
        "raw",
        ("text", "a"),
        ("image_url", URL),
        ("audio_url", "https://e/a.mp3"),
        ("document_url", "https://e/d.pdf"),
    ]
    made = Message.user(
        ["raw", "a", Image(URL), Audio("https://e/a.mp3"), Document("https://e/d.pdf")]
    )

    assert Message.from_legacy(("user_prompt", parts)) == made
    assert Message.from_legacy(("user_prompt", tuple(parts))) == made


def test_user_prompt_a_data_url_becomes_data_and_media_type() -> None:
    item = ("user_prompt", [("image_url", "data:image/png;base64,AAAA")])

    assert Message.from_legacy(item) == Message.user(
        Image(data=b"\x00\x00\x00", media_type="image/png")
    )


def test_user_prompt_a_bad_url_is_refused() -> None:
    assert refused(("user_prompt", [("image_url", "ftp://x")])) == (
        "not a legacy conversation: [0]: expected an http(s) or data: URL, got str 'ftp://x'"
    )


RETURNS: list[Json] = [
    {"call_id": "call_1", "result": "42", "name": "f"},
    {"tool_call_id": "call_1", "content": "42", "tool_name": "f"},
    {":call_id": "call_1", ":result": "42", ":name": "f", ":is_error": False},
]


@pytest.mark.parametrize("payload", RETURNS)
def test_tool_return_with_every_spelling_of_its_keys(payload: Json) -> None:
    item = ("tool_return", payload)

    assert Message.from_legacy(item) == Message.tool("call_1", "42", name="f")


def test_tool_return_is_error_optional() -> None:
    item = ("tool_return", {"call_id": "c", "result": "r", "is_error": True})

    assert Message.from_legacy(item) == Message.tool("c", "r", is_error=True)


@pytest.mark.parametrize("id", [None, "", 3])
def test_tool_return_a_missing_or_empty_id_is_refused(id: object) -> None:
    assert "tool_call_id: " in refused(("tool_return", {"call_id": id, "result": "r"}))
    assert "call_id: is missing" in refused(("tool_return", {"result": "r"}))


RESULTS: list[tuple[object, str]] = [
    ({"a": 1}, '{"a":1}'),
    (None, "null"),
    (42, "42"),
    ([1, ("a", 1)], '[1,["a",1]]'),
    ({"type": "text", "text": "a"}, '{"type":"text","text":"a"}'),
]


@pytest.mark.parametrize(("result", "text"), RESULTS)
def test_tool_return_a_non_string_result_is_json(result: object, text: str) -> None:
    item = ("tool_return", {"call_id": "c", "result": result})

    assert Message.from_legacy(item) == Message.tool("c", text)


def test_model_response_parts_in_the_given_order_and_its_metadata() -> None:
    item = {
        "parts": [
            ("thinking", "T"),
            ("text", "A"),
            ("tool_call", {"id": "1", "name": "s", "arguments": '{"q": 1}'}),
            ("text", "B"),
        ],
        "model_name": "m",
        "usage": {"total_tokens": 3},
        "timestamp": "2026-11-30T10:00:00+00:00",
    }

    message = Message.from_legacy(item)

    assert message == Message.assistant(
        [Reasoning("T"), "A", ToolCall("1", "s", '{"q": 1}'), "B"],
        metadata={key: item[key] for key in ("model_name", "usage", "timestamp")},
    )
    assert message.created_at == datetime(2026, 11, 30, 10, tzinfo=UTC)


def test_model_response_metadata_only_when_not_none() -> None:
    item = {"parts": [("text", "a")], "model_name": None, "usage": None, "timestamp": None}

    assert Message.from_legacy(item) == Message.assistant("a")


def test_model_request_one_message_per_part() -> None:
    item = {"parts": [("system_prompt", "s"), ("user_prompt", "u")]}

    assert messages_from_legacy([item]) == (Message.system("s"), Message.user("u"))


def test_model_request_the_single_item_import_raises_unless_there_is_exactly_one() -> None:
    assert Message.from_legacy({"parts": [("user_prompt", "u")]}) == Message.user("u")
    assert refused({"parts": [("system_prompt", "s"), ("user_prompt", "u")]}).endswith(
        "parts: holds 2 messages; use messages_from_legacy"
    )


def test_unknown_tag_names_index_tag_and_the_known_tags() -> None:
    with pytest.raises(LegacyFormatError) as caught:
        messages_from_legacy([("user_prompt", "a"), ("bogus", 1)])

    assert str(caught.value) == (
        "not a legacy conversation: [1]: unknown tag 'bogus'; "
        "known here are system_prompt, user_prompt, tool_return"
    )


def test_unknown_tag_as_text_is_its_repr() -> None:
    items = [("bogus", 1), ("user_prompt", ["a", ("bogus", 2)])]

    assert messages_from_legacy(items, "text") == (
        Message.user("('bogus', 1)"),
        Message.user(["a", "('bogus', 2)"]),
    )


def test_unknown_tag_skipped() -> None:
    items: list[object] = [("bogus", 1), {"parts": [("text", "a"), ("bogus", 2)]}]

    assert messages_from_legacy(items, on_unknown="skip") == (Message.assistant("a"),)


def test_a_tool_return_without_a_name_takes_it_from_the_preceding_tool_call_with_that_id() -> None:
    items: list[object] = [
        {"parts": [("tool_call", {"id": "c", "name": "f", "arguments": {}})]},
        ("tool_return", {"call_id": "c", "result": "r"}),
    ]

    assert messages_from_legacy(items)[1] == Message.tool("c", "r", name="f")


# -- RobotLab: recorded outputs


CONTENTS: list[tuple[object, str]] = [(None, ""), ([1, 2], "[1, 2]"), ({"a": 1}, "{'a': 1}")]


@pytest.mark.parametrize(("given", "kept"), CONTENTS)
def test_any_content_is_its_string(given: object, kept: str) -> None:
    assert UserMessage(given).content == kept


def test_an_empty_id_is_kept() -> None:
    assert UserMessage("a", id="").id == ""


def test_what_the_caller_changes_afterwards_does_not_show() -> None:
    metadata = {"a": [1]}
    message = UserMessage("x", metadata=metadata)

    metadata["a"].append(2)

    assert message.metadata == {"a": [1]}


@pytest.mark.parametrize("metadata", ["str", False])
def test_metadata_that_is_no_mapping_is_refused(metadata: Any) -> None:
    with pytest.raises(MessageError, match="metadata: expected a mapping"):
        UserMessage("a", metadata=metadata)


def test_equal_messages_are_equal() -> None:
    assert UserMessage("a") == UserMessage("a")


def test_a_hash_without_content_is_an_empty_message() -> None:
    assert UserMessage.coerce({}).content == ""


def test_created_at_comes_back_from_to_h() -> None:
    moment = datetime(2026, 11, 30, 10, tzinfo=UTC)
    message = UserMessage("a", created_at=moment)

    assert UserMessage.from_dict(message.to_dict()).created_at == moment
    assert UserMessage.coerce(message.to_dict()).created_at == moment


def test_a_key_that_is_no_string_is_ignored() -> None:
    assert UserMessage.coerce({1: 2, "content": "a"}) == UserMessage("a")


def test_the_order_of_keys() -> None:
    message = UserMessage("a", session_id="s", system_prompt="", id="i")

    assert list(message.to_dict()) == [
        "content",
        "session_id",
        "system_prompt",
        "metadata",
        "id",
        "created_at",
    ]


def test_in_a_string() -> None:
    assert f"{UserMessage('x')}" == "x"


# -- ChatSDK: recorded outputs


def test_nil_author() -> None:
    assert to_ai_messages([chat(author=None)]) == [{"role": "user", "content": "hi"}]


@pytest.mark.parametrize("text", [" ", None])
def test_blank_or_nil_text_with_an_attachment_is_dropped(text: str | None) -> None:
    assert to_ai_messages([chat(text, attachments=({"url": "u"},))]) == []


def test_mixed_timestamps_are_sorted_and_do_not_crash() -> None:
    now = datetime(2026, 11, 30, tzinfo=UTC)
    thread = [
        chat("now", timestamp=now),
        chat("none", timestamp=None),
        chat("number", timestamp=(now - timedelta(hours=1)).timestamp()),
        chat("text", timestamp=(now - timedelta(hours=2)).isoformat()),
    ]

    assert texts(thread) == ["text", "number", "now", "none"]


def test_mixed_ids_are_sorted_and_do_not_crash() -> None:
    ids: list[Any] = ["a", 10, "9"]

    assert texts([chat(str(id), id=id) for id in ids]) == ["9", "10", "a"]


def test_numeric_string_ids_sort_as_numbers() -> None:
    assert texts([chat("ten", id="10"), chat("nine", id="9")]) == ["nine", "ten"]


def test_the_order_is_stable() -> None:
    thread = [chat(str(number), id="same") for number in range(21)]

    assert texts(thread) == [str(number) for number in range(21)]


def test_string_key_attachments_are_read() -> None:
    assert part({"url": "u", "mime_type": "image/png"}) == {
        "type": "image",
        "url": "u",
        "media_type": "image/png",
    }


def test_no_mime() -> None:
    assert part({"url": "u"}) == {
        "type": "file",
        "url": "u",
        "filename": None,
        "media_type": "application/octet-stream",
    }


def test_mime_in_upper_case_is_a_file() -> None:
    assert part({"url": "u", "mime_type": "IMAGE/PNG"}) == {
        "type": "file",
        "url": "u",
        "filename": None,
        "media_type": "IMAGE/PNG",
    }


def test_no_url() -> None:
    assert part({"mime_type": "image/png"}) == {
        "type": "image",
        "url": None,
        "media_type": "image/png",
    }


@pytest.mark.parametrize("attachments", [(), None, (None,)])
def test_no_attachments_leave_the_text_plain(attachments: Any) -> None:
    assert content(chat(attachments=attachments)) == "hi"


def test_nil_among_attachments_is_left_out() -> None:
    assert content(chat(attachments=("s", 42, None))) == [
        {"type": "text", "text": "hi"},
        {"type": "text", "text": "s"},
        {"type": "text", "text": "42"},
    ]


def test_a_bots_attachments_are_left_out() -> None:
    files = ({"url": "u", "mime_type": "image/png"},)

    assert content(chat(author=BOT, attachments=files)) == "hi"


def test_a_users_name_stands_in_the_text_part_beside_attachments() -> None:
    files = ({"url": "u", "mime_type": "image/png"},)

    assert content(chat(attachments=files), include_names=True) == [
        {"type": "text", "text": "[Al]: hi"},
        {"type": "image", "url": "u", "media_type": "image/png"},
    ]


def test_name_nil() -> None:
    assert content(chat(author=Author("u3")), include_names=True) == "[]: hi"


def test_text_is_not_stripped() -> None:
    assert content(chat("  hi \n")) == "  hi \n"


def test_text_that_is_no_string_is_refused_with_its_place() -> None:
    with pytest.raises(MessageError, match=r"^messages\[0\].text: expected a string, got int 42$"):
        to_ai_messages([chat(42)])


def test_false_from_the_block_filters_the_message_out() -> None:
    assert to_ai_messages([chat()], transform=lambda message, source: False) == []


def test_a_string_from_the_block_is_refused() -> None:
    def transform(message: Json, source: object) -> Any:
        return "x"

    with pytest.raises(MessageError, match=r"transform: messages\[0\]: expected a dict"):
        to_ai_messages([chat()], transform=transform)


def test_empty() -> None:
    assert to_ai_messages([]) == []


def test_text_of_unicode_blanks_is_filtered_out() -> None:
    assert to_ai_messages([chat("\u00a0\u2003")]) == []


def test_the_input_is_not_changed() -> None:
    thread = [chat("b", timestamp=2), chat("a", timestamp=1)]

    to_ai_messages(thread)

    assert [one.text for one in thread] == ["b", "a"]


def test_consecutive_users_are_not_merged() -> None:
    assert len(to_ai_messages([chat(), chat()])) == 2


def test_a_bot_that_is_merely_truthy_is_assistant() -> None:
    @dataclass
    class Other:
        name: str
        is_bot: object

    assert to_ai_messages([chat(author=Other("Al", "yes"))])[0]["role"] == "assistant"


# -- Nous: recorded outputs of legacy tuples


EMPTY: list[tuple[object, Message]] = [
    (("system_prompt", ""), Message.system("")),
    (("user_prompt", ""), Message.user("")),
    (("user_prompt", []), Message.user(None)),
    (("user_prompt", [("text", "")]), Message.user("")),
    ({"parts": [], "model_name": None}, Message.assistant(None)),
    (
        {"parts": [("text", "")], "model_name": "m"},
        Message.assistant("", metadata={"model_name": "m"}),
    ),
]


@pytest.mark.parametrize(("item", "message"), EMPTY)
def test_nothing_is_kept_as_nothing(item: object, message: Message) -> None:
    assert Message.from_legacy(item) == message


REFUSED: list[object] = [
    ("system_prompt", None),
    ("user_prompt", [42]),
    ("user_prompt", [("image_url", "data:application/pdf;base64,AAAA")]),
    ("tool_return", {"call_id": "c"}),
    ("tool_return", "r"),
    ("text", "a"),
    ("tool_call", {"id": "1", "name": "s"}),
    ("user_prompt", "a", "b"),
    {"parts": [("tool_call", "s")]},
    {"parts": [("text", "a"), ("user_prompt", "b")]},
    {"parts": "a"},
    "a",
    None,
]


@pytest.mark.parametrize("item", REFUSED, ids=repr)
def test_what_cannot_be_read_is_refused(item: object) -> None:
    assert refused(item).startswith("not a legacy conversation: ")


def test_thinking_does_not_leak_into_the_text() -> None:
    message = Message.from_legacy({"parts": [("thinking", "T"), ("text", "A")]})

    assert (message.text, message.reasoning) == ("A", "T")


def test_a_list_may_begin_with_any_item() -> None:
    items: list[object] = [
        ("tool_return", {"call_id": "c", "result": "r"}),
        Message.user("a"),
        ["system_prompt", "s"],
    ]

    assert messages_from_legacy(items) == (
        Message.tool("c", "r"),
        Message.user("a"),
        Message.system("s"),
    )


# -- The departures


def test_content_is_stored_once_and_the_flat_string_is_derived() -> None:
    asked = Message.user(["What's in this image?", Image(URL)])

    assert asked.to_text() == f"What's in this image?[Image: {URL}]"
    assert asked.metadata == {}


def test_no_time_is_invented() -> None:
    assert Message.from_legacy(("user_prompt", "a")).created_at is None
    assert chat_to_messages([chat(timestamp=1)])[0].created_at is None


def test_none_is_no_metadata() -> None:
    assert Message.user("a", metadata=None).metadata == {}


def test_containers_are_copied_and_frozen() -> None:
    parts = ["a"]
    message = Message.user(parts)

    parts.append("b")

    assert message == Message.user(["a"])


def test_constructors_validate() -> None:
    with pytest.raises(MessageError, match="tool_call_id: is empty"):
        Message.tool("", "x")
