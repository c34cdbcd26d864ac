"""The raw REPL through ampy's transport: plain writes with pauses, for boards that do not know raw paste."""

from ampy.pyboard import Pyboard, PyboardError

from taisai.deploy.backends.base import Job, Target
from taisai.deploy.backends.serial import deploy, why_not
from taisai.deploy.flash import Result, Watcher
from taisai.deploy.line import Line
from taisai.deploy.rawrepl import RawRepl

NAME = "ampy"


class _Transport(Pyboard):
    """ampy's transport on a port that is open already, so that opening, time-outs and errors are ours."""

    def __init__(self, line: Line):
        self.serial = line

    def read_until(self, min_num_bytes, ending, timeout=10, data_consumer=None):
        """As ampy's, without its 10 ms naps between bytes."""
        return self.serial.read_until(ending, timeout)


def raw_repl(line: Line) -> RawRepl:
    """The raw REPL behind an open port."""
    return RawRepl(_Transport(line), (PyboardError,), line)


def fits(target: Target, job: Job) -> str | None:
    """As mpremote's way, and only when it is asked for."""
    if job.named != NAME:
        return "mpremote does the same faster; it is used when --backend ampy says so"
    return why_not(target, job)


def run(target: Target, job: Job, watcher: Watcher) -> Result:
    """Files over the serial port."""
    return deploy(target.where, job, watcher, raw_repl)
