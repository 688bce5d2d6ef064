"""What the seed systems' documents and their real outputs say of messages and content parts.

One test for each documented row, named after it; then the recorded outputs, in their own order.
Where this library departs on purpose, the departure is what is tested.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from interlingua import (
    Document,
    FrozenDict,
    Image,
    Message,
    MessageError,
    Part,
    Problem,
    Reasoning,
    Text,
    ToolCall,
    ToolResult,
    Usage,
    split_system,
)
from interlingua.message import ROLES
from interlingua.parts import part_from

URL = "https://e.com/i.png"


def said(make: Callable[[], object]) -> str:
    with pytest.raises(MessageError) as caught:
        make()
    return str(caught.value)


# -- LittleGhost: the document


def test_one_participants_contribution_text_attachments_tool_activity_reasoning_together() -> None:
    parts = (Reasoning("hm"), Text("a"), Image(url=URL), ToolCall("c", "f"))

    assert Message.assistant(list(parts)).content == parts


def test_content_is_normalized_into_blocks_in_a_frozen_array() -> None:
    assert type(Message.user(["a"]).content) is tuple


def test_a_string_becomes_a_text_block() -> None:
    message = Message(role="user", content="Hello")

    assert message.content == (Text("Hello"),)
    assert message.text == "Hello"


def test_a_hash_is_read_in_the_serialized_content_form() -> None:
    assert Message.user({"type": "text", "text": "a"}).content == (Text("a"),)
    assert said(lambda: Message.user({"type": "product"})).startswith(
        "not a Message: content.type: expected one of text, image, "
    )


def test_nested_values_are_copied_and_frozen_not_retained() -> None:
    inner = [1]
    message = Message.user("a", metadata={"k": inner})

    inner.append(2)

    assert message.metadata == {"k": [1]}


def test_roles_the_accepted_roles() -> None:
    assert ROLES == ("system", "developer", "user", "assistant", "tool")


def test_readers_role_content_metadata() -> None:
    message = Message(role="user", content="a", metadata={"k": 1})

    assert (message.role, message.content, message.metadata) == ("user", (Text("a"),), {"k": 1})


def test_coerce_a_message_stays_a_hash_becomes_one() -> None:
    message = Message.user("a")

    assert Message.coerce(message) is message
    assert Message.coerce({"role": "user", "content": "a"}) == message


def test_new_is_frozen_and_checks_the_role() -> None:
    message: Any = Message(role="user", content="a", metadata={})

    with pytest.raises(AttributeError):
        message.role = "system"
    assert "role: expected one of" in said(lambda: Message.from_dict({"role": "bogus"}))


def test_metadata_is_a_frozen_map() -> None:
    metadata = cast("Any", Message.user("a", metadata={"k": 1}).metadata)

    with pytest.raises(TypeError, match="a FrozenDict cannot change"):
        metadata["k"] = 2
    assert type(metadata) is FrozenDict


def test_text_joins_the_visible_text_blocks_without_reasoning_or_tools() -> None:
    assert Message.assistant(["a", Reasoning("t"), ToolCall("c", "f"), "b"]).text == "ab"


def test_to_h_the_json_safe_form() -> None:
    assert Message.user("a").to_dict() == {
        "role": "user",
        "content": [{"type": "text", "text": "a"}],
        "metadata": {},
    }


def test_to_json_round_trip() -> None:
    message = Message.user(["a", Image(data=b"\xff")], metadata={"k": [1]})

    assert Message.from_json(message.to_json()) == message


def test_without_reasoning_removes_reasoning_or_keeps_self() -> None:
    message = Message.assistant("a", metadata={"k": 1})

    assert message.without_reasoning() is message
    assert (
        Message.assistant([Reasoning("t"), "a"], metadata={"k": 1}).without_reasoning() == message
    )


# -- Nous: the document


@pytest.mark.parametrize("role", ["system", "user", "assistant", "tool", "developer"])
def test_roles_system_user_assistant_tool_and_developer(role: str) -> None:
    message, _ = Message.try_new({"role": role, "content": "a"})
    result, _ = Message.try_new({"role": role, "content": "a", "tool_call_id": "c"})

    assert (message or result) is not None


def test_system_user_assistant_role_and_content() -> None:
    made = [Message.system("a"), Message.user("b"), Message.assistant("c")]

    assert [(one.role, one.text) for one in made] == [
        ("system", "a"),
        ("user", "b"),
        ("assistant", "c"),
    ]


def test_user_parts_stand_in_content_once_and_are_not_flattened() -> None:
    parts = [Text("What's in this image?"), Image(url="https://example.com/image.png")]

    message = Message.user(parts)

    assert message.content == tuple(parts)
    assert message.metadata == {}
    assert message.to_text() == "What's in this image?[Image: https://example.com/image.png]"


def test_assistant_text_tool_calls() -> None:
    message = Message.assistant(
        "Let me see.",
        tool_calls=[{"id": "call_1", "name": "search", "arguments": {"query": "elixir"}}],
    )

    assert message.tool_calls == (ToolCall("call_1", "search", {"query": "elixir"}),)
    assert message.text == "Let me see."


def test_has_tool_calls() -> None:
    assert Message.assistant("a", tool_calls=[{"id": "c", "name": "f"}]).has_tool_calls
    assert not Message.assistant("a").has_tool_calls


def test_extract_text_the_string_or_the_text_parts_only() -> None:
    assert Message.user("a").text == "a"
    assert Message.user(["a", Image(url=URL), "b"]).text == "ab"


def test_to_text_plain_text_with_image_placeholders() -> None:
    assert Message.user(["Hi ", Image(url=URL)]).to_text() == f"Hi [Image: {URL}]"
    assert Message.assistant(None).to_text() == ""


def test_get_content_parts_always_gives_a_list() -> None:
    assert Message.assistant(None).content == ()
    assert Message.user("a").content == (Text("a"),)
    assert Message.user([Image(url=URL)]).content == (Image(url=URL),)


def test_from_user_from_assistant_is_system() -> None:
    assert Message.user("a").is_user
    assert Message.assistant("a").is_assistant
    assert Message.system("a").is_system
    assert not Message.system("a").is_user


def test_is_tool_related_tool_call_or_tool_result() -> None:
    assert Message.assistant(None, tool_calls=[{"id": "c", "name": "f"}]).is_tool_related
    assert Message.tool("c", "a").is_tool_related
    assert not Message.user("a").is_tool_related


def test_get_metadata_with_a_default() -> None:
    message = Message.user("a", metadata={"source": "web"})

    assert message.metadata.get("source") == "web"
    assert message.metadata.get("other", 5) == 5


def test_put_metadata_gives_a_new_message() -> None:
    message = Message.user("a")

    assert message.with_metadata(source="web_ui").metadata == {"source": "web_ui"}
    assert message.metadata == {}


def test_new_gives_the_message_or_all_its_errors() -> None:
    message, errors = Message.try_new({"role": "user", "content": "Hi"})
    nothing, problems = Message.try_new({"role": "invalid", "content": [3]})

    assert (message, errors) == (Message.user("Hi"), ())
    assert nothing is None
    assert [problem.path for problem in problems] == ["role", "content[0]"]


def test_new_with_a_bang_raises() -> None:
    assert said(lambda: Message.from_dict({"role": "invalid"})).startswith("not a Message: role: ")


def test_tool_id_result_name() -> None:
    message = Message.tool("call_123", "Found it", name="search")

    assert message.role == "tool"
    assert message.tool_call_id == "call_123"
    assert message.tool_results == (ToolResult("call_123", "Found it", "search"),)


def test_split_system_joined_with_blank_lines_none_when_there_are_none() -> None:
    user = Message.user("u")

    assert split_system([Message.system("a"), user, Message.system("b")]) == ("a\n\nb", (user,))
    assert split_system([user]) == (None, (user,))


def test_every_constructor_validates() -> None:
    nothing: Any = None

    assert said(lambda: Message.tool(nothing, "x")) == (
        "not a Message: tool_call_id: expected a string, got None"
    )
    with pytest.raises(TypeError):
        Message.user("x", role="system")


# -- LittleGhost: what the real system gave


def test_a_role_of_other_case_is_unknown() -> None:
    assert "got str 'User'" in said(lambda: Message.from_dict({"role": "User", "content": "a"}))


def test_nil_content_is_no_block_and_an_empty_string_is_one() -> None:
    assert Message.user(None).content == ()
    assert Message.user([]).to_dict() == {"role": "user", "content": [], "metadata": {}}
    assert Message.user("").to_dict() == {
        "role": "user",
        "content": [{"type": "text", "text": ""}],
        "metadata": {},
    }


def test_missing_content_is_none() -> None:
    assert Message.from_dict({"role": "user"}) == Message.user(None)


REFUSED_BLOCKS: list[tuple[object, str]] = [
    (1, "content: expected a sequence, got int 1"),
    ([None], "content[0]: expected a part, a string or a mapping, got None"),
    ({"text": "a"}, "content.type: expected one of"),
    ({"type": "text", "text": "a", "zzz": 1}, "content.zzz: no such field; a Text has"),
    ({"type": "text"}, "content.text: is missing"),
    ({"type": "text", "text": None}, "content.text: expected a string, got None"),
    ({"type": "text", "text": 1}, "content.text: expected a string, got int 1"),
    ({"type": "text", "text": "a", "data": "x"}, "content.data: no such field"),
    ({"type": "image"}, "content: needs exactly one of url, data, file_id; got none"),
    ({"type": "image", "data": "%"}, "content.data: no base64"),
    ({"type": "document"}, "content: needs exactly one of url, data, file_id, text; got none"),
]


@pytest.mark.parametrize(("content", "reason"), REFUSED_BLOCKS)
def test_what_is_no_content_block_is_refused(content: object, reason: str) -> None:
    assert said(lambda: Message.user(content)).startswith(f"not a Message: {reason}")


def test_a_mixed_list_is_joined_in_its_text() -> None:
    assert Message.user(["a", {"type": "text", "text": "b"}]).text == "ab"


def test_nil_metadata_is_accepted_and_empty() -> None:
    assert Message.user("a", metadata=None).metadata == {}


REFUSED_METADATA: list[tuple[Any, str]] = [
    ({"a": float("nan")}, "metadata['a']: nan is no JSON number"),
    ({"a": datetime(2026, 11, 30, tzinfo=UTC)}, "metadata['a']: datetime is no JSON value"),
    ({"a": object()}, "metadata['a']: object is no JSON value"),
    ({1: 2}, "metadata[1]: the key is int"),
    ([1], "metadata: expected a mapping, got list [1]"),
]


@pytest.mark.parametrize(("metadata", "reason"), REFUSED_METADATA)
def test_metadata_that_is_no_json_is_refused(metadata: Any, reason: str) -> None:
    assert said(lambda: Message.user("a", metadata=metadata)).startswith(f"not a Message: {reason}")


def test_nested_metadata_cannot_change_either() -> None:
    metadata = cast("Any", Message.user("a", metadata={"a": {"b": 1}}).metadata)

    with pytest.raises(TypeError):
        metadata["a"]["b"] = 2


def test_messages_are_equal_by_content() -> None:
    assert Message.user("a") == Message.user("a")
    assert Message.user("a").content == Message.user("a").content


def test_coerce_with_unknown_keys_is_refused_and_a_string_is_a_user_message() -> None:
    assert "zzz: no such field" in said(
        lambda: Message.coerce({"role": "user", "content": "a", "zzz": 1})
    )
    assert Message.coerce("a") == Message.user("a")
    assert "got None" in said(lambda: Message.coerce(None))


BLOCKS: list[tuple[Part, dict[str, Any]]] = [
    (
        Image(data=b"\x00\xff", media_type="image/png"),
        {"type": "image", "data": "AP8=", "media_type": "image/png"},
    ),
    (
        Image(data=b"a", media_type="image/png", name="n"),
        {"type": "image", "data": "YQ==", "media_type": "image/png", "name": "n"},
    ),
    (
        Document(data=b"a", media_type="application/pdf"),
        {"type": "document", "data": "YQ==", "media_type": "application/pdf"},
    ),
    (
        ToolCall("c1", "f", {"a": 1}),
        {"type": "tool_call", "id": "c1", "name": "f", "arguments": {"a": 1}},
    ),
    (
        ToolResult("1", "x", is_error=True),
        {
            "type": "tool_result",
            "tool_call_id": "1",
            "content": [{"type": "text", "text": "x"}],
            "is_error": True,
        },
    ),
    (Reasoning(), {"type": "reasoning"}),
    (Reasoning("t", "s"), {"type": "reasoning", "text": "t", "signature": "s"}),
    (Reasoning("t", ""), {"type": "reasoning", "text": "t", "signature": ""}),
    (Reasoning(redacted="/w=="), {"type": "reasoning", "redacted": "/w=="}),
]


@pytest.mark.parametrize(("part", "written"), BLOCKS)
def test_a_block_is_written_as_json_and_read_again(part: Part, written: dict[str, Any]) -> None:
    assert part.to_dict() == written
    assert part_from(written) == part


def test_a_tool_use_needs_an_id_a_name_and_an_object() -> None:
    nothing: Any = None

    assert said(lambda: ToolCall(nothing, "f")) == "not a ToolCall: id: expected a string, got None"
    assert said(lambda: ToolCall("c", "")) == "not a ToolCall: name: is empty"
    assert said(lambda: ToolCall("c", "f", {"t": datetime.now(UTC)})).startswith(
        "not a ToolCall: arguments['t']: datetime is no JSON value"
    )


def test_a_tool_use_takes_json_text_for_its_input() -> None:
    assert ToolCall("c", "f", '{"a": 1}').arguments == {"a": 1}
    assert ToolCall("c", "f", None).arguments == {}


def test_the_data_of_a_tool_result_may_have_a_type_of_its_own() -> None:
    product = {"type": "product", "id": 1}
    message = Message.tool("c", [product])

    assert message.tool_results[0].text == '[{"type":"product","id":1}]'
    assert Message.from_json(message.to_json()) == message


def test_redacted_reasoning_excludes_text() -> None:
    assert said(lambda: Reasoning("t", redacted="x")) == (
        "not a Reasoning: redacted: cannot stand beside text"
    )


def test_usage_counts_are_unknown_and_not_zero_and_are_compared_by_content() -> None:
    assert Usage(output_tokens=5).to_dict() == {"output_tokens": 5}
    assert Usage(1, 2) + Usage(2, 1) == Usage(3, 3)
    assert (Usage(3, 3).total_tokens, Usage(output_tokens=5).total_tokens) == (6, None)


# -- Nous: what the real system gave


NEW: list[tuple[dict[str, Any], Message]] = [
    ({"role": "user", "content": "Hi"}, Message.user("Hi")),
    ({"role": "user"}, Message.user(None)),
    ({"role": "user", "content": None}, Message.user(None)),
    ({"role": "user", "content": ""}, Message.user("")),
    ({"role": "user", "content": "   "}, Message.user("   ")),
    ({"role": "developer", "content": "x"}, Message.developer("x")),
    (
        {"role": "user", "content": [{"type": "text", "text": "a"}]},
        Message.user([Text("a")]),
    ),
    ({"role": "assistant"}, Message.assistant(None)),
    ({"role": "assistant", "content": "  \n"}, Message.assistant("  \n")),
    ({"role": "assistant", "content": None, "tool_calls": []}, Message.assistant(None)),
    ({"role": "assistant", "content": "x", "tool_calls": None}, Message.assistant("x")),
    ({"role": "system", "content": ""}, Message.system("")),
    ({"role": "tool", "content": "r", "tool_call_id": "c"}, Message.tool("c", "r")),
    ({"role": "tool", "content": "", "tool_call_id": "c"}, Message.tool("c", "")),
    (
        {"role": "tool", "content": "{}", "tool_call_id": "c", "name": "f"},
        Message.tool("c", "{}", name="f"),
    ),
    ({"role": "user", "content": "x", "metadata": None}, Message.user("x")),
    ({"role": "user", "content": "x", "name": ""}, Message.user("x", name="")),
]


@pytest.mark.parametrize(("value", "message"), NEW)
def test_new_takes_a_mapping(value: dict[str, Any], message: Message) -> None:
    assert Message.try_new(value) == (message, ())


ROLE = "expected one of system, developer, user, assistant, tool, got"
NEEDED = "tool_call_id is required for tool messages; use Message.tool(tool_call_id, result)"
ONLY = "tool_call_id is only allowed for tool messages; use Message.tool(tool_call_id, result)"
NOT_NEW: list[tuple[dict[str, Any], list[Problem]]] = [
    ({"role": "invalid"}, [Problem("role", f"{ROLE} str 'invalid'")]),
    ({}, [Problem("role", "is missing")]),
    ({"role": None, "content": "x"}, [Problem("role", f"{ROLE} None")]),
    (
        {"role": "user", "content": 42},
        [Problem("content", "expected a sequence, got int 42")],
    ),
    ({"role": "tool", "content": "r"}, [Problem("content[0]", NEEDED)]),
    ({"role": "tool", "content": "r", "tool_call_id": ""}, [Problem("tool_call_id", "is empty")]),
    ({"role": "user", "content": "x", "tool_call_id": "c"}, [Problem("tool_call_id", ONLY)]),
    (
        {"role": "user", "content": "x", "tool_calls": [{"id": "1", "name": "f"}]},
        [
            Problem(
                "content[1]",
                "a ToolCall cannot stand in a message of role 'user', only of 'assistant'",
            )
        ],
    ),
    (
        {"role": "assistant", "content": "x", "tool_calls": [1]},
        [Problem("tool_calls[0]", "expected a ToolCall or a mapping, got int 1")],
    ),
    (
        {"role": "assistant", "content": "x", "tool_calls": [{}]},
        [Problem("tool_calls[0].id", "is missing"), Problem("tool_calls[0].name", "is missing")],
    ),
    (
        {"role": "assistant", "content": "x", "tool_calls": {}},
        [Problem("tool_calls", "expected a sequence, got dict {}")],
    ),
    (
        {"role": "user", "content": "x", "metadata": [1]},
        [Problem("metadata", "expected a mapping, got list [1]")],
    ),
    (
        {"role": "user", "content": "x", "unknown": 1},
        [
            Problem(
                "unknown",
                "no such field; a Message has "
                "role, content, metadata, name, id, created_at, origin, extras",
            )
        ],
    ),
]


@pytest.mark.parametrize(("value", "problems"), NOT_NEW)
def test_new_gives_the_errors_of_a_mapping(value: dict[str, Any], problems: list[Problem]) -> None:
    assert Message.try_new(value) == (None, tuple(problems))


def test_a_time_is_kept_and_never_stamped() -> None:
    created = datetime(2020, 1, 1, tzinfo=UTC)

    assert Message.from_dict(
        {"role": "user", "content": "x", "created_at": created}
    ).created_at == (created)
    assert Message.user("x").created_at is None
    assert Message.user("x", created_at=created) == Message.user("x")


def test_helpers_take_no_content_and_an_empty_text() -> None:
    assert Message.system("").content == (Text(""),)
    assert Message.system(None).content == ()
    assert Message.user([]).content == ()
    assert Message.assistant(None).content == ()


def test_options_are_fields_and_not_metadata() -> None:
    message = Message.user(["a"], metadata={"a": 1}, name="bob")

    assert (message.metadata, message.name, message.text) == ({"a": 1}, "bob", "a")


def test_system_parts_are_split_as_their_text() -> None:
    assert split_system([Message.system(["a", "b"])]) == ("ab", ())


def test_split_system_skips_blanks_and_knows_no_empty_prompt() -> None:
    assert split_system([Message.system(one) for one in ("a", "", "b")]) == ("a\n\nb", ())
    assert split_system([Message.system("")]) == (None, ())
    assert split_system([]) == (None, ())


TOOL_RESULTS: list[tuple[object, str]] = [
    (None, "null"),
    ("", ""),
    (42, "42"),
    ([1, ("a", 1)], '[1,["a",1]]'),
    (
        {"t": datetime(2020, 1, 1, tzinfo=UTC), "s": {1}, 1: 2},
        '{"t":"2020-01-01T00:00:00+00:00","s":[1],"1":2}',
    ),
    (
        Usage(1),
        '{"input_tokens":1,"output_tokens":null,"cache_read_tokens":null,'
        '"cache_write_tokens":null,"reasoning_tokens":null,"details":{}}',
    ),
]


@pytest.mark.parametrize(("result", "text"), TOOL_RESULTS)
def test_a_tools_result_becomes_a_string(result: object, text: str) -> None:
    assert Message.tool("c", result).tool_results[0].content == (Text(text),)


def test_what_has_no_json_form_is_an_error_and_not_inspected() -> None:
    assert said(lambda: Message.tool("c", {"pid": object()})).startswith(
        "not a Message: content['pid']: object is no JSON value"
    )


def test_a_tools_error_can_be_said() -> None:
    assert Message.tool("c", "x", is_error=True).tool_results[0].is_error


def test_to_text_all() -> None:
    message = Message.assistant(
        [
            "t",
            Image(url="https://e/i.png"),
            Image(data=b"x"),
            Document(data=b"x", name="p.pdf"),
            Document(url="https://e/d.pdf"),
            Reasoning("hm"),
        ]
    )

    assert message.to_text() == (
        "t[Image: https://e/i.png][Image][File: p.pdf][File: https://e/d.pdf][Thinking: hm]"
    )


def test_an_empty_text_part_is_a_part() -> None:
    assert Text("") == Text("")
    assert Reasoning("").text == ""


DATA_URLS: list[tuple[str, str | None]] = [
    ("data:text/plain;charset=utf-8;base64,YQ==", "text/plain;charset=utf-8"),
    ("data:image/png;base64,YQ==", "image/png"),
    ("data:;base64,YQ==", None),
]


@pytest.mark.parametrize(("url", "media_type"), DATA_URLS)
def test_a_data_url_is_parsed(url: str, media_type: str | None) -> None:
    image = Image(url=url)

    assert (image.url, image.data, image.media_type) == (None, b"a", media_type)


@pytest.mark.parametrize("url", ["data:image/png,abc", "data:x"])
def test_a_data_url_without_base64_is_refused(url: str) -> None:
    assert said(lambda: Image(url=url)) == (
        "not an Image: url: a data: URL has to hold base64; pass the bytes as `data`"
    )


def test_a_url_of_any_scheme_and_case_is_kept_as_it_is() -> None:
    assert Image(url="HTTPS://e.com/x.png").url == "HTTPS://e.com/x.png"
    assert Document(url="gs://bucket/d.pdf").url == "gs://bucket/d.pdf"


def test_putting_metadata_cannot_part_it_from_the_content() -> None:
    message = Message.user(["orig"]).with_metadata(content_parts=[])

    assert message.replace(content="new").content == (Text("new"),)
    assert message.text == "orig"


def test_a_message_goes_through_json() -> None:
    assert (
        Message.user("Hi").to_json()
        == '{"role":"user","content":[{"type":"text","text":"Hi"}],"metadata":{}}'
    )
