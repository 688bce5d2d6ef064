from interlingua import (
    Message,
    StorageError,
    dump_conversation,
    load_conversation,
    read_conversation,
    save_conversation,
)

history = (Message.user("How deep is the harbour?"), Message.assistant("Nine metres."))

text = dump_conversation(history)
print(text[:30])
# => {"interlingua":1,"messages":[{
print(load_conversation(text) == history)
# => True

save_conversation("harbour.json", history)
print(read_conversation("harbour.json")[-1])
# => Nine metres.

try:
    load_conversation('{"interlingua": 1, "messages": [{"role": "robot"}]}')
except StorageError as error:
    print(error)
# => messages[0].role: expected one of system, developer, user, assistant, tool, got str 'robot'
