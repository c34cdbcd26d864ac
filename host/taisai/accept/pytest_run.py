"""How one run goes through pytest: the fixtures of the steps, their order, and their endings into the record."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from taisai.accept.run import Run
from taisai.accept.step import StepSpec, spec_of
from taisai.errors import TaisaiError


class RunPlugin:
    """Of one `Run`. `only`: names of the steps to be done, None: all; `skip`: of those that are not."""

    def __init__(self, run: Run, only: Sequence[str] | None = None, skip: Sequence[str] = ()):
        self.run = run
        self._only = only
        self._skip = tuple(skip)
        self._error: BaseException | None = None
        self._specs: list[StepSpec] = []  # of all steps, those that are left out among them
        self.problem: str | None = None
        """Why there is no plan, in words."""

    @pytest.fixture
    def unit(self):
        """The unit under test (taisai.accept.unit.Unit)."""
        return self.run.unit

    @pytest.fixture
    def board(self):
        """Its link, identified (taisai.client.Board)."""
        return self.run.unit.board

    @pytest.fixture
    def operator(self):
        """Who acts and looks (taisai.accept.operator.Operator)."""
        return self.run.operator

    @pytest.fixture
    def measurements(self):
        """What this step measures (taisai.accept.limits.Measurements)."""
        return self.run.measurements

    @pytest.fixture
    def record(self):
        """The run itself: `record.log(text)`, `record.sizes`."""
        return self.run

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Plan order: the shipped steps as their files are named, a customer's before the last of them."""
        steps = Path(__file__).with_name("steps")
        own = [item for item in items if item.path.parent != steps]
        shipped = sorted((item for item in items if item.path.parent == steps), key=lambda item: item.path.name)
        ordered = shipped[:-1] + own + shipped[-1:]
        names = [spec_of(item.function).name for item in ordered]
        if unknown := {*(self._only or ()), *self._skip} - set(names):
            self._refuse(f"no such step: {', '.join(sorted(unknown))}; the steps are {', '.join(names)}")
        if doubled := {name for name in names if names.count(name) > 1}:
            self._refuse(f"two steps have the same name: {', '.join(sorted(doubled))}")
        kept = [name for name in names if (self._only is None or name in self._only) and name not in self._skip]
        left_out = [item for item, name in zip(ordered, names, strict=True) if name not in kept]
        items[:] = [item for item, name in zip(ordered, names, strict=True) if name in kept]
        config.hook.pytest_deselected(items=left_out)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """What is left, after -k and the like, is this run's plan; what is missing of the shipped makes it partial."""
        if self.problem is not None:
            return  # pytest comes here after a refusal too
        self._specs = [spec_of(item.function) for item in session.items]
        chosen = tuple(spec.name for spec in self._specs)
        left_out = [spec for spec in shipped_specs() if spec.name not in chosen]
        self._specs += left_out
        self.run.begin(chosen, tuple(spec.name for spec in left_out))

    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """A step for units of another game is not there for this one."""
        game = self.run.unit.game
        if game is not None:
            self.run.leave({spec.name for spec in self._specs if spec.game not in (None, game)})
            if spec_of(item.function).game not in (None, game):
                return True
        if self.run.stopped:
            item.add_marker(pytest.mark.skip(reason="an earlier step did not pass"))
        return None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if not self.run.stopped:
            self._error = None
            self.run.begin_step(spec_of(item.function))
            self.run.unit.check_same()  # what happened between two steps is this one's to tell

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item):
        """The measurements are judged as a part of the step, so that pytest tells of them too."""
        result = yield
        self.run.measurements.check()
        if not spec_of(item.function).restarts:
            self.run.unit.check_same()
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo):
        report = yield
        if self.run.stopped:
            return report
        if call.excinfo is not None and self._error is None:
            self._error = call.excinfo.value
            if isinstance(self._error, TaisaiError):
                report.longrepr = str(self._error)
        if call.when == "teardown":
            self.run.end_step(spec_of(item.function), self._ended(item))
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo) -> None:
        self.run.fail(excinfo.value)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A customer's file that cannot be read."""
        if report.failed:
            self.problem = f"{report.nodeid}: {str(report.longrepr).strip().splitlines()[-1]}"

    def _refuse(self, problem: str) -> None:
        self.problem = problem
        pytest.exit(problem, pytest.ExitCode.USAGE_ERROR)  # said by pytest only where it has the terminal

    def _ended(self, item: pytest.Item) -> BaseException | None:
        if isinstance(self._error, pytest.skip.Exception):
            return TaisaiError(f"{spec_of(item.function).name} was skipped: {self._error}")
        return self._error


def shipped_specs() -> list[StepSpec]:
    """Declarations of the shipped steps in the order of the plan, from the files themselves."""
    from importlib import import_module

    found = []
    for path in sorted(Path(__file__).with_name("steps").glob("test_*.py")):
        module = import_module(f"taisai.accept.steps.{path.stem}")
        found += [spec_of(value) for name, value in vars(module).items() if name.startswith("test_")]
    return found
