"""The real firmware's keys while its main loop is held up: every reading counts, with the time at which it was made."""

import pytest
from altered import altered_files
from link_bench import LinkBench

from taisai.boards.table import load_table
from taisai.paths import firmware_dir
from taisai.sim.board import VirtualBoard

TABLE = "nz1-pico-hc595"
START_MS = 800
SHOWN_MS = 120  # the digits are blank for 80 ms after each press
OPERATION_MS = 400  # the slowest erase or program that the part's makers allow

# The main loop's rest, which once in a second takes far longer than between two readings.
HELD_UP = (
    (firmware_dir() / "tablehw/clock.py").read_bytes()
    + b"""
class Clock(Clock):
    next = 1000
    def rest(self, ms):
        super().rest(ms)
        if time.ticks_ms() >= self.next:
            self.next += 1000
            time.sleep_ms(%d)
"""
)
HELD_UP_AT_MS = 1000


def board(held_up_ms):
    change = {"/app-1/tablehw/clock.mpy": None, "/app-1/tablehw/clock.py": HELD_UP % held_up_ms}
    return VirtualBoard(load_table(TABLE), files=altered_files(TABLE, change))


@pytest.mark.parametrize("bounce_ms", [0, 10])
def test_presses_during_a_long_pass_are_all_seen(bounce_ms):
    with board(280) as held:
        held.power_on()
        held.run_ms(START_MS)
        for number, key in enumerate((1, 3, 6)):
            at_us = (HELD_UP_AT_MS + 10 + number * 90) * 1000
            held.bench.keys.press(key, 40, bounce_ms=bounce_ms, at_us=at_us)
        held.run_ms(HELD_UP_AT_MS + 270 - START_MS)
        assert held.bench.observe().display == "   ", "the main loop was not held up, so that this run proves nothing"
        held.run_ms(SHOWN_MS)
        assert held.bench.observe().display == "136"


def test_a_pass_longer_than_the_ring_is_a_gap_and_never_a_wrong_key():
    """The oldest readings are lost: what was pressed at the beginning is not seen, what is pressed at the end is."""
    with board(700) as held:
        held.power_on()
        held.run_ms(START_MS)
        held.bench.keys.press(1, 60, at_us=(HELD_UP_AT_MS + 20) * 1000)
        held.bench.keys.press(2, 60, at_us=(HELD_UP_AT_MS + 580) * 1000)
        held.run_ms(1000)
        assert held.bench.observe().display == "  2"
        assert held.starts == ["power"]


@pytest.mark.parametrize("down_at_ms", [30, 200, 390])
def test_a_key_that_is_down_for_25_ms_after_a_slow_flash_operation_counts_and_nothing_else_does(down_at_ms):
    operations = _operations(lambda started_us: None)
    started = []

    def press_in_the_last(started_us):
        started.append(started_us)
        if len(started) == operations:
            keys.press(5, OPERATION_MS + 25 - down_at_ms, bounce_ms=5, at_us=started_us + down_at_ms * 1000)
            # Pressed and released while nothing could be read.
            keys.press(2, 40, bounce_ms=5, at_us=started_us + 20_000)

    with LinkBench() as desk:
        keys = desk.bench.keys
        ends = _slow_change(desk, press_in_the_last)
        assert ends[-1] - started[-1] == OPERATION_MS * 1000
        desk.board.run_ms((ends[-1] + 25_000 - desk.bench.now_us) / 1000 + SHOWN_MS)
        assert desk.bench.observe().display == "  5"
        desk.board.run_ms(600)
        assert desk.bench.observe().display == "  5"


def _operations(on_start):
    with LinkBench() as desk:
        return len(_slow_change(desk, on_start))


def _slow_change(desk, on_start):
    """Change a setting while the flash is as slow as its makers allow; when its operations ended."""
    ends = []
    for name in ("program", "erase"):
        _watch(desk.bench.flash, name, on_start, ends)
    desk.bench.flash.slow_down(1000)
    fields = {"board": desk.host.identity.board, "values": {"brightness_percent": 70}}
    desk.host.link.request("set-settings", fields, 60)
    return ends


def _watch(flash, name, on_start, ends):
    real = getattr(flash, name)

    def operate(at, data, *now):
        started_us = now[0] if now else data
        on_start(started_us)
        end_us = real(at, data, *now)
        ends.append(end_us)
        return end_us

    setattr(flash, name, operate)


@pytest.mark.parametrize("name", ["E", "5"])
def test_a_press_within_a_slow_flash_operation_may_be_lost_and_then_nothing_moves_or_beeps_and_lamps_hold(name):
    """The end of a game is written with the slowest flash; a key is pressed and let go while each operation lasts."""
    with LinkBench() as desk:
        for key in "136":
            desk.press(key)
        desk.press("E")
        lit = set(desk.bench.observe().lit)
        assert len(lit) > 3
        desk.board.run_ms(500)
        seen, ends = [], []

        def press_within(started_us):
            desk.bench.keys.press(name, 60, bounce_ms=5, at_us=started_us + 100_000)
            for after_ms in range(20, OPERATION_MS, 20):
                desk.bench.schedule(started_us + after_ms * 1000, lambda: seen.append(set(desk.bench.observe().lit)))

        for operation in ("program", "erase"):
            _watch(desk.bench.flash, operation, press_within, ends)
        desk.bench.flash.slow_down(1000)
        sounds = len(desk.bench.beeper.tones)
        desk.bench.keys.press("E", 1600)
        assert desk.board.run_until(lambda: len(ends) > 0, 3000)
        assert desk.board.run_until(lambda: not desk.bench.observe().lit, 20_000)
        assert len(seen) >= len(range(20, OPERATION_MS, 20)) and all(each == lit for each in seen)
        desk.board.run_ms(1000)
        assert desk.bench.observe().display == "   " and not desk.bench.observe().lit
        assert len(desk.bench.beeper.tones) - sounds == 1, "the tone that ends the game, and no other"
        for operation in ("program", "erase"):
            delattr(desk.bench.flash, operation)  # as it was
        desk.bench.flash.slow_down(0)
        desk.play()
