"""The raw REPL through ampy's transport: plain writes with pauses, for boards that do not know raw paste."""

from ampy.pyboard import Pyboard, PyboardError

from taisai.deploy.line import Line
from taisai.deploy.rawrepl import RawRepl


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
