"""What every test may use: a network that answers from a router, and the local model."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import AsyncIterator, Generator, Iterator
from typing import cast

import httpx
import httpx2
import hypothesis
import pytest
import respx

IN_CI = os.environ.get("CI", "").lower() in {"1", "true"}

# A loaded machine is no bug, and a run in CI repeats the last one.
hypothesis.settings.register_profile("default", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis.settings.load_profile("ci" if IN_CI else "default")

# A shell has what it runs in the background ignore Ctrl-C, and so would all that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> respx.Router:
    """Every HTTP call of the vendors' SDKs is answered here; one without a route fails.

    The SDKs speak httpx2 and respx speaks httpx: this carries one to the other.
    """
    router = respx.Router(assert_all_called=False)

    def handle(_: httpx2.HTTPTransport, request: httpx2.Request) -> httpx2.Response:
        asked = _asked(request)
        asked.read()
        with _translated_errors():
            return _answered(router.handler(asked))

    async def ahandle(_: httpx2.AsyncHTTPTransport, request: httpx2.Request) -> httpx2.Response:
        asked = _asked(request)
        await asked.aread()
        with _translated_errors():
            return _answered(await router.async_handler(asked))

    monkeypatch.setattr(httpx2.HTTPTransport, "handle_request", handle)
    monkeypatch.setattr(httpx2.AsyncHTTPTransport, "handle_async_request", ahandle)
    return router


@pytest.fixture(scope="session")
def local_model() -> str:
    """The local model's name once it has answered; without one: skipped, in CI an error."""
    from interlingua import Client, InterlinguaError

    try:
        with Client("local") as client:
            client.generate("Hello")
    except InterlinguaError as error:
        if IN_CI:
            raise
        pytest.skip(f"the local model does not answer here: {error}")
    return "local"


class _Body(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """An httpx body, seen as an httpx2 one; closing it reaches the original."""

    def __init__(self, body: httpx.SyncByteStream | httpx.AsyncByteStream) -> None:
        self._body = body

    def __iter__(self) -> Iterator[bytes]:
        return iter(cast(httpx.SyncByteStream, self._body))

    def __aiter__(self) -> AsyncIterator[bytes]:
        return aiter(cast(httpx.AsyncByteStream, self._body))

    def close(self) -> None:
        if isinstance(self._body, httpx.SyncByteStream):
            self._body.close()

    async def aclose(self) -> None:
        if isinstance(self._body, httpx.AsyncByteStream):
            await self._body.aclose()


def _asked(request: httpx2.Request) -> httpx.Request:
    return httpx.Request(
        request.method,
        str(request.url),
        headers=request.headers.raw,
        stream=cast(httpx.SyncByteStream, request.stream),
        extensions=request.extensions,
    )


def _answered(response: httpx.Response) -> httpx2.Response:
    return httpx2.Response(
        response.status_code,
        headers=response.headers.raw,
        stream=_Body(response.stream),
        extensions=response.extensions,
    )


@contextlib.contextmanager
def _translated_errors() -> Generator[None]:
    """A route's `httpx.ConnectTimeout` reaches the SDK as `httpx2.ConnectTimeout`."""
    try:
        yield
    except httpx.HTTPError as error:
        same = getattr(httpx2, type(error).__name__, httpx2.TransportError)
        raise same(str(error)) from error
