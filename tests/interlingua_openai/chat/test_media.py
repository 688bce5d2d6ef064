"""Images, audio and files in Chat Completions, and back."""

from __future__ import annotations

import pytest

from interlingua import Audio, Document, Image, LossPolicy, Message, Origin, Part, Request, codec

API = "openai-chat"
chat = codec(API)


@pytest.mark.parametrize(
    "part",
    [
        Image("https://example.org/a.png"),
        Image("https://example.org/a.png", detail="high"),
        Image(data=b"\x89PNG\r\n\x1a\n", media_type="image/png"),
        Image(data=b"no known kind", media_type="image/x-new"),
        Audio(data=b"RIFF\0\0\0\0WAVE", media_type="audio/wav"),
        Audio(data=b"ID3", media_type="audio/mpeg"),
        Document(data=b"%PDF-", media_type="application/pdf", name="a.pdf"),
        Document(file_id="file-1", name="a.pdf"),
    ],
)
def test_a_medium_comes_back_as_it_was(part: Part) -> None:
    request = Request("gpt-6", [Message.user(part)])

    encoded = chat.encode(request, LossPolicy.strict)

    assert chat.decode_request(encoded.content).messages[0].content == (part,)


@pytest.mark.parametrize(
    ("part", "media_type"),
    [
        (Image(data=b"\xff\xd8\xff\xe0", media_type="image/png"), "image/jpeg"),
        (Image(data=b"\x89PNG\r\n\x1a\n", media_type="IMAGE/PNG; q=1"), "image/png"),
        (Document(data=b"hello", name="a.txt"), "text/plain"),
        (Document(data=b"hello"), "application/octet-stream"),
    ],
)
def test_a_data_url_says_what_the_bytes_are(part: Image | Document, media_type: str) -> None:
    body = chat.encode(Request("gpt-6", [Message.user(part)]), LossPolicy.strict).body

    (block,) = body["messages"][0]["content"]
    inner = block[block["type"]]
    assert inner.get("url", inner.get("file_data")).startswith(f"data:{media_type};base64,")


@pytest.mark.parametrize(
    "url", ["data:image/png;base64,iVBORw0KGgo=", "data:image/jpeg;base64,iVBORw0KGgo="]
)
def test_a_data_url_that_came_from_here_goes_back_to_the_letter(url: str) -> None:
    message = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}
    request = chat.decode_request({"model": "gpt-6", "messages": [message]})

    assert chat.encode(request, LossPolicy.strict).body["messages"] == [message]


def test_a_file_stored_at_another_vendor_stays_there() -> None:
    part = Document(file_id="file-1")
    talk = Message.user(part, origin=Origin("anthropic", "anthropic-messages"))

    encoded = chat.encode(Request("gpt-6", [talk]), LossPolicy.allow)

    assert encoded.body["messages"] == [{"role": "user", "content": ""}]
    assert [(loss.path, loss.kind) for loss in encoded.losses] == [
        ("messages[0].content[0]", "content")
    ]
