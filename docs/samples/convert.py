from interlingua import convert

chat = {
    "model": "gpt-5",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "How deep is the harbour?"},
    ],
}

encoded = convert(chat, source="openai-chat", target="openai-responses")

print(encoded.body["instructions"])
# => Be brief.
