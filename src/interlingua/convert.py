"""From one vendor's API to another's, and what that costs."""

from __future__ import annotations

from collections.abc import Iterable

from interlingua.codec import Encoded
from interlingua.loss import Loss, LossPolicy
from interlingua.message import Message
from interlingua.registry import codec
from interlingua.request import Request


def convert(
    body: object,
    *,
    source: str,
    target: str,
    model: str | None = None,
    losses: LossPolicy = LossPolicy.default,
) -> Encoded:
    """A request body of one API in another's JSON. `model` is the model to ask there.

    Raises `DecodeError` when the body is no request of `source`, `LossError` as the policy says.
    """
    request = codec(source).decode_request(body)
    return codec(target).encode(request.replace(model=model) if model else request, losses)


def plan(
    messages: Iterable[Message | str], target: str, *, tools: Iterable[object] = ()
) -> tuple[Loss, ...]:
    """What would be lost if this conversation went on at another API. Nothing is sent."""
    request = Request("", tuple(messages), tuple(tools))
    return codec(target).encode(request, LossPolicy.allow).losses
