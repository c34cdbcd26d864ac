"""Progress of a board that is written or read: bars on a terminal, a line for each stage elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from taisai.cli.output import talk
from taisai.deploy.plan import Plan
from taisai.errors import TaisaiError


class Watcher:
    """One board's progress. `ask`: whether to ask before something foreign is removed."""

    def __init__(self, where: str, progress: Progress | None, ask: bool):
        self._where = where
        self._progress = progress
        self._ask = ask
        self._asked = False
        self._task = progress.add_task(where, total=None, stage="") if progress else None

    def stage(self, text: str) -> None:
        """What is being done now."""
        if self._progress:
            self._progress.update(self._task, stage=text)
        else:
            talk(f"{self._where}: {text}")

    def plan(self, plan: Plan, board: str) -> None:
        """Show what will be done to the board. TaisaiError when that destroys something and nobody agrees."""
        if self._asked:
            return
        self._asked = True
        talk(f"{self._where}: board {board}: {described(plan)}")
        foreign = [path for path in plan.remove if not path.startswith("/app-")]
        if not foreign:
            return
        text = f"{self._where}: these do not belong to the table and will be removed: {', '.join(foreign)}"
        if not self._ask:
            talk(text)
            return
        if not sys.stdin.isatty():
            raise TaisaiError(f"{text}; nothing was changed: say --yes to agree")
        if self._progress:
            self._progress.stop()
        talk(text)
        if input("Go on? Type yes: ").strip().lower() != "yes":
            raise TaisaiError(f"{self._where}: nothing was changed")
        if self._progress:
            self._progress.start()

    def total(self, count: int) -> None:
        """So many bytes are going to pass."""
        if self._progress:
            self._progress.update(self._task, total=count, completed=0)

    def moved(self, count: int) -> None:
        """So many more have."""
        if self._progress:
            self._progress.advance(self._task, count)


def described(plan: Plan) -> str:
    """A plan in one line."""
    if not plan.writes:
        return "nothing to send" + (", old files to be removed" if plan.remove else ": it has exactly this already")
    sent = len(plan.send) + len(plan.last)
    kept = f", {plan.kept} there from an earlier attempt" if plan.kept else ""
    return (
        f"into /{plan.name}: {sent} files to be sent ({plan.bytes_sent:,} bytes), {len(plan.copy)} copied there{kept}"
    )


@contextmanager
def bars() -> Iterator[Progress | None]:
    """Progress bars on standard error while the block lasts; None where it is no terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TextColumn("{task.fields[stage]}"))
    with Progress(*columns, console=console, transient=True) as progress:
        yield progress
