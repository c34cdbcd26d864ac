"""The record of one acceptance run, in plain values: what was tested, by whom, with which tools, and what was found.

Times are UTC as reports have them, dd/mm/yyyy HH:MM:SS; durations are seconds. A record is frozen: what was found is
never changed afterwards.
"""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

FORMAT = 1
Value = bool | int | float | str


class Outcome(StrEnum):
    """How a run or a step ended. They are kept apart: a broken cable is no bad board, and an operator who went home has
    proved nothing."""

    PASS = "PASS"
    """Everything in the plan was done and was within its limits."""
    FAIL = "FAIL"
    """The unit is not as it should be; `part` and `reason` say where."""
    ERROR = "ERROR"
    """Nothing is known about the unit: link, station or tool failed."""
    ABORTED = "ABORTED"
    """A person or a time-out ended it."""
    INCOMPLETE = "INCOMPLETE"
    """What was done was good, but steps were left out, or answers were taken for granted. For a run only."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Measurement(_Frozen):
    """One value with the limits that it was held against; `lower` and `upper` None: open on that side.

    `marginal`: within the limits, but nearer to one than the band that is declared for it. `good` None: never taken.
    """

    name: str
    unit: str
    value: Value | None
    lower: float | None
    upper: float | None
    good: bool | None
    marginal: bool = False


class Step(_Frozen):
    """One step of the plan. `part`: what has to be looked at or replaced. `attended`: it takes a person."""

    name: str
    outcome: Outcome
    attended: bool
    seconds: float
    part: str | None = None
    reason: str | None = None
    measurements: tuple[Measurement, ...] = ()
    log: tuple[str, ...] = ()


class Unit(_Frozen):
    """What was tested. What could not be read is None."""

    serial_number: str
    board: str | None = None
    mcu: str | None = None
    micropython: str | None = None
    firmware: str | None = None
    table: str | None = None
    table_digest: str | None = None
    layout: str | None = None
    layout_digest: str | None = None
    signature: str | None = None


class Record(_Frozen):
    """One run. `run` is its own number, never used again. `assumed`: questions that nobody answered, but that were
    taken for answered. `left_out`: steps of the plan that were not to be run. `transcript`: SHA-256 of the file with
    every byte that went over the link.
    """

    format: int = FORMAT
    run: str
    outcome: Outcome
    reason: str | None
    unit: Unit
    station: str
    operator: str
    simulated: bool
    port: str
    started_utc: str
    ended_utc: str
    seconds: float
    attended_s: float
    tools: dict[str, str]
    plan: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    transcript: str | None = None

    @property
    def failed_step(self) -> Step | None:
        """The first step that did not pass."""
        return next((step for step in self.steps if step.outcome != Outcome.PASS), None)

    @property
    def headline(self) -> str:
        """The verdict in one line: a FAIL names step, part and measurement."""
        return f"{self.outcome} {self.unit.serial_number}" + (f": {self.reason}" if self.reason else "")

    def as_dict(self) -> dict:
        """Plain values, as they are hashed and written."""
        return self.model_dump(mode="json")


def verdict(
    record_steps: tuple[Step, ...], left_out: tuple[str, ...], assumed: tuple[str, ...]
) -> tuple[Outcome, str | None]:
    """What a finished run comes to, and why in one line. The first step that did not pass decides."""
    for step in record_steps:
        if step.outcome != Outcome.PASS:
            return step.outcome, f"{step.name}: {step.reason}"
    if left_out:
        return Outcome.INCOMPLETE, f"left out: {', '.join(left_out)}"
    if assumed:
        return Outcome.INCOMPLETE, f"{len(assumed)} answers were taken for granted and given by nobody"
    return Outcome.PASS, None
