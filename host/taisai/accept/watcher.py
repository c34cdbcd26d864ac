"""Who looks on while a unit is flashed or read: into the record of the step."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taisai.accept.run import Run
    from taisai.deploy.plan import Plan


class StepWatcher:
    """In the form of taisai.deploy.flash.Watcher."""

    def __init__(self, run: "Run"):
        self._run = run

    def stage(self, text: str) -> None:
        """What is being done now."""
        self._run.log(text)

    def plan(self, plan: "Plan", board: str) -> None:
        """What is going to be done; a unit in the factory has nothing that anybody would miss."""

    def total(self, count: int) -> None:
        """So many bytes are going to pass."""

    def moved(self, count: int) -> None:
        """So many more have."""
