from interlingua import Client

with Client("openai:gpt-5") as client:
    reply = client.generate("How deep is the harbour? Answer in two words.")

print(reply.text)
# => Nine metres.
