"""`taisai tables`: the tables that are shipped, or the wiring of one of them."""

from typing import Annotated

import typer

from taisai.boards.parts import OUTPUTS_PER_REGISTER
from taisai.boards.table import Table, list_tables, load_table
from taisai.cli.options import Json
from taisai.cli.output import by_game, print_json, print_table
from taisai.rules import GAMES


def tables(
    table: Annotated[
        str | None, typer.Argument(metavar="[TABLE]", help="A table id or file; without it, all tables are listed.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the tables, or show the wiring of one.

    The wiring is shown as the register outputs that light each zone.
    """
    if table is None:
        _list(as_json)
    else:
        _show(load_table(table), as_json)


def _list(as_json: bool) -> None:
    found = {game: [load_table(name) for name in list_tables(rules)] for game, rules in GAMES.items()}
    if as_json:
        print_json(by_game("tables", {game: [_heading(table) for table in found[game]] for game in found}))
        return
    print_table(
        ["table", "layout", "controller", "registers", "title"],
        [
            [table.id, table.layout.id, table.controller.id, str(table.registers), table.title]
            for tables_of_game in found.values()
            for table in tables_of_game
        ],
    )


def _show(table: Table, as_json: bool) -> None:
    if as_json:
        print_json({**_heading(table), "harness": {zone: list(outputs) for zone, outputs in table.harness.items()}})
        return
    print(f"{table.id}: {table.title}")
    print(f"layout {table.layout.id}, controller {table.controller.id}, {table.registers} registers")
    print_table(
        ["zone", "output", "register and pin"],
        [
            [zone, " ".join(map(str, outputs)), ", ".join(output_place(output) for output in outputs)]
            for zone, outputs in table.harness.items()
        ],
    )


def output_place(output: int) -> str:
    """Where output n is found on the board: registers count from 1 at the controller, their pins from Q0 to Q7."""
    return f"{output // OUTPUTS_PER_REGISTER + 1} Q{output % OUTPUTS_PER_REGISTER}"


def _heading(table: Table) -> dict:
    return {
        "table": table.id,
        "title": table.title,
        "layout": table.layout.id,
        "controller": table.controller.id,
        "registers": table.registers,
    }
