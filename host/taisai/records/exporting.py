"""Records for other programs: CSV with one line for each measurement, or JSON with everything."""

import csv
import io
import json
from collections.abc import Iterable

from taisai.records.ledger import Entry

FORMS = ("csv", "json")
COLUMNS = (
    "number", "run", "outcome", "reason", "serial_number", "board", "table", "firmware", "station", "operator",
    "simulated", "started_utc", "seconds", "step", "step_outcome", "part", "step_reason", "measurement", "value",
    "unit", "lower", "upper", "good", "marginal", "hash",
)  # fmt: skip


def export(entries: Iterable[Entry], form: str) -> str:
    """The text. Every record is in it, whatever its outcome; in CSV also one without any step."""
    return _csv(entries) if form == "csv" else _json(entries)


def _json(entries: Iterable[Entry]) -> str:
    rows = [{"number": each.number, "hash": each.hash, "seal": each.seal, **each.record.as_dict()} for each in entries]
    return json.dumps(rows, indent=2) + "\n"


def _csv(entries: Iterable[Entry]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n", restval="")
    writer.writeheader()
    for entry in entries:
        writer.writerows(_rows(entry))
    return text.getvalue()


def _rows(entry: Entry) -> list[dict]:
    record, unit = entry.record, entry.record.unit
    whole = {
        "number": entry.number, "run": record.run, "outcome": str(record.outcome), "reason": record.reason,
        "serial_number": unit.serial_number, "board": unit.board, "table": unit.table, "firmware": unit.firmware,
        "station": record.station, "operator": record.operator, "simulated": record.simulated,
        "started_utc": record.started_utc, "seconds": record.seconds, "hash": entry.hash,
    }  # fmt: skip
    rows = []
    for step in record.steps:
        own = {"step": step.name, "step_outcome": str(step.outcome), "part": step.part, "step_reason": step.reason}
        for each in step.measurements:
            shown = each.model_dump(include={"value", "unit", "lower", "upper", "good", "marginal"})
            rows.append({**whole, **own, "measurement": each.name, **shown})
        if not step.measurements:
            rows.append({**whole, **own})
    return rows or [whole]
