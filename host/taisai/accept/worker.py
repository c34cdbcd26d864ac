"""The program that tests one unit, for a station that tests several: `python -m taisai.accept.worker`.

The first line of its standard input is a JSON object, the job; each further one answers a prompt. It writes one JSON
object on each line: {"event": NAME, ...}. When its input ends, the station has gone or wants it to end: the run is
aborted, and put on record as such.
"""

import _thread
import json
import os
import queue
import sys
import threading
import traceback
import uuid
from contextlib import nullcontext
from pathlib import Path

from taisai.accept.bay import Bay
from taisai.accept.bench_operator import BenchOperator
from taisai.accept.operator import Nobody, Operator, Person, Prompt
from taisai.accept.run import Sizes
from taisai.accept.runner import Order, run_unit
from taisai.boards.table import load_table
from taisai.build.bundle import Bundle, build_bundle, open_bundle
from taisai.client.transport import SIM
from taisai.errors import EXIT_INTERRUPTED, EXIT_USAGE, TaisaiError
from taisai.records.station import Station


class Wire:
    """Events out, answers in."""

    def __init__(self):
        # Whatever a step prints must not get between the events.
        self._out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        self._answers: queue.Queue[dict] = queue.Queue()
        self.job: dict = json.loads(sys.stdin.readline())
        self.finished = False
        threading.Thread(target=self._listen, daemon=True).start()

    def tell(self, name: str, values: dict) -> None:
        """Write an event; a station that has gone is noticed at the input."""
        try:
            self._out.write(json.dumps({"event": name, **values}) + "\n")
            self._out.flush()
        except OSError:
            pass

    def ask(self, prompt: Prompt) -> str | None:
        """Have a person answer; None after the prompt's time-out."""
        self.tell("prompt", {**vars(prompt), "choices": list(prompt.choices)})
        return None if prompt.kind == "info" else self._answers.get()["answer"]

    def _listen(self) -> None:
        for line in sys.stdin:
            self._answers.put(json.loads(line))
        if not self.finished:
            self._answers.put({"answer": None})
            _thread.interrupt_main()


def main() -> int:
    """One job; the exit code is that of a `taisai accept` of this unit alone."""
    wire = Wire()
    try:
        return _work(wire)
    except KeyboardInterrupt:
        wire.tell("error", {"text": "interrupted before the unit was tested", "exit": EXIT_INTERRUPTED})
    except TaisaiError as error:
        wire.tell("error", {"text": str(error), "exit": error.exit_code})
    except Exception:
        text = f"this is a defect of taisai, not of the unit; please report: {traceback.format_exc()}"
        wire.tell("error", {"text": text, "exit": EXIT_USAGE})
    return EXIT_USAGE


def _work(wire: Wire) -> int:
    job = wire.job
    station = Station(Path(job["station"]))
    # Every sim:TABLE is another unit.
    claim = nullcontext() if job["port"].startswith(SIM) else station.claim(job["port"])
    with claim:
        bay = Bay(job["port"], station.folder / "transcripts" / f"{uuid.uuid4().hex}.gz")
        order = Order(
            job["serial_number"], job["operator"], _bundle(job), job["only"], job["skip"],
            [Path(each) for each in job["step_files"]], Sizes(**job["sizes"]),
        )  # fmt: skip
        record, entry, code = run_unit(order, station, bay, _operator(job, bay, wire), wire.tell)
    wire.finished = True
    wire.tell("record", {"number": entry.number, "hash": entry.hash, "record": record.as_dict(), "exit": code})
    return code


def _bundle(job: dict) -> Bundle | None:
    if job["bundle"]:
        return open_bundle(Path(job["bundle"]))
    return build_bundle(load_table(job["table"])) if job["table"] else None


def _operator(job: dict, bay: Bay, wire: Wire) -> Operator:
    if bay.board is not None:
        return BenchOperator(bay.board)
    if job["assume_yes"]:
        return Nobody(lambda text: wire.tell("log", {"text": f"nobody was there to: {text}"}))
    return Person(wire.ask)


if __name__ == "__main__":
    sys.exit(main())
