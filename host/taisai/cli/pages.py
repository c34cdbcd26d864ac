"""What every verb that serves a page needs: the parts for it, its address, and a browser to open it in."""

import os
import sys
import webbrowser
from typing import TYPE_CHECKING

from taisai.cli.output import talk
from taisai.errors import TaisaiError

if TYPE_CHECKING:
    from taisai.web.address import Address


def require_web(verb: str) -> None:
    """TaisaiError, naming the command that installs it, when this installation lacks what serves pages."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError as error:
        raise TaisaiError(f"{verb} needs {error.name}: pip install 'taisai[web]'") from error


def web_address(text: str | None, port: int) -> "Address":
    """The address of --address, or loopback at `port`. TaisaiError when it is none."""
    from taisai.web.address import DEFAULT_HOST, Address, parse_address

    return Address(DEFAULT_HOST, port) if text is None else parse_address(text, port)


def open_in_browser(url: str) -> None:
    """Open the page for the person at this computer; without a desktop or a browser they are asked to do it."""
    # Without a desktop a browser for the terminal would be started, which cannot show the page.
    desktop = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not (desktop and webbrowser.open(url)):
        talk("no browser could be opened here: open this address in one")
