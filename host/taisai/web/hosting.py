"""Serving a site from this process until it is told to stop."""

import contextlib
import errno
import os
import secrets
import signal
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Protocol

import uvicorn
from starlette.applications import Starlette

from taisai.errors import TaisaiError
from taisai.web.address import DEFAULT_HOST, Address

_MESSAGE_BYTES = 4096  # of a page; none of ours is longer than 200
_TOKEN_BYTES = 16


class Behind(AbstractContextManager, Protocol):
    """What a site shows. Leaving it raises what it has ended with."""

    @property
    def ended(self) -> bool:
        """There is nothing to show any more."""


def serve(
    make_site: Callable[[str | None], Starlette],
    behind: Behind,
    address: Address,
    started: Callable[[str], None],
) -> None:
    """Serve `make_site(token)` until Ctrl-C, which is raised once everything is put away, or until `behind` has ended.

    `behind` is entered when the address is ours and left at the end. `started(url)` is called when the page can be
    opened; on any other address than loopback the URL holds a token. TaisaiError when the address cannot be served.
    """
    token = None if address.loopback else secrets.token_urlsafe(_TOKEN_BYTES)
    config = uvicorn.Config(
        make_site(token), log_level="warning", ws_max_size=_MESSAGE_BYTES, timeout_graceful_shutdown=1
    )
    with contextlib.closing(_bound(address)) as listening, behind:
        started(address.url(listening.getsockname()[1], token))
        _Server(config, behind).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Ends as every verb does that is told to stop, and not by the signal itself: what is behind it is put away."""

    def __init__(self, config: uvicorn.Config, behind: Behind):
        super().__init__(config)
        self._behind = behind

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second: whether to end."""
        return await super().on_tick(counter) or self._behind.ended

    @contextlib.contextmanager
    def capture_signals(self):
        told = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
        before = {number: signal.signal(number, self.handle_exit) for number in told}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        if self.should_exit:
            raise KeyboardInterrupt


def _bound(address: Address) -> socket.socket:
    """Listening already: whoever opens the page before the server runs waits, and no second program gets the port."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listening = socket.socket(family)
    try:
        # On Linux and macOS: not refused because of connections that have just been closed. On Windows it would let
        # another program take the port.
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address.host, address.port))
        listening.listen()
        return listening
    except (OSError, UnicodeError) as error:
        listening.close()
        raise TaisaiError(f"{address} cannot be served: {_why(error, address)}") from error


def _why(error: OSError | UnicodeError, address: Address) -> str:
    """What is wrong with the address, and what to do."""
    free = f"--address {replace(address, port=0)}"
    match getattr(error, "errno", None):
        case errno.EADDRINUSE:
            return f"the port is in use: end the program that has it, or take a free one with {free}"
        case errno.EACCES:
            return f"this user may not serve that port: use one from 1024 on, or take a free one with {free}"
    return f"this computer has no such address: leave out --address, or use {DEFAULT_HOST} or 0.0.0.0"
