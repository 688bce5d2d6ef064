"""One frozen message model for every LLM vendor."""

from typing import TYPE_CHECKING, Any

from interlingua.codec import (
    Codec,
    Encoded,
)
from interlingua.convert import (
    convert,
    plan,
)
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
from interlingua.frozen import (
    FrozenDict,
)
from interlingua.loss import (
    Loss,
    LossPolicy,
    LossWarning,
)
from interlingua.message import (
    Message,
    Origin,
    Role,
)
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
from interlingua.registry import (
    codec,
)
from interlingua.request import (
    Request,
)
from interlingua.response import (
    Attempt,
    Candidate,
    FinishReason,
    Response,
    Usage,
)
from interlingua.tools import (
    ServerTool,
    Tool,
    ToolChoice,
)

# Clients, storage and what works on whole conversations are loaded when they are asked for, so that
# a program that only holds messages pays for messages.
if TYPE_CHECKING:
    from interlingua.adoption import (
        messages_from,
    )
    from interlingua.chat import (
        Author,
        ChatMessage,
        chat_to_messages,
        to_ai_messages,
    )
    from interlingua.client import (
        AsyncClient,
        Client,
    )
    from interlingua.conversation import (
        Repaired,
        count_by_role,
        extract_text,
        extract_tool_calls,
        find_by_role,
        last_message,
        repair,
        split_system,
        validate_conversation,
    )
    from interlingua.legacy import (
        messages_from_legacy,
    )
    from interlingua.legacy_export import (
        LegacyExport,
        messages_to_legacy,
    )
    from interlingua.models import (
        Model,
    )
    from interlingua.scripts import (
        generate,
    )
    from interlingua.sessions import (
        SessionInfo,
        Sessions,
    )
    from interlingua.storage import (
        conversation_from_dict,
        conversation_to_dict,
        dump_conversation,
        load_conversation,
        read_conversation,
        save_conversation,
    )
    from interlingua.store import (
        SessionStore,
    )
    from interlingua.streams import (
        AsyncStream,
        Stream,
    )
    from interlingua.user_message import (
        UserMessage,
    )
else:
    _LATER = {
        "messages_from": "interlingua.adoption",
        "Author": "interlingua.chat",
        "ChatMessage": "interlingua.chat",
        "chat_to_messages": "interlingua.chat",
        "to_ai_messages": "interlingua.chat",
        "messages_from_legacy": "interlingua.legacy",
        "LegacyExport": "interlingua.legacy_export",
        "messages_to_legacy": "interlingua.legacy_export",
        "UserMessage": "interlingua.user_message",
        "AsyncClient": "interlingua.client",
        "AsyncStream": "interlingua.streams",
        "Client": "interlingua.client",
        "Model": "interlingua.models",
        "Stream": "interlingua.streams",
        "Repaired": "interlingua.conversation",
        "count_by_role": "interlingua.conversation",
        "extract_text": "interlingua.conversation",
        "extract_tool_calls": "interlingua.conversation",
        "find_by_role": "interlingua.conversation",
        "generate": "interlingua.scripts",
        "last_message": "interlingua.conversation",
        "repair": "interlingua.conversation",
        "split_system": "interlingua.conversation",
        "validate_conversation": "interlingua.conversation",
        "SessionInfo": "interlingua.sessions",
        "SessionStore": "interlingua.store",
        "Sessions": "interlingua.sessions",
        "conversation_from_dict": "interlingua.storage",
        "conversation_to_dict": "interlingua.storage",
        "dump_conversation": "interlingua.storage",
        "load_conversation": "interlingua.storage",
        "read_conversation": "interlingua.storage",
        "save_conversation": "interlingua.storage",
    }

    def __getattr__(name: str) -> Any:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = globals()[name] = getattr(import_module(_LATER[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *_LATER})


__all__ = [
    "AsyncClient",
    "AsyncStream",
    "Attempt",
    "Audio",
    "AuthenticationError",
    "Author",
    "Candidate",
    "ChatMessage",
    "Client",
    "Codec",
    "ConfigError",
    "ConnectionError",
    "ContentFilterError",
    "ContextLengthError",
    "DecodeError",
    "Document",
    "EncodeError",
    "Encoded",
    "Event",
    "FinishReason",
    "Finished",
    "FrozenDict",
    "Image",
    "InterlinguaError",
    "InvalidRequestError",
    "LegacyExport",
    "LegacyFormatError",
    "Loss",
    "LossError",
    "LossPolicy",
    "LossWarning",
    "MalformedResponseError",
    "Message",
    "MessageError",
    "Model",
    "NotFoundError",
    "Opaque",
    "Origin",
    "OverloadedError",
    "Part",
    "PartDone",
    "PermissionDeniedError",
    "Problem",
    "ProviderError",
    "QuotaError",
    "RateLimitError",
    "Reasoning",
    "ReasoningDelta",
    "Refusal",
    "Repaired",
    "Request",
    "Response",
    "Role",
    "ServerError",
    "ServerTool",
    "ServerToolCall",
    "ServerToolResult",
    "SessionInfo",
    "SessionStore",
    "Sessions",
    "Started",
    "StorageError",
    "Stream",
    "StreamInterruptedError",
    "Text",
    "TextDelta",
    "TimeoutError",
    "Tool",
    "ToolCall",
    "ToolCallDelta",
    "ToolChoice",
    "ToolResult",
    "Usage",
    "UsageUpdate",
    "UserMessage",
    "Video",
    "chat_to_messages",
    "codec",
    "conversation_from_dict",
    "conversation_to_dict",
    "convert",
    "count_by_role",
    "dump_conversation",
    "extract_text",
    "extract_tool_calls",
    "find_by_role",
    "generate",
    "last_message",
    "load_conversation",
    "messages_from",
    "messages_from_legacy",
    "messages_to_legacy",
    "plan",
    "read_conversation",
    "repair",
    "save_conversation",
    "split_system",
    "to_ai_messages",
    "validate_conversation",
]
