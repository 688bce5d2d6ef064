from interlingua import codec

body = """{
  "id": "chatcmpl-1",
  "object": "chat.completion",
  "model": "gpt-5",
  "choices": [{
    "index": 0,
    "finish_reason": "stop",
    "message": {"role": "assistant", "content": "Nine metres."}
  }],
  "usage": {"prompt_tokens": 18, "completion_tokens": 4, "total_tokens": 22}
}"""

response = codec("openai-chat").decode(body)

print(response.text)
# => Nine metres.
print(response.finish_reason)
# => stop
print(response.usage.input_tokens, response.usage.output_tokens)
# => 18 4
