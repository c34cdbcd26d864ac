"""What stands behind the display's page: a thread that listens to the table, and the pages that are told."""

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.websockets import WebSocket

from taisai.display.listener import Listener, Source
from taisai.web.audience import Audience
from taisai.web.channel import serve_page
from taisai.web.site import site
from taisai.web.worker import Worker


class Page:
    """A context manager: inside, the table is listened to. `say` is told why there is no table."""

    def __init__(self, source: Source, say: Callable[[str], None]):
        self._audience = Audience()
        self._listener = Listener(source, self._tell, say)
        self._worker = Worker("listener", self._listener.run)

    def __enter__(self) -> "Page":
        """TaisaiError when the table cannot be shown, for a reason that waiting does not mend."""
        self._listener.start()
        self._worker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.stop()
        self._worker.join()

    @property
    def ended(self) -> bool:
        """Nobody listens any more; leaving says why."""
        return self._worker.ended

    def site(self, token: str | None) -> Starlette:
        """The site for a browser."""
        return site("display.html", self._talk, token)

    async def _talk(self, socket: WebSocket) -> None:
        await serve_page(socket, self._audience)

    def _tell(self, picture: dict) -> None:
        self._audience.tell({"type": "picture", **picture})
