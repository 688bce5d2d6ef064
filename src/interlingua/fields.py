"""What a field of a value accepts.

A rule takes what was given and returns what is kept, or raises `MessageError`.
`settle` runs a value's rules and reports all their problems together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any, TypeAlias, TypeGuard, TypeVar

from msgspec import NODEFAULT, Struct
from msgspec.structs import force_setattr

from interlingua.errors import MessageError, Problem, shown
from interlingua.frozen import EMPTY, FrozenDict, as_unicode, freeze, is_array, is_mapping, thaw

Rule: TypeAlias = Callable[[Any], Any]
Made = TypeVar("Made", bound=Struct)

MINUTE = timedelta(minutes=1)


# Plain tuples, since every value that is made runs through them: a field's name, its default
# (NODEFAULT when it has to be given) and its rule.
Field: TypeAlias = tuple[str, object, Rule]
_known: dict[type[Struct], tuple[Field, ...]] = {}


def settle(value: Struct, rules: Mapping[str, Rule]) -> None:
    """Check and freeze the fields of a value in the making; all problems are raised together."""
    kind = type(value)
    problems: list[Problem] | None = None
    for name, default, rule in _known.get(kind) or _fields(kind, rules):
        given = getattr(value, name)
        if given is default:
            continue
        try:
            kept = rule(given)
        except MessageError as error:
            problems = [*(problems or ()), *error.under(name).errors]
        else:
            if kept is not given:
                force_setattr(value, name, kept)
    if problems:
        raise MessageError(problems, f"not {article(kind.__name__)}")


def read(kind: type[Made], given: object) -> Made:
    """A value from a mapping of its fields, or an error that says it is no mapping."""
    if not is_mapping(given):
        raise wrong("a mapping", given)
    return build(kind, given)


def build(kind: type[Made], given: Mapping[Any, Any], problems: Iterable[Problem] = ()) -> Made:
    """A value from a mapping of its fields; unknown and missing ones are among the problems."""
    known = {name: (default, rule) for name, default, rule in table(kind)}
    found = [*problems]
    tag = kind.__struct_config__.tag
    if tag is not None:
        given = {"type": tag, **given}
        if (said := given.pop("type")) != tag:
            found += wrong(f"the type {tag}", said).under("type").errors
    for name in given:
        if name not in known:
            has = f"{article(kind.__name__)} has {', '.join(known)}"
            found.append(Problem(_place(name), f"no such field; {has}"))
    for name, (default, _) in known.items():
        if name not in given and default is NODEFAULT:
            found.append(Problem(name, "is missing"))
    if not found:
        return kind(**given)
    for name, (_, rule) in known.items():
        if name in given:
            found += _problems(name, rule, given[name])
    raise MessageError(found, f"not {article(kind.__name__)}")


def fits(kind: type[Struct], names: Set[str]) -> bool:
    """Whether these are the fields of such a value: all that it needs, and no others."""
    known = table(kind)
    needed = {name for name, default, _ in known if default is NODEFAULT}
    return needed <= names <= {name for name, _, _ in known}


def _problems(name: str, rule: Rule, given: object) -> Iterable[Problem]:
    try:
        rule(given)
    except MessageError as error:
        return error.under(name).errors
    return ()


def _place(name: object) -> str:
    return name if isinstance(name, str) and name.isidentifier() else f"[{shown(name)}]"


def table(kind: type[Struct]) -> tuple[Field, ...]:
    """The fields of a kind of value, in order."""
    return _known.get(kind) or _fields(kind, getattr(kind, "rules", {}))


def _fields(kind: type[Struct], rules: Mapping[str, Rule]) -> tuple[Field, ...]:
    names, defaults = kind.__struct_fields__, kind.__struct_defaults__
    spread = (NODEFAULT,) * (len(names) - len(defaults)) + defaults
    _known[kind] = found = tuple(
        (name, _default(default), rules.get(name, _anything))
        for name, default in zip(names, spread, strict=True)
    )
    return found


def _default(default: Any) -> object:
    factory = getattr(default, "factory", None)
    return factory() if callable(factory) else default


def _anything(value: object) -> object:
    return value


def article(name: str) -> str:
    """A type's name as one of its kind: `a Text`, `an Image`."""
    return f"an {name}" if name[0] in "AEIO" else f"a {name}"


def wrong(expected: str, given: object) -> MessageError:
    """The error that says what was expected and what came instead."""
    kind = "" if given is None else f"{type(given).__name__} "
    return MessageError.of(f"expected {expected}, got {kind}{shown(given)}")


