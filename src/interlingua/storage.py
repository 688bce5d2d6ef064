"""Conversations as versioned JSON, in text, in mappings and in files.

    {"interlingua": 1, "messages": [{"role": "user", "content": [...], "metadata": {}}, ...]}

Parts and fields may be added under the same number; a reader that does not know one says so and
loads nothing. The number changes when what is there changes its meaning; every older one is read.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct, field

from interlingua import fields
from interlingua.attachments import Media
from interlingua.errors import MessageError, Problem, StorageError, shown
from interlingua.frozen import FrozenDict, is_array, is_mapping
from interlingua.message import Message
from interlingua.parts import PARTS, parts_from
from interlingua.value import instance

VERSION = 1
"""Of the format that is written, and the newest that is read."""

LATER = "a later interlingua may have written it"

DIALECT = "https://json-schema.org/draft/2020-12/schema"

SOURCES = {kind.__name__: kind.sources for kind in PARTS.values() if issubclass(kind, Media)}
"""Of the parts that hold a file: the fields of which one has to be there."""

AnyPath: TypeAlias = str | os.PathLike[str]


class Conversation(Struct, frozen=True):
    """A conversation as it is stored: the version of the format, and the messages."""

    version: Literal[1] = field(name="interlingua")
    messages: tuple[Message, ...]


def dump_conversation(messages: Iterable[Message]) -> str:
    """The conversation as JSON text, in one line."""
    return _encoded(messages).decode()


def load_conversation(text: str | bytes) -> tuple[Message, ...]:
    """The conversation that `dump_conversation` wrote: all of it, or a `StorageError`."""
    return _loaded(_decoded(text))


def conversation_to_dict(messages: Iterable[Message]) -> dict[str, Any]:
    """The conversation in plain JSON values, to stand in a document of your own."""
    return msgspec.json.decode(_encoded(messages))


def conversation_from_dict(stored: Mapping[str, Any]) -> tuple[Message, ...]:
    """The conversation that `conversation_to_dict` gave. Raises `StorageError`, as loading does."""
    return _loaded(stored)


def save_conversation(path: AnyPath, messages: Iterable[Message]) -> None:
    """Write the conversation to a file, whole or not at all.

    Whatever fails, a full disk or a lost machine, the file holds the old conversation or the new.
    """
    _write(os.path.realpath(path), _encoded(messages) + b"\n")


def read_conversation(path: AnyPath) -> tuple[Message, ...]:
    """The conversation in a file. Raises `StorageError` that names the file and the place in it."""
    with open(path, "rb") as file:
        text = file.read()
    try:
        return load_conversation(text)
    except StorageError as error:
        raise StorageError(f"{os.fspath(path)}: {error}", errors=error.errors) from None


# -- writing


def _encoded(messages: Iterable[Message]) -> bytes:
    return msgspec.json.encode(Conversation(VERSION, _messages(messages)))


_messages = fields.each(instance(Message))


def _write(path: str, content: bytes) -> None:
    """Write beside the file, make sure of it, and then let it take the file's place."""
    folder = os.path.dirname(path)
    spare = os.path.join(folder, f".{os.urandom(8).hex()}.tmp")
    try:
        with open(spare, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            os.chmod(spare, os.stat(path).st_mode & 0o7777)
        os.replace(spare, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(spare)
        raise
    _remember(folder)


def _remember(folder: str) -> None:
    """Make the folder's new entry outlast a power cut, where folders can be synchronised."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# -- reading


def _decoded(text: str | bytes) -> object:
    # Some editors put a byte order mark before what they save.
    bare = text.lstrip("\ufeff") if isinstance(text, str) else text.removeprefix(BOM_UTF8)
    try:
        return msgspec.json.decode(bare)
    except RecursionError:
        raise StorageError("nested too deeply") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise StorageError(f"no JSON: {_fault(bare) or error}") from None


def _fault(text: str | bytes) -> str | None:
    """Where and why the text stops being JSON, if the standard library sees it too."""
    import json

    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"{error.msg} at line {error.lineno}, column {error.colno}"
    except (UnicodeError, RecursionError):
        pass
    return None


def _loaded(stored: object) -> tuple[Message, ...]:
    if not is_mapping(stored) or "interlingua" not in stored:
        raise StorageError(f'expected an object with the key "interlingua", got {shown(stored)}')
    version = stored["interlingua"]
    if type(version) is not int or version < 1:
        raise StorageError(f"{shown(version)} is no version of the format; the newest is {VERSION}")
    if version > VERSION:
        reads = f"this interlingua reads up to {VERSION}: upgrade it"
        raise StorageError(f"written in version {version} of the format, and {reads}")
    if unknown := stored.keys() - {"interlingua", "messages"}:
        raise StorageError(f"unknown keys {', '.join(sorted(map(shown, unknown)))}; {LATER}")
    messages = stored.get("messages")
    if not is_array(messages):
        raise StorageError(f"messages: expected an array, got {shown(messages)}")
    return tuple(_message(item, index) for index, item in enumerate(messages))


def _message(stored: object, index: int) -> Message:
    spelt, problems = _with_parts(stored)
    message, more = Message.try_new(spelt)
    if message is not None and not problems:
        return message
    found = MessageError([*problems, *more]).under(f"messages[{index}]").errors
    later = f"; {LATER}" if any(one.path.endswith(".type") for one in found) else ""
    raise StorageError("; ".join(map(str, found)) + later, errors=found)


def _with_parts(stored: Any) -> tuple[Any, list[Problem]]:
    """The mapping with the contents of results read; a Message takes what is no part as data."""
    problems: list[Problem] = []
    if not is_mapping(stored) or not is_array(stored.get("content")):
        return stored, problems
    content: list[object] = []
    for place, part in enumerate(stored["content"]):
        inner: Any = part.get("content") if is_mapping(part) else None
        if is_array(inner) and part.get("type") == "tool_result":
            try:
                inner = parts_from(inner)
            except MessageError as error:
                problems += error.under(f"content[{place}].content").errors
                inner = ()
            content.append({**part, "content": inner})
        else:
            content.append(part)
    return {**stored, "content": content}, problems


# -- as a schema


def json_schema() -> dict[str, Any]:
    """The JSON Schema of what is stored, made from the types."""
    schema = msgspec.json.schema(Conversation, schema_hook=_described)
    named: dict[str, dict[str, Any]] = schema["$defs"]
    for name, definition in named.items():
        _tighten(definition, SOURCES.get(name, ()))
    return msgspec.json.decode(msgspec.json.encode({"$schema": DIALECT, **schema}))


def _described(kind: type) -> dict[str, Any]:
    if kind is FrozenDict:
        return {"type": "object"}
    raise NotImplementedError(kind)


def _tighten(definition: dict[str, Any], sources: tuple[str, ...]) -> None:
    """Say what the types cannot: no other fields, one source, what extras and times look like."""
    definition["description"] = definition["description"].partition("\n")[0]
    definition["additionalProperties"] = False
    properties = definition["properties"]
    if "extras" in properties:
        properties["extras"]["additionalProperties"] = {"type": "object"}
    if "created_at" in properties:
        properties["created_at"]["anyOf"][0]["format"] = "date-time"
    if sources:
        definition["oneOf"] = [{"required": [name]} for name in sources]
