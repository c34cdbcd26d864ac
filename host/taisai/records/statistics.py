"""What many records tell together: first-pass yield, and which steps fail most. Simulated and partial runs count for
nothing here, and neither do those that say nothing about the unit (ERROR, ABORTED)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from taisai.records.model import Outcome, Record


@dataclass(frozen=True)
class Yield:
    """`first_pass`: units whose first judged run passed. `passed`: units that passed in the end."""

    units: int
    first_pass: int
    passed: int

    @property
    def percent(self) -> float | None:
        """First-pass yield; None without any unit."""
        return round(100 * self.first_pass / self.units, 1) if self.units else None


def judged(records: Iterable[Record], simulated: bool = False) -> list[Record]:
    """The runs that say whether a unit is good; those of simulated boards instead when asked for."""
    return [each for each in records if each.outcome in (Outcome.PASS, Outcome.FAIL) and each.simulated == simulated]


def first_pass_yield(records: Iterable[Record]) -> Yield:
    """Of judged runs in the order of time."""
    runs: dict[str, list[Outcome]] = {}
    for record in records:
        runs.setdefault(record.unit.serial_number, []).append(record.outcome)
    first = sum(outcomes[0] == Outcome.PASS for outcomes in runs.values())
    return Yield(len(runs), first, sum(Outcome.PASS in outcomes for outcomes in runs.values()))


def pareto(records: Iterable[Record]) -> list[tuple[str, int, float]]:
    """(step, failures, share of all failures up to and with it in percent), the most frequent first."""
    counted = Counter(record.failed_step.name for record in records if record.failed_step is not None)
    whole, total, rows = sum(counted.values()), 0, []
    for name, count in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
        total += count
        rows.append((name, count, round(100 * total / whole, 1)))
    return rows
