from interlingua import Message, ToolCall, split_system

history = [
    Message.system("Answer in one sentence."),
    Message.user("How deep is the harbour?"),
    Message.assistant([ToolCall("call_1", "measure", {"place": "harbour"})]),
    Message.user("Are you there?"),
]

prompt, rest = split_system(history)
print(prompt)
# => Answer in one sentence.
print(len(rest))
# => 3
