"""All vendors in one process on loopback: answers made beforehand, at next to no cost.

python -m tests.benchmarks.vendor       prints its port, and serves until its input ends
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

Json = dict[str, Any]

WORDS = 500
"""Pieces of text in a stream."""


def events(api: str) -> list[Json]:
    """A stream of many words."""
    words = [f"word{index} " for index in range(WORDS)]
    match api:
        case "openai-chat":
            head: Json = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
            last: Json = {"index": 0, "delta": {}, "finish_reason": "stop"}
            deltas = [{"index": 0, "delta": {"content": word}} for word in words]
            return [{**head, "choices": [choice]} for choice in (*deltas, last)]
        case "openai-responses":
            about: Json = {"item_id": "msg", "output_index": 0, "content_index": 0}
            kind = "response.output_text.delta"
            deltas = [{"type": kind, **about, "delta": word} for word in words]
            begun: Json = {"type": "message", "id": "msg", "role": "assistant", "content": []}
            part: Json = {"type": "output_text", "text": "", "annotations": []}
            numbered: list[Json] = [
                {"type": "response.created", "response": {**_responses(""), "output": []}},
                {"type": "response.output_item.added", "output_index": 0, "item": begun},
                {"type": "response.content_part.added", **about, "part": part},
                *deltas,
                {"type": "response.completed", "response": _responses("".join(words))},
            ]
            return [{**event, "sequence_number": at} for at, event in enumerate(numbered)]
        case "anthropic-messages":
            message: Json = {**_messages(""), "content": [], "stop_reason": None}
            block: Json = {"type": "text", "text": ""}
            return [
                {"type": "message_start", "message": message},
                {"type": "content_block_start", "index": 0, "content_block": block},
                *[
                    {
                        "type": "content_block_delta",
                        "index": 0,
                        "delta": {"type": "text_delta", "text": word},
                    }
                    for word in words
                ],
                {"type": "content_block_stop", "index": 0},
                {
                    "type": "message_delta",
                    "delta": {"stop_reason": "end_turn", "stop_sequence": None},
                    "usage": {"output_tokens": 5},
                },
                {"type": "message_stop"},
            ]
        case _:
            told = [_gemini(word) for word in words]
            for event in told[:-1]:
                del event["candidates"][0]["finishReason"]
            return told


def answer(api: str) -> Json:
    """A short answer."""
    return {
        "openai-chat": _chat,
        "openai-responses": _responses,
        "anthropic-messages": _messages,
        "gemini-generate": _gemini,
    }[api]("It is nine metres deep.")


def _chat(text: str) -> Json:
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}
    head = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
    return {**head, "choices": [choice], "usage": usage}


def _responses(text: str) -> Json:
    part: Json = {"type": "output_text", "text": text, "annotations": []}
    item = {"type": "message", "id": "msg", "status": "completed", "role": "assistant"}
    return {
        "id": "resp",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "m",
        "output": [{**item, "content": [part]}],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 9,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 5,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 14,
        },
    }


def _messages(text: str) -> Json:
    return {
        "id": "msg",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 9, "output_tokens": 5},
    }


def _gemini(text: str) -> Json:
    content = {"role": "model", "parts": [{"text": text}]}
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 5, "totalTokenCount": 14}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m"}


ENDS = {
    b"/chat/completions": "openai-chat",
    b"/responses": "openai-responses",
    b"/messages": "anthropic-messages",
    b":generateContent": "gemini-generate",
    b":streamGenerateContent": "gemini-generate",
}


def _whole(api: str) -> bytes:
    body = json.dumps(answer(api)).encode()
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
    return head % len(body) + body


def _streamed(api: str) -> bytes:
    told = b"".join(map(_event, events(api)))
    if api == "openai-chat":
        told += b"data: [DONE]\n\n"
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: %d\r\n\r\n"
    return head % len(told) + told


def _event(event: Json) -> bytes:
    lead = f"event: {event['type']}\n" if "type" in event else ""
    return f"{lead}data: {json.dumps(event)}\n\n".encode()


WHOLE = {api: _whole(api) for api in ENDS.values()}
STREAMED = {api: _streamed(api) for api in ENDS.values()}


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests of one connection."""
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = head.partition(b"content-length:")[2].split(b"\r\n", 1)[0]
            body = await reader.readexactly(int(length))
            path = head.split(b" ", 2)[1].partition(b"?")[0]
            api = next(api for end, api in ENDS.items() if path.endswith(end.lower()))
            streams = b'"stream":true' in body.replace(b" ", b"") or b":stream" in path
            writer.write((STREAMED if streams else WHOLE)[api])
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", limit=2**26)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
