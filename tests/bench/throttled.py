"""A virtual board on a serial line of a given speed, and the bytes and seconds that pass on it.

The board runs in a process of its own, in real time, its flash as slow as a real one. The line is a pair of pseudo
terminals with a pump between them that lets no more bytes pass, each way, than the line would.
"""

import multiprocessing
import os
import pty
import select
import signal
import time
import tty
from contextlib import contextmanager
from pathlib import Path

from taisai.boards.table import load_table
from taisai.sim.linkpty import serve

TABLE = "nz1-pico-hc595"
_SLICE_S = 0.001
_READ_BYTES = 4096
_START_S = 2.0

_spawn = multiprocessing.get_context("fork")


class Meter:
    """Bytes both ways, and the time of the last one."""

    def __init__(self):
        self.sent = _spawn.Value("q", 0)
        self.received = _spawn.Value("q", 0)

    def total(self) -> int:
        return self.sent.value + self.received.value


@contextmanager
def throttled_board(folder: Path, bytes_per_s: float):
    """A blank board, at its prompt; yields the port's path and its meter."""
    far, near = folder / "board", folder / "port"
    meter = Meter()
    board = _spawn.Process(target=_board, args=(far,), daemon=True)
    board.start()
    while not far.exists():
        time.sleep(0.05)
    pump = _spawn.Process(target=_pump, args=(far, near, bytes_per_s, meter), daemon=True)
    pump.start()
    time.sleep(_START_S)
    try:
        yield near, meter
    finally:
        for process in (pump, board):
            process.terminate()
            process.join()
        near.unlink(missing_ok=True)


def _board(path: Path) -> None:
    serve(load_table(TABLE), path, None, started=lambda: None)


def _pump(far: Path, near: Path, bytes_per_s: float, meter: Meter) -> None:
    """Both directions of the line: what has come in is held back until its time is over."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    master, slave = pty.openpty()
    tty.setraw(slave)
    near.symlink_to(os.ttyname(slave))
    board = os.open(far, os.O_RDWR | os.O_NOCTTY)
    lanes = ((master, board, meter.sent), (board, master, meter.received))
    free_at = [0.0, 0.0]
    while True:
        now = time.monotonic()
        ready = [lane for lane in (0, 1) if free_at[lane] <= now]
        sources = [lanes[lane][0] for lane in ready]
        readable, _, _ = select.select(sources, [], [], _SLICE_S)
        for lane in ready:
            source, target, count = lanes[lane]
            if source in readable:
                data = os.read(source, min(_READ_BYTES, max(1, int(bytes_per_s * _SLICE_S))))
                os.write(target, data)
                count.value += len(data)
                free_at[lane] = max(free_at[lane], now - _SLICE_S) + len(data) / bytes_per_s
