"""`taisai explain 1 3 6`: which zones of a layout win on a throw, at what odds, and by which clause."""

from typing import Annotated

import typer

from taisai.boards.layout import load_layout
from taisai.cli.options import DEFAULT_LAYOUT, Json, LayoutName
from taisai.cli.output import print_json, print_table
from taisai.errors import TaisaiError
from taisai.rules import Win, call
from taisai.rules import explain as explain_throw


def explain(
    dice: Annotated[list[str], typer.Argument(metavar="D1 D2 D3", help="The three dice, each 1 to 6, in any order.")],
    layout: LayoutName = DEFAULT_LAYOUT,
    as_json: Json = False,
) -> None:
    """Explain a throw: what wins, at what odds, and why.

    Prints the call of the dealer, and each winning zone with its odds, the clause of the rules and the reason.
    """
    throw = parse_dice(dice)
    chosen = load_layout(layout)
    wins = explain_throw(chosen, throw)
    announced = call(throw, chosen.language)
    if as_json:
        print_json({"layout": chosen.id, "dice": list(throw), "call": announced, "wins": [_as_json(w) for w in wins]})
        return
    print(f"{chosen.id}: {announced}")
    print_table(
        ["zone", "odds", "clause", "reason"],
        [[win.zone, "not stated" if win.odds is None else f"{win.odds} to 1", win.clause, win.reason] for win in wins],
    )


def parse_dice(words: list[str]) -> tuple[int, int, int]:
    """Three dice from what was typed: `1 3 6`, or `136` in one word. TaisaiError names what is wrong."""
    values = list(words[0]) if len(words) == 1 and len(words[0]) == 3 else words
    for value in values:
        if value not in ("1", "2", "3", "4", "5", "6"):
            raise TaisaiError(f"{value!r} is not the value of a die: give three numbers from 1 to 6, for example 1 3 6")
    if len(values) != 3:
        raise TaisaiError(f"a throw is three dice, and {len(values)} were given: for example 1 3 6")
    return tuple(int(value) for value in values)


def _as_json(win: Win) -> dict:
    return {"zone": win.zone, "odds": win.odds, "clause": win.clause, "reason": win.reason}
