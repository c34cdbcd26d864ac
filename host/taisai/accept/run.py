"""One run: what is on record while it goes on, and what it comes to."""

import platform
import time
import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from tablecore.version import VERSION
from taisai.accept.bay import Bay
from taisai.accept.errors import Aborted, StepFailed
from taisai.accept.limits import Measurements
from taisai.accept.operator import Operator
from taisai.accept.step import StepSpec
from taisai.accept.unit import Unit
from taisai.build.signing import short_name
from taisai.client.errors import Refused, StillBooting
from taisai.errors import EXIT_INTERRUPTED, EXIT_PASS, EXIT_UNIT_FAILED, EXIT_USAGE, TaisaiError
from taisai.journal.entries import time_text
from taisai.records.ledger import Entry
from taisai.records.model import Outcome, Record, Step, verdict
from taisai.records.model import Unit as UnitRecord
from taisai.records.running import Running
from taisai.records.station import Station

_LONGEST_REASON = 500


@dataclass
class Sizes:
    """How much is tried. Smaller numbers are for the tests of this product, and make a run INCOMPLETE."""

    exchanges: int = 10_000
    throws: int = 216
    smaller: tuple[str, ...] = field(init=False)

    def __post_init__(self):
        whole = {"exchanges": 10_000, "throws": 216}
        given = {name: getattr(self, name) for name in whole}
        self.smaller = tuple(f"{name} {given[name]} of {n}" for name, n in whole.items() if given[name] < n)


