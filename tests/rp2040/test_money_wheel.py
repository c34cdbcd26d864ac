"""The money wheel on an emulated RP2040: its pegs counted by PIO while flash operations block all else.

Needs TAISAI_RP2040_UF2, the path of a MicroPython UF2 for the Raspberry Pi Pico.
"""

import os
import sys
from pathlib import Path

import pytest

from taisai.boards.table import load_table
from taisai.sim.rp2040 import Rp2040Board

sys.path.append(str(Path(__file__).parents[1] / "bench"))

import rp2040_prompt  # noqa: E402

UF2 = os.environ.get(rp2040_prompt.VARIABLE)
pytestmark = pytest.mark.skipif(not UF2, reason=f"{rp2040_prompt.VARIABLE} names no MicroPython UF2")

TABLE = "wheel1-pico-tpic6b595"
QUARTERS = 208

SET_UP = f"""
import sys
sys.path.insert(0, "/app-1")
from tablehw.pegs import PegSensors
sensors = PegSensors(0, 1, 2)
print("{rp2040_prompt.END}")
"""
READ = f"""
sensors.read()
print("count", sensors.count, sensors.before == sensors.levels, sensors.levels)
print("{rp2040_prompt.END}")
"""
WRITE = f"""
with open("/data/filler", "wb") as file:
    for _ in range(2):
        file.write(bytes(4096))
        file.flush()
print("{rp2040_prompt.END}")
"""


def count(board: Rp2040Board) -> int:
    """Quarters by the chip's counter, while the wheel stands still."""
    words = rp2040_prompt.run(board, READ).split()
    assert words[-2] == "True" and int(words[-1]) == board.bench.wheel.sensors.read(board.bench.now_us)[0]
    return int(words[-3])


def test_the_pio_program_loses_no_quarter_at_full_speed_while_the_flash_blocks_everything():
    board = rp2040_prompt.start(load_table(TABLE), UF2)
    wheel = board.bench.wheel.wheel
    wheel.bearing, wheel.indicator = 150.0, 100.0  # braked: from 3.9 revolutions a second to rest in 5 s
    rp2040_prompt.run(board, SET_UP)
    expected = count(board)
    for revolutions in (9, -9):
        before = wheel.angle // 1
        board.bench.wheel.spin(revolutions)
        board.slow_flash(10)
        begun = board.bench.now_us
        rp2040_prompt.run(board, WRITE)
        assert board.bench.now_us - begun > 4_000_000, "the flash has blocked everything ten times"
        board.run_ms((wheel.rest_us - board.bench.now_us) / 1000 + 10)
        expected += int(wheel.angle // 1 - before)
        assert count(board) == expected & 0xFFFF, revolutions
