"""The lamp harness of a table: which wire goes from which register output to which betting area.

Wires are numbered as the outputs are, from 1 at the controller: wire 1 is the first output of register 1.
"""

from dataclasses import dataclass

from taisai.boards.names import zone_name
from taisai.boards.table import Table
from taisai.drawing import svg

_OUTPUTS = 8  # of a register
# What the outputs are called in the registers' datasheets.
_TERMINALS = {
    "74HC595": tuple(f"Q{letter}" for letter in "ABCDEFGH"),
    "TPIC6B595": tuple(f"DRAIN{number}" for number in range(_OUTPUTS)),
}

_CELL, _ROW, _HEAD = 118, 64, 130

STYLE = (
    ".paper { fill: #fff } .register { fill: #e7e5e4; stroke: #111 } .free { fill: #fff; stroke: #a8a29e } "
    ".lamp { fill: #fef3c7; stroke: #111 } .words { fill: #111 } .chain { stroke: #111; stroke-width: 2 }"
)


@dataclass(frozen=True)
class Wire:
    """One output of the chain. `zone` is None where nothing is connected."""

    number: int
    register: int
    terminal: str
    zone: str | None
    name: str


def wires(table: Table) -> list[Wire]:
    """Every output of the chain in its order, from the controller on."""
    terminals = _TERMINALS[table.controller.chain.part]
    zones = {zone.id: zone for zone in table.layout.zones}
    lamps = {output: zone for zone, outputs in table.harness.items() for output in outputs}
    found = []
    for output in range(table.registers * _OUTPUTS):
        zone = lamps.get(output)
        name = zone_name(zones[zone], "en", table.layout.game) if zone else ""
        found.append(Wire(output + 1, output // _OUTPUTS + 1, terminals[output % _OUTPUTS], zone, name))
    return found


def draw(table: Table) -> str:
    """The chain of registers, each with its eight wires and where they go, as an SVG document."""
    width, height = _HEAD + _CELL * _OUTPUTS + 20, _ROW * table.registers + 50
    body = [
        svg.rectangle(0, 0, width, height, "paper"),
        svg.text(width / 2, 22, 16, f"Lamp harness of {table.title}", "words"),
    ]
    for wire in wires(table):
        row, column = wire.register - 1, (wire.number - 1) % _OUTPUTS
        y = 40 + _ROW * row
        if column == 0:
            body += _register(wire.register, y, table.controller.chain.part, last=wire.register == table.registers)
        x = _HEAD + _CELL * column
        body.append(svg.rectangle(x, y, _CELL - 6, _ROW - 14, "lamp" if wire.zone else "free", 4))
        body.append(svg.text(x + _CELL / 2 - 3, y + 15, 11, f"{wire.terminal}  wire {wire.number}", "words"))
        words = wire.name or "not connected"
        body.append(svg.text(x + _CELL / 2 - 3, y + 36, svg.fitting(words, _CELL - 14, 13), words, "words"))
    return svg.document(width, height, STYLE, body, f"Lamp harness of {table.title}")


def _register(number: int, y: float, part: str, last: bool) -> list[str]:
    found = [
        svg.rectangle(10, y, _HEAD - 20, _ROW - 14, "register", 4),
        svg.text(_HEAD / 2, y + 20, 13, f"register {number}", "words"),
        svg.text(_HEAD / 2, y + 38, 12, part, "words"),
    ]
    if not last:
        end = y + _ROW
        found.append(f'<line class="chain" x1="{_HEAD / 2}" y1="{y + _ROW - 14}" x2="{_HEAD / 2}" y2="{end}"/>')
    return found
