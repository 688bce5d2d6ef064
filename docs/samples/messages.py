from interlingua import Image, Message, Text, ToolCall

asked = Message.user([Text("What is on this map?"), Image(url="https://example.org/map.png")])
called = Message.assistant([Text("Let me look."), ToolCall("call_1", "read_map", {"zoom": 2})])
told = Message.tool("call_1", "A harbour and two bridges.", name="read_map")

print(asked.text)
# => What is on this map?
print(called.tool_calls[0].arguments["zoom"])
# => 2
print(told.tool_call_id)
# => call_1
print(asked == Message.from_json(asked.to_json()))
# => True
