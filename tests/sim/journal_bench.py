"""The firmware's own journal in the real interpreter on the bench's flash, without the rest of the table around it."""

from functools import cache

from taisai.boards.table import load_table
from taisai.build import application_files
from taisai.client import Board
from taisai.client.simport import SimPort
from taisai.client.transport import Transport
from taisai.sim.board import VirtualBoard

LISTEN_MS = 100_000
DOWN_MS, GAP_MS, HOLD_MS, WRITE_MS = 40, 60, 1550, 400
TABLE = "nz1-pico-hc595"
# An object takes twice the room on the 64-bit interpreter that it takes on an RP2040: 104 KB there are so much here.
# The running table takes 80 KB of them, and its start on a full ring for a moment over 96 KB; an RP2040 has 230 KB.
HEAP_BYTES = 2 * 104 * 1024

OPEN = b"""
import gc, sys
gc.threshold(16 * 1024)
sys.path.insert(0, '/app-1')
from tablecore import records
from tablecore.daytime import DayTime
from tablecore.journal import Journal
from tablecore.journal_check import JournalCheck
from tablecore.journal_reader import JournalReader
from tablehw import storage
journal = Journal(storage, DayTime(0), 15)
"""

CLOSE = b"""
import os
os.rename('/loader.py', '/main.py')
"""


@cache
def application() -> dict[str, bytes]:
    return application_files(load_table(TABLE))


def board_running(program: bytes, **options) -> VirtualBoard:
    """A board with the application on its volume whose main.py is OPEN and then `program`.

    The program is for one start: the next one starts the table.
    """
    files = {**application(), "/loader.py": application()["/main.py"], "/main.py": OPEN + program + CLOSE}
    return VirtualBoard(load_table(TABLE), files=files, **options)


def output(board: VirtualBoard, limit_ms: float) -> list[bytes]:
    """What the program has printed once it has come to its end, line by line."""
    said = b""
    for _ in range(int(limit_ms / LISTEN_MS) + 1):
        ended = board.run_until(lambda: board.mode == "prompt", LISTEN_MS)
        said += board.serial.read(0)  # the port does not keep more than a computer would
        if ended:
            return said.split(b"MicroPython ")[0].splitlines()
    raise AssertionError(f"the program does not end: {said[-500:]!r}")


class AttachedPort(SimPort):
    """The serial port of a board that is there already."""

    def __init__(self, board: VirtualBoard):
        self.board = board
        self.timeout = 0.02
        self._kept = b""

    def close(self) -> None:
        """The board goes on."""


def host_of(board: VirtualBoard) -> Board:
    """The PC's view of a running table."""
    port = AttachedPort(board)
    return Board.identify(Transport(port, "the virtual board", port.now))


def key(board: VirtualBoard, *names: str) -> None:
    """Press these keys, one after the other. ENTRY writes, and while the flash is busy no key is seen."""
    for name in names:
        board.bench.keys.press(name, DOWN_MS)
        board.run_ms(DOWN_MS + (WRITE_MS if name == "E" else GAP_MS))


def end_game(board: VirtualBoard) -> None:
    """Hold ENTRY."""
    board.bench.keys.press("E", HOLD_MS)
    board.run_ms(HOLD_MS + WRITE_MS)


def turn_switch(board: VirtualBoard, on: bool) -> None:
    """Turn the supervisor's switch, at a person's pace."""
    board.bench.switch.turn(on)
    board.run_ms(100)
