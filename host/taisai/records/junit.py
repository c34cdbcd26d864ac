"""A record as JUnit XML, for programs that collect results of tests."""

from xml.etree import ElementTree

from taisai.records.ledger import Entry
from taisai.records.model import Outcome


def junit(entry: Entry) -> str:
    """One suite; a step that did not pass is a failure or an error, one that was never reached is skipped."""
    record = entry.record
    done = {step.name for step in record.steps}
    missing = [name for name in (*record.plan, *record.left_out) if name not in done]
    bad = [step.outcome for step in record.steps if step.outcome != Outcome.PASS]
    failures = bad.count(Outcome.FAIL)
    # A run that is no PASS although every step was good is an error of the suite: nobody must read it as a pass.
    partial = record.outcome not in (Outcome.PASS, Outcome.FAIL) and not bad
    suite = ElementTree.Element(
        "testsuite", name=f"taisai accept {record.unit.serial_number}", tests=str(len(done) + len(missing) + partial),
        failures=str(failures), errors=str(len(bad) - failures + partial), skipped=str(len(missing)),
        time=f"{record.seconds:.3f}", hostname=record.station,
    )  # fmt: skip
    properties = ElementTree.SubElement(suite, "properties")
    known = {"outcome": record.outcome, "run": record.run, "number": entry.number, "hash": entry.hash}
    for name, value in {**known, "operator": record.operator, "simulated": record.simulated}.items():
        ElementTree.SubElement(properties, "property", name=name, value=str(value))
    for step in record.steps:
        case = ElementTree.SubElement(
            suite, "testcase", classname="taisai.accept", name=step.name, time=f"{step.seconds:.3f}"
        )
        if step.outcome != Outcome.PASS:
            kind = "failure" if step.outcome == Outcome.FAIL else "error"
            ElementTree.SubElement(case, kind, message=step.reason or "", type=str(step.outcome))
        ElementTree.SubElement(case, "system-out").text = "\n".join(step.log)
    for name in missing:
        case = ElementTree.SubElement(suite, "testcase", classname="taisai.accept", name=name)
        ElementTree.SubElement(case, "skipped")
    if partial:
        case = ElementTree.SubElement(suite, "testcase", classname="taisai.accept", name="whole plan")
        ElementTree.SubElement(case, "error", message=record.reason or "", type=str(record.outcome))
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
