"""`taisai display`: the results of the last games on a monitor at the table, for the players to see."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from taisai.cli.options import PortName
from taisai.cli.output import talk
from taisai.cli.pages import open_in_browser, require_web, web_address
from taisai.errors import TaisaiError

if TYPE_CHECKING:
    from taisai.display.listener import Source

WEB_PORT = 8217
"""Of the page unless --address names another. Not that of the simulated table, so that both can be open."""
MOST_PLACES = 40
"""On a phone more results are too small to be read."""
MOST_GAMES = 1000
"""Reading so many from a board takes about a minute at each start."""


def display(
    port: PortName = None,
    last: Annotated[int, typer.Option(min=1, max=MOST_PLACES, metavar="N", help="Results that have a place.")] = 20,
    window: Annotated[
        int, typer.Option(min=1, max=MOST_GAMES, metavar="GAMES", help="Games that are counted: the last so many.")
    ] = 100,
    table: Annotated[
        str | None, typer.Option(metavar="FILE", help="The table's file, for a table that is not a shipped one.")
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(metavar="HOST[:PORT]", help=f"Serve the page there, not at 127.0.0.1:{WEB_PORT}. Port 0: any."),
    ] = None,
    browser: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="No page: print what it would show at each change as one JSON object.")
    ] = False,
) -> None:
    """Show the results of a table on a monitor (rule 3.4), until Ctrl-C.

    The last result with its dice, total and call, or with its symbol; the last results in fixed places; how often small
    and big, odd and even, triples, and each number or symbol came. An amended result appears corrected in its place, a
    void game as void, test throws never. The page shows within 3 s that there is no connection, and goes on by itself
    when there is one again: the display may be started before its table. All of it comes from the table's journal. It
    only reads, and no failure of it reaches the table.
    """
    from taisai.boards.table import load_table
    from taisai.display.listener import Source

    source = Source(port, None if table is None else load_table(table), last, window)
    if as_json:
        if address is not None or browser:
            raise TaisaiError("--address and --open belong to the page, which --json does without")
        _print(source)
    else:
        _serve(source, address, browser)


def _print(source: "Source") -> None:
    from taisai.display.listener import Listener

    shown = None

    def tell(picture: dict) -> None:
        nonlocal shown
        if picture != shown:
            shown = picture
            print(json.dumps({name: value for name, value in picture.items() if name != "pictures"}), flush=True)

    listener = Listener(source, tell, _say)
    listener.start()
    listener.run()


def _serve(source: "Source", address: str | None, browser: bool) -> None:
    require_web("taisai display")
    from taisai.display.page import Page
    from taisai.web.hosting import serve

    page = Page(source, _say)

    def started(url: str) -> None:
        talk(f"the display is at {url}  Ctrl-C stops it")
        if browser:
            open_in_browser(url)

    serve(page.site, page, web_address(address, WEB_PORT), started)


def _say(text: str) -> None:
    talk(f"taisai: {text}")
