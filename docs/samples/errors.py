from interlingua import codec
from interlingua.errors import ContextLengthError, RateLimitError

chat = codec("openai-chat")

body = {"error": {"code": "context_length_exceeded", "message": "Too long.", "type": "invalid"}}
error = chat.decode_error(400, {"x-request-id": "req_1"}, body)

print(isinstance(error, ContextLengthError), error.retryable, error.request_id)
# => True False req_1

error = chat.decode_error(429, {"retry-after": "2"}, {"error": {"message": "Slow down."}})

print(isinstance(error, RateLimitError), error.retryable, error.retry_after)
# => True True 2.0
