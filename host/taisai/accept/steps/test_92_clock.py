"""The drift of the unit's clock against this computer's. Of some exchanges the quickest tells the time best."""

from taisai.accept import Limit, step

SECONDS = 60
TRIES = 12


@step("clock", limits=[Limit("drift", "ppm", lower=-500, upper=500, marginal=100)])
def test_clock(unit, measurements):
    with unit.session() as board:
        first, start = _moment(board, unit.bay.now)
        board.link.wait(SECONDS / 3)
        board.fixture("memory")
        board.link.wait(SECONDS / 3)
        board.fixture("memory")
        board.link.wait(SECONDS / 3)
        last, end = _moment(board, unit.bay.now)
        board.fixture("end")
    drift = (last - first) / 1000 / (end - start) - 1
    measurements.take("drift", round(drift * 1_000_000, 1), part="controller's clock")


def _moment(board, clock):
    """(the unit's ms, our seconds) at one moment."""
    board.fixture("trace")  # the first one may come before any reading, and has no time then
    found = []
    for _ in range(TRIES):
        sent = clock()
        told = board.fixture("trace")
        found.append((clock() - sent, told["now"], sent))
    took, unit_ms, sent = min(found)
    return unit_ms, sent + took
