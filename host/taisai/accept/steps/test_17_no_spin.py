"""Spins that are none: one of fewer than the revolutions that the rules ask for, and one that a hand stops."""

from tablecore.wheelspin import FEW, STOPPED
from taisai.accept import StepFailed, step
from taisai.accept.operator import Act
from taisai.accept.turning import QUARTERS, turned
from taisai.rules import MONEY_WHEEL


@step("no-spin", game=MONEY_WHEEL.id, attended=True)
def test_no_spin(unit, operator, record):
    if unit.table.controller.wheel is None:
        record.log("no sensors at the wheel: the dealer says whether a spin counts")
        return
    least = unit.table.layout.minimum_revolutions
    short = Act(f"Spin the wheel gently, fewer than {least} revolutions, and let it come to rest", turns=least - 1)
    stopped = Act(
        f"Spin the wheel hard, let it turn {least + 1} times, and stop it with your hand", turns=least + 1, stopped=True
    )
    cases = ((short, FEW, "too short a spin"), (stopped, STOPPED, "a spin that a hand stops"))
    with unit.session() as board:
        for act, wanted, words in cases:
            told = turned(unit, operator, act, QUARTERS)
            record.log(f"{words}: {told['quarters']} quarters, verdict {told['verdict']}")
            if told["verdict"] != wanted:
                part = "sensors or firmware"
                raise StepFailed(part, f"{part}: {words} is not taken for one, its verdict is {told['verdict']}")
        board.fixture("end")
