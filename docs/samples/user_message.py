from interlingua import Message, UserMessage

asked = UserMessage("Hello", session_id="s-1", system_prompt="Be brief.", metadata={"from": "web"})

print(list(asked.to_dict()))
# => ['content', 'session_id', 'system_prompt', 'metadata', 'id', 'created_at']
print([(message.role, message.text) for message in asked.to_messages()])
# => [('system', 'Be brief.'), ('user', 'Hello')]
print(UserMessage.from_dict(asked.to_dict()) == asked)
# => True

print(UserMessage.coerce({"content": "Hello", "colour": "red"}))
# => Hello
print(UserMessage.coerce(Message.assistant("Hi.")))
# => Hi.
print(UserMessage.coerce(42).content == "42")
# => True
