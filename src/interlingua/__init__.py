"""One frozen message model for every LLM vendor."""

from interlingua.client import AsyncClient, AsyncStream, Client, Stream
from interlingua.codec import Codec, Encoded
from interlingua.convert import convert, plan
from interlingua.errors import (
    AuthenticationError,
    ConfigError,
    ConnectionError,
    ContentFilterError,
    ContextLengthError,
    DecodeError,
    EncodeError,
    InterlinguaError,
    InvalidRequestError,
    LegacyFormatError,
    LossError,
    MalformedResponseError,
    MessageError,
    NotFoundError,
    OverloadedError,
    PermissionDeniedError,
    Problem,
    ProviderError,
    QuotaError,
    RateLimitError,
    ServerError,
    StorageError,
    StreamInterruptedError,
    TimeoutError,
)
from interlingua.events import (
    Event,
    Finished,
    PartDone,
    ReasoningDelta,
    Started,
    TextDelta,
    ToolCallDelta,
    UsageUpdate,
)
from interlingua.frozen import FrozenDict
from interlingua.loss import Loss, LossPolicy, LossWarning
from interlingua.message import Message, Origin, Role
from interlingua.parts import (
    Audio,
    Document,
    Image,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    ServerToolCall,
    ServerToolResult,
    Text,
    ToolCall,
    ToolResult,
    Video,
)
from interlingua.registry import codec
from interlingua.request import Request
from interlingua.response import Attempt, Candidate, FinishReason, Response, Usage
from interlingua.tools import ServerTool, Tool, ToolChoice
