"""Functions over conversations. A conversation is any sequence of messages; none is changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from interlingua import fields
from interlingua.errors import Problem
from interlingua.links import Matches, Place, link, match, path_of, rounds, spare_reason
from interlingua.loss import Loss
from interlingua.message import ROLES, Message, Role
from interlingua.parts import ToolCall, ToolResult

PARAGRAPH = "\n\n"


def split_system(messages: Iterable[Message]) -> tuple[str | None, tuple[Message, ...]]:
    """What system and developer messages say, joined with blank lines, and the other messages.

    Blank ones are skipped; the prompt is None when nothing is left. What is no text stands in it as
    `to_text` shows it.
    """
    said: list[str] = []
    rest: list[Message] = []
    for message in messages:
        if message.role in ("system", "developer"):
            said.append(message.to_text())
        else:
            rest.append(message)
    return _joined(said) or None, tuple(rest)


def extract_text(messages: Iterable[Message]) -> str:
    """The visible text of all messages, joined with blank lines; blank ones are skipped."""
    return _joined(message.text for message in messages)


def extract_tool_calls(messages: Iterable[Message]) -> tuple[ToolCall, ...]:
    """The tool calls of all assistant messages, in order."""
    return tuple(call for message in messages for call in message.tool_calls)


def find_by_role(messages: Iterable[Message], role: Role) -> tuple[Message, ...]:
    """The messages of a role. Raises `MessageError` for a word that is no role."""
    wanted = fields.one_of(*ROLES)(role)
    return tuple(message for message in messages if message.role == wanted)


def last_message(messages: Sequence[Message]) -> Message | None:
    """The last message, None when there is none."""
    return messages[-1] if messages else None


def count_by_role(messages: Iterable[Message]) -> dict[Role, int]:
    """How many messages each of the five roles has."""
    counts = Counter(message.role for message in messages)
    return {role: counts[role] for role in ROLES}


def validate_conversation(messages: Iterable[Message]) -> tuple[Problem, ...]:
    """What vendors refuse in how calls and results follow one another; empty when all is sound.

    A call has an id of its own and one result, in the messages of role `tool` right after its turn;
    a result answers a call.
    """
    history = tuple(messages)
    found = match(history)
    answered = set(found.calls.values())
    near = {index: head for head, run in rounds(history) for index in run}
    first: dict[str, Place] = {}
    problems: list[Problem] = []
    for index, message in enumerate(history):
        for place, part in enumerate(message.content):
            at = (index, place)
            if isinstance(part, ToolCall):
                known = first.setdefault(part.id, at)
                problems += _call_problems(part, at, known, at in answered)
            elif isinstance(part, ToolResult):
                problems += _result_problems(part, at, found, near)
    return tuple(problems)


class Repaired(NamedTuple):
    """A sound conversation, and what was done to make it one."""

    messages: tuple[Message, ...]
    losses: tuple[Loss, ...]
    """Paths count from the conversation that was given."""


def repair(messages: Iterable[Message]) -> Repaired:
    """The conversation with every call's one result right after its turn.

    A missing result is made up, a late one is moved to its call, one that answers no call becomes
    what the user says, an id that repeats is replaced: each is reported. A sound conversation comes
    back as it is.
    """
    history = tuple(messages)
    linked = link(history, "", str)
    return Repaired(tuple(linked.messages), tuple(linked.losses))


def _joined(texts: Iterable[str]) -> str:
    return PARAGRAPH.join(text for text in texts if text.strip())


def _call_problems(call: ToolCall, at: Place, first: Place, answered: bool) -> Iterable[Problem]:
    if first != at:
        yield Problem(path_of(at), f"tool call id {call.id!r} is used already at {path_of(first)}")
    if not answered:
        yield Problem(path_of(at), f"tool call {call.id!r} has no result")


def _result_problems(
    result: ToolResult, at: Place, found: Matches, near: dict[int, int | None]
) -> Iterable[Problem]:
    call = found.calls.get(at)
    if call is None:
        yield Problem(path_of(at), spare_reason(result, found.spare[at]))
    elif near[at[0]] != call[0]:
        reason = f"the result of tool call {result.tool_call_id!r} does not follow its turn"
        yield Problem(path_of(at), reason)
