"""A run that a technician starts with pytest itself: `pytest --taisai-port PORT ... -k lamps`."""

import uuid
from pathlib import Path

import pytest

from taisai.accept.bay import Bay
from taisai.accept.bench_operator import BenchOperator
from taisai.accept.operator import Person
from taisai.accept.plain import ask
from taisai.accept.run import Run
from taisai.accept.runner import Order, make_run
from taisai.build.bundle import open_bundle
from taisai.client.transport import SIM
from taisai.errors import TaisaiError
from taisai.records.station import Station


class Finish:
    """Puts the run on record at its end, and says so."""

    def __init__(self, run: Run):
        self._run = run
        self._line: str | None = None

    def pytest_sessionfinish(self) -> None:
        """Also of a session that Ctrl-C has ended. A plan that was never begun leaves no record."""
        if self._run.plan:
            record, entry = self._run.finish()
            self._line = f"{record.headline} [record {entry.number}]"
        else:
            self._run.bay.close()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The verdict, below pytest's own."""
        if self._line is not None:
            terminalreporter.section("acceptance")
            terminalreporter.line(self._line)


def run_by_hand(given: dict[str, str | None]) -> Run:
    """From the options of the plugin. On a simulated unit the bench's observers answer."""
    missing = [name for name in ("serial-number", "operator") if not given[name]]
    if missing:
        raise TaisaiError(f"--taisai-port needs {' and '.join(f'--taisai-{name}' for name in missing)} too")
    station = Station(Path(given["station"]) if given["station"] else None)
    bundle = open_bundle(Path(given["bundle"])) if given["bundle"] else None
    if not given["port"].startswith(SIM):
        station.claim(given["port"])  # until this program ends
    bay = Bay(given["port"], station.folder / "transcripts" / f"{uuid.uuid4().hex}.gz")
    operator = BenchOperator(bay.board) if bay.board is not None else Person(ask)
    return make_run(Order(given["serial-number"], given["operator"], bundle), station, bay, operator, lambda *_: None)
