"""Serving a site from this process until it is told to stop."""

import contextlib
import secrets
import signal
from collections.abc import Callable
from contextlib import AbstractContextManager

import uvicorn
from starlette.applications import Starlette

from taisai.errors import TaisaiError
from taisai.web.address import Address

_MESSAGE_BYTES = 4096  # of a page; none of ours is longer than 200
_TOKEN_BYTES = 16


def serve(
    make_site: Callable[[str | None], Starlette],
    behind: AbstractContextManager,
    address: Address,
    started: Callable[[str], None],
) -> None:
    """Serve `make_site(token)` until Ctrl-C, which is raised once everything is put away.

    `behind` is entered when the address is ours and left at the end. `started(url)` is called when the page can be
    opened; on any other address than loopback the URL holds a token. TaisaiError when the address cannot be served.
    """
    token = None if address.loopback else secrets.token_urlsafe(_TOKEN_BYTES)
    config = uvicorn.Config(
        make_site(token), host=address.host, port=address.port, log_level="warning", ws_max_size=_MESSAGE_BYTES,
        timeout_graceful_shutdown=1,
    )  # fmt: skip
    with contextlib.closing(_bound(config, address)) as listening, behind:
        listening.listen()  # whoever opens the page before the server runs waits, and is not refused
        started(address.url(listening.getsockname()[1], token))
        _Server(config).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Ends as every verb does that is told to stop, and not by the signal itself: what is behind it is put away."""

    @contextlib.contextmanager
    def capture_signals(self):
        told = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in told}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        if self.should_exit:
            raise KeyboardInterrupt


def _bound(config: uvicorn.Config, address: Address):
    try:
        return config.bind_socket()
    except (SystemExit, UnicodeError) as error:  # uvicorn ends the program, after a line of its own
        raise TaisaiError(
            f"{address} cannot be served: the port is in use or not allowed, or the host is no address of this "
            "computer; --address HOST:0 takes a free port"
        ) from error
