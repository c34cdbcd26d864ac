"""The supervisor's key-switch closes and opens."""

from taisai.accept import StepFailed, step
from taisai.accept.operator import Act

SEEN_S = 20


@step("key-switch", attended=True)
def test_switch(unit, operator):
    if unit.board.state()["switch"]:
        operator.does(Act("Turn the key-switch off", switch=False))
        _wait(unit, False, "it stays on")
    operator.does(Act("Turn the key-switch on", switch=True))
    _wait(unit, True, "it does not close")
    operator.does(Act("Turn the key-switch off", switch=False))
    _wait(unit, False, "it does not open")
    operator.done()


def _wait(unit, on, words):
    if unit.wait(lambda state: state["switch"] == on, SEEN_S) is None:
        raise StepFailed("key-switch", f"key-switch: {words}")
