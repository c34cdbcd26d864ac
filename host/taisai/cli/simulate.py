"""`taisai simulate`: a table on this computer, run by the real firmware: live, scripted, or behind a serial port."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from taisai.boards.table import Table, load_table
from taisai.cli.doctor_checks import check_interpreter
from taisai.cli.options import DEFAULT_TABLE, Json, TableName
from taisai.cli.output import print_json, talk
from taisai.cli.pages import open_in_browser, require_web, web_address
from taisai.errors import TaisaiError

WEB_PORT = 8216
"""Of the page unless --address names another; 216 throws."""


def simulate(
    table: TableName = DEFAULT_TABLE,
    script: Annotated[
        str | None, typer.Option(metavar="WORDS", help='Run a script, for example "1 3 6 E", and print what is seen.')
    ] = None,
    link: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Serve the board's serial port at PATH until stopped.")
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="With --link: keep the board's flash in DIR between runs; each DIR is another board."
        ),
    ] = None,
    web: Annotated[bool, typer.Option("--web", help="Serve a page on which the table is seen and worked.")] = False,
    address: Annotated[
        str | None,
        typer.Option(
            metavar="HOST[:PORT]",
            help="With --web: serve there, not at 127.0.0.1:8216; port 0 is a free one.",
        ),
    ] = None,
    browser: Annotated[bool, typer.Option("--open", help="With --web: open the page in the browser.")] = False,
    as_json: Json = False,
) -> None:
    """Simulate a table, live, on a page, scripted or on a serial port.

    Live in this terminal without further options; with --web on a page in the browser; with --script it runs the words
    and prints what is seen; with --link it is a board on a serial port, for other programs: a blank one, to be flashed,
    or as --state has kept it.

    The page is for this computer alone, unless --address says otherwise: then the address that is printed holds a
    token, without which nobody sees or works the table. 0.0.0.0 stands for every address of this computer.

    Script words: 1 to 6 press a key, E is ENTRY, 1! or E! holds it for 1.6 s, 12 presses two keys at once, S+ and S-
    turn the key-switch, P- and P+ the power, R is a hard reset, w500 waits 500 ms; where the controller has them, D+
    and D- open and close the housing's door, J- and J+ take off and fit the write-lock jumper; spin:4.2 throws a money
    wheel, 4.2 revolutions clockwise, spin:-4.2 the other way, and with :peg behind it the wheel rests on a peg, with
    :stop a hand stops it, with :push a hand pushes it on. Faults:
    fault:open:ZONE, fault:short:ZONE, fault:on:ZONE, fault:off:ZONE (a colon and a number behind them name the zone's
    lamp, from 1), fault:stuck:BIT:0|1, fault:cut:REGISTER[:0|1|noise], fault:supply, fault:display, fault:key:N,
    fault:slow:N, fault:switch:0|1, fault:segment:DIGIT:SEGMENT, fault:beeper, fault:sense:PERCENT,
    fault:flash, fault:pegs:a|b|index:0|1, fault:pegs:swapped, fault:pegs:extra, fault:clear.
    """
    _refuse_what_does_not_go_together(script, link, state, as_json)
    _refuse_what_does_not_go_with_a_page(web, script is not None or link is not None, address, browser)
    _require_simulator()
    chosen = load_table(table)
    if web:
        _serve_page(chosen, address, browser)
    elif script is not None:
        _run_script(chosen, script, as_json)
    elif link is not None:
        from taisai.sim.linkpty import serve

        hint = f"a virtual {chosen.id} behind the serial port {link}; Ctrl-C stops it"
        serve(chosen, link, state, started=lambda: talk(hint))
    else:
        from taisai.cli.live import run

        run(chosen)


def _serve_page(table: Table, address: str | None, browser: bool) -> None:
    require_web("taisai simulate --web")
    from taisai.web.hosting import serve
    from taisai.web.live import LiveTable
    from taisai.web.site import site

    live = LiveTable(table)

    def started(url: str) -> None:
        talk(f"the table is at {url}  Ctrl-C stops it")
        if browser:
            open_in_browser(url)

    serve(lambda token: site("table.html", live.talk, token), live, web_address(address, WEB_PORT), started)


def _refuse_what_does_not_go_together(script: str | None, link: Path | None, state: Path | None, as_json: bool) -> None:
    if script is not None and link is not None:
        raise TaisaiError("--script and --link do not go together: a board behind a serial port has its own hands")
    if state is not None and link is None:
        raise TaisaiError("--state DIR belongs to --link PATH: other simulations start with a blank board")
    for name, path in (("--link", link), ("--state", state)):
        if path == Path():
            raise TaisaiError(f"{name} needs a path, and here it is empty")
    if as_json and script is None:
        raise TaisaiError('--json belongs to --script: for example --script "1 3 6 E" --json')


def _refuse_what_does_not_go_with_a_page(web: bool, other: bool, address: str | None, browser: bool) -> None:
    if web and other:
        raise TaisaiError("--web goes with neither --script nor --link: a page has its own hands")
    for name, given in (("--address", address is not None), ("--open", browser)):
        if given and not web:
            raise TaisaiError(f"{name} belongs to --web: other simulations serve no page")


def _require_simulator() -> None:
    """The virtual board needs pseudo-terminals and the MicroPython interpreter of the extra `sim`."""
    for module in ("fcntl", "pty", "termios"):
        if not _can_import(module):
            raise TaisaiError(f"taisai simulate needs Linux or macOS: this system has no {module}")
    if not _can_import("micropython_unix"):
        absent = check_interpreter()
        raise TaisaiError(f"taisai simulate needs the MicroPython interpreter: {absent.text}\n{absent.remedy}".strip())


def _can_import(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:
        # Somebody has blocked it: sys.modules holds None in its place.
        return False


def _run_script(table: Table, text: str, as_json: bool) -> None:
    from taisai.sim.bench import Bench
    from taisai.sim.board import VirtualBoard
    from taisai.sim.script import parse, run

    words = parse(text, Bench(table))
    with VirtualBoard(table) as board:
        seen = run(board, words)
    if as_json:
        print_json(seen)
        return
    width = max(len(key) for key in seen)
    for key, value in seen.items():
        print(f"{key:<{width}}  {_as_text(key, value)}")


def _as_text(key: str, value: object) -> str:
    """A list of names without its brackets. The display in quotes, because its blanks count."""
    if isinstance(value, list):
        return " ".join(str(item) for item in value) or "none"
    return str(value) if isinstance(value, str) and key != "display" else json.dumps(value)
