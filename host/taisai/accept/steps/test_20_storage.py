"""Headroom: free heap of the running firmware, and blocks of the volume that are free for the journal."""

from taisai.accept import Limit, step
from taisai.deploy.installer import Installer

KIB = 1024


@step(
    "storage",
    restarts=True,
    limits=[
        Limit("free_heap", "KiB", lower=32, marginal=8),
        Limit("free_volume", "KiB", lower=600, marginal=50),
    ],
)
def test_storage(unit, measurements):
    with unit.session() as board:
        measurements.take("free_heap", round(board.fixture("memory")["free"] / KIB, 1), part="controller's memory")
        board.fixture("end")
    board = unit.board
    reach = unit.reach()
    try:
        found = reach.board(timeout_s=5) or board
        repl = reach.prompt(found)
        facts = Installer(repl).facts()
        reach.restart(repl)
    finally:
        reach.close()
    measurements.take("free_volume", round(facts.free * facts.block / KIB, 1), part="controller's flash")
    unit.wait_started()
