"""The unit's own verdict when it has started: lamp chain, keys, table, journal, files."""

from tablecore import faults, protocol
from taisai.accept import Limit, StepFailed, step
from taisai.accept.parts import lamp, of_fault

CHECKED_S = 30


@step("self-test", limits=[Limit("faults", "", upper=0)])
def test_selftest(unit, measurements, record, operator):
    if unit.wait(lambda _: unit.board.integrity()[0] != protocol.CHECKING, CHECKED_S) is None:
        raise StepFailed("controller", f"controller: it has not checked its files within {CHECKED_S} s")
    codes = unit.board.state()["faults"]
    for code in codes:
        record.log(f"{code}: {of_fault(code)}")
    verdict, path, reason = unit.board.integrity()
    record.log(f"files {verdict}" + (f": {path}: {reason}" if path else ""))
    part = f"{of_fault(codes[0])} ({codes[0]})" if codes else "the unit"
    if faults.LAMP_ON in codes and (zones := operator.names_lit(unit.table.layout.zone_ids)):
        part = (
            f"{lamp(zones[0])}, or its output ({faults.LAMP_ON})"  # the unit knows that one is on, a look tells which
        )
    measurements.take("faults", len(codes), part=part)
