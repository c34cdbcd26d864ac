"""The firmware folder, as it is deployed, in a real MicroPython image on an emulated RP2040, on the same bench.

One board plays one game, which takes the emulator half a minute. Needs TAISAI_RP2040_UF2, the path of a MicroPython UF2
for the Raspberry Pi Pico.
"""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from taisai.boards.table import load_table
from taisai.sim.contacts import ENTRY
from taisai.sim.rp2040 import Rp2040Board

UF2 = os.environ.get("TAISAI_RP2040_UF2")
pytestmark = pytest.mark.skipif(not UF2, reason="TAISAI_RP2040_UF2 names no MicroPython UF2")

TABLE = "nz1-pico-hc595"
DARK = "00" * 7
START_LIMIT_MS = 1600  # from power on, of which MicroPython takes some 250
CHECK_LIMIT_MS = 3000  # then the files are compared with the manifest
BEEP_HZ = 2700

# Rule 4.1 for 1, 3, 6: total 10 is small (4 to 10, no triple) and wins its total; each of the three numbers wins, and
# each of their pairs. Outputs as in the table's file, counted from 0 at the controller; the byte of the farthest
# register is sent first.
WINS_136 = {
    "small": 0,
    "single-1": 3,
    "single-3": 5,
    "single-6": 8,
    "total-10": 27,
    "pair-1-3": 36,
    "pair-1-6": 39,
    "pair-3-6": 46,
}
FRAME_136 = "00 40 90 08 00 01 29"


@pytest.fixture(scope="module")
def game():
    """What a person saw at each stage of one game: after the start, after each key, and when ENTRY had been held."""
    board = Rp2040Board(load_table(TABLE), Path(UF2), seed=1)
    bench = board.bench
    seen = SimpleNamespace(board=board, digits=[])
    board.power_on(random_bits=True)
    seen.random_frame = bench.observe().frame
    assert board.run_until(lambda: bench.observe().display == "   ", START_LIMIT_MS), bench.observe()
    seen.start_ms = bench.now_us / 1000
    seen.idle = bench.observe()
    seen.checked = _wait_checked(board)
    for key in (1, 3, 6):
        bench.keys.press(key, 60, bounce_ms=10)
        board.run_ms(170)
        seen.digits.append(bench.observe().display)
    seen.keyed = bench.observe()
    seen.lit_before_entry_us = bench.first_lit_us
    seen.entry_us = bench.now_us
    bench.keys.press(ENTRY, 60, bounce_ms=0)
    board.run_ms(170)
    seen.result = bench.observe()
    seen.lit_us = bench.first_lit_us
    board.serial.write(b"state\n")
    board.run_ms(100)
    seen.told = board.serial.read()
    board.power_off()
    board.power_on(random_bits=True)
    begun_us = bench.now_us
    board.run_until(lambda: bench.observe().lit, START_LIMIT_MS)
    seen.relit, seen.relit_ms = bench.observe(), (bench.now_us - begun_us) / 1000
    board.run_until(lambda: bench.observe().display == "136", START_LIMIT_MS)
    _wait_checked(board)
    bench.keys.press(ENTRY, 1900)
    board.run_ms(1400)
    seen.almost = bench.observe()
    board.run_ms(300)
    seen.ended = bench.observe()
    return seen


def _wait_checked(board):
    """ENTRY is accepted from here on. The board's last word on its files."""
    told = b""
    end_us = board.now_us() + CHECK_LIMIT_MS * 1000
    while b'"good"' not in told and board.now_us() < end_us:
        board.serial.write(b"integrity\n")
        board.run_ms(50)
        told = board.serial.read()
    return told


def test_the_files_are_as_in_the_manifest(game):
    assert b'"good"' in game.checked


def test_no_lamp_is_lit_between_power_on_and_the_result(game):
    assert game.random_frame != DARK, "the registers came up dark, so that this run proves nothing"
    assert game.lit_before_entry_us is None
    assert game.idle.frame == DARK and game.idle.enabled


def test_the_keys_roll_into_the_display_and_beep(game):
    assert game.digits == ["  1", " 13", "136"]
    assert game.keyed.lit == [] and game.keyed.frame == DARK
    tones = game.board.bench.beeper.tones
    assert len(tones) >= 4 and all(tone.hz == BEEP_HZ for tone in list(tones)[:4])


def test_entry_latches_exactly_the_winning_zones(game):
    assert game.result.display == "136"
    assert game.result.lit == list(WINS_136)
    assert game.result.partial == []
    assert game.result.frame == FRAME_136.replace(" ", "")
    assert int(game.result.frame, 16) == sum(1 << output for output in WINS_136.values())


def test_entry_lights_the_layout_within_60_ms_of_its_first_contact(game):
    assert 0 < game.lit_us - game.entry_us <= 60_000


def test_the_link_answers_while_the_table_plays(game):
    assert b'"state":"result"' in game.told and b'"lit":[1,3,6]' in game.told


def test_a_result_is_lit_again_within_a_second_of_power_on(game):
    assert game.relit.lit == list(WINS_136) and game.relit.partial == []
    assert game.relit_ms < 1000


def test_holding_entry_darkens_the_layout_and_nothing_shorter_does(game):
    assert game.almost.lit == list(WINS_136)
    assert game.ended.frame == DARK and game.ended.lit == [] and game.ended.display == "   "


def test_the_chip_started_only_when_it_got_power_and_fed_its_watchdog(game):
    assert game.board.starts == ["power", "power"]
    assert game.board.device.mcu.watchdog.timer.enable
