"""FrozenDict: a JSON object that cannot change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, NoReturn

from interlingua.errors import MessageError

MAX_DEPTH = 200
"""How deep JSON may nest; past it `hash`, `==`, `pickle` and `json` exhaust the interpreter's stack."""

if TYPE_CHECKING:

    class _Object(Mapping[str, Any]):
        """What a type checker sees: no mutators."""

        def __getitem__(self, key: str, /) -> Any: ...
        def __iter__(self) -> Iterator[str]: ...
        def __len__(self) -> int: ...
else:
    # msgspec and json write a dict subclass as it is, any other mapping not at all.
    _Object = dict


class FrozenDict(_Object):
    """A JSON object, deeply immutable, hashable and compared by content.

    Keys are `str`; values are `str`, `int`, finite `float`, `bool`, `None`, tuples and FrozenDicts
    of these. Lists become tuples, mappings FrozenDicts: what is passed in is copied, never kept.
    It equals a plain `dict` with the same content, pickles, and goes through `json.dumps`.

    Raises `MessageError`, with the path, for a key that is no string, a number that is not finite, a
    lone surrogate, a value that is no JSON, and nesting of more than `MAX_DEPTH` levels or in a circle.
    """

    __slots__ = ("_depth", "_hash")

    _depth: int
    _hash: int | None

    def __new__(
        cls, value: Mapping[str, Any] | Iterable[tuple[str, Any]] = (), /, **items: Any
    ) -> FrozenDict:
        if type(value) is FrozenDict and not items:
            return value
        return _object({**dict(value), **items}, 0)

    def __init__(self, *_: Any, **__: Any) -> None:
        """Nothing: `__new__` has filled it, and a second call must not refill it."""

    def __hash__(self) -> int:
        known = self._hash
        if known is None:
            known = hash(frozenset(self.items()))
            object.__setattr__(self, "_hash", known)
        return known

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Mapping) and not isinstance(other, FrozenDict):
            try:
                other = _object(other, 0)
            except MessageError:
                return False
        return super().__eq__(other) is True

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __or__(self, other: Mapping[str, Any], /) -> FrozenDict:
        return FrozenDict({**self, **other})

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


def freeze(value: Any) -> Any:
    """A JSON value with every container in it frozen: FrozenDict and tuple.

    Raises `MessageError` as FrozenDict does.
    """
    return _frozen(value, 0)


def thaw(value: Any) -> Any:
    """A copy in plain dicts and lists, for whoever wants to change it."""
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in _items(value)}
    if isinstance(value, tuple | list):
        return [thaw(item) for item in _elements(value)]
    return value


def is_unicode(text: str) -> bool:
    """Whether the text can be encoded: one that holds a lone surrogate cannot."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _frozen(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind is str:
        if not is_unicode(value):
            raise MessageError.of("holds a lone surrogate, which no encoding can carry")
        return value
    if kind is int or kind is bool or value is None:
        return value
    if kind is float:
        if not isfinite(value):
            raise MessageError.of(f"{value!r} is no JSON number")
        return value
    if kind is FrozenDict:
        return _fits(value, depth + value._depth)
    if isinstance(value, Mapping):
        return _object(value, depth)
    if isinstance(value, list | tuple):
        return _array(value, depth)
    return _plain(value, depth)


def _plain(value: Any, depth: int) -> Any:
    """A subclass of a JSON scalar, such as a string enum's member, as that scalar."""
    for kind in (str, bool, int, float):
        if isinstance(value, kind):
            return _frozen(kind.__str__(value) if kind is str else kind(value), depth)
    raise MessageError.of(
        f"{type(value).__name__} is no JSON value; use str, int, float, bool, None, list or dict"
    )


def _object(value: Any, depth: int) -> FrozenDict:
    _fits(value, depth + 1)
    items: dict[str, Any] = {}
    deepest = 0
    for key, item in value.items():
        if type(key) is not str:
            key = _key(key)
        elif not key.isascii() and not is_unicode(key):
            raise MessageError.of(f"the key {key!r} holds a lone surrogate")
        try:
            held = items[key] = _frozen(item, depth + 1)
        except MessageError as error:
            raise error.under(f"[{key!r}]") from None
        deepest = max(deepest, _depth_of(held))
    made = dict.__new__(FrozenDict)
    dict.update(made, items)
    object.__setattr__(made, "_depth", deepest + 1)
    object.__setattr__(made, "_hash", None)
    return made


def _array(value: Any, depth: int) -> tuple[Any, ...]:
    _fits(value, depth + 1)
    items: list[Any] = []
    for index, item in enumerate(value):
        try:
            items.append(_frozen(item, depth + 1))
        except MessageError as error:
            raise error.under(f"[{index}]") from None
    return tuple(items)


def _key(key: Any) -> str:
    if isinstance(key, str):
        return str.__str__(key)
    raise MessageError.of(f"the key {key!r} is no string; JSON has no other keys")


def _fits(value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise MessageError.of(
            f"is nested more than {MAX_DEPTH} levels deep, or contains itself; flatten it"
        )
    return value


def _depth_of(frozen: Any) -> int:
    if type(frozen) is FrozenDict:
        return frozen._depth
    if type(frozen) is tuple:
        return 1 + max(map(_depth_of, _elements(frozen)), default=0)
    return 0


def _items(value: Mapping[Any, Any]) -> Iterable[tuple[Any, Any]]:
    return value.items()


def _elements(value: tuple[Any, ...] | list[Any]) -> Iterable[Any]:
    return value


EMPTY = FrozenDict()
"""The FrozenDict that holds nothing."""
