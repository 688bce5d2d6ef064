from interlingua import Client, LossPolicy


def weather(city: str) -> str:
    """The weather in a city."""
    return f"Sunny in {city}."


with Client("openai-chat:gpt-6-astra", on_loss=LossPolicy.allow) as client:
    reply = client.generate("How deep is the harbour?", tools=[weather], temperature=0)

print(reply.api)
# => openai-responses
for loss in reply.losses:
    print(loss.path, loss.action)
# => temperature dropped
# => tools lowered
