"""`taisai table`: every outcome of a layout's game with its winning zones, for checking and for other programs."""

import csv
import io
import json
from enum import StrEnum
from typing import Annotated

import typer

from taisai.boards.layout import Layout, load_layout
from taisai.cli.options import DEFAULT_LAYOUT, LayoutName


class Format(StrEnum):
    """Forms in which the outcomes can be printed."""

    JSON = "json"
    CSV = "csv"
    TEXT = "text"


def table(
    layout: LayoutName = DEFAULT_LAYOUT,
    form: Annotated[Format, typer.Option("--format", metavar="json|csv|text", help="Form of output.")] = Format.TEXT,
) -> None:
    """Print what wins on each of the 216 throws, or on each of the 52 stops of a money wheel.

    They come in the order of the table that the board carries.
    """
    chosen = load_layout(layout)
    wins = [(outcome, chosen.rules.evaluate(chosen, outcome)) for outcome in chosen.rules.outcomes]
    print({Format.JSON: _as_json, Format.CSV: _as_csv, Format.TEXT: _as_text}[form](chosen, wins))


def _as_json(layout: Layout, wins: list) -> str:
    """One outcome a line, so that two versions of a layout can be compared line by line."""
    game = layout.rules
    lines = ",\n".join("  " + json.dumps({**game.fields(layout, outcome), "wins": won}) for outcome, won in wins)
    head = f'"layout": {json.dumps(layout.id)}, "zones": {json.dumps(list(layout.zone_ids))}'
    return f'{{{head}, "{game.plural}": [\n{lines}\n]}}'


def _as_csv(layout: Layout, wins: list) -> str:
    """One line for each winning zone of each outcome; the odds are left empty where the layout states none."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["layout", *layout.rules.columns, "zone", "odds"])
    for outcome, won in wins:
        cells = layout.rules.cells(layout, outcome)
        writer.writerows([layout.id, *cells, zone, "" if odds is None else odds] for zone, odds in won.items())
    return text.getvalue().rstrip("\n")


def _as_text(layout: Layout, wins: list) -> str:
    lines = []
    for outcome, won in wins:
        zones = ", ".join(zone if odds is None else f"{zone} {odds}" for zone, odds in won.items())
        lines.append(f"{' '.join(map(str, layout.rules.cells(layout, outcome)))}  {zones}")
    return "\n".join(lines)
