"""What mpremote's and ampy's ways have in common: a board that runs MicroPython, reached over its serial port."""

from collections.abc import Callable

from taisai.client.probe import BOOTSEL, DOWNLOAD, PROMPT, TABLE
from taisai.client.transport import open_port
from taisai.deploy.backends.base import Job, Target
from taisai.deploy.flash import Result, Watcher, flash_board
from taisai.deploy.line import Line
from taisai.deploy.rawrepl import RawRepl
from taisai.deploy.reach import Reach

_NOT_RUNNING = {
    BOOTSEL: "the board waits in BOOTSEL mode, MicroPython does not run",
    DOWNLOAD: "the board is in download mode, MicroPython does not run",
}


def why_not(target: Target, job: Job) -> str | None:
    """None when MicroPython runs there and shall stay."""
    if target.kind not in (TABLE, PROMPT):
        return _NOT_RUNNING.get(target.kind, target.text)
    if job.interpreter is not None:
        return "MicroPython cannot replace itself, and --micropython names an image"
    return None


def deploy(where: str, job: Job, watcher: Watcher, make_repl: Callable[[Line], RawRepl]) -> Result:
    """Files over a serial port."""
    reach = Reach(lambda: open_port(where), make_repl, job.policy.service_keys)
    return flash_board(reach, job.bundle, job.policy, watcher)
