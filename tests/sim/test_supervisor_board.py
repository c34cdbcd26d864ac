"""Supervisor and recovery on the virtual board, at the pins: what every lamp, the digits and the supply see."""

import pytest
import rule_evaluator
from random_scripts import canonical

from taisai.boards.table import load_table
from taisai.sim.board import BOOT_US, VirtualBoard

CONTROLLERS = ("nz1-pico-hc595", "nz2-pico-tpic6b595", "nz1-esp32-tpic6b595", "nz2-double-pico-tpic6b595")
RELIT_US = 1_000_000
START_MS = 1300
HOLD_MS = 1600
PRESS_MS = 60
ZERO_MS = 3  # longer than all lamps are off for a measurement


class Person:
    """Keys a table and watches it: `seen` are (digits, lit areas) as they follow one another, blanks left out."""

    def __init__(self, board):
        self.board = board
        self.bench = board.bench
        self.seen = []
        board.power_on()
        board.run_ms(START_MS)

    def play(self, script):
        for word in script.split():
            if word[0] == "S":
                self.bench.switch.turn(word[1] == "+")
                self.board.run_ms(100)
            elif word[0] == "w":
                self.board.run_ms(int(word[1:]))
            else:
                down_ms = HOLD_MS if word[1:] == "!" else PRESS_MS
                self.bench.keys.press(word[0], down_ms)
                self.board.run_ms(down_ms + 100)

    def watch(self, ms):
        for _ in range(ms // 20):
            self.board.run_ms(20)
            seen = self.bench.observe()
            if not seen.lit:  # perhaps for the moment in which the sense measures what flows with the lamps off
                self.board.run_ms(ZERO_MS)
                seen = self.bench.observe()
            assert not seen.partial
            if seen.display != "   " and (not self.seen or self.seen[-1] != (seen.display, seen.lit)):
                self.seen.append((seen.display, seen.lit))


@pytest.fixture
def person(request):
    table = load_table(request.param)
    with VirtualBoard(table, seed=5) as board:
        yield Person(board), table


def winners(table, *dice):
    return set(rule_evaluator.winners(table.layout.id, dice))


def zones(table):
    return sorted(rule_evaluator.all_zones(table.layout.id), key=canonical)


@pytest.mark.parametrize("person", CONTROLLERS, indirect=True)
def test_a_result_is_lit_again_within_a_second_of_the_start(person):
    someone, table = person
    someone.play("1 3 6 E S+ 2 2 5 E S- 4 4")
    for restart in ("power", "pin"):
        start_us = someone.bench.now_us
        if restart == "power":
            someone.board.power_off()
            someone.board.power_on()
        else:
            someone.board.hard_reset()
        assert someone.board.run_until(lambda: bool(someone.bench.observe().lit), 3000)
        assert someone.bench.now_us - start_us < BOOT_US + RELIT_US
        someone.board.run_ms(500)
        seen = someone.bench.observe()
        assert set(seen.lit) == winners(table, 2, 2, 5) and seen.display == "225"
    someone.play("w1000 E! 1 1 1 E")
    assert set(someone.bench.observe().lit) == winners(table, 1, 1, 1)


@pytest.mark.parametrize("person", ("nz1-pico-hc595", "nz2-double-pico-tpic6b595"), indirect=True)
def test_the_sweep_names_every_area_in_the_order_of_the_design(person):
    someone, table = person
    someone.play("S+")
    someone.bench.keys.press("E", HOLD_MS)
    someone.watch(2000 + 500 * len(zones(table)) + 500)
    swept = [each for each in someone.seen if each[1]]
    assert swept == [(str(number).rjust(3), [zone]) for number, zone in enumerate(zones(table), 1)]
    assert someone.seen[-1] == ("t5t", [])


@pytest.mark.parametrize("person", CONTROLLERS, indirect=True)
def test_the_lamp_test_lights_every_area_and_never_asks_too_much(person):
    someone, table = person
    someone.play("S+")
    someone.bench.keys.press("3", HOLD_MS)
    someone.watch(1500 + 1500 * len(zones(table)) // 8 + 4000)
    groups = [lit for text, lit in someone.seen if text == "888" and lit]
    assert sorted(zone for lit in groups for zone in lit) == sorted(zones(table))
    for lit in groups:
        lamps = sum(len(table.harness[zone]) for zone in lit)
        assert lamps * table.lamps.milliamp <= table.lamps.group_milliamp


@pytest.mark.parametrize("person", ("nz1-pico-hc595",), indirect=True)
def test_brightness_is_kept_over_a_power_cut(person):
    someone, table = person
    someone.play("1 3 6 E S+ 5! 1 1 1")
    assert round(someone.bench.enable.share * 100) == 70 and set(someone.bench.observe().lit) == winners(table, 1, 3, 6)
    someone.play("E S-")
    someone.board.power_off()
    someone.board.power_on()
    someone.board.run_ms(START_MS)
    assert round(someone.bench.enable.share * 100) == 70


@pytest.mark.parametrize("person", ("nz1-pico-hc595",), indirect=True)
def test_recall_tells_what_the_journal_kept_over_a_power_cut(person):
    someone, _ = person
    someone.play("1 3 6 E E! 6 5 4 E S+ 2 2 2 E 1! S- 3 1 2 E S+ 3 3 3 E S- E!")
    someone.board.power_off()
    someone.board.power_on()
    someone.board.run_ms(START_MS)
    someone.play("S+ 2!")
    for text, points in (("333", (True,) * 3), ("---", (False,) * 3), ("136", (False,) * 3)):
        seen = someone.bench.observe()
        assert (seen.display, seen.points) == (text, points)
        someone.play("2 w100")
