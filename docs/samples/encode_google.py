from interlingua import Message, Request, codec

request = Request(
    model="gemini-3-pro",
    messages=[Message.system("Be brief."), Message.user("How deep is the harbour?")],
    max_tokens=100,
)

body = codec("gemini-generate").encode(request).body

print(body["systemInstruction"])
# => {'parts': [{'text': 'Be brief.'}]}
print(body["contents"])
# => [{'role': 'user', 'parts': [{'text': 'How deep is the harbour?'}]}]
print(body["generationConfig"])
# => {'maxOutputTokens': 100}
