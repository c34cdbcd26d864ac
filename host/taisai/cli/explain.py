"""`taisai explain 1 3 6`: which zones of a layout win on an outcome, at what odds, and by which clause."""

from typing import Annotated

import typer

from taisai.boards.layout import load_layout
from taisai.cli.options import DEFAULT_LAYOUT, Json, LayoutName
from taisai.cli.output import print_json, print_table
from taisai.errors import TaisaiError
from taisai.rules import Win


def explain(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="D1 D2 D3",
            help="The three dice, each 1 to 6, in any order. On a layout of the money wheel: one stop, 0 to 51, or one "
            "symbol, A to G.",
        ),
    ],
    layout: LayoutName = DEFAULT_LAYOUT,
    as_json: Json = False,
) -> None:
    """Explain a throw, or a stop of the money wheel: what wins, at what odds, and why.

    Prints the call of the dealer, and each winning zone with its odds, the clause of the rules and the reason.
    """
    chosen = load_layout(layout)
    game = chosen.rules
    try:
        outcomes = game.parse(chosen, words)
    except ValueError as error:
        raise TaisaiError(f"{chosen.id} is a layout of {game.id}: {error}") from error
    wins = game.explain(chosen, outcomes[0])
    announced = game.call(chosen, outcomes[0])
    if as_json:
        meant = game.meant(chosen, outcomes)
        print_json({"layout": chosen.id, **meant, "call": announced, "wins": [_as_json(win) for win in wins]})
        return
    print(f"{chosen.id}: {announced}")
    print_table(
        ["zone", "odds", "clause", "reason"],
        [[win.zone, "not stated" if win.odds is None else f"{win.odds} to 1", win.clause, win.reason] for win in wins],
    )


def _as_json(win: Win) -> dict:
    return {"zone": win.zone, "odds": win.odds, "clause": win.clause, "reason": win.reason}
