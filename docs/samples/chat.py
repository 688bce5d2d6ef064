from interlingua import Author, ChatMessage, chat_to_messages, to_ai_messages

alice = Author("u1", "Alice")
robot = Author("b1", "Robo", is_bot=True)
chart = {"url": "https://example.org/chart.png", "mime_type": "image/png"}

thread = [
    ChatMessage("3", "And this one?", alice, timestamp=1796040120, attachments=[chart]),
    ChatMessage("1", "Hello", alice, timestamp=1796040000),
    ChatMessage("2", "Hello, Alice.", robot, timestamp="2026-11-30T12:01:00+00:00"),
    ChatMessage("4", "  ", alice, timestamp=1796040180),
]

first, second, third = to_ai_messages(thread, include_names=True)
print(first)
# => {'role': 'user', 'content': '[Alice]: Hello'}
print(second)
# => {'role': 'assistant', 'content': 'Hello, Alice.'}
for part in third["content"]:
    print(part)
# => {'type': 'text', 'text': '[Alice]: And this one?'}
# => {'type': 'image', 'url': 'https://example.org/chart.png', 'media_type': 'image/png'}

print(chat_to_messages(thread)[2].to_text())
# => And this one?[Image: https://example.org/chart.png]
