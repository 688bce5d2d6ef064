"""The items that an assistant message becomes: one for several parts, or one for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from interlingua.frozen import EMPTY, FrozenDict
from interlingua.loss import At
from interlingua.message import Message
from interlingua.parts import (
    Document,
    Image,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    ServerToolCall,
    Text,
    ToolCall,
)
from interlingua.wire import Json, as_object, dump, is_list, merged
from interlingua_openai.responses.decode import summaries, thoughts
from interlingua_openai.responses.media import file, home, image
from interlingua_openai.responses.names import API, CUSTOM, TYPED, tool_name

if TYPE_CHECKING:
    from openai.types.responses import (
        ResponseCustomToolCallParam,
        ResponseFunctionToolCallParam,
        ResponseOutputRefusalParam,
        ResponseOutputTextParam,
    )

SPOKEN = (Text, Refusal)
"""Parts that are blocks of a message item."""

BARE = {"type", "text", "annotations"}
"""What a text has that says nothing else, and no annotations."""

SEALED = ("id", "item", "continues", "status", "logprobs")
"""Fields that name what the vendor has stored, or how it came to be."""


def own(part: Part, message: Message, at: At) -> FrozenDict:
    """The part's own fields of this API; what names stored things goes back only from here."""
    held: FrozenDict = part.extras.get(API, EMPTY)
    if not held or home(message):
        return held
    free = {key: item for key, item in held.items() if key not in SEALED}
    if len(free) < len(held):
        at.lose("provenance", "an item's id, in a message that did not come from here")
    return FrozenDict(free)


class Items:
    """Gathers parts to items; text and refusals of one item stay together."""

    def __init__(self, message: Message, stored: bool) -> None:
        self._message = message
        self._home = home(message)
        self._stored = stored
        self._items: list[Json] = []
        self._open: FrozenDict | None = None
        """What the item says of all its parts, when the last one is a message."""
        self._told = False
        """Whether the last item is a text from elsewhere."""
        self._typed = message.extras.get(API) == TYPED
        """Whether it must say that it is a message, which the short form leaves out."""

    def add(self, part: Part, index: int, at: At) -> None:
        """Put a part into the item it belongs to, or a loss on record."""
        if type(part) is Text and not (self._home or part.extras or part.citations):
            self._tell(part.text)
            return
        fields = EMPTY
        if part.extras:
            at.foreign(part.extras, API)
            fields = own(part, self._message, at)
        if isinstance(part, SPOKEN) or "item" in fields:
            block = self._block(part, at)
            if block is not None:
                self._say(block, fields)
            return
        made = self._item(part, index, at)
        if made is not None:
            self._items.append(merged(made, fields) if fields else made)
            self._open, self._told = None, False

    def _tell(self, text: str) -> None:
        """What was said elsewhere, in the short form; there one answer may be cut into many."""
        if not text:
            return
        if self._told:
            self._items[-1]["content"] += text
        else:
            about = TYPED if self._typed else EMPTY
            self._items.append({**about, "role": "assistant", "content": text})
        self._told = True

    def closed(self) -> list[Json]:
        """All items; a message that is only text as the API's short form of it."""
        if self._typed or not self._home:
            return self._items
        return [_short(item) for item in self._items]

    def _say(self, block: Json, fields: FrozenDict) -> None:
        about = EMPTY
        if fields:
            about: FrozenDict = fields.get("item", EMPTY)
            free = {key: item for key, item in fields.items() if key not in ("item", "continues")}
            block = merged(block, free)
        if not self._home and block.keys() == BARE and not block["annotations"]:
            self._tell(block["text"])
        elif self._home and fields.get("continues") and self._open == about:
            self._items[-1]["content"].append(block)
        else:
            made: Json = {"type": "message", "role": "assistant", "content": [block]}
            self._items.append(merged(made, about) if about else made)
            self._open, self._told = about, False

    # -- parts of a message item

    def _block(self, part: Part, at: At) -> Json | None:
        match part:
            case Text():
                return self._text(part, at)
            case Refusal():
                return self._refusal(part, at)
            case Image():
                return image(part, self._message, at)
            case Document():
                return file(part, self._message, at)
            case Opaque():
                return merged(part.payload, None)
            case _:
                return at.lose("content", f"{type(part).__name__} in what the model says")

    def _text(self, part: Text, at: At) -> Json | None:
        if not self._home and not part.text:
            return None
        made = _output_text(part.text)
        if part.citations and self._home:
            return {**made, "annotations": part.citations}
        if part.citations:
            at.lose("provenance", f"{len(part.citations)} citations of another vendor")
        return made

    def _refusal(self, part: Refusal, at: At) -> Json:
        if not self._home:
            at.lose("content", "a refusal from elsewhere, told as text", "lowered")
            return _output_text(part.text)
        made: ResponseOutputRefusalParam = {"type": "refusal", "refusal": part.text}
        return cast("Json", made)

    # -- parts that are items

    def _item(self, part: Part, index: int, at: At) -> Json | None:
        match part:
            case Reasoning():
                return self._reasoning(part, index, at)
            case ToolCall():
                return self._call(part, at)
            case ServerToolCall() if self._home and "type" in part.extras.get(API, EMPTY):
                return _server_call(part)
            case Opaque() if self._home:
                return merged(part.payload, None)
            case Opaque():
                return at.lose("content", f"{part.kind!r} is an item of another API")
            case _:
                return at.lose("content", f"{type(part).__name__} in what the model says")

    def _reasoning(self, part: Reasoning, index: int, at: At) -> Json | None:
        """Reasoning goes back only to where it came from, and only in front of what it led to."""
        if not self._home:
            return at.lose("provenance", "reasoning of another vendor")
        known = "id" in part.extras.get(API, EMPTY)
        after = (one for one in self._message.content[index:] if not isinstance(one, Reasoning))
        led_to = next(after, None)
        if led_to is None or (known and not part.text and not _known(led_to)):
            return at.lose("provenance", "reasoning without the very item it led to is refused")
        if not part.signature and not part.text and not (known and self._stored):
            return at.lose(
                "provenance", "reasoning that is neither encrypted nor stored is refused"
            )
        made: Json = {"type": "reasoning", "summary": summaries(part.summary)}
        if part.text:
            made["content"] = thoughts(part.text)
        if part.signature is not None:
            made["encrypted_content"] = part.signature
        return made

    def _call(self, part: ToolCall, at: At) -> Json:
        """The call; one that came from here goes back with the very text the model wrote."""
        name = tool_name(part.name)
        raw = part.raw_arguments
        if raw is None:
            raw = dump(part.arguments).decode()
        elif not self._home and not part.is_valid and not is_custom(part):
            at.lose("content", "the arguments are no JSON object; sent as they are", "lowered")
        if part.extras and is_custom(part):
            custom: ResponseCustomToolCallParam = {
                "type": "custom_tool_call",
                "call_id": part.id,
                "name": name,
                "input": raw,
            }
            return cast("Json", custom)
        call: ResponseFunctionToolCallParam = {
            "type": "function_call",
            "call_id": part.id,
            "name": name,
            "arguments": raw,
        }
        return cast("Json", call)