class Run:
    """Made before anything is tested: from then on it is on record. `tell(name, values)` is told how it goes on."""

    def __init__(
        self,
        station: Station,
        bay: Bay,
        unit: Unit,
        operator: Operator,
        operator_name: str,
        sizes: Sizes,
        tell: Callable[[str, dict], None],
    ):
        self.station = station
        self.bay = bay
        self.unit = unit
        self.operator = operator
        self.sizes = sizes
        self.id = uuid.uuid4().hex
        self.plan: tuple[str, ...] = ()
        self.left_out: tuple[str, ...] = ()
        self.stopped = False
        self.exit_code = EXIT_PASS
        """How a program ends that has done this run alone."""
        self.measurements = Measurements(())
        self._operator_name = operator_name
        self._tell = tell
        self._steps: list[Step] = []
        self._log: list[str] = []
        self._present: StepSpec | None = None
        self._attended_s = 0.0
        self._ended: tuple[Outcome, str] | None = None
        self._running: Running | None = None
        self._began = self._step_began = time.monotonic()
        self._started_utc = time_text(time.time())
        self._known: UnitRecord | None = None

    def begin(self, plan: tuple[str, ...], left_out: tuple[str, ...]) -> None:
        """The plan is known: put the run on record, as not finished. TaisaiError when that cannot be written."""
        self.plan, self.left_out = plan, left_out
        self._running = self.station.begin(self._record(Outcome.ABORTED, "not finished"))
        self._tell("plan", {"plan": list(plan), "left_out": list(left_out)})

    def leave(self, names: Collection[str]) -> None:
        """These steps are none of this unit's, as is known now: they are neither in the plan nor left out of it."""
        if not set(names) & {*self.plan, *self.left_out}:
            return
        self.plan = tuple(name for name in self.plan if name not in names)
        self.left_out = tuple(name for name in self.left_out if name not in names)
        self._tell("plan", {"plan": list(self.plan), "left_out": list(self.left_out)})

    def begin_step(self, spec: StepSpec) -> None:
        """A step begins."""
        self.measurements = Measurements(spec.limits)
        self._log = []
        self._step_began = time.monotonic()
        self.bay.tape.note("#", f"step {spec.name}".encode())
        self._present = spec
        self._tell("step", {"name": spec.name, "attended": spec.attended})

    def log(self, text: str) -> None:
        """Put a line into the record of the present step."""
        self._log.append(text)
        self._tell("log", {"text": text})

    def end_step(self, spec: StepSpec, error: BaseException | None) -> None:
        """A step has ended, well or with an error. Anything but a PASS stops the run."""
        if error is None:
            error = self._judged()
        outcome, part, reason = _ending(error)
        self._note_exit(error)
        seconds = time.monotonic() - self._step_began
        if spec.attended:
            self._attended_s += seconds
        step = Step(
            name=spec.name, outcome=outcome, attended=spec.attended, seconds=round(seconds, 3), part=part,
            reason=reason, measurements=self.measurements.all(), log=tuple(self._log),
        )  # fmt: skip
        self._steps.append(step)
        self._present = None
        self.stopped = self.stopped or outcome != Outcome.PASS
        try:
            self._running.step(step)
            if (known := self._unit()) != self._known:
                self._known = known
                self._running.unit(known)
        except TaisaiError as full:
            # The station's disk: nothing more can be kept, so nothing more is tested.
            self._ended = Outcome.ERROR, str(full)
            self.stopped = True
        self._tell("step-ended", {"name": spec.name, "outcome": outcome, "part": part, "reason": reason})

    def fail(self, error: BaseException) -> None:
        """The run ends outside of any step."""
        if self._present is not None and self._running is not None:
            self.end_step(self._present, error)
        outcome, _, reason = _ending(error)
        self._note_exit(error)
        self._ended = outcome, reason
        self.stopped = True

    def finish(self) -> tuple[Record, Entry]:
        """Everything has been done: the verdict, into the ledger. Raises TaisaiError when it cannot be kept there."""
        transcript = self._close()
        done = {step.name for step in self._steps}
        missing = tuple(name for name in self.plan if name not in done)
        if self._ended is not None:
            outcome, reason = self._ended
        else:
            left_out = (*self.left_out, *missing, *self.sizes.smaller)
            outcome, reason = verdict(tuple(self._steps), left_out, tuple(self.operator.assumed))
        if outcome == Outcome.INCOMPLETE:
            self.exit_code = EXIT_USAGE
        record = self._record(outcome, reason).model_copy(update={"transcript": transcript})
        return record, self.station.store(record, self._running)

    def _close(self) -> str:
        try:
            self.unit.release()
        finally:
            transcript = self.bay.close()
        return transcript

    def _note_exit(self, error: BaseException | None) -> None:
        """The first error decides."""
        if error is None or self.exit_code != EXIT_PASS:
            return
        if isinstance(error, KeyboardInterrupt):
            self.exit_code = EXIT_INTERRUPTED
        elif _ending(error)[0] == Outcome.FAIL:
            self.exit_code = EXIT_UNIT_FAILED
        else:
            self.exit_code = error.exit_code if isinstance(error, TaisaiError) else EXIT_USAGE

    def _judged(self) -> BaseException | None:
        try:
            self.measurements.check()
        except TaisaiError as error:
            return error
        return None

    def _record(self, outcome: Outcome, reason: str | None) -> Record:
        return Record(
            run=self.id,
            outcome=outcome,
            reason=reason,
            unit=self._unit(),
            station=self.station.name,
            operator=self._operator_name,
            simulated=self.bay.simulated,
            port=self.bay.port,
            started_utc=self._started_utc,
            ended_utc=time_text(time.time()),
            seconds=round(time.monotonic() - self._began, 3),
            attended_s=round(self._attended_s, 3),
            tools={"taisai": VERSION, "python": platform.python_version(), "system": platform.platform()},
            plan=self.plan,
            left_out=self.left_out,
            assumed=tuple(self.operator.assumed),
            steps=tuple(self._steps),
        )

    def _unit(self) -> UnitRecord:
        told, bundle = self.unit.identity, self.unit.bundle
        facts = {} if told is None else {
            name: getattr(told, name) for name in ("board", "mcu", "micropython", "firmware", "table", "table_digest")
        }  # fmt: skip
        if bundle is not None:
            facts |= {name: bundle.manifest.get(name) for name in ("layout", "layout_digest")}
            facts["signature"] = short_name(bundle.signature.key) if bundle.signature else "not signed"
        return UnitRecord(serial_number=self.unit.serial_number, **facts)


def _ending(error: BaseException | None) -> tuple[Outcome, str | None, str | None]:
    """(outcome, part, reason) of what ended a step."""
    if error is None:
        return Outcome.PASS, None, None
    reason = " ".join(str(error).split())[:_LONGEST_REASON] or type(error).__name__
    if isinstance(error, StepFailed):
        return Outcome.FAIL, error.part, reason
    if isinstance(error, Aborted | KeyboardInterrupt):
        return Outcome.ABORTED, None, "interrupted" if isinstance(error, KeyboardInterrupt) else reason
    if isinstance(error, StillBooting) or (isinstance(error, Refused) and error.exit_code == EXIT_UNIT_FAILED):
        return Outcome.FAIL, "controller", f"controller: {reason}"
    if isinstance(error, TaisaiError):
        at_fault = error.exit_code == EXIT_UNIT_FAILED
        return (Outcome.FAIL, "firmware", f"firmware: {reason}") if at_fault else (Outcome.ERROR, None, reason)
    if isinstance(error, AssertionError):
        return Outcome.FAIL, "the unit", f"the unit: {reason}"
    return Outcome.ERROR, None, f"a defect of the step, not of the unit: {type(error).__name__}: {reason}"
