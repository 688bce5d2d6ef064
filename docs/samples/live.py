from interlingua import Client

# Nobody listens at the first model's address, so the second one is asked at its own.
with Client(
    "openai:gpt-5",
    api_key="key",
    base_url="http://127.0.0.1:9/v1",
    timeout=30,
    deadline=60,
    max_retries=1,
    fallback="openai-chat:gpt-5-mini",
) as client:
    reply = client.generate("How deep is the harbour? Answer in two words.")

print(reply.provider, reply.text)
# => openai-chat Nine metres.
for attempt in reply.attempts:
    print(attempt.model, attempt.error)
# => openai:gpt-5 ConnectionError
# => openai:gpt-5 ConnectionError
