"""Deploying the whole application against `mpremote fs cp -r` of the same files, same board, same line.

Both are timed from the first byte until every file is in place. For `taisai` that includes finding out who is there,
hashing every file on the board and the switch; mpremote is given the board at its prompt, and checks nothing.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures import Figure
from throttled import TABLE, throttled_board

from taisai.boards.table import load_table
from taisai.build.bundle import build_bundle
from taisai.client import open_board, open_port
from taisai.deploy.backends import mpremote
from taisai.deploy.flash import flash_board
from taisai.deploy.preflight import Policy
from taisai.deploy.reach import Reach

# 8 data bits, a start and a stop bit; and what a USB 1.1 full-speed port carries in bulk.
LINES = {"115,200 baud": 11_520.0, "USB": 1_000_000.0}
FASTER_BLANK = 3.0
FASTER_UNCHANGED = 10.0
_RESTART_S = 2.0
_MPREMOTE_LIMIT_S = 300


def measure() -> list[Figure]:
    """Ratios with their targets, and the seconds and bytes that they come from."""
    figures = []
    for line, bytes_per_s in LINES.items():
        runs = {}
        for tool in (_mpremote, _taisai):
            with tempfile.TemporaryDirectory() as folder, throttled_board(Path(folder), bytes_per_s) as (port, meter):
                for case in ("blank", "unchanged"):
                    before = meter.total()
                    seconds = tool(port, Path(folder))
                    runs[tool, case] = seconds, meter.total() - before
        for case, target in (("blank", FASTER_BLANK), ("unchanged", FASTER_UNCHANGED)):
            (slow_s, slow_bytes), (fast_s, fast_bytes) = runs[_mpremote, case], runs[_taisai, case]
            name = f"deploy, {case}, {line}"
            figures += [
                Figure(f"{name}: times faster than mpremote", slow_s / fast_s, "x", target, at_least=True),
                Figure(f"{name}: taisai", fast_s, "s"),
                Figure(f"{name}: mpremote", slow_s, "s"),
                Figure(f"{name}: taisai, on the wire", fast_bytes, "bytes"),
                Figure(f"{name}: mpremote, on the wire", slow_bytes, "bytes"),
            ]
    return figures


def _mpremote(port: Path, folder: Path) -> float:
    """Seconds from opening the port to the end of the copy, without the time that Python takes to start."""
    files = folder / "files"
    for path, content in _bundle().volume().items():
        target = files / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    names = [str(entry) for entry in sorted(files.iterdir())]
    command = [sys.executable, "-c", _TIMED, "connect", str(port), "fs", "cp", "-r", *names, ":"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_MPREMOTE_LIMIT_S, check=True)
    return float(done.stderr.splitlines()[-1])


_TIMED = """
import sys, time
from mpremote.main import main
start = time.monotonic()
code = main()
print(time.monotonic() - start, file=sys.stderr)
sys.exit(code)
"""


def _taisai(port: Path, folder: Path) -> float:
    """Seconds from opening the port to the switch; the restart that follows is not part of what mpremote does."""
    watcher = _Clock()
    bundle = _bundle()
    start = time.monotonic()
    flash_board(Reach(lambda: open_port(str(port)), mpremote.raw_repl), bundle, Policy(), watcher)
    _back_to_the_prompt(port)
    return watcher.written - start


def _back_to_the_prompt(port: Path) -> None:
    """Where mpremote leaves a board, for the next run to begin as its does."""
    with open_board(str(port)) as board:
        board.service()
    time.sleep(_RESTART_S)


class _Clock:
    """Notes when everything was in place."""

    written = 0.0

    def stage(self, text):
        if text == "restarting the board" and not self.written:
            self.written = time.monotonic()

    def plan(self, plan, board):
        pass

    def total(self, count):
        pass

    def moved(self, count):
        pass


def _bundle():
    return build_bundle(load_table(TABLE))
