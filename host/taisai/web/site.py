"""What a browser can get from this computer: one page, its files, and a WebSocket; and who may have it."""

import hmac
import mimetypes
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from taisai.web.address import is_loopback

_STATIC = Path(__file__).with_name("static")

# A browser runs a module of no other type, and some computers have been told another one for this ending.
mimetypes.add_type("text/javascript", ".js")

# A page loads nothing from anywhere else, and nobody may frame it.
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_POLICY_VIOLATION = 1008  # RFC 6455, 7.4.1


def site(page: str, talk: Callable[[WebSocket], Awaitable[None]], token: str | None) -> Starlette:
    """The site of one page: `page` is its file in `static`, `talk` serves each of its sockets once accepted.

    `token`: what its address has to hold; None on loopback, where only this computer's own names are answered.
    """

    async def index(request: Request) -> Response:
        reason = _refusal(request, token)
        return PlainTextResponse(reason, 401) if reason else FileResponse(_STATIC / page, headers=_HEADERS)

    async def socket(socket: WebSocket) -> None:
        if _refusal(socket, token) or not _of_this_page(socket):
            await socket.close(code=_POLICY_VIOLATION)
            return
        await socket.accept()
        await talk(socket)

    return Starlette(
        routes=[Route("/", index), WebSocketRoute("/table", socket), Mount("/static", _Files(directory=_STATIC))]
    )


class _Files(StaticFiles):
    """The files of the pages, under the same rules as the pages."""

    def file_response(self, *args, **more) -> Response:
        response = super().file_response(*args, **more)
        response.headers.update(_HEADERS)
        return response


def _refusal(asked: HTTPConnection, token: str | None) -> str | None:
    """Why this is not answered, None when it is."""
    if token is None:
        # A page elsewhere whose name was made to mean this computer comes with that name.
        host = _split(f"//{asked.headers.get('host', '')}")
        return None if host and is_loopback(host.hostname or "") else "this table is served to this computer alone"
    given = asked.query_params.get("token", "")
    known = hmac.compare_digest(given.encode(), token.encode())
    return None if known else "this table asks for the token: use the whole address that was printed"


def _of_this_page(socket: WebSocket) -> bool:
    """Browsers tell where a page comes from: one of another site must not work the table."""
    told = socket.headers.get("origin")
    if told is None:
        return True
    origin = _split(told)
    return origin is not None and origin.netloc == socket.headers.get("host")


def _split(url: str) -> SplitResult | None:
    """None: it is no URL."""
    try:
        return urlsplit(url)
    except ValueError:
        return None
