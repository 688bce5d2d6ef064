from pathlib import Path

from interlingua import Client

file = Path(__file__).with_name("interlingua.toml")

with Client.from_config("fast", path=file) as client:
    reply = client.generate("How deep is the harbour? Answer in two words.")

print(reply.text)
# => Nine metres.
