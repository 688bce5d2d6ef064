"""A user's program, read by the type checker and never run."""

from __future__ import annotations

from typing import assert_type

from interlingua import (
    AsyncClient,
    Client,
    Encoded,
    Image,
    Loss,
    LossPolicy,
    Message,
    Request,
    Response,
    Text,
    TextDelta,
    Tool,
    ToolCall,
    codec,
    convert,
    plan,
    split_system,
)


def weather(city: str) -> str:
    """The weather in a city."""
    return f"Sunny in {city}."


history = [
    Message(role="system", content="Be brief."),
    Message(role="user", content="Hello"),
    Message.user([Text("What is this?"), Image(url="https://example.org/map.png")]),
    Message.assistant([ToolCall("call_1", "weather", {"city": "Paris"})]),
    Message.tool("call_1", "Sunny.", name="weather"),
]

assert_type(history[0].text, str)
assert_type(history[3].tool_calls, tuple[ToolCall, ...])
assert_type(history[0].replace(content="Be long."), Message)
assert_type(Message.from_json(history[0].to_json()), Message)

prompt, rest = split_system(history)
assert_type(prompt, str | None)
assert_type(rest, tuple[Message, ...])

request = Request(model="gpt-5", messages=history, tools=[Tool.from_function(weather)])
chat = codec("openai-chat")
assert_type(chat.encode(request), Encoded)
assert_type(chat.encode(request, losses=LossPolicy.allow).content, bytes)
assert_type(chat.decode(b"{}"), Response)
assert_type(chat.decode_request("{}"), Request)
assert_type(convert({}, source="openai-chat", target="openai-responses"), Encoded)
assert_type(plan(history, "openai-responses"), tuple[Loss, ...])

with Client("local") as client:
    assert_type(client.generate("Say hello."), Response)
    assert_type(client.generate(history[1]), Response)
    assert_type(client.generate(history, tools=[weather], temperature=0).text, str)
    with client.stream(history) as stream:
        for event in stream:
            if isinstance(event, TextDelta):
                assert_type(event.text, str)
        assert_type(stream.response, Response)


async def ask() -> None:
    async with AsyncClient("local") as client:
        assert_type(await client.generate("Say hello."), Response)
        async with client.stream(history) as stream:
            async for event in stream:
                if isinstance(event, TextDelta):
                    assert_type(event.text, str)
            assert_type(stream.response, Response)
