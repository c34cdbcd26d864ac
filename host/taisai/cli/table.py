"""`taisai table`: all 216 throws of a layout with their winning zones, for checking and for other programs."""

import csv
import io
import json
from enum import StrEnum
from typing import Annotated

import typer

from taisai.boards.layout import Layout, load_layout
from taisai.cli.options import DEFAULT_LAYOUT, LayoutName
from taisai.rules import THROWS, evaluate


class Format(StrEnum):
    """Forms in which the 216 throws can be printed."""

    JSON = "json"
    CSV = "csv"
    TEXT = "text"


def table(
    layout: LayoutName = DEFAULT_LAYOUT,
    form: Annotated[Format, typer.Option("--format", metavar="json|csv|text", help="Form of output.")] = Format.TEXT,
) -> None:
    """Print what wins on each of the 216 throws.

    The throws come in the order of the table that the board carries.
    """
    chosen = load_layout(layout)
    wins = [(dice, evaluate(chosen, dice)) for dice in THROWS]
    print({Format.JSON: _as_json, Format.CSV: _as_csv, Format.TEXT: _as_text}[form](chosen, wins))


def _as_json(layout: Layout, wins: list) -> str:
    """One throw a line, so that two versions of a layout can be compared line by line."""
    throws = ",\n".join("  " + json.dumps({"dice": dice, "wins": won}) for dice, won in wins)
    head = f'"layout": {json.dumps(layout.id)}, "zones": {json.dumps(list(layout.zone_ids))}'
    return f'{{{head}, "throws": [\n{throws}\n]}}'


def _as_csv(layout: Layout, wins: list) -> str:
    """One line for each winning zone of each throw; the odds are left empty where the layout states none."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["layout", "die1", "die2", "die3", "zone", "odds"])
    for dice, won in wins:
        writer.writerows([layout.id, *dice, zone, "" if odds is None else odds] for zone, odds in won.items())
    return text.getvalue().rstrip("\n")


def _as_text(layout: Layout, wins: list) -> str:
    lines = []
    for dice, won in wins:
        zones = ", ".join(zone if odds is None else f"{zone} {odds}" for zone, odds in won.items())
        lines.append(f"{' '.join(map(str, dice))}  {zones}")
    return "\n".join(lines)
