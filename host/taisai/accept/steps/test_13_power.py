"""The power is cut while a test throw is shown: the unit starts again by itself, dark, with nothing lost."""

from taisai.accept import Limit, StepFailed, step
from taisai.accept.operator import Act, Sight

GONE_S = 30


@step("power", attended=True, restarts=True, limits=[Limit("records_lost", "", upper=0), Limit("start", "s", upper=15)])
def test_power(unit, operator, measurements):
    before = unit.board.journal_state()
    operator.does(Act("Unplug the unit, all of it, and wait until its display is dark", power=False))
    if not operator.sees(Sight("Are the display and the layout dark?", display="   ", lamps=frozenset())):
        raise StepFailed("power supply", "power supply: the unit is not dark without power")
    unit.release()
    operator.does(Act("Plug it in again", power=True))
    measurements.take("start", round(unit.wait_started(GONE_S), 3), part="controller")
    operator.done()
    after = unit.board.journal_state()
    measurements.take("records_lost", max(0, before["next"] + 1 - after["next"]), part="controller's flash")
    if after["uptime"] > before["uptime"]:
        raise StepFailed("controller's supply", "controller's supply: the controller did not lose its power")
    if after["damaged"] or after["dropped"]:
        raise StepFailed(
            "controller's flash", f"controller's flash: {after['dropped']} records were damaged by the cut"
        )
