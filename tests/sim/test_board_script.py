"""Scripts: what each word does to the bench and the firmware, and what is said of a word that is none."""

import pytest
import rule_evaluator

from taisai.boards.table import load_table
from taisai.sim.bench import Bench
from taisai.sim.board import OFF, VirtualBoard
from taisai.sim.script import ScriptError, parse, run

TABLE = "nz1-pico-hc595"
LAYOUT = "nz-div9-appendix1"


def play(text: str) -> dict:
    with VirtualBoard(load_table(TABLE), seed=3) as board:
        return run(board, parse(text))


def winners(*dice: int) -> set[str]:
    return set(rule_evaluator.winners(LAYOUT, dice))


@pytest.mark.parametrize(
    ("text", "number", "column", "word"),
    [
        ("7", 1, 1, "7"),
        ("1 3  e", 3, 6, "e"),
        ("1 123", 2, 3, "123"),
        ("1 11", 2, 3, "11"),
        ("12!", 1, 1, "12!"),
        ("S", 1, 1, "S"),
        ("1\n2\nP*", 3, 5, "P*"),
        ("w", 1, 1, "w"),
        ("w5s", 1, 1, "w5s"),
        ("w-5", 1, 1, "w-5"),
        ("w99999999999", 1, 1, "w99999999999"),
        ("E fault:open", 2, 3, "fault:open"),
        ("E fault:stuck:x:1", 2, 3, "fault:stuck:x:1"),
        ("fault:", 1, 1, "fault:"),
        ("R!", 1, 1, "R!"),
    ],
)
def test_a_bad_word_is_named_with_its_place(text, number, column, word):
    with pytest.raises(ScriptError) as error:
        parse(text)
    assert f"word {number} ({word!r}, at character {column})" in str(error.value)


BAD_FOR_THIS_TABLE = {
    "fault:open:four-1-2-3-4": "no zone 'four-1-2-3-4'",
    "fault:off:small:2": "small has 1",
    "fault:stuck:56:1": "the bits are 0 to 55",
    "fault:cut:8": "the registers are 1 to 7",
    "D-": "no door contact",
    "J+": "no write-lock jumper",
}


@pytest.mark.parametrize("word", BAD_FOR_THIS_TABLE)
def test_a_word_that_this_table_cannot_do_is_refused_before_anything_is_done(word):
    with VirtualBoard(load_table(TABLE)) as board:
        with pytest.raises(ScriptError) as error:
            run(board, parse(f"1 3 6 E {word}"))
        assert board.mode == OFF and board.bench.now_us == 0
    assert f"script word 5 ({word!r}, at character 9): " in str(error.value)
    assert BAD_FOR_THIS_TABLE[word] in str(error.value)


def test_every_bad_word_is_named_in_one_run():
    words = ["7", "1", *BAD_FOR_THIS_TABLE, "w", "E", "fault:open", "fault:key:9", "R"]
    with pytest.raises(ScriptError) as error:
        parse(" ".join(words), Bench(load_table(TABLE)))
    lines = str(error.value).splitlines()
    named = [line.partition("(")[2].partition(",")[0].strip("'") for line in lines]
    assert named == [word for word in words if word not in ("1", "E", "R")]


@pytest.mark.parametrize(
    "word", ["w{}", "fault:stuck:{}:1", "fault:open:small:{}", "fault:cut:{}", "fault:open:{}", "fault:{}", "{}"]
)
def test_an_absurdly_long_word_is_named_and_cut_short(word):
    with pytest.raises(ScriptError) as error:
        parse("1 " + word.format("9" * 5000), Bench(load_table(TABLE)))
    assert "script word 2" in str(error.value) and "9... (5,0" in str(error.value)
    assert len(str(error.value)) < 700


def test_an_empty_script_shows_a_table_that_is_ready():
    seen = play("")
    assert (seen["state"], seen["display"], seen["lit"], seen["partial"], seen["faults"]) == ("idle", "   ", [], [], [])


@pytest.mark.parametrize("dice", [(1, 3, 6), (6, 6, 6), (4, 4, 1)])
def test_a_keyed_throw_lights_the_winners(dice):
    seen = play(" ".join(map(str, dice)) + " E")
    assert set(seen["lit"]) == winners(*dice)
    assert seen["partial"] == []
    assert seen["state"] == "result"
    assert seen["display"] == seen["digits"] == "".join(map(str, dice))


def test_a_short_entry_does_not_end_the_game_and_a_held_one_does():
    assert set(play("2 3 4 E E E")["lit"]) == winners(2, 3, 4)
    ended = play("2 3 4 E E!")
    assert (ended["state"], ended["lit"], ended["display"]) == ("idle", [], "   ")


def test_two_keys_at_once_count_for_nothing():
    assert play("12 3")["display"] == "  3"
    assert play("1 2 3E")["state"] == "idle"


def test_the_key_switch_turns():
    with VirtualBoard(load_table(TABLE), seed=3) as board:
        run(board, parse("S+"))
        assert board.bench.switch.on
        run(board, parse("S-"))
        assert not board.bench.switch.on


def test_power_and_reset():
    assert play("P-")["state"] == "off"
    assert play("1 2 P- w100 P+")["display"] == "   "
    with VirtualBoard(load_table(TABLE), seed=3) as board:
        run(board, parse("R P- P- P+ P+ R"))
        assert board.starts == ["power", "pin", "power", "pin"]


def test_a_wait_takes_its_time():
    with VirtualBoard(load_table(TABLE), seed=3) as board:
        run(board, parse(""))
        start = board.bench.now_us
        run(board, parse(""))
        nothing = board.bench.now_us - start
        start = board.bench.now_us
        run(board, parse("w12345"))
        assert abs(board.bench.now_us - start - nothing - 12_345_000) < 50_000


def test_lamp_faults_change_what_is_seen():
    assert set(play("fault:open:small 1 3 6 E")["lit"]) == winners(1, 3, 6) - {"small"}
    assert set(play("fault:short:single-1 1 3 6 E")["lit"]) == winners(1, 3, 6) - {"single-1"}
    assert set(play("fault:off:single-3 1 3 6 E")["lit"]) == winners(1, 3, 6) - {"single-3"}
    assert play("fault:on:big")["lit"] == ["big"]
    assert play("fault:supply 1 3 6 E")["lit"] == []
    assert set(play("fault:open:small 1 3 6 E fault:clear")["lit"]) == winners(1, 3, 6)


@pytest.mark.parametrize(
    "fault",
    [
        "fault:cut:3",
        "fault:cut:7:1",
        "fault:cut:0:noise",
        "fault:cut:1:noise",
        "fault:stuck:9:0",
        "fault:stuck:0:1",
    ],
)
def test_chain_faults_are_reported_and_leave_the_layout_as_it_was(fault):
    dark = play(f"{fault} w2000")
    assert dark["faults"] and dark["lit"] == []
    paid = play(f"5 5 5 E {fault} w2000")
    assert paid["faults"] and set(paid["lit"]) == winners(5, 5, 5)


def test_a_stuck_key_is_reported():
    assert play("fault:key:4 w12000")["faults"]
