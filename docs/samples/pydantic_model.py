from pydantic import BaseModel, ValidationError

from interlingua import Message, Usage


class Turn(BaseModel):
    messages: list[Message]
    usage: Usage | None = None


turn = Turn(messages=[Message.user("Hello")], usage=Usage(input_tokens=3))
print(turn.model_dump()["messages"])
# => [{'role': 'user', 'content': [{'type': 'text', 'text': 'Hello'}], 'metadata': {}}]
print(Turn.model_validate_json(turn.model_dump_json()) == turn)
# => True

try:
    Turn.model_validate({"messages": [{"role": "user", "content": [{"type": "text"}]}]})
except ValidationError as error:
    print(error.errors()[0]["loc"])
# => ('messages', 0, 'content', 0, 'text')
