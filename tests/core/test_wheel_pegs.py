"""The pegs of the money wheel from samples of its sensors: place, direction, and each fault of a sensor named."""

from wheel_desk import PAIR, Bare, Wheel

from tablecore.ticks import PERIOD
from tablecore.wheelpegs import Pegs


def test_the_place_is_sure_from_the_first_index_on_in_both_directions():
    bare = Bare(quarter=200)
    assert bare.pegs.place is None, "nobody knows where it stands before the index was seen"
    bare.throw(20, 3000)
    assert bare.pegs.place == (200 + 20) % 208 and bare.pegs.fault is None
    bare.throw(-37, 3000)
    assert bare.pegs.place == 183
    bare.throw(2000, 12000)
    assert bare.pegs.place == (183 + 2000) % 208 == bare.wheel.quarter % 208
    bare.throw(-2000, 12000)
    assert bare.pegs.place == 183 and bare.pegs.fault is None


def test_the_quarter_of_the_pitch_is_known_without_the_index():
    bare = Bare(quarter=81)
    for quarter in (82, 83, 84, 85, 86):
        bare.throw(1, 100)
        assert bare.pegs.place is None and bare.pegs.quarter == quarter % 4


def test_a_place_after_quarters_that_nobody_saw_is_not_sure_until_the_index_comes_again():
    bare = Bare(quarter=200)
    bare.throw(20, 3000)
    assert bare.pegs.sure
    bare.wheel.turn(30, 200)
    for _ in range(40):
        bare.wheel.pass_time(5)  # and no sample is taken meanwhile, as in a long flash operation
    bare.wait(500)
    assert not bare.pegs.sure and bare.pegs.travel % 208 == (bare.pegs.travel % 208), "the count itself is kept"
    bare.throw(208, 6000)
    assert bare.pegs.place == bare.wheel.quarter % 208


def test_counter_and_clock_wrap():
    pegs, wheel = Pegs(), Wheel(quarter=204)
    wheel.count = 0xFFF0
    at = PERIOD - 100
    for quarter in range(204, 204 + 4 * 208):
        wheel.quarter = quarter
        for _ in range(3):
            at += 5
            wheel.read()
            pegs.take(at % PERIOD, wheel.count, wheel.before, wheel.levels)
    assert pegs.place == (204 + 4 * 208 - 1) % 208 and pegs.fault is None
    assert 0 <= wheel.count < 0x1000


def stuck(bit, level):
    return lambda levels: levels | bit if level else levels & ~bit


def swapped(levels):
    return levels & 4 | (levels & 1) << 1 | (levels & 2) >> 1


FAULTS = (
    ("E91", stuck(1, 0)), ("E91", stuck(1, 1)), ("E92", stuck(2, 0)), ("E92", stuck(2, 1)), ("E93", swapped),
    ("E94", stuck(4, 0)), ("E95", stuck(4, 1)),
)  # fmt: skip


def test_each_sensor_fault_is_named_and_no_other():
    for code, bad in FAULTS:
        for before in (False, True):
            bare = Bare(quarter=150)
            if not before:
                bare.throw(700, 8000)
                assert bare.pegs.sure
            bare.wheel.bad = bad
            bare.wait(50)
            for _ in range(3):
                if bare.pegs.fault is None:
                    bare.throw(-800, 9000)
            assert bare.pegs.fault == code and bare.pegs.place is None, (code, before, bare.pegs.fault)


def test_pegs_miscounted_are_found_at_the_next_index():
    for slip in (-4, 4, 2, 8):
        bare = Bare(quarter=150)
        bare.throw(700, 8000)
        bare.wheel.turn(700, 8000)
        bare.wait(2000)
        bare.wheel.jump(slip)
        bare.wait(8000)
        assert bare.pegs.fault == "E96" and bare.pegs.place is None, slip


def test_no_fault_from_rocking_flicker_and_touching():
    bare = Bare(quarter=203)
    bare.throw(20, 2000)
    for quarters in (1, -1) * 40 + (3, -3) * 20 + (9, -9) * 10:  # on an edge; about a peg; over the index and back
        bare.throw(quarters, 150)
    bare.throw(-15, 900)
    bare.throw(15, 900)
    assert bare.pegs.fault is None and bare.pegs.place == bare.wheel.quarter % 208


def test_forgetting_clears_the_fault_and_the_place():
    bare = Bare(quarter=150)
    bare.wheel.bad = stuck(1, 0)
    bare.throw(800, 8000)
    assert bare.pegs.fault == "E91"
    bare.wheel.bad = None
    bare.pegs.forget()
    bare.throw(800, 8000)
    assert bare.pegs.fault is None and bare.pegs.place == bare.wheel.quarter % 208


def test_the_code_of_the_pair_is_the_contract():
    """A leads B clockwise, and the index is active while A alone is."""
    assert [(levels & 1, levels >> 1) for levels in PAIR] == [(1, 0), (1, 1), (0, 1), (0, 0)]
