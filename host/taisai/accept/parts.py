"""What is at fault, in a technician's words: for fault codes of the firmware and for files of the application."""

from tablecore import faulttexts


def of_fault(code: str) -> str:
    """The part that a fault code accuses."""
    try:
        return faulttexts.describe(code)[0]
    except KeyError:
        return f"fault {code}"


def of_file(problem: str) -> str:
    """The part that a line of `taisai verify` accuses."""
    for name, part in (("table.bin", "lamp table"), ("hardware.json", "wiring file"), ("manifest", "manifest")):
        if name in problem.partition(":")[0]:
            return part
    return "firmware file"


def lamp(zone: str, number: int | None = None) -> str:
    """A zone's lamp, by its number where the zone has several."""
    return f"lamp of {zone}" if number is None else f"lamp {number} of {zone}"
