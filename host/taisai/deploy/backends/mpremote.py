"""The raw REPL through mpremote's own transport: raw paste with its flow control, where the board has it."""

import struct

from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport

from taisai.deploy.backends.base import Job, Target
from taisai.deploy.backends.serial import deploy, why_not
from taisai.deploy.flash import Result, Watcher
from taisai.deploy.line import Line
from taisai.deploy.rawrepl import RawRepl

NAME = "mpremote"


class _Transport(SerialTransport):
    """mpremote's transport on a port that is open already, so that opening, time-outs and errors are ours."""

    def __init__(self, line: Line):
        self.in_raw_repl = True
        self.use_raw_paste = True
        self.device_name = line.name
        self.mounted = False
        self.is_pty = False
        self.serial = line

    def read_until(self, min_num_bytes, ending, timeout=10, data_consumer=None, timeout_overall=None):
        """As mpremote's, without its 10 ms naps between bytes."""
        return self.serial.read_until(ending, timeout)


def raw_repl(line: Line) -> RawRepl:
    """The raw REPL behind an open port."""
    return RawRepl(_Transport(line), (TransportError, struct.error), line)


def fits(target: Target, job: Job) -> str | None:
    """None when MicroPython runs there and shall stay, else why this way is none."""
    return why_not(target, job)


def run(target: Target, job: Job, watcher: Watcher) -> Result:
    """Files over the serial port."""
    return deploy(target.where, job, watcher, raw_repl)
