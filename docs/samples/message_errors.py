from interlingua import Message

message, errors = Message.try_new({"role": "robot", "content": [{"type": "text", "text": 7}]})

print(message)
# => None
for error in errors:
    print(error.path)
# => role
# => content[0].text
