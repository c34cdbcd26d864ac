"""What makes a test function a step of the plan."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from taisai.accept.limits import Limit


@dataclass(frozen=True)
class StepSpec:
    """`name`: for --only and --skip and for the record. `attended`: it takes a person. `restarts`: the unit may restart
    meanwhile; otherwise a restart is a failure. `game`: the only one whose units have this step, None: all have it."""

    name: str
    attended: bool = False
    restarts: bool = False
    limits: tuple[Limit, ...] = ()
    game: str | None = None


def step(
    name: str,
    *,
    attended: bool = False,
    restarts: bool = False,
    limits: Sequence[Limit] = (),
    game: str | None = None,
) -> Callable[[Callable], Callable]:
    """Declare a test function to be a step, with its limits beside it."""

    def mark(function: Callable) -> Callable:
        function.taisai_step = StepSpec(name, attended, restarts, tuple(limits), game)
        return function

    return mark


def spec_of(function: Callable) -> StepSpec:
    """The declaration; a plain test without one is a step of its own name that measures nothing."""
    return getattr(function, "taisai_step", None) or StepSpec(function.__name__.removeprefix("test_"))
