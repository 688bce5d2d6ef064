"""What all codecs have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from interlingua import (
    Codec,
    DecodeError,
    Encoded,
    Event,
    FrozenDict,
    Loss,
    LossError,
    LossPolicy,
    LossWarning,
    Message,
    MessageError,
    Opaque,
    ProviderError,
    RateLimitError,
    Request,
    Response,
    StreamInterruptedError,
    TextDelta,
)

Json = dict[str, Any]

LOST = (
    Loss("messages[0]", "content", "too new"),
    Loss("top_k", "setting", "no such thing"),
    Loss("messages[1]", "provenance", "of another"),
)


class Echo:
    """A fold of events that carry text."""

    def __init__(self) -> None:
        self.text = ""
        self.complete = False

    def add(self, event: Json) -> Iterable[Event]:
        if "error" in event:
            raise RateLimitError(event["error"])
        if "deep" in event:
            raise RecursionError
        if "number" in event:
            raise MessageError.of("no number", "number")
        self.complete = event.get("end", False)
        self.text += event["text"]
        yield TextDelta(0, event["text"])

    def body(self) -> Json:
        return {"text": self.text}


def encoder(request: Request) -> Encoded:
    return Encoded("echo", b'{"a": 1}', LOST if request.model == "lossy" else ())


def decoder(body: Json) -> Response:
    if body.get("deep"):
        raise RecursionError
    opaque = Opaque("x", FrozenDict(body.get("opaque", {})))
    return Response(Message.assistant([body["text"], opaque]), "stop")


def importer(body: Json) -> Request:
    return Request(body["model"], body["messages"])


def judge(status: int, headers: Mapping[str, str], body: object) -> ProviderError:
    return ProviderError(str(body), status=status, request_id=headers.get("x-request-id"))


echo = Codec("echo", "nobody", encoder, decoder, importer, Echo, judge)


def test_the_body_is_what_the_bytes_say() -> None:
    assert echo.encode(Request("m")).body == {"a": 1}


@pytest.mark.filterwarnings("ignore::interlingua.LossWarning")
def test_by_default_lost_content_raises_and_names_it() -> None:
    with pytest.raises(
        LossError, match=r"echo cannot carry all of this: messages\[0\]: too new"
    ) as caught:
        echo.encode(Request("lossy"))

    assert caught.value.losses == LOST[:1]


def test_a_lost_setting_warns() -> None:
    with pytest.warns(LossWarning, match="echo: top_k: no such thing"):
        echo.encode(Request("lossy"), LossPolicy(content="record"))


def test_allowed_losses_are_on_record() -> None:
    assert echo.encode(Request("lossy"), LossPolicy.allow).losses == LOST


def test_strictly_everything_raises() -> None:
    with pytest.raises(LossError) as caught:
        echo.encode(Request("lossy"), LossPolicy.strict)

    assert caught.value.losses == LOST


def test_what_cannot_be_a_value_is_a_decode_error_with_its_place() -> None:
    with pytest.raises(DecodeError) as caught:
        echo.decode({"text": "a", "opaque": {"n": float("nan")}})

    assert (caught.value.api, caught.value.path) == ("echo", "['n']")


def test_lone_surrogates_are_replaced() -> None:
    assert echo.decode({"text": "a\ud83d"}).text == "a\N{REPLACEMENT CHARACTER}"


def test_what_is_wrong_beside_a_lone_surrogate_is_still_a_decode_error() -> None:
    with pytest.raises(DecodeError):
        echo.decode({"text": "\ud83d", "opaque": {"n": float("inf")}})


def test_what_exhausts_the_stack_is_a_decode_error() -> None:
    with pytest.raises(DecodeError, match="echo: nested too deeply"):
        echo.decode({"deep": True})
    with pytest.raises(DecodeError, match="echo: nested too deeply"):
        echo.stream().feed({"deep": True})


def test_an_event_that_no_value_can_hold_is_a_decode_error() -> None:
    with pytest.raises(DecodeError, match="echo: no number at number"):
        echo.stream().feed({"number": float("nan")})


def test_requests_are_read_the_same_way() -> None:
    assert echo.decode_request('{"model": "m", "messages": ["a"]}') == Request("m", ["a"])
    with pytest.raises(DecodeError) as caught:
        echo.decode_request({"model": "m", "messages": [7]})
    assert caught.value.path.startswith("messages[0]")


def test_errors_are_judged_with_headers_in_lower_case() -> None:
    error = echo.decode_error(500, {"X-Request-Id": "r"}, "boom")

    assert (str(error), error.status, error.request_id) == ("boom", 500, "r")


def test_a_stream_is_decoded_as_the_answer_it_adds_up_to() -> None:
    stream = echo.stream()

    assert stream.feed({"text": "a"}) == (TextDelta(0, "a"),)
    assert stream.feed({"text": "b", "end": True}) == (TextDelta(0, "b"),)
    assert stream.finish() == echo.decode({"text": "ab"})


def test_a_stream_that_has_not_ended_is_interrupted() -> None:
    stream = echo.stream()
    stream.feed({"text": "a"})

    with pytest.raises(StreamInterruptedError) as caught:
        stream.finish()

    assert caught.value.provider == "nobody"
    assert caught.value.response == echo.decode({"text": "a"}).replace(finish_reason="error")


def test_an_error_in_a_stream_has_what_had_arrived() -> None:
    stream = echo.stream()
    stream.feed({"text": "a"})

    with pytest.raises(RateLimitError) as caught:
        stream.feed({"error": "slow"})

    assert caught.value.response == echo.decode({"text": "a"}).replace(finish_reason="error")


def test_what_had_arrived_may_be_nothing_that_can_be_decoded() -> None:
    stream = echo.stream()
    stream.feed({"text": "a", "end": True})
    broken = Codec("echo", "nobody", encoder, _refuses, importer, Echo, judge).stream()

    assert broken.partial() == Response(Message.assistant(), "error", provider="nobody", api="echo")


def _refuses(body: Json) -> Response:
    raise DecodeError("no", api="echo")
