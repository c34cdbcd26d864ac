"""Restarted once more, the unit has exactly the right files, no fault, its serial number, and nothing is lit."""

from tablecore import protocol
from taisai.accept import Limit, StepFailed, step
from taisai.accept.parts import of_fault
from taisai.accept.steps.test_05_files import verify_unit


@step("final", restarts=True, limits=[Limit("files", "", lower=1), Limit("wrong_files", "", upper=0)])
def test_final(unit, measurements, record, operator):
    verify_unit(unit, measurements, record)
    state = unit.wait(lambda told: told["state"] == protocol.IDLE or bool(told["faults"]), 30)
    if state is None or state["faults"] or state["lit"]:
        code = state["faults"][0] if state and state["faults"] else None
        part = of_fault(code) if code else "controller"
        raise StepFailed(part, f"{part}: after its last restart the unit is not idle")
    if unit.board.identity.serial_number != unit.serial_number:
        raise StepFailed("controller's flash", f"controller's flash: serial number {unit.board.identity.serial_number}")
