from interlingua import Client, TextDelta

with Client("local") as client, client.stream("Say hello in one short sentence.") as stream:
    for event in stream:
        if isinstance(event, TextDelta):
            print(event.text, end="", flush=True)

print()
# => Hello, I'm here to help with any creative writing project.
print(stream.response.finish_reason)
# => stop
