"""What the embedded model needs of a request: it is small, and has limits of its own."""

from __future__ import annotations

from interlingua.errors import ContextLengthError
from interlingua.loss import Loss
from interlingua.request import Request
from interlingua_local.model import NAME

LONGEST_TEXT = 100_000
"""Characters. The model reads 2,048 tokens; counting the tokens of more than this takes seconds."""

LONGEST_ANSWER = 512
"""Tokens, unless the request says otherwise: about five seconds."""


def prepare(request: Request, _: str) -> tuple[Request, list[Loss]]:
    """The request as the model takes it. Raises `ContextLengthError` for what it can never read."""
    if request.model != NAME:
        return request, []
    _check_length(request)
    defaults = {"max_tokens": LONGEST_ANSWER, "temperature": 0.0}
    missing = {name: value for name, value in defaults.items() if getattr(request, name) is None}
    return _with_tools(request.replace(**missing) if missing else request)


def _check_length(request: Request) -> None:
    length = sum(len(message.to_text()) for message in request.messages)
    if length > LONGEST_TEXT:
        raise ContextLengthError(
            f"the messages are {length:,} characters long; {NAME!r} reads about 2,000 tokens, some "
            "8,000 characters. Send less, or ask a model with a longer context",
            provider="local",
        )


def _with_tools(request: Request) -> tuple[Request, list[Loss]]:
    """The model calls a tool when it must, and answers when there is none: it cannot choose."""
    if not request.tools:
        return request, []
    answered = bool(request.messages) and request.messages[-1].is_tool
    if answered or request.tool_choice == "none":
        return request.replace(tools=(), tool_choice=None, parallel_tool_calls=None), [
            Loss(
                "tools",
                "setting",
                f"{NAME!r} answers in words only when it sees no tools",
                "lowered",
            )
        ]
    losses: list[Loss] = []
    if request.tool_choice != "required":
        reason = f"{NAME!r} cannot choose: with tools it always calls one"
        losses.append(Loss("tool_choice", "setting", reason, "lowered"))
    return request.replace(tool_choice="required", parallel_tool_calls=False), losses
