"""The file of a run that is under way: what was found so far, on disk after every step, whatever happens next.

It is locked for as long as the program that writes it lives. One that nobody holds is what a killed program, a full
disk or a power cut has left: `leftovers` makes an ABORTED record of it, never anything better.
"""

import json
import os
from pathlib import Path

from filelock import FileLock, Timeout

from taisai.errors import TaisaiError
from taisai.journal.entries import time_text
from taisai.records.model import Outcome, Record, Step, Unit

KILLED = "the station's program ended before the run did"


class Running:
    """One run's file, `folder/RUN.jsonl`. `header`: the record as it is at the beginning."""

    def __init__(self, folder: Path, header: Record):
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{header.run}.jsonl"
        self._lock = FileLock(self.path.with_suffix(".lock"), timeout=0)
        self._lock.acquire()
        self._write({"record": header.as_dict()})

    def unit(self, unit: Unit) -> None:
        """What is known of the unit by now."""
        self._write({"unit": unit.model_dump(mode="json")})

    def step(self, step: Step) -> None:
        """A step has ended."""
        self._write({"step": step.model_dump(mode="json")})

    def close(self, *, stored: bool) -> None:
        """The run is over. `stored`: its record is in the ledger, so that the file may go."""
        if stored:
            self.path.unlink(missing_ok=True)
        self._lock.release()
        if stored:
            self.path.with_suffix(".lock").unlink(missing_ok=True)

    def _write(self, content: dict) -> None:
        try:
            with self.path.open("a", encoding="ascii") as file:
                file.write(json.dumps(content) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise TaisaiError(f"{self.path}: cannot be written: {error.strerror or error}") from error


def leftovers(folder: Path) -> list[tuple[Record, "Running"]]:
    """The record of each run whose program has ended without it, oldest first, with what holds its file meanwhile."""
    found = []
    for path in sorted(folder.glob("*.jsonl"), key=lambda each: each.stat().st_mtime):
        held = _Held(path)
        if held.taken:
            record = _read(path)
            if record is not None:
                found.append((record, held))
            else:
                held.close(stored=True)  # it was cut off before its first line was whole: nothing had been tested
    return found


class _Held(Running):
    def __init__(self, path: Path):
        self.path = path
        self._lock = FileLock(path.with_suffix(".lock"), timeout=0)
        try:
            self._lock.acquire()
            self.taken = path.exists()
        except Timeout:
            self.taken = False


def _read(path: Path) -> Record | None:
    """What the whole lines of the file add up to, as an ABORTED record."""
    record, unit, steps = None, None, []
    for line in path.read_text(encoding="ascii", errors="replace").splitlines():
        try:
            content = json.loads(line)
        except ValueError:
            break  # the line that was being written
        if "record" in content:
            record = Record(**content["record"])
        elif "unit" in content:
            unit = Unit(**content["unit"])
        else:
            steps.append(Step(**content["step"]))
    if record is None:
        return None
    ended = {"ended_utc": time_text(path.stat().st_mtime), "outcome": Outcome.ABORTED, "reason": KILLED}
    if unit is not None:
        ended["unit"] = unit
    return record.model_copy(update={**ended, "steps": tuple(steps)})
