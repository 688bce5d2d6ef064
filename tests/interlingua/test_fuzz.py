"""Whatever a vendor sends, it is read or it is one of our errors."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import samples
from interlingua import (
    Codec,
    DecodeError,
    EncodeError,
    LossPolicy,
    Message,
    ProviderError,
    Request,
    Response,
    codec,
)
from interlingua.wire import is_list, is_object, objects

Json = dict[str, Any]
Path: TypeAlias = tuple[str | int, ...]


def nested(depth: int) -> Any:
    """Objects and arrays in one another."""
    value: Any = None
    for level in range(depth):
        value = {"type": value} if level % 2 else [value]
    return value


HOSTILE: list[Any] = [
    *(None, True, False, 0, -1, 1.5, 10**30, -(10**300), float("nan"), float("inf")),
    *("", " ", "x", "429", "²", "\ud83d", "\ude00", "data:,", "data:image/png;base64,?", "\0"),
    *([], {}, [None], ["x"], [[]], [{}], {"": ""}, {"\ud83d": 1}),
    *({"type": "new"}, {"type": None}, [{"type": "text"}], {"error": {"code": 429}}),
    *(nested(150), nested(250), nested(3000)),
]


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place in a JSON value."""
    yield path
    if is_object(value):
        for key, item in value.items():
            yield from places(item, (*path, key))
    if is_list(value):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


def put(value: Any, path: Path, new: Any) -> Any:
    """The value with another one at a place; nothing else is copied."""
    if not path:
        return new
    made = value.copy()
    made[path[0]] = put(value[path[0]], path[1:], new)
    return made


def cut(value: Any, path: Path) -> Any:
    """The value without what is at a place."""
    made = value.copy()
    if len(path) == 1:
        del made[path[0]]
    else:
        made[path[0]] = cut(value[path[0]], path[1:])
    return made


@st.composite
def damaged(draw: st.DrawFn, sound: Mapping[str, Any]) -> Any:
    """One of the samples with a few places replaced, cut out or joined by something new."""
    value = draw(st.sampled_from([*sound.values()]))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from([*places(value)][1:] or [()]))
        if not path:
            continue
        if draw(st.booleans()):
            number = draw(st.integers(0, len(HOSTILE) - 1))
            if number == len(HOSTILE) - 1:
                return put(value, path, HOSTILE[number])
            value = put(value, path, HOSTILE[number])
        else:
            value = cut(value, path)
    return value


def is_sound(made: Response, api: Codec) -> None:
    """What was read is a value like any other, and goes back."""
    message = made.message
    hash(made)
    assert pickle.loads(pickle.dumps(made)) == made
    assert Message.from_json(message.to_json()) == message
    api.encode(Request("m", [message]), LossPolicy.allow)


fuzzed = settings(max_examples=60)


@pytest.mark.parametrize("api", samples.APIS)
@fuzzed
@given(data=st.data())
def test_a_damaged_answer_is_a_response_or_an_error(api: str, data: st.DataObject) -> None:
    body = data.draw(damaged(samples.answers(api)))
    chosen = codec(api)

    try:
        response = chosen.decode(body)
    except (DecodeError, ProviderError):
        return

    is_sound(response, chosen)


@pytest.mark.parametrize("api", samples.APIS)
@fuzzed
@given(data=st.data())
def test_a_damaged_request_is_a_request_or_an_error(api: str, data: st.DataObject) -> None:
    body = data.draw(damaged(samples.requests(api)))

    try:
        request = codec(api).decode_request(body)
    except DecodeError:
        return

    hash(request)
    for target in samples.APIS:
        try:
            codec(target).encode(request, LossPolicy.allow)
        except EncodeError:
            continue


@pytest.mark.parametrize("api", samples.APIS)
@fuzzed
@given(data=st.data())
def test_a_damaged_stream_is_a_response_or_an_error(api: str, data: st.DataObject) -> None:
    events = objects(data.draw(damaged(samples.streams(api))))
    chosen = codec(api)
    decoder = chosen.stream()

    try:
        for event in events:
            decoder.feed(event)
        response = decoder.finish()
    except (DecodeError, ProviderError):
        assert isinstance(decoder.partial(), Response)
        return

    is_sound(response, chosen)


@pytest.mark.parametrize("api", samples.APIS)
@fuzzed
@given(data=st.data(), status=st.sampled_from([200, 302, 400, 401, 429, 500, 529]))
def test_a_damaged_error_is_an_error(api: str, data: st.DataObject, status: int) -> None:
    sound = {"none": {"error": {"message": "No.", "code": "x", "type": "y"}}, **samples.errors(api)}
    body = data.draw(damaged(sound) | st.sampled_from(HOSTILE))

    error = codec(api).decode_error(status, {}, body)

    assert isinstance(error, ProviderError)
    assert error.status == status
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
