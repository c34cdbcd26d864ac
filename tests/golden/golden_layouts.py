"""The golden tables: one CSV per layout with its 216 throws, so that a changed rule or odds shows as a readable diff.

`python tests/golden/golden_layouts.py` writes them anew; test_golden_layouts.py fails while they are not current.
"""

import csv
import io
from pathlib import Path

from taisai.boards.layout import Layout, list_layouts, load_layout
from taisai.rules import THROWS, call, evaluate

FOLDER = Path(__file__).resolve().parent


def golden_file(layout_id: str) -> Path:
    """Where the golden table of a layout lies."""
    return FOLDER / f"{layout_id}.csv"


def golden_text(layout: Layout) -> str:
    """Throw, call, number of lit zones, and the zones with their odds to 1 (no number where the source states none)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["throw", "call", "lit", "wins"])
    for dice in THROWS:
        won = evaluate(layout, dice)
        wins = " | ".join(zone if odds is None else f"{zone} {odds}" for zone, odds in won.items())
        writer.writerow(["-".join(map(str, dice)), call(dice, layout.language), len(won), wins])
    return out.getvalue()


def main() -> None:
    """Write every golden table."""
    for layout_id in list_layouts():
        golden_file(layout_id).write_text(golden_text(load_layout(layout_id)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
