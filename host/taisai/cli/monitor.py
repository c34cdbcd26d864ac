"""`taisai monitor`: what a table does, as it happens."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from taisai.cli.options import PortName
from taisai.cli.output import talk

if TYPE_CHECKING:
    from taisai.client import Board

_CHECK_S = 5.0
"""So often the board is asked whether it still tells: a host that cannot keep up is forgotten, and a gap shows."""


def monitor(
    port: PortName = None,
    seconds: Annotated[
        float | None, typer.Option("--for", metavar="SECONDS", min=0, help="End after so long; else at Ctrl-C.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print each line as one JSON object.")] = False,
) -> None:
    """Show what a table does, as it happens.

    First its present state, then every change, with the time in seconds since the start. The board is not changed.
    """
    from taisai.client import open_board

    with open_board(port) as board:
        talk(f"taisai: {board.port}: {board.identity}")
        _watch(board, seconds, as_json)


def _watch(board: "Board", seconds: float | None, as_json: bool) -> None:
    clock = board.link.transport.now
    start = clock()
    expected = board.subscribe()
    _show(0.0, board.state(), as_json)
    check_at = start + _CHECK_S
    while True:
        now = clock()
        left = None if seconds is None else start + seconds - now
        if left is not None and left <= 0:
            board.unsubscribe()
            return
        if now >= check_at:
            expected = _check(board, expected, clock() - start, as_json)
            check_at = clock() + _CHECK_S
            continue
        event = board.link.next_event(min(check_at - now, _CHECK_S if left is None else left))
        if event is None:
            continue
        name, fields = event
        number = fields.pop("seq", None)
        if name != "state" or number is None or number < expected:
            continue  # sent before this program subscribed
        if number > expected:
            _missed(number - expected, clock() - start, as_json)
        expected = number + 1
        _show(clock() - start, fields, as_json)


def _check(board: "Board", expected: int, at_s: float, as_json: bool) -> int:
    """Renew the subscription; what was missed at the end of a burst shows only here. Returns the next number."""
    following = board.subscribe()
    waiting = [fields.get("seq", 0) for _, fields in board.link.events]
    if following <= max([expected - 1, *waiting]) + 1:
        return expected
    board.link.events.clear()
    _missed(following - expected, at_s, as_json)
    _show(at_s, board.state(), as_json)
    return following


def _show(at_s: float, state: dict, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"seconds": round(at_s, 3), **state}), flush=True)
        return
    lit = "-" if state["lit"] is None else " ".join(map(str, state["lit"]))
    faults = " ".join(state["faults"]) or "-"
    switch = "on" if state["switch"] else "off"
    text = f"{state['state']:<7} digits {state['digits'] or '-':<3} lit {lit:<5} switch {switch:<3} faults {faults}"
    print(f"{at_s:10.3f}  {text}", flush=True)


def _missed(count: int, at_s: float, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"seconds": round(at_s, 3), "missed": count}), flush=True)
    else:
        print(f"{at_s:10.3f}  {count} changes were missed", flush=True)
