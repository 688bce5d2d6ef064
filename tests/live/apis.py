"""The four APIs as a server speaks them: an answer, whole and streamed, and an error."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tests.servers import END, SSE, chunk, whole

from interlingua.errors import OverloadedError, ProviderError, ServerError

Json = dict[str, Any]


class Api(NamedTuple):
    """One API, and the client that speaks it."""

    spec: str
    root: str
    """What a base URL ends with."""
    answer: Callable[[str], Json]
    opening: Sequence[Json]
    delta: Callable[[str], Json]
    closing: Callable[[str], Sequence[Json]]
    error: Json
    """In the middle of a stream."""
    failure: Json
    """In place of an answer."""
    kind: type[ProviderError]
    """What both are."""

    def whole(self, text: str) -> bytes:
        """An HTTP answer that says this."""
        return whole(json.dumps(self.answer(text)).encode())

    def begun(self, *texts: str) -> bytes:
        """The beginning of a stream, as far as these pieces of text."""
        return SSE + b"".join(map(self.event, [*self.opening, *map(self.delta, texts)]))

    def ended(self, text: str) -> bytes:
        """The end of a stream that has said this."""
        done = chunk(b"data: [DONE]\n\n") if self.spec == "openai-chat:m" else b""
        return b"".join(map(self.event, self.closing(text))) + done + END

    def streamed(self, *texts: str) -> bytes:
        """A stream, whole."""
        return self.begun(*texts) + self.ended("".join(texts))

    def event(self, event: Json) -> bytes:
        """One event of a stream."""
        lead = f"event: {event['type']}\n" if "type" in event else ""
        return chunk(f"{lead}data: {json.dumps(event)}\n\n".encode())

    def told(self, text: str) -> bytes:
        """One event with this text."""
        return self.event(self.delta(text))


def _chat(text: str) -> Json:
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "chat_1", "model": "m", "choices": [choice], "usage": CHAT_USAGE}


def _chat_chunk(delta: Json, finish: str | None = None) -> Json:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "chat_1", "model": "m", "choices": [choice]}


def _responses(text: str) -> Json:
    return {
        "id": "resp_1",
        "object": "response",
        "status": "completed",
        "model": "m",
        "output": [_item(text)],
        "usage": {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5},
    }


def _item(*texts: str) -> Json:
    content: list[Json] = [
        {"type": "output_text", "text": text, "annotations": []} for text in texts
    ]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": content,
    }


def _messages(*texts: str) -> Json:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": text} for text in texts],
        "stop_reason": "end_turn" if texts else None,
        "usage": {"input_tokens": 3, "output_tokens": 2},
    }


def _gemini(text: str, finish: str | None = "STOP") -> Json:
    candidate: Json = {"content": {"role": "model", "parts": [{"text": text}]}, "index": 0}
    if finish is None:
        return {"candidates": [candidate], "modelVersion": "m"}
    usage = {"promptTokenCount": 3, "candidatesTokenCount": 2, "totalTokenCount": 5}
    candidate["finishReason"] = finish
    return {"candidates": [candidate], "modelVersion": "m", "usageMetadata": usage}


def _responses_delta(text: str) -> Json:
    return {"type": "response.output_text.delta", **PLACE, "delta": text}


def _responses_closing(text: str) -> Sequence[Json]:
    return [
        {"type": "response.output_item.done", "output_index": 0, "item": _item(text)},
        {"type": "response.completed", "response": _responses(text)},
    ]


def _chat_delta(text: str) -> Json:
    return _chat_chunk({"content": text})


def _chat_closing(_: str) -> Sequence[Json]:
    usage: Json = {"id": "chat_1", "model": "m", "choices": [], "usage": CHAT_USAGE}
    return [_chat_chunk({}, "stop"), usage]


def _messages_delta(text: str) -> Json:
    delta = {"type": "text_delta", "text": text}
    return {"type": "content_block_delta", "index": 0, "delta": delta}


def _messages_closing(_: str) -> Sequence[Json]:
    end = {"delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}}
    return [
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", **end},
        {"type": "message_stop"},
    ]


def _gemini_delta(text: str) -> Json:
    return _gemini(text, None)


def _gemini_closing(_: str) -> Sequence[Json]:
    return [_gemini("")]


CHAT_USAGE = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
PLACE = {"output_index": 0, "content_index": 0, "item_id": "msg_1"}

RESPONSES = Api(
    "openai:m",
    "/v1",
    _responses,
    [
        {"type": "response.created", "response": {**_responses(""), "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": _item()},
        {"type": "response.content_part.added", **PLACE, "part": _item("")["content"][0]},
    ],
    _responses_delta,
    _responses_closing,
    {"type": "error", "code": "server_error", "message": "It broke.", "param": None},
    {"error": {"message": "It broke.", "type": "server_error", "code": None}},
    ServerError,
)
CHAT = Api(
    "openai-chat:m",
    "/v1",
    _chat,
    [_chat_chunk({"role": "assistant", "content": ""})],
    _chat_delta,
    _chat_closing,
    {"error": {"message": "It broke.", "type": "server_error", "code": None}},
    {"error": {"message": "It broke.", "type": "server_error", "code": None}},
    ServerError,
)
MESSAGES = Api(
    "anthropic:m",
    "",
    _messages,
    [
        {"type": "message_start", "message": _messages()},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    ],
    _messages_delta,
    _messages_closing,
    {"type": "error", "error": {"type": "overloaded_error", "message": "It broke."}},
    {"type": "error", "error": {"type": "overloaded_error", "message": "It broke."}},
    OverloadedError,
)
GEMINI = Api(
    "google:m",
    "",
    _gemini,
    [],
    _gemini_delta,
    _gemini_closing,
    {"error": {"code": 503, "message": "It broke.", "status": "UNAVAILABLE"}},
    {"error": {"code": 503, "message": "It broke.", "status": "UNAVAILABLE"}},
    OverloadedError,
)

APIS = (RESPONSES, CHAT, MESSAGES, GEMINI)