def string(value: Any) -> str:
    if type(value) is str:
        return value if value.isascii() else as_unicode(value)
    if isinstance(value, str):
        return as_unicode(str.__str__(value))
    raise wrong("a string", value)


def filled(value: Any) -> str:
    """A string that is not empty."""
    held = string(value)
    if not held:
        raise MessageError.of("is empty")
    return held


def flag(value: Any) -> bool:
    if value is not True and value is not False:
        raise wrong("True or False", value)
    return value


def integer(value: Any) -> int:
    if type(value) is not int:
        raise wrong("an integer", value)
    return value


def count(value: Any) -> int:
    """An integer that is not negative."""
    if integer(value) < 0:
        raise wrong("an integer of at least 0", value)
    return value


def number(value: Any) -> float:
    if type(value) is bool or not isinstance(value, int | float) or not isfinite(value):
        raise wrong("a finite number", value)
    return value


def data(value: Any) -> bytes:
    """Bytes; a string is read as base64."""
    if type(value) is bytes:
        return value
    if isinstance(value, str):
        return base64(value)
    if _is_buffer(value):
        return bytes(value)
    raise wrong("bytes or base64", value)


def _is_buffer(value: object) -> TypeGuard[bytes | bytearray | memoryview[int]]:
    return isinstance(value, bytes | bytearray | memoryview)


def base64(text: str) -> bytes:
    """The bytes that base64 says; no other letter may stand in it."""
    # The module `base64` does no more than this, and takes long to load.
    from binascii import a2b_base64

    try:
        return a2b_base64(text, strict_mode=True)
    except ValueError as error:
        raise MessageError.of(f"no base64 ({error}): {shown(text)}") from None


def moment(value: Any) -> datetime:
    """A time that knows its zone; ISO 8601 text is read."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise wrong("a time in ISO 8601", value) from None
    if not isinstance(value, datetime):
        raise wrong("a datetime", value)
    offset = value.utcoffset()
    if offset is None:
        raise MessageError.of(f"{value} has no time zone; use datetime.now().astimezone()")
    # ISO 8601 writes offsets in whole minutes; some of old local times are not.
    return value.astimezone(UTC) if offset % MINUTE else value


json: Rule = freeze
"""Any JSON value, frozen."""


def json_object(value: Any) -> FrozenDict:
    """A JSON object, frozen; None is the empty one."""
    if type(value) is FrozenDict:
        return value or EMPTY
    if value is None:
        return EMPTY
    if not is_mapping(value):
        raise wrong("a mapping", value)
    return FrozenDict(value) or EMPTY


def extras(value: Any) -> FrozenDict:
    """Fields by API: a JSON object of JSON objects."""
    held = json_object(value)
    for api, fields in held.items():
        if type(fields) is not FrozenDict:
            raise wrong("a mapping", thaw(fields)).under(f"[{shown(api)}]")
    return held


def optional(rule: Rule) -> Rule:
    """The rule, or None."""

    def kept(value: Any) -> Any:
        return None if value is None else rule(value)

    return kept


def each(rule: Rule, *kinds: type) -> Rule:
    """A tuple whose every item keeps the rule, as those of the kinds do; None is the empty one."""
    kept = frozenset(kinds)

    def items(value: Any) -> tuple[Any, ...]:
        if value is None:
            return ()
        if is_array(value) and kept.issuperset(map(type, value)):
            return tuple(value)
        if not _is_sequence(value):
            raise wrong("a sequence", value)
        return _each(rule, value)

    return items


def _is_sequence(value: object) -> TypeGuard[Iterable[Any]]:
    if is_array(value):
        return True
    one = isinstance(value, str | bytes | bytearray) or is_mapping(value)
    return not one and isinstance(value, Iterable)


def _each(rule: Rule, given: Iterable[Any]) -> tuple[Any, ...]:
    kept: list[Any] = []
    problems: list[Problem] = []
    for index, item in enumerate(given):
        try:
            kept.append(rule(item))
        except MessageError as error:
            problems += error.under(f"[{index}]").errors
    if problems:
        raise MessageError(problems)
    return tuple(kept)


def one_of(*words: str) -> Rule:
    """One of these strings."""
    known = {word: word for word in words}

    def word(value: Any) -> str:
        if isinstance(value, str) and value in known:
            return known[value]
        raise wrong(f"one of {', '.join(words)}", value)

    return word
