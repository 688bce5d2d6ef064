from interlingua import Message, Request, codec

request = Request(
    model="claude-sonnet-5",
    messages=[Message.system("Be brief."), Message.user("How deep is the harbour?")],
    max_tokens=100,
)

body = codec("anthropic-messages").encode(request).body

print(body["system"])
print(body["messages"])
