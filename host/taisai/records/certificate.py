"""The certificate of a record: one page of HTML to be printed, complete in itself, with the picture of the layout.

It can be checked against the ledger by its number and hash; by itself it proves nothing.
"""

from html import escape

from taisai.boards.cloth import load_cloth
from taisai.boards.layout import load_layout
from taisai.drawing.cloth import draw
from taisai.errors import TaisaiError
from taisai.records.ledger import Entry
from taisai.records.model import Measurement, Outcome, Record

_COLOURS = {Outcome.PASS: "#0a6b2b", Outcome.FAIL: "#a01010", Outcome.ERROR: "#7a4a00"}
_OTHER = "#555555"
_NOTE = 120  # characters of a step's line: the record itself has everything, and the page is one
_STYLE = """
@page { size: A4; margin: 12mm }
body { font: 10pt/1.35 sans-serif; max-width: 186mm; margin: 0 auto; color: #111 }
h1 { font-size: 15pt; margin: 0 } .verdict { font-size: 24pt; font-weight: bold; margin: 2mm 0 }
table { border-collapse: collapse; width: 100%; font-size: 8pt } td, th { text-align: left; padding: 0.3mm 2mm 0.3mm 0 }
tr { border-bottom: 0.2mm solid #ccc } .facts td:first-child { color: #555; width: 32mm } code { font-size: 7.5pt }
svg { width: 100%; height: 80mm; margin: 2mm 0 } .small { font-size: 7.5pt; color: #555 }
"""


def certificate(entry: Entry) -> str:
    """The page."""
    record = entry.record
    colour = _COLOURS.get(record.outcome, _OTHER)
    words = f"{record.outcome}{' (simulated unit)' if record.simulated else ''}"
    picture = _picture(record) if record.unit.layout else ""
    reason = f"<p>{escape(record.reason)}</p>" if record.reason else ""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(record.unit.serial_number)}: {record.outcome}</title><style>{_STYLE}</style></head><body>"
        f"<h1>Acceptance of Tai-Sai table electronics, serial number {escape(record.unit.serial_number)}</h1>"
        f'<div class="verdict" style="color: {colour}">{escape(words)}</div>{reason}'
        f"{_facts(record)}{picture}{_steps(record)}"
        f'<p class="small">Record {entry.number} of station {escape(record.station)}, hash <code>{entry.hash}</code>, '
        f"signed with key <code>{escape(entry.seal['key'])}</code>.<br>Check it with: taisai records verify.</p>"
        "</body></html>\n"
    )


def _facts(record: Record) -> str:
    unit = record.unit
    facts = {
        "table": unit.table, "board, controller": f"{unit.board or '-'}, {unit.mcu or '-'}",
        "firmware": f"{unit.firmware or '-'} ({unit.signature or 'signature not looked at'})",
        "MicroPython": unit.micropython, "lamp table": unit.table_digest, "layout": unit.layout,
        "layout digest": unit.layout_digest, "tested": f"{record.started_utc} to {record.ended_utc} UTC",
        "by": f"{record.operator}, at {record.station}, {record.port}",
        "time": f"{record.seconds:.0f} s, of which {record.attended_s:.0f} s took a person",
        "tools": ", ".join(f"{name} {version}" for name, version in record.tools.items()),
        "left out": ", ".join(record.left_out) or None, "taken for granted": "; ".join(record.assumed) or None,
    }  # fmt: skip
    cells = [f"<tr><td>{escape(name)}</td><td>{escape(str(value))}</td></tr>" for name, value in facts.items() if value]
    return f'<table class="facts">{"".join(cells)}</table>'


def _picture(record: Record) -> str:
    """The cloth, with the areas bright whose lamps are at fault; nothing for a layout that is not known here."""
    try:
        layout = load_layout(record.unit.layout)
        cloth = load_cloth(layout)
    except TaisaiError:
        return ""
    failed = record.failed_step
    words = (failed.part or "").split() if failed is not None else []
    return draw(layout, cloth, [zone for zone in layout.zone_ids if zone in words])


def _steps(record: Record) -> str:
    lines = []
    for step in record.steps:
        taken = [each for each in step.measurements if each.value is not None]
        note = step.reason or "; ".join(_short(each) for each in taken[:4])
        if not step.reason and len(taken) > 4:
            note += f"; and {len(taken) - 4} more, all within their limits"
        note = note if len(note) <= _NOTE else note[: _NOTE - 3] + "..."
        lines.append(
            f"<tr><td>{escape(step.name)}</td><td>{step.outcome}</td><td>{step.seconds:.1f} s</td>"
            f"<td>{escape(note)}</td></tr>"
        )
    return f"<table><tr><th>step</th><th></th><th></th><th></th></tr>{''.join(lines)}</table>"


def _short(made: Measurement) -> str:
    value = f"{made.value:.6g}" if isinstance(made.value, float) else str(made.value)
    return f"{made.name} {value} {made.unit}".strip() + (" (marginal)" if made.marginal else "")