def is_custom(part: ToolCall) -> bool:
    """Whether it calls a tool that takes free text."""
    return part.extras.get(API, EMPTY).get("type") == CUSTOM


def _known(part: Part) -> bool:
    """Whether the vendor knows the part's item by an id."""
    own: FrozenDict = part.extras.get(API, EMPTY)
    match part:
        case Opaque():
            return "id" in part.payload or "id" in own.get("item", EMPTY)
        case ServerToolCall():
            return bool(part.id)
        case _:
            return "id" in own or "id" in own.get("item", EMPTY)


def _output_text(text: str) -> Json:
    made: ResponseOutputTextParam = {"type": "output_text", "text": text, "annotations": []}
    return cast("Json", made)


def _server_call(part: ServerToolCall) -> Json:
    """The item that tells of a tool the vendor ran; its outcome is among the part's fields."""
    made: Json = {"id": part.id}
    match part.extras[API]["type"]:
        case "web_search_call":
            return {**made, "action": part.arguments} if part.arguments else made
        case "file_search_call" | "code_interpreter_call":
            return {**made, **part.arguments}
        case _:
            return made


def _short(item: Json) -> Json:
    """A message without an id, of one bare text, with its content as a string."""
    content = item.get("content")
    if item.get("role") != "assistant" or "id" in item or not is_list(content):
        return item
    block = as_object(content[0]) if len(content) == 1 else {}
    if block.keys() != BARE or block["type"] != "output_text" or block["annotations"]:
        return item
    made = {**item, "content": block["text"]}
    made.pop("type", None)
    return made
