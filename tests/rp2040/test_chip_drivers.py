"""The drivers that the first table does not have, on an emulated RP2040: current sense, brightness, TM1637 display."""

import os
import sys
from pathlib import Path

import pytest

from taisai.boards.controller_model import Tm1637Display
from taisai.boards.table import load_table

# The prompt's helper is a module beside the script tests/bench/run.py, and no package.
sys.path.append(str(Path(__file__).parents[1] / "bench"))

import rp2040_prompt  # noqa: E402

UF2 = os.environ.get(rp2040_prompt.VARIABLE)
pytestmark = pytest.mark.skipif(not UF2, reason=f"{rp2040_prompt.VARIABLE} names no MicroPython UF2")

TABLE = "nz2-pico-tpic6b595"

# Segments of 1, 3, 6: bit 0 = a to bit 6 = g.
SEGMENTS_136 = (0x06, 0x4F, 0x7D)
# Rule 4.1 with Appendix 2 for 1, 3, 6: small and even (10), three numbers, the total, three pairs, one set of three
# dice; 2 is missing for each set of four but 6, 5, 4, 3, of which 1 is none. At 20 mA each.
LAMPS_136 = 10
MILLIAMP = 20

SET_UP = f"""
import sys
sys.path.insert(0, "/app-1")
import assembly
hardware = assembly._hardware("/app-1")
table, _ = assembly._table("/app-1", hardware)
lamps = assembly._lamps(hardware)
display = assembly._display(hardware["display"])
print(lamps.power_up(), lamps.milliamp(), display.show(bytes({SEGMENTS_136})))
print("{rp2040_prompt.END}")
"""
LIGHT = f"""
print(lamps.refresh(table.frame(1, 3, 6)), lamps.milliamp())
lamps.brightness(40)
print(lamps.milliamp())
print("{rp2040_prompt.END}")
"""
SHOW = f"""
print(display.show(bytes(3)))
print("{rp2040_prompt.END}")
"""


@pytest.fixture(scope="module")
def board():
    table = load_table(TABLE)
    fitted = table.controller.display
    display = Tm1637Display(
        driver="tm1637", clk=fitted.sck, dio=fitted.mosi, supply_volt=5, milliamp=80, shifter=fitted.shifter
    )
    controller = table.controller.model_copy(update={"display": display})
    return rp2040_prompt.start(table.model_copy(update={"controller": controller}), UF2)


def test_sense_brightness_and_two_wire_display(board):
    words = rp2040_prompt.run(board, SET_UP).split()
    dark = float(words[1])
    assert words[0].endswith("0") and abs(dark) < MILLIAMP / 2, "power-up passes, and no lamp draws current"
    assert words[2] == "True" and board.bench.display.text == "136", "the display acknowledges and shows the digits"
    assert board.bench.first_lit_us is None

    passed, lit, dimmed = rp2040_prompt.run(board, LIGHT).split()
    assert passed.endswith("0") and abs(float(lit) - LAMPS_136 * MILLIAMP) < MILLIAMP / 2
    assert abs(float(dimmed) - LAMPS_136 * MILLIAMP) < MILLIAMP / 2, "measured at full brightness, whatever is set"
    assert len(board.bench.observe().lit) == LAMPS_136
    assert round(board.bench.enable.share, 2) == 0.40

    board.bench.display.present = False
    assert rp2040_prompt.run(board, SHOW).endswith("False\r\n"), "an absent display is noticed"
