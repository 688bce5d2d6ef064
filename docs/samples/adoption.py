from interlingua import Message, MessageError, messages_from

history = messages_from(
    [
        Message.system("Answer in one sentence."),
        ("user_prompt", "How deep is the harbour?"),
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "measure", "arguments": '{"place": "harbour"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "12 m"},
    ]
)
print([message.role for message in history])
# => ['system', 'user', 'assistant', 'tool']

turns = [{"role": "model", "parts": [{"text": "Twelve metres."}]}]
try:
    messages_from(turns)
except MessageError as error:
    print(error)
# => not messages: [0]: reads as gemini-generate; say which: format='gemini-generate'
print(messages_from(turns, format="gemini-generate")[0].text)
# => Twelve metres.
