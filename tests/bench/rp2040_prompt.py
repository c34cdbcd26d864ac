"""The emulated board in service mode: at MicroPython's prompt, with every pin as the reset left it, ready for code."""

from pathlib import Path

from taisai.boards.table import Table
from taisai.build.application import application_files
from taisai.sim.rp2040 import Rp2040Board

VARIABLE = "TAISAI_RP2040_UF2"

SERVICE_FLAG = "/data/service"  # makes the loader, once, leave the application alone
ENTER_RAW_REPL = b"\x01"
RAW_PROMPT = b"raw REPL; CTRL-B to exit\r\n>"
RUN = b"\x04"
END = "END OF ANSWER"
LIMIT_MS = 10_000


def start(table: Table, uf2: str) -> Rp2040Board:
    """A board with the application of the table on it, waiting at the prompt."""
    board = Rp2040Board(table, Path(uf2), files=application_files(table) | {SERVICE_FLAG: b""})
    board.power_on()
    _converse(board, ENTER_RAW_REPL, RAW_PROMPT)
    return board


def run(board: Rp2040Board, code: str) -> str:
    """Run code until it prints END; what it printed before. RuntimeError, with what it said, when it does not."""
    return _converse(board, code.encode() + RUN, END.encode()).decode().partition(END)[0]


def _converse(board: Rp2040Board, question: bytes, mark: bytes) -> bytes:
    board.serial.write(question)
    if not board.run_until(lambda: mark in board.serial.unread, LIMIT_MS):
        raise RuntimeError(f"no {mark!r} from the board, only {bytes(board.serial.unread)!r}")
    return board.serial.read()
