from interlingua import Message, Request, codec

request = Request(
    model="claude-sonnet-5",
    messages=[Message.system("Be brief."), Message.user("How deep is the harbour?")],
    max_tokens=100,
)

body = codec("anthropic-messages").encode(request).body

print(body["system"])
# => [{'type': 'text', 'text': 'Be brief.'}]
print(body["messages"][0]["content"])
# => [{'type': 'text', 'text': 'How deep is the harbour?'}]
