"""Messages from what a program has already: our own, legacy tuples, a vendor's dicts.

What several formats could mean is refused, unless all of them mean the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from interlingua import fields
from interlingua.errors import DecodeError, MessageError, Problem
from interlingua.frozen import is_array, is_mapping
from interlingua.legacy import messages_from_legacy, pair
from interlingua.message import ROLES, Message
from interlingua.parts import PARTS, is_part
from interlingua.registry import codec
from interlingua.symbols import symbol

OURS, LEGACY = "interlingua", "legacy"
CHAT, RESPONSES = "openai-chat", "openai-responses"
ANTHROPIC, GEMINI = "anthropic-messages", "gemini-generate"

TURNS = {CHAT: "messages", RESPONSES: "input", ANTHROPIC: "messages", GEMINI: "contents"}
"""Where a request of each API holds its turns."""

WHAT = "not messages"


class _Item(NamedTuple):
    place: int
    format: str
    """LEGACY also for messages, which lie between tuples as they are."""
    value: Any


def messages_from(items: Iterable[object], *, format: str | None = None) -> tuple[Message, ...]:
    """Messages from messages, strings, our own dicts, legacy tuples and OpenAI's chat dicts.

    `format` says what dicts are: an API, such as `anthropic-messages`, or `interlingua` or
    `legacy`. Raises `MessageError` for what is no message, and for a dict that has to be told.
    """
    if format not in (None, OURS, LEGACY):
        codec(format)
    read = fields.each(lambda item: item)
    held: list[_Item] = []
    problems: list[Problem] = []
    for index, item in enumerate(read(items)):
        try:
            held += [_Item(index, form, value) for form, value in _sorted(item, format)]
        except MessageError as error:
            problems += error.under(f"[{index}]").errors
    if problems:
        raise MessageError(problems, WHAT)
    runs = groupby(held, key=lambda one: one.format)
    return tuple(message for form, run in runs for message in _run(form, list(run)))


def _sorted(item: object, format: str | None) -> Iterable[tuple[str, object]]:
    """What an item stands for, each with its format; what needs no context is read here."""
    if isinstance(item, Message):
        return [(LEGACY, item)]
    if isinstance(item, str) or is_part(item):
        return [(LEGACY, Message.user(item))]
    if hasattr(item, "to_messages"):
        several: Any = item
        return [(LEGACY, message) for message in several.to_messages()]
    if is_mapping(item):
        form = format or _format_of(item)
        return [(LEGACY, Message.from_dict(item))] if form == OURS else [(form, item)]
    if is_array(item):
        return [(LEGACY, item)]
    raise fields.wrong("a message, a dict, a legacy tuple or a string", item)


def _run(form: str, run: list[_Item]) -> tuple[Message, ...]:
    """Items of one format that follow one another, read together."""
    values = [item.value for item in run]
    try:
        if form == LEGACY:
            return messages_from_legacy(values)
        return codec(form).decode_request({TURNS.get(form, "messages"): values}).messages
    except MessageError as error:
        problems = error.errors
    except DecodeError as error:
        problems = (Problem(error.path, f"{form}: {error.reason}"),)
    raise MessageError([_placed(problem, run) for problem in problems], WHAT)


def _placed(problem: Problem, run: list[_Item]) -> Problem:
    """The problem seen from all items."""
    found = re.match(r"\w*\[(\d+)\]\.?(.*)", problem.path)
    if found is None:
        return problem.under(f"[{run[0].place}]")
    return Problem(found[2], problem.reason).under(f"[{run[int(found[1])].place}]")


# -- what a dict may be


PLAIN = {"role", "content", "name", "tool_call_id"}
"""Keys that mean the same to us and to Chat Completions."""

OWN = {*Message.__struct_fields__, "tool_calls", "tool_call_id", "is_error"}
OWN_ALONE = OWN - PLAIN - {"tool_calls"}

CHAT_ROLES = (*ROLES, "function")
CHAT_BLOCKS = {"image_url", "input_audio", "file", "refusal"}
ANTHROPIC_ROLES = ("system", "user", "assistant")
ANTHROPIC_BLOCKS = {"tool_use", "thinking", "redacted_thinking", "server_tool_use"}
RESPONSES_BLOCKS = {"input_text", "output_text", "input_image", "input_file"}


def _format_of(item: Mapping[Any, Any]) -> str:
    """The one format in which the dict can be read. Raises `MessageError`, naming the others."""
    given: dict[str, Any] = {symbol(key) or "": value for key, value in item.items()}
    possible = _by_parts(given["parts"]) if "parts" in given else _by_role(given)
    if possible in ([OURS], [CHAT], [LEGACY]):
        return possible[0]
    if OURS in possible and _is_plain(given):
        return OURS
    if not possible:
        known = ", ".join([OURS, LEGACY, *TURNS])
        raise MessageError.of(f"is no message; name the format it has, one of {known}")
    told = " or ".join(f"format={one!r}" for one in possible)
    raise MessageError.of(f"reads as {' or as '.join(possible)}; say which: {told}")


def _by_parts(parts: object) -> list[str]:
    """Tuples are legacy, dicts are Gemini's; nothing may be either."""
    listed = list(parts) if is_array(parts) else [parts]
    tuples, dicts = all(map(pair, listed)), all(map(is_mapping, listed))
    return [form for form, fits in ((LEGACY, tuples), (GEMINI, dicts)) if fits]


