"""A virtual board that sits at MicroPython's prompt, and programs of a few lines run on one."""

import time

from taisai.boards.table import load_table
from taisai.sim.board import VirtualBoard

TABLE = "nz1-pico-hc595"


def blank_board(**options) -> VirtualBoard:
    return VirtualBoard(load_table(TABLE), **{"files": {}, **options})


def board_with(main: str, **options) -> VirtualBoard:
    """A board whose only file is main.py."""
    return blank_board(files={"/main.py": main.encode()}, **options)


def printed(board: VirtualBoard, wanted: bytes, seconds: float = 10) -> bytes:
    """What the board sends until `wanted` is in it; fails after so many seconds of the wall."""
    text = b""
    end = time.monotonic() + seconds
    while wanted not in text:
        assert time.monotonic() < end, text
        text += board.serial.read(100)
    return text


def run_to_prompt(board: VirtualBoard) -> bytes:
    """Switch on, let main.py come to its end; what was printed before the prompt."""
    if not board.bench.powered:
        board.power_on()
    return printed(board, b">>> ").split(b"MicroPython ")[0]
