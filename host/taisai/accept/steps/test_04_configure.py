"""The unit's own data: the serial number goes onto it, its clock is set, what it was delivered with is noted."""

import time

from taisai.accept import StepFailed, step


@step("configure")
def test_configure(unit, record):
    with unit.session() as board:
        board.set_unit_identity({"serial_number": unit.serial_number})
        board.set_time(int(time.time()))
    kept = unit.board.unit_identity()["serial_number"]
    if kept != unit.serial_number:
        raise StepFailed("controller's flash", f"controller's flash: it keeps the serial number {kept}")
    for name, value in sorted(unit.board.settings().items()):
        record.log(f"{name} {value}")