def _by_role(given: dict[str, Any]) -> list[str]:
    if "role" not in given:
        return [RESPONSES] if isinstance(given.get("type"), str) else []
    content = given.get("content")
    blocks = list(content) if is_array(content) else []
    fits = {
        OURS: _is_ours(given, blocks),
        CHAT: _is_chat(given, blocks),
        ANTHROPIC: _is_anthropic(given, blocks),
        RESPONSES: given.get("type") == "message" or _any_of(blocks, RESPONSES_BLOCKS),
    }
    return [form for form, fit in fits.items() if fit]


def _is_plain(given: dict[str, Any]) -> bool:
    """Whether all formats that it fits read the same."""
    content = given.get("content")
    blocks = list(content) if is_array(content) else []
    return given.keys() - {"tool_calls"} <= PLAIN and all(
        is_mapping(one) and set(one) == {"type", "text"} and one["type"] == "text" for one in blocks
    )


def _is_ours(given: dict[str, Any], blocks: list[Any]) -> bool:
    fits = given.keys() <= OWN and given["role"] != "function"
    return fits and all(map(_is_own, blocks)) and _has_own_calls(given)


def _is_own(block: object) -> bool:
    if not is_mapping(block):
        return isinstance(block, str) or is_part(block)
    kind = PARTS.get(str(block.get("type")))
    return kind is not None and fields.fits(kind, block.keys() - {"type"})


def _has_own_calls(given: dict[str, Any]) -> bool:
    calls = given.get("tool_calls")
    return not is_array(calls) or not any(is_mapping(one) and "type" in one for one in calls)


def _is_chat(given: dict[str, Any], blocks: list[Any]) -> bool:
    calls = given.get("tool_calls")
    called = not is_array(calls) or all(is_mapping(one) and "type" in one for one in calls)
    fits = given["role"] in CHAT_ROLES and called and OWN_ALONE.isdisjoint(given)
    return fits and "type" not in given and all(_is_block(one, CHAT_BLOCKS) for one in blocks)


def _is_block(block: object, kinds: set[str]) -> bool:
    """Whether it is a text, or a block that holds its kind's own key."""
    if not is_mapping(block):
        return False
    kind = str(block.get("type"))
    return (kind == "text" or kind in kinds) and kind in block


def _is_anthropic(given: dict[str, Any], blocks: list[Any]) -> bool:
    alone = given.keys() == {"role", "content"} or "stop_reason" in given
    return given["role"] in ANTHROPIC_ROLES and alone and all(map(_is_anthropic_block, blocks))


def _is_anthropic_block(block: object) -> bool:
    if not is_mapping(block):
        return False
    kind = str(block.get("type"))
    known = kind in ANTHROPIC_BLOCKS or "source" in block or "tool_use_id" in block
    return known or (kind == "text" and "text" in block)


def _any_of(blocks: list[Any], kinds: set[str]) -> bool:
    return any(is_mapping(one) and str(one.get("type")) in kinds for one in blocks)
