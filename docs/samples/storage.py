from interlingua import Message, dump_conversation, load_conversation

history = [Message.user("How deep is the harbour?"), Message.assistant("Nine metres.")]

saved = dump_conversation(history)
restored = load_conversation(saved)

print(list(restored) == history)
# => True
