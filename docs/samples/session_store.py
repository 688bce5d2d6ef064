from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Protocol

from interlingua import Client, Message, UserMessage, dump_conversation, load_conversation


class Lists(Protocol):
    """The two commands of `redis.Redis` that are used."""

    def rpush(self, name: str, /, *values: str) -> Any: ...
    def lrange(self, name: str, start: int, end: int, /) -> Any: ...


class RedisSessions:
    """Conversations in Redis: a list for each session, an element for each turn."""

    def __init__(self, redis: Lists) -> None:
        self._redis = redis

    def load(self, session_id: str, /) -> Sequence[Message]:
        turns = self._redis.lrange(f"session:{session_id}", 0, -1)
        return [message for turn in turns for message in load_conversation(turn)]

    def append(self, session_id: str, messages: Sequence[Message], /) -> None:
        self._redis.rpush(f"session:{session_id}", dump_conversation(messages))


class Memory:
    """Stands here for `redis.Redis()`, so that the program runs without a server."""

    def __init__(self) -> None:
        self._lists: defaultdict[str, list[str]] = defaultdict(list)

    def rpush(self, name: str, /, *values: str) -> int:
        self._lists[name] += values
        return len(self._lists[name])

    def lrange(self, name: str, start: int, end: int, /) -> list[str]:
        return self._lists[name][start : None if end == -1 else end + 1]


sessions = RedisSessions(Memory())
question = UserMessage("How deep is the harbour? Answer in two words.", session_id="ada")

with Client("openai:gpt-5") as client:
    client.generate(question, sessions=sessions)

print(sessions.load("ada")[-1])
# => Nine metres.
