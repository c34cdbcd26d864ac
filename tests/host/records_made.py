"""Records for the tests of the ledger, the database and the statistics, and a tamperer who knows no private key."""

import json
import uuid

from taisai.journal.chain import canonical, first_hash, next_hash
from taisai.records.model import Measurement, Outcome, Record, Step, Unit


def record(serial="SN0001", outcome=Outcome.PASS, failed=None, simulated=False, started="30/11/2026 08:00:00", **more):
    steps = [step("identify"), step("lamps")]
    if failed:
        steps.append(step(failed, Outcome.FAIL))
    given = {
        "run": uuid.uuid4().hex,
        "outcome": outcome,
        "reason": f"{failed}: small draws 0 mA" if failed else None,
        "unit": Unit(serial_number=serial, board="e66058388339662f", table="nz1-pico-hc595", firmware="0.1.0"),
        "station": "bench-1",
        "operator": "Ana",
        "simulated": simulated,
        "port": "/dev/ttyACM0",
        "started_utc": started,
        "ended_utc": "30/11/2026 08:03:00",
        "seconds": 180.0,
        "attended_s": 50.5,
        "tools": {"taisai": "0.1.0"},
        "plan": ("identify", "lamps"),
        "steps": tuple(steps),
    }
    return Record(**{**given, **more})


def step(name, outcome=Outcome.PASS):
    good = outcome == Outcome.PASS
    taken = Measurement(name="current", unit="mA", value=20.5 if good else 0, lower=18, upper=22, good=good)
    return Step(
        name=name, outcome=outcome, attended=False, seconds=1.5, part=None if good else "lamp of small",
        reason=None if good else "small draws 0 mA", measurements=(taken,), log=("a line",),
    )  # fmt: skip


def tamper(ledger, change):
    """Change the records of a ledger and work every plain hash and count out anew; only signatures cannot be made."""
    lines = [json.loads(line) for line in ledger.path.read_text().splitlines()]
    heading, entries = lines[0], change(lines[1:])
    head = first_hash(heading["heading"])
    for number, entry in enumerate(entries, 1):
        head = next_hash(head, entry["record"])
        entry.update(number=number, hash=head, seal={**entry["seal"], "count": number, "last": number, "head": head})
    ledger.path.write_text("".join(canonical(line).decode() + "\n" for line in [heading, *entries]))
    if entries:
        seal = {**json.loads(ledger.seal_path.read_text()), "count": len(entries), "last": len(entries), "head": head}
        ledger.seal_path.write_text(json.dumps(seal) + "\n")
