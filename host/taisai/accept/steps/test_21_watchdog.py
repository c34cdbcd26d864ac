"""The watchdog really resets a main loop that does not come back, in its time, and the unit says that it was that."""

from contextlib import suppress

from taisai.accept import Limit, StepFailed, step
from taisai.client.errors import LinkLost

HANGS_S = 0.5
LIMIT_S = 30


@step("watchdog", restarts=True, limits=[Limit("reset_after", "% of its time", lower=85, upper=150)])
def test_watchdog(unit, measurements, record):
    expected = unit.table.options.watchdog_ms / 1000
    start = unit.bay.now()
    with unit.session() as board, suppress(LinkLost):
        board.fixture("hang", timeout_s=HANGS_S)
        raise StepFailed("firmware", "firmware: it did not stop when it was told to hang")
    unit.wait_started(LIMIT_S)
    seconds = unit.bay.now() - start
    cause = unit.identity.reset
    record.log(f"reset cause {cause}, answered again after {seconds:.1f} s")
    measurements.take("reset_after", round(100 * seconds / expected, 1), part="watchdog")
    if cause != "watchdog":
        raise StepFailed("watchdog", f"watchdog: the unit restarted and says its cause was {cause}")
