from interlingua import Client, Message, Sessions, UserMessage

with Sessions("talks.db") as sessions, Client("openai:gpt-5") as client:
    sessions.append("ada", [Message.system("Answer in two words.")])

    question = UserMessage("How deep is the harbour?", session_id="ada")
    print(client.generate(question, sessions=sessions).text)
    # => Nine metres.

    for message in sessions.load("ada"):
        print(f"{message.role}: {message}")
    # => system: Answer in two words.
    # => user: How deep is the harbour?
    # => assistant: Nine metres.

    [ada] = sessions.list()
    print(ada.id, ada.turns, ada.messages)
    # => ada 2 3

    sessions.export("ada", "ada.json")
    print(sessions.delete("ada"), sessions.list())
    # => True ()
