"""A money wheel that is turned by whoever tests, as the unit counts it, for the steps that need it.

All of it happens in a test run, in which no spin is a game.
"""

from taisai.accept.errors import StepFailed
from taisai.accept.operator import Act, Operator
from taisai.accept.parts import of_fault
from taisai.accept.unit import Unit

QUARTERS = 208
"""Of a revolution: 52 pegs, four quarters of a pitch to each."""
LONGEST_S = 180
"""For a person to reach the wheel, and for the wheel to come to rest."""
_POLL_S = 0.25


def turned(unit: Unit, operator: Operator, act: Act, least: int) -> dict:
    """Have the wheel turned, by `least` quarters or more, either way, until it rests; what the unit then says of it,
    with the quarters since before, clockwise positive, as `moved`.

    StepFailed when nothing like that is seen, or when the unit finds a sensor to be at fault.
    """
    board, clock = unit.board, unit.bay.now
    start = board.fixture("wheel")["travel"]
    operator.does(act)
    end = clock() + LONGEST_S
    while True:
        told = board.fixture("wheel")
        moved = told["travel"] - start
        if code := told["fault"]:
            raise StepFailed(of_fault(code), f"{of_fault(code)} ({code})")
        if abs(moved) >= least and not told["turning"]:
            break
        if clock() > end:
            raise StepFailed("wheel or its sensors", f"wheel or its sensors: nothing of this was seen: {act.text}")
        board.link.wait(_POLL_S)
    operator.done()
    return {**told, "moved": moved}
