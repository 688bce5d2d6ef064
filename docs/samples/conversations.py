from interlingua import Message, ToolCall, repair, split_system, validate_conversation

history = [
    Message.system("Answer in one sentence."),
    Message.user("How deep is the harbour?"),
    Message.assistant([ToolCall("call_1", "measure", {"place": "harbour"})]),
    Message.user("Are you there?"),
]

prompt, rest = split_system(history)
print(prompt)
# => Answer in one sentence.

for problem in validate_conversation(rest):
    print(problem)
# => messages[1].content[0]: tool call 'call_1' has no result

repaired = repair(rest)
print([message.role for message in repaired.messages])
# => ['user', 'assistant', 'tool', 'user']
print(repaired.losses[0].action)
# => synthesised
