from fastapi import FastAPI
from fastapi.testclient import TestClient

from interlingua import Message, Response

app = FastAPI()


@app.post("/reply")
def reply(history: list[Message]) -> Response:
    return Response(Message.assistant(f"You said: {history[-1].text}"), "stop")


client = TestClient(app)

answer = client.post("/reply", json=[Message.user("Hello").to_dict()])
print(Response.from_json(answer.content).text)
# => You said: Hello

refused = client.post("/reply", json=[{"role": "bot", "content": "Hello"}])
print(refused.status_code, refused.json()["detail"][0]["loc"])
# => 422 ['body', 0, 'role']
