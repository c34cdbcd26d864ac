"""What does not change while one table is simulated: its cloth in every language, and what there is to choose from."""

from taisai.boards.cloth import load_cloth
from taisai.boards.names import LANGUAGES, zone_name
from taisai.boards.table import Table
from taisai.drawing.cloth import draw
from taisai.web.view import View


def furniture(table: Table, view: View, tables: list[str]) -> dict:
    """The message about a table, one of `tables`; `view` is that of its game. DataErrors: its layout has no cloth."""
    layout = table.layout
    cloth = load_cloth(layout)
    return {
        "type": "table",
        "table": table.id,
        "title": table.title,
        "language": layout.language,
        "sense": table.controller.sense is not None,
        "tables": tables,
        "cloths": {language: draw(layout, cloth, language=language) for language in LANGUAGES},
        "names": {zone.id: {each: zone_name(zone, each, layout.game) for each in LANGUAGES} for zone in layout.zones},
        "outputs": _outputs(table),
        **view.furniture(),
    }


def _outputs(table: Table) -> list[list[str | int] | None]:
    """For each output of the chain [zone, number of its lamp from 1], None where nothing is connected."""
    found: list[list[str | int] | None] = [None] * (8 * table.registers)
    for zone, outputs in table.harness.items():
        for lamp, output in enumerate(outputs, 1):
            found[output] = [zone, lamp]
    return found
