"""Limits as declared data, and what is measured against them."""

from dataclasses import dataclass

from taisai.accept.errors import StepFailed
from taisai.errors import TaisaiError
from taisai.records.model import Measurement, Value


@dataclass(frozen=True)
class Limit:
    """What a step measures. None: open on that side. `marginal`: a good value nearer to a limit than this, in the same
    unit, is noted as marginal. `optional`: it need not be taken, where the unit lacks the part. A yes-no value has the
    limits of 0 and 1. One limit can be taken several times, each time `of` another thing.
    """

    name: str
    unit: str
    lower: float | None = None
    upper: float | None = None
    marginal: float = 0
    optional: bool = False

    def judge(self, value: Value, of: str = "") -> Measurement:
        """The measurement; a text is good whatever it says."""
        number = value if isinstance(value, int | float) else None
        good, near = True, False
        if number is not None:
            room = [number - self.lower] if self.lower is not None else []
            room += [self.upper - number] if self.upper is not None else []
            good = all(each >= 0 for each in room)
            near = good and any(each < self.marginal for each in room)
        return Measurement(
            name=f"{self.name} {of}".strip(), unit=self.unit, value=value, lower=self.lower, upper=self.upper,
            good=good, marginal=near,
        )  # fmt: skip

    def unset(self) -> Measurement:
        """It was never taken."""
        return Measurement(
            name=self.name, unit=self.unit, value=None, lower=self.lower, upper=self.upper, good=None
        )  # fmt: skip


class NotDeclared(TaisaiError):
    """A step measures what it has not declared, or takes one thing twice: a defect of the step."""


class Measurements:
    """What one step measures. The step passes only when everything that is not optional was taken and is good."""

    def __init__(self, limits: tuple[Limit, ...]):
        self._limits = {limit.name: limit for limit in limits}
        self._taken: dict[str, tuple[Measurement, str]] = {}
        self._of: set[str] = set()

    def take(self, name: str, value: Value, *, of: str = "", part: str = "the unit") -> Measurement:
        """Judge a value and keep it. `part`: what is at fault when it is outside its limits. NotDeclared."""
        if name not in self._limits:
            raise NotDeclared(f"{name} is not among the limits that this step declares")
        made = self._limits[name].judge(value, of)
        if made.name in self._taken:
            raise NotDeclared(f"{made.name} was measured twice")
        self._taken[made.name] = made, part
        self._of.add(name)
        return made

    def all(self) -> tuple[Measurement, ...]:
        """What was taken, and what was declared and never taken."""
        unset = [limit.unset() for limit in self._limits.values() if limit.name not in self._of and not limit.optional]
        return (*(made for made, _ in self._taken.values()), *unset)

    def check(self) -> None:
        """StepFailed for the first that is outside its limits, NotDeclared for one that was never taken."""
        for made, part in self._taken.values():
            if not made.good:
                raise StepFailed(part, f"{part}: {made.name} is {shown(made)}, and the limits are {bounds(made)}")
        for made in self.all():
            if made.good is None:
                raise NotDeclared(f"{made.name} was declared and never measured")


def shown(made: Measurement) -> str:
    """Value and unit."""
    value = f"{made.value:.6g}" if isinstance(made.value, float) else f"{made.value}"
    return f"{value} {made.unit}".strip()


def bounds(made: Measurement) -> str:
    """The limits in words."""
    if made.lower is not None and made.upper is not None:
        return f"{made.lower:g} to {made.upper:g} {made.unit}".strip()
    if made.lower is not None:
        return f"at least {made.lower:g} {made.unit}".strip()
    return f"at most {made.upper:g} {made.unit}".strip() if made.upper is not None else "none"
