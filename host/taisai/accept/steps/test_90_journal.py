"""The journal: a record is written, read back, and exported with a signature that verifies."""

import tempfile
from pathlib import Path

from taisai.accept import Limit, StepFailed, step
from taisai.build.signing import raw_public
from taisai.journal.exporting import export
from taisai.journal.reading import newest
from taisai.journal.verify import verify


@step("journal", limits=[Limit("written", "records", lower=1), Limit("exported", "records", lower=1)])
def test_journal(unit, measurements, record):
    board = unit.board
    before = board.journal_state()
    if before["failed"]:
        raise StepFailed("controller's flash", "controller's flash: the journal cannot be written")
    with unit.session():
        value = board.settings()["brightness_percent"]
        for percent in (value - 1, value):
            board.set_settings({"brightness_percent": percent})
    after = board.journal_state()
    measurements.take("written", after["next"] - before["next"], part="controller's flash")
    if after["failed"] or [entry["kind"] for entry in newest(board, 2)] != ["config", "config"]:
        raise StepFailed("controller's flash", "controller's flash: what was written to the journal is not read back")
    key = record.station.key
    with tempfile.TemporaryDirectory() as folder:
        done = export(board, key, Path(folder), "jsonl")
        measurements.take("exported", done.count, part="controller's flash")
        (finding,) = verify([done.path], [raw_public(key.public_key())])
    if finding.problems or done.missing:
        reason = finding.problems[0] if finding.problems else f"records {done.missing[0]} are missing"
        raise StepFailed("controller's flash", f"controller's flash: journal: {reason}")
    with unit.session():
        board.mark_exported(done.last)
