from interlingua import LossError, LossPolicy, Message, Request, Video, codec

film = Message.user([Video(url="https://example.org/film.mp4")])
request = Request(model="gpt-5", messages=[film])
chat = codec("openai-chat")

try:
    chat.encode(request)
except LossError as error:
    print(error.losses[0].path)
# => messages[0].content[0]

encoded = chat.encode(request, losses=LossPolicy.allow)
for loss in encoded.losses:
    print(loss.kind, loss.action)
# => content dropped
