from interlingua import Message, Request, codec

request = Request(
    model="gpt-5",
    messages=[Message.system("Be brief."), Message.user("How deep is the harbour?")],
    max_tokens=100,
)

encoded = codec("openai-chat").encode(request)

print(encoded.body["messages"][0])
# => {'role': 'system', 'content': 'Be brief.'}
print(encoded.losses)
# => ()
