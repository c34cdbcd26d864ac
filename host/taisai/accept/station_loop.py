"""A station's day: scan a unit for each port, test, show the verdict, scan the next."""

from collections.abc import Callable, Sequence
from typing import Protocol

from taisai.accept import serials
from taisai.accept.operator import Prompt
from taisai.accept.workers import Result, View, run_jobs
from taisai.errors import TaisaiError
from taisai.records.model import Outcome
from taisai.records.station import Station

SCAN_S = 8 * 3600.0
"""A station waits for its next unit for so long."""


class Jobs(Protocol):
    """Makes the job for one unit."""

    def __call__(self, port: str, serial_number: str) -> dict: ...


def passed_before(station: Station) -> set[str]:
    """The serial numbers of the units that have passed."""
    found = station.ledger.entries()
    return {entry.record.unit.serial_number for entry in found if entry.record.outcome == Outcome.PASS}


def scan(view: View, place: int, pattern: str, taken: Sequence[str], passed: set[str]) -> str | None:
    """The serial number of the unit at this place; None when the station is to end. A number that has passed before, or
    that is at another port, is asked about or refused.
    """
    text = "Scan the serial number of the next unit"
    while True:
        read = view.ask(place, Prompt(text, "text", timeout_s=SCAN_S))
        if read is None:
            return None
        try:
            number = serials.checked(read, pattern)
        except TaisaiError as error:
            text = f"{error}"
            continue
        if number in taken:
            text = f"{number} is at another port already: scan the unit at this one"
            continue
        if number in passed:
            question = Prompt(f"{number} has passed before. Test it once more?", "yes-no", timeout_s=SCAN_S)
            if view.ask(place, question) != "yes":
                text = "Scan the serial number of the next unit"
                continue
        return number


def work(
    station: Station, ports: Sequence[str], make: Jobs, view: View, pattern: str, finish: Callable[[list[Result]], None]
) -> list[Result]:
    """One round after the other until a scan is not answered; every result. `finish` is called after each round."""
    results: list[Result] = []
    while True:
        passed, numbers = passed_before(station), []
        for place in range(len(ports)):
            number = scan(view, place, pattern, numbers, passed)
            if number is None:
                return results
            numbers.append(number)
        done = run_jobs([make(port, number) for port, number in zip(ports, numbers, strict=True)], view)
        finish(done)
        results += done
