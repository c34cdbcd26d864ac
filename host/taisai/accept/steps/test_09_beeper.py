"""The beeper: a press is heard."""

from taisai.accept import StepFailed, step
from taisai.accept.operator import ENTRY, Act, Sight


@step("beeper", attended=True)
def test_beeper(unit, board, operator):
    board.state()  # it has started, and is read, before anybody is told to press
    terminal = unit.terminal
    key = terminal.beeps
    operator.does(Act(f"Press key {key} once and listen", (key,)))
    if unit.wait(lambda state: state["digits"].strip() == terminal.after("", key), 20) is None:
        raise StepFailed(f"key {key}", f"key {key}: it was not seen within 20 s")
    if not operator.sees(Sight("Did it beep?", heard=True)):
        raise StepFailed("beeper", "beeper: a press is not heard")
    operator.does(Act("Hold ENTRY for two seconds", (ENTRY,), hold_ms=1700))
    if unit.wait(lambda state: not state["digits"].strip(), 20) is None:
        raise StepFailed("ENTRY", "ENTRY: holding it does not clear the digits")
    operator.done()
