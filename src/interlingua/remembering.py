"""The place where calls meet the store of their conversation; others pass through unchanged."""

from __future__ import annotations

from msgspec.structs import replace

from interlingua.calls import Asked
from interlingua.errors import StorageError
from interlingua.response import Response


def recall(asked: Asked) -> Asked:
    """The question, with what was said before it."""
    if asked.turn is None:
        return asked
    history = asked.turn.store.load(asked.turn.session_id)
    return replace(asked, request=asked.request.replace(messages=asked.turn.after(history)))


def keep(asked: Asked, response: Response) -> Response:
    """The response, once question and answer are stored. An answer that failed is not.

    Raises `StorageError` with the response when the store fails: it came and may have cost money.
    """
    if asked.turn is None or response.finish_reason == "error":
        return response
    try:
        asked.turn.store.append(asked.turn.session_id, (asked.turn.said, response.message))
    except Exception as error:
        reason = f"the answer came and cannot be stored, see `response`: {error}"
        raise StorageError(reason, response=response) from error
    return response


async def recall_async(asked: Asked) -> Asked:
    """The same, awaited."""
    if asked.turn is None:
        return asked
    from asyncio import to_thread

    return await to_thread(recall, asked)


async def keep_async(asked: Asked, response: Response) -> Response:
    """The same, awaited."""
    if asked.turn is None:
        return response
    from asyncio import to_thread

    return await to_thread(keep, asked, response)
