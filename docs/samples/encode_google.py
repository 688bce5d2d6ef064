from interlingua import Message, Request, codec

request = Request(
    model="gemini-3-pro",
    messages=[Message.system("Be brief."), Message.user("How deep is the harbour?")],
    max_tokens=100,
)

body = codec("gemini-generate").encode(request).body

print(body["systemInstruction"])
print(body["contents"])
print(body["generationConfig"])
