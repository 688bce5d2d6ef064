from interlingua import Message, messages_from_legacy, messages_to_legacy

old = [
    ("system_prompt", "Answer in one sentence."),
    ("user_prompt", ["What is this?", ("image_url", "https://example.org/map.png")]),
    {
        "parts": [
            ("thinking", "A map."),
            ("tool_call", {"id": "call_1", "name": "read_map", "arguments": '{"zoom": 2}'}),
        ],
        "model_name": "m-1",
    },
    ("tool_return", {"call_id": "call_1", "result": {"bridges": 2}}),
]

history = messages_from_legacy(old)
print([message.role for message in history])
# => ['system', 'user', 'assistant', 'tool']
print(history[2].reasoning, history[2].tool_calls[0].arguments["zoom"])
# => A map. 2
print(history[3].tool_results[0].name, history[3].tool_results[0].text)
# => read_map {"bridges":2}

print(Message.user("Hello").to_legacy())
# => ('user_prompt', 'Hello')

exported = messages_to_legacy([Message.developer("Be brief."), *history])
print(messages_from_legacy(exported.items)[1:] == history)
# => True
for loss in exported.losses:
    print(loss)
# => messages[0].role: comes back as 'system' (lowered)
