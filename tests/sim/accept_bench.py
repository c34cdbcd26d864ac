"""Acceptance of one virtual board in this process, with faults of its bench."""

from dataclasses import dataclass, field

from taisai.accept.bay import Bay
from taisai.accept.bench_operator import BenchOperator
from taisai.accept.run import Sizes
from taisai.accept.runner import Order, run_unit
from taisai.boards.table import load_table
from taisai.client.simport import SimPort
from taisai.records.model import Record
from taisai.records.station import Station
from taisai.sim.board import VirtualBoard

SMALL = Sizes(exchanges=50, throws=6)


@dataclass
class Seen:
    """`record` of the run; `events`: what was told meanwhile; `exit`: its exit code."""

    record: Record
    events: list = field(default_factory=list)
    exit: int = 0

    @property
    def failed(self):
        """(step, part) that did not pass, None when all did."""
        step = self.record.failed_step
        return None if step is None else (step.name, step.part)


def accept(
    folder,
    table="nz1-pico-hc595",
    faults=(),
    files=None,
    sizes=SMALL,
    meanwhile=None,
    sim=None,
    board=None,
    operator=None,
    **more,
):
    """Run the plan. `faults`: fault words from before power-on; `files`: of the volume; `meanwhile(name, values,
    board)` is called with every event of the run.
    """
    board = board or VirtualBoard(load_table(table), files=files)
    for word in faults:
        board.bench.faults.apply(word)
    board.power_on()
    station = Station(folder / "station")
    bay = Bay(f"sim:{table}", station.folder / "transcripts" / "one.gz", sim or SimPort(table, board))
    seen = Seen(None)

    def tell(name, values):
        seen.events.append((name, values))
        if meanwhile is not None:
            meanwhile(name, values, board)

    order = Order(**{"serial_number": "SN0001", "operator": "Ana", "sizes": sizes, **more})
    made = operator(board) if operator else BenchOperator(board)
    seen.record, _, seen.exit = run_unit(order, station, bay, made, tell)
    return seen
