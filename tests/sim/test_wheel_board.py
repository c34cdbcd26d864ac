"""The money wheel on the virtual board: the wheel turned by script words, the firmware as it is deployed."""

import pytest

from taisai.boards.table import load_table
from taisai.build import application_files
from taisai.sim.board import VirtualBoard
from taisai.sim.script import ScriptError, parse, run

TABLE = "wheel1-pico-tpic6b595"
PARTS = ("state", "display", "lit", "faults")


def play(text: str, table: str = TABLE, seed: int = 0) -> dict:
    with VirtualBoard(load_table(table), seed=seed) as board:
        return run(board, parse(text, board.bench))


@pytest.mark.parametrize("table", ["wheel1-pico-tpic6b595", "wheel1-esp32-tpic6b595"])
def test_a_good_spin_is_offered_confirmed_and_lit(table):
    offered = play("spin:4.2 w11500", table)
    symbol = offered["symbol"]
    assert symbol and offered["digits"] == symbol and offered["lit"] == [] and offered["state"] == "idle"
    lit = play("spin:4.2 w11500 E w300", table)
    assert lit["lit"] == [f"symbol-{symbol}"] and lit["state"] == "result" and lit["stop"] == offered["stop"]


NO_SPINS = {
    "spin:2.9 w9500": "n-r",
    "spin:-0.4 w5500": "n-r",
    "spin:-4:peg w11500": "n-P",
    "spin:5:stop w9000": "n-H",
    "spin:5:push w14500": "n-F",
}


@pytest.mark.parametrize("script", NO_SPINS)
def test_no_spin_shows_its_reason_and_lights_nothing(script):
    seen = play(script + " E w500")
    assert [seen[part] for part in PARTS] == ["idle", NO_SPINS[script], [], []]


FAULTS = {"fault:pegs:a:0": "E91", "fault:pegs:b:1": "E92", "fault:pegs:swapped": "E93", "fault:pegs:index:1": "E95"}


@pytest.mark.parametrize("word", FAULTS)
def test_a_sensor_fault_is_told_and_turns_everything_off(word):
    """What the logic makes of every other fault, and of the fault at other times, is in test_wheel_spins.py."""
    seen = play(f"{word} spin:4.2 w11500 E w300")
    assert [seen[part] for part in PARTS] == ["fault", "   ", [], [FAULTS[word]]]


def test_a_table_without_sensors_takes_the_letter_from_the_keys():
    seen = play("spin:4.2 w3000 6 6 6 E w300", "wheel1-pico-hc595")
    assert seen["lit"] == ["symbol-C"] and seen["display"].strip() == "C" and seen["faults"] == []


def test_the_result_comes_back_after_a_power_cut_and_a_malfunction_does_not_keep_it():
    seen = play("6 E P- P+")
    assert seen["lit"] == ["symbol-A"] and seen["state"] == "result"
    seen = play("6 E fault:cut:1:0 w3000 P- P+ w2000")
    assert seen["lit"] == [] and seen["display"] == "   " and seen["state"] == "fault"


def test_a_table_of_dice_carries_nothing_of_the_wheel():
    """And plays: what it does not carry it never imports."""
    wheel = {path for path in application_files(load_table(TABLE)) if "wheel" in path or "pegs" in path}
    dice = set(application_files(load_table("nz1-pico-hc595")))
    assert len(wheel) == 7 and not wheel & dice
    assert play("1 3 6 E", "nz1-pico-hc595")["state"] == "result"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("spin:0", "no revolutions"),
        ("spin:", "words are"),
        ("spin:4:fast", "words are"),
        ("spin:4.2345", "words are"),
        ("spin:999", "4 is the most"),
        ("spin:4 spin:4", "come to rest first"),
        ("fault:pegs", "takes 1 or 2"),
        ("fault:pegs:c:0", "a, b or index"),
        ("fault:pegs:a:2", "a, b or index"),
        ("fault:pegs:swapped:1", "a, b or index"),
    ],
)
def test_a_bad_word_is_named(words, reason):
    with pytest.raises(ScriptError, match=reason):
        play(words)


def test_words_of_the_wheel_are_refused_where_there_is_none():
    with pytest.raises(ScriptError, match="no money wheel"):
        play("spin:4", "nz1-pico-hc595")
    with pytest.raises(ScriptError, match="no wheel with sensors"):
        play("fault:pegs:a:0", "wheel1-pico-hc595")


def test_a_record_that_is_due_while_it_turns_costs_no_peg_though_the_flash_blocks_everything_for_400_ms():
    """The spin ends the game that is lit; a host asks all the time."""
    with VirtualBoard(load_table(TABLE), seed=2) as board:
        run(board, parse("6 E", board.bench))
        wheel = board.bench.wheel
        begun_us = board.bench.flash.busy_us
        board.bench.flash.slow_down(4)
        wheel.spin(-5.3)
        heard = b""
        while board.bench.now_us < wheel.wheel.rest_us + 2_000_000:
            board.serial.write(b"state\n")
            board.run_ms(40)
            heard += board.serial.read()
        assert board.bench.flash.busy_us - begun_us >= 400_000, "the record was written, slowly"
        assert heard.count(b'"state":"spin"') > 50
        assert wheel.symbol and f'"digits":"{wheel.symbol}"'.encode() in heard[-300:], heard[-300:]
        assert board.bench.observe().lit == []
