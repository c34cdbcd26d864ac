"""One WebSocket to one page, which is told the newest of each kind whenever it is ready, and may say something."""

import asyncio
import contextlib
import json
from collections.abc import Callable, Hashable

from starlette.websockets import WebSocket, WebSocketDisconnect

from taisai.web.audience import Audience

Heard = Callable[[Hashable, str], None]
"""Takes (page, text) of what a page says; ValueError with one sentence, which the page is told, when it is nothing."""


def only_listens(page: Hashable, text: str) -> None:
    """A `Heard` for pages that have nothing to say."""
    raise ValueError("this page only listens")


async def serve_page(
    socket: WebSocket, audience: Audience, heard: Heard = only_listens, left: Callable[[Hashable], None] | None = None
) -> None:
    """Serve an accepted socket until its page is gone, and tell `left` so. A slow page misses what was overtaken, and
    holds up nobody.
    """
    loop = asyncio.get_running_loop()
    waiting: dict[str, str] = {}
    something = asyncio.Event()

    def put(kind: str, text: str) -> None:
        # The newest comes last, so that kinds keep the order in which they were told.
        waiting.pop(kind, None)
        waiting[kind] = text
        something.set()

    def send(kind: str, text: str) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, and every page with it
            loop.call_soon_threadsafe(put, kind, text)

    async def speak() -> None:
        while True:
            await something.wait()
            something.clear()
            texts = list(waiting.values())
            waiting.clear()
            for text in texts:
                await socket.send_text(text)

    page = object()
    audience.join(page, send)
    speaker = asyncio.create_task(speak())
    try:
        while True:
            text = await socket.receive_text()
            try:
                heard(page, text)
            except ValueError as error:
                put("refused", json.dumps({"type": "refused", "text": str(error)}))
    except (WebSocketDisconnect, KeyError):  # KeyError: bytes instead of text, which no page of ours sends
        pass
    finally:
        audience.leave(page)
        if left is not None:
            left(page)
        speaker.cancel()
        with contextlib.suppress(asyncio.CancelledError, RuntimeError, WebSocketDisconnect):
            await speaker
