"""The sensors at the wheel: turned by hand, they count both ways, the index comes, and the section is the right one."""

from taisai.accept import Limit, StepFailed, step
from taisai.accept.operator import Act, Sight
from taisai.accept.turning import QUARTERS, turned
from taisai.rules import MONEY_WHEEL

LITTLE = 10  # quarters
TRIES = 5  # until the wheel does not stand on a peg


@step(
    "sensors", game=MONEY_WHEEL.id, attended=True,
    limits=[Limit("turned", "quarters", lower=QUARTERS, optional=True)],
)  # fmt: skip
def test_sensors(unit, operator, measurements, record):
    if unit.table.controller.wheel is None:
        record.log("no sensors at the wheel: the dealer chooses the symbol")
        return
    with unit.session() as board:
        act = Act("Turn the wheel by hand, clockwise, somewhat more than one revolution, and let it rest", turns=1.2)
        told = turned(unit, operator, act, QUARTERS)
        if told["moved"] < 0:
            part = "sensors a and b"
            raise StepFailed(part, f"{part}: the wheel was turned clockwise, and they count the other way")
        measurements.take("turned", told["moved"], part="sensors a and b")
        _compare_section(unit, operator, told)
        board.fixture("end")


def _compare_section(unit, operator, told):
    """What is at the indicator."""
    for _ in range(TRIES):
        if told["stop"] is not None and told["quarter"] not in unit.table.wheel.peg_quarters:
            break
        act = Act("Turn it on by a fifth of a revolution: it is on a peg, or its place is not known", turns=0.2)
        told = turned(unit, operator, act, LITTLE)
    if told["stop"] is None:
        raise StepFailed("index sensor", "index sensor: it was passed, and the place of the wheel is not known")
    letter = unit.table.layout.stops[told["stop"]]
    if not operator.sees(Sight(f"Is symbol {letter} at the indicator?", symbol=letter)):
        part = "index sensor or its mark"
        raise StepFailed(part, f"{part}: stop {told['stop']}, symbol {letter}, is not the one at the indicator")
