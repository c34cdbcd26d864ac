"""The wiring sheet of a table: one printable page with the harness as a table and as a drawing, and the pinout."""

from html import escape

from taisai.boards.table import Table
from taisai.drawing import harness, pinout

_STYLE = """\
body { font: 14px 'Noto Sans', 'DejaVu Sans', sans-serif; margin: 24px; color: #111; background: #fff }
table { border-collapse: collapse } th, td { border: 1px solid #78716c; padding: 2px 10px; text-align: left }
svg { max-width: 100%; height: auto } @media print { h2 { break-before: page } }
"""


def wiring_sheet(table: Table) -> str:
    """The page as HTML, complete in itself; the same table, the same text."""
    title = escape(f"Wiring of {table.id}")
    rows = "\n".join(
        f"<tr><td>{wire.number}</td><td>{wire.register}</td><td>{wire.terminal}</td><td>{wire.number - 1}</td>"
        f"<td>{wire.zone or ''}</td><td>{escape(wire.name or 'not connected')}</td></tr>"
        for wire in harness.wires(table)
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>{title}</title><style>
{_STYLE}</style></head>
<body>
<h1>{title}</h1>
<p>{escape(table.title)}. Layout {table.layout.id}, controller {table.controller.id}, {table.registers} registers.
The serial output of the last register is wired back to the controller.</p>
<h2>Harness</h2>
<table>
<thead><tr><th>wire</th><th>register</th><th>terminal</th><th>output</th><th>zone</th><th>betting area</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
<h2>Harness, drawn</h2>
{harness.draw(table)}<h2>Pins of the controller</h2>
{pinout.draw(table.controller)}</body>
</html>
"""
