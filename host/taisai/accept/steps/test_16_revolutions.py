"""The count of the wheel's revolutions against a wheel that is turned round once, both ways, and spun once."""

from tablecore.wheelspin import GOOD
from taisai.accept import Limit, StepFailed, step
from taisai.accept.operator import Act
from taisai.accept.turning import QUARTERS, turned
from taisai.rules import MONEY_WHEEL

SECTION = 4  # quarters: the same section is at the indicator anywhere within it
NEARLY = QUARTERS - 20
TRIES = 4  # a wheel may come to rest on a peg


@step(
    "revolutions",
    game=MONEY_WHEEL.id,
    attended=True,
    limits=[
        Limit("one_revolution", "quarters", lower=QUARTERS - SECTION, upper=QUARTERS + SECTION, optional=True),
        Limit("spin", "revolutions", lower=3, optional=True),
    ],
)
def test_revolutions(unit, operator, measurements, record):
    if unit.table.controller.wheel is None:
        record.log("no sensors at the wheel: nothing is counted")
        return
    with unit.session() as board:
        for words, sign in (("clockwise", 1), ("anticlockwise", -1)):
            act = Act(
                f"Note the section at the indicator. Turn the wheel by hand, {words}, once round, "
                "until it is there again, and let go",
                turns=sign,
            )
            count = turned(unit, operator, act, NEARLY)["moved"] * sign
            measurements.take("one_revolution", count, of=words, part="sensors a and b")
        _spin(unit, operator, measurements, record)
        board.fixture("end")


def _spin(unit, operator, measurements, record):
    """One that is good."""
    turns = unit.table.layout.minimum_revolutions + 1
    for _ in range(TRIES):
        words = f"Spin the wheel hard, {turns} revolutions or more, and let it come to rest by itself"
        told = turned(unit, operator, Act(words, turns=turns + 0.2), NEARLY)
        record.log(f"a spin of {told['quarters']} quarters, verdict {told['verdict']}")
        if told["verdict"] == GOOD:
            measurements.take("spin", round(told["quarters"] / QUARTERS, 2), part="sensors a and b")
            return
    raise StepFailed("wheel or its sensors", f"wheel or its sensors: {TRIES} spins, and none is taken for a good one")
