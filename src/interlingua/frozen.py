"""FrozenDict: a JSON object that cannot change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, NoReturn, TypeGuard

from interlingua.errors import MessageError, shown

MAX_DEPTH = 200
"""How deep JSON may nest; past it `hash`, `==`, `pickle` and `json` exhaust the stack."""

if TYPE_CHECKING:

    class _Object(Mapping[str, Any]):
        """What a type checker sees: no mutators."""

        def __getitem__(self, key: str, /) -> Any: ...
        def __iter__(self) -> Iterator[str]: ...
        def __len__(self) -> int: ...

    def _fill(made: FrozenDict, items: dict[str, Any], /) -> None: ...
else:
    # msgspec and json write a dict subclass as it is, any other mapping not at all.
    _Object = dict
    _fill = dict.update


class FrozenDict(_Object):
    """A JSON object, deeply immutable, hashable and compared by content.

    Keys are `str`; values are `str`, `int`, finite `float`, `bool`, `None`, tuples and FrozenDicts
    of these. Lists become tuples, mappings FrozenDicts: what is passed in is copied, never kept.
    It equals a plain `dict` with the same content, pickles, and goes through `json.dumps`.

    Raises `MessageError`, with the path, for a key that is no string, a number that is not finite,
    a lone surrogate, a value that is no JSON, and nesting past `MAX_DEPTH` levels or in a circle.
    """

    # Both are worked out at their first use.
    __slots__ = ("_depth", "_hash")

    _depth: int
    _hash: int

    def __new__(
        cls, value: Mapping[str, Any] | Iterable[tuple[str, Any]] = (), /, **items: Any
    ) -> FrozenDict:
        if not items:
            if type(value) is FrozenDict:
                return value
            if is_mapping(value):
                return _object(value, 0)
        return _object({**dict(value), **items}, 0)

    def __init__(self, *_: Any, **__: Any) -> None:
        """Nothing: `__new__` has filled it, and a second call must not refill it."""

    @property
    def depth(self) -> int:
        """How many levels of objects and arrays it nests, itself included."""
        try:
            return self._depth
        except AttributeError:
            found = 1 + max(map(_depth, self.values()), default=0)
            object.__setattr__(self, "_depth", found)
            return found

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            found = hash(frozenset(self.items()))
            object.__setattr__(self, "_hash", found)
            return found

    def __eq__(self, other: object) -> bool:
        if is_mapping(other) and type(other) is not FrozenDict:
            try:
                other = _object(other, 0)
            except MessageError:
                return False
        return super().__eq__(other) is True

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __or__(self, other: Mapping[str, Any], /) -> FrozenDict:
        return FrozenDict({**self, **other})

    def __ror__(self, other: Mapping[str, Any], /) -> FrozenDict:
        return FrozenDict({**other, **self})

    def __repr__(self) -> str:
        return f"FrozenDict({super().__repr__()})"

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)

    def __copy__(self) -> FrozenDict:
        return self

    def __deepcopy__(self, _: Any) -> FrozenDict:
        return self

    def copy(self) -> FrozenDict:
        """Itself: there is nothing to protect."""
        return self


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise TypeError("a FrozenDict cannot change; make a new one with `frozen | {...}`")


for _name in (
    *("__setitem__", "__delitem__", "__ior__", "__setattr__", "__delattr__"),
    *("clear", "pop", "popitem", "setdefault", "update"),
):
    setattr(FrozenDict, _name, _refuse)


def freeze(value: object) -> Any:
    """A JSON value with every container in it frozen: FrozenDict and tuple.

    Raises `MessageError` as FrozenDict does.
    """
    return _frozen(value, 0)


def thaw(value: object) -> Any:
    """A copy in plain dicts and lists, for whoever wants to change it."""
    if is_mapping(value):
        return {key: thaw(item) for key, item in value.items()}
    if is_array(value):
        return [thaw(item) for item in value]
    return value


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    # The two usual types first: asking an abstract class takes long.
    return type(value) in (dict, FrozenDict) or isinstance(value, Mapping)


def is_array(value: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    return isinstance(value, (list, tuple))


def isas_unicode(text: str) -> bool:
    """Whether the text can be encoded: one that holds a lone surrogate cannot."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def as_unicode(text: str) -> str:
    """The text; raises `MessageError` for a lone surrogate."""
    if not isas_unicode(text):
        raise MessageError.of(
            "holds a lone surrogate, which no encoding can carry; "
            "replace it: text.encode('utf-8', 'replace').decode()"
        )
    return text


_PLAIN = frozenset({int, bool, type(None)})
"""The types whose every value is JSON and frozen."""


_kind_of: Callable[[object], type[Any]] = type


def _frozen(value: Any, depth: int) -> Any:
    kind = _kind_of(value)
    if kind is str:
        return value if value.isascii() else as_unicode(value)
    if kind in _PLAIN:
        return value
    if kind is dict:
        return _object(value, depth)
    if kind is list or kind is tuple:
        return _array(value, depth)
    if kind is FrozenDict:
        return value if value.depth + depth <= MAX_DEPTH else _too_deep()
    return _other(value, depth)


def _other(value: object, depth: int) -> Any:
    """A float, or a value of a subclass, such as a string enum's member, as the type itself."""
    if isinstance(value, float):
        if not isfinite(value):
            raise MessageError.of(f"{value!r} is no JSON number; use None or a string")
        return float(value)
    if isinstance(value, str):
        return as_unicode(str.__str__(value))
    if isinstance(value, int):
        return int(value)
    if is_mapping(value):
        return _object(value, depth)
    if is_array(value):
        return _array(value, depth)
    raise MessageError.of(
        f"{type(value).__name__} is no JSON value; use str, int, float, bool, None, list or dict"
    )


def _object(value: Mapping[Any, Any], depth: int) -> FrozenDict:
    if depth >= MAX_DEPTH:
        _too_deep()
    items: dict[str, Any] = {}
    key: Any = None
    try:
        for key, item in value.items():
            name = key if type(key) is str and key.isascii() else _key(key)
            kind = _kind_of(item)
            if kind in _PLAIN or (kind is str and item.isascii()):
                items[name] = item
            else:
                items[name] = _frozen(item, depth + 1)
    except MessageError as error:
        raise error.under(f"[{shown(key)}]") from None
    # Past the refused mutators: nobody else has seen it yet.
    made = _Object.__new__(FrozenDict)
    _fill(made, items)
    return made


def _array(value: Iterable[Any], depth: int) -> tuple[Any, ...]:
    if depth >= MAX_DEPTH:
        _too_deep()
    items: list[Any] = []
    try:
        for item in value:
            items.append(_frozen(item, depth + 1))
    except MessageError as error:
        raise error.under(f"[{len(items)}]") from None
    return tuple(items)


def _key(key: object) -> str:
    if isinstance(key, str):
        return as_unicode(str.__str__(key))
    raise MessageError.of(f"the key is {type(key).__name__}; JSON has only strings for keys")


def _too_deep() -> NoReturn:
    raise MessageError.of(
        f"is nested more than {MAX_DEPTH} levels deep, or contains itself; flatten it"
    )


def _depth(frozen: object) -> int:
    if type(frozen) is FrozenDict:
        return frozen.depth
    if is_array(frozen):
        return 1 + max(map(_depth, frozen), default=0)
    return 0


EMPTY = FrozenDict()
"""The FrozenDict that holds nothing."""
