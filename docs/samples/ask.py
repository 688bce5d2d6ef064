from interlingua import Client

with Client("local") as client:
    reply = client.generate("Say hello in one short sentence.")

print(reply.text)
# => Hello, I'm here to help with any creative writing project.
