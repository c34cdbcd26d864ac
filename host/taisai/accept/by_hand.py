"""A run that a technician starts with pytest itself: `pytest --taisai-port PORT ... -k lamps`."""

import uuid
from pathlib import Path

from taisai.accept.bay import Bay
from taisai.accept.bench_operator import BenchOperator
from taisai.accept.operator import Person
from taisai.accept.plain import ask
from taisai.accept.run import Run
from taisai.accept.runner import Order, make_run
from taisai.build.bundle import open_bundle
from taisai.errors import TaisaiError
from taisai.records.station import Station


def run_by_hand(given: dict[str, str | None]) -> Run:
    """From the options of the plugin. On a simulated unit the bench's observers answer."""
    missing = [name for name in ("serial-number", "operator") if not given[name]]
    if missing:
        raise TaisaiError(f"--taisai-port needs {' and '.join(f'--taisai-{name}' for name in missing)} too")
    station = Station(Path(given["station"]) if given["station"] else None)
    bundle = open_bundle(Path(given["bundle"])) if given["bundle"] else None
    station.claim(given["port"])
    bay = Bay(given["port"], station.folder / "transcripts" / f"{uuid.uuid4().hex}.gz")
    operator = BenchOperator(bay.board) if bay.board is not None else Person(ask)
    return make_run(Order(given["serial-number"], given["operator"], bundle), station, bay, operator, lambda *_: None)
