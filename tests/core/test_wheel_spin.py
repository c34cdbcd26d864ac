"""What is said of a spin: rules 4.2, 5.1 to 5.3 of Division 10, as far as the pegs show it."""

from wheel_desk import Bare

from tablecore.wheelspin import FEW, GOOD, ON_PEG, PUSHED, REVERSED, STOPPED, UNSURE

REVOLUTION = 208


def ready(quarter=82):
    """A wheel whose index has been seen."""
    bare = Bare(quarter)
    bare.throw(400, 5000)
    assert bare.pegs.sure
    return bare


def to_rest(bare, quarters):
    """So many quarters or up to three more, so that it rests in the middle of a section."""
    way = 1 if quarters > 0 else -1
    while (bare.wheel.quarter + quarters) % 4 != 2:
        quarters += way
    return quarters


def test_three_revolutions_either_way_and_not_a_quarter_less():
    for way in (1, -1):
        for quarters in (30, 300, 3 * REVOLUTION - 1):
            bare = ready()
            assert bare.throw(way * quarters, 6000) == FEW and bare.spin.net == quarters
        bare = ready()
        while (bare.wheel.quarter + way * 3 * REVOLUTION) % 4 == 0:
            bare.throw(9, 500)
        assert bare.throw(way * 3 * REVOLUTION, 7000) == GOOD and bare.spin.net == 3 * REVOLUTION
        bare = ready()
        quarters = to_rest(bare, way * 1900)
        assert bare.throw(quarters, 12000) == GOOD
        assert bare.spin.net == abs(quarters) and bare.spin.revolutions == abs(quarters) // REVOLUTION
        assert bare.pegs.place == bare.wheel.quarter % REVOLUTION


def test_revolutions_count_from_the_last_change_of_direction_at_launch():
    bare = ready()
    bare.wheel.turn(-60, 900)
    bare.wait(900)
    quarters = to_rest(bare, 800)
    assert bare.throw(quarters, 8000) == GOOD and bare.spin.net == quarters
    bare = ready()
    bare.wheel.turn(-5, 300)  # less than what a spin begins with
    bare.wait(300)
    assert bare.throw(3 * REVOLUTION - 2, 7000) == FEW and bare.spin.net == 3 * REVOLUTION - 2
    bare = ready()
    bare.wheel.turn(-60, 900)
    bare.wait(900)
    assert bare.throw(3 * REVOLUTION - 30, 7000) == FEW, "what was swung back does not count"


def test_resting_on_a_peg_is_no_spin_and_beside_it_is_one():
    for beside, verdict in ((0, ON_PEG), (1, GOOD), (3, GOOD)):
        for way in (1, -1):
            bare = ready()
            quarters = way * 900
            while (bare.wheel.quarter + quarters) % 4 != beside:
                quarters += way
            assert bare.throw(quarters, 8000) == verdict, (beside, way)


def test_a_natural_rock_back_from_a_peg_is_part_of_a_spin_and_a_reversal_is_not():
    for back, verdict in ((1, GOOD), (2, GOOD), (3, REVERSED), (40, REVERSED)):
        bare = ready()
        quarters = 900
        while (bare.wheel.quarter + quarters) % 4 != 0:
            quarters += 1
        bare.wheel.turn(quarters, 8000)
        bare.wait(8000)
        found = bare.throw(-back, 60 * back)
        if verdict == GOOD and (bare.wheel.quarter % 4) == 0:
            verdict = ON_PEG
        assert found == verdict, (back, found)
        if verdict == REVERSED:
            assert bare.spin.before == back


def test_a_wheel_that_goes_back_where_no_peg_is_or_comes_forward_again_is_not_trusted():
    for beside, moves, verdict in ((2, (-1,), UNSURE), (0, (-1, 1, 1), UNSURE), (0, (-2, 6), REVERSED)):
        bare = ready()
        quarters = 900
        while (bare.wheel.quarter + quarters) % 4 != beside:
            quarters += 1
        bare.wheel.turn(quarters, 8000)
        bare.wait(8000)
        for move in moves[:-1]:
            bare.wheel.turn(move, 200)
            bare.wait(200)
        assert bare.throw(moves[-1], 200) == verdict, (beside, moves)


def test_a_hand_that_stops_the_wheel():
    for share in (0.3, 0.5, 0.6):
        bare = ready()
        bare.wheel.turn(2400, 12000)
        bare.wait(int(12000 * share))
        before = bare.wheel.quarter
        bare.wheel.turn(to_rest(bare, 20), 150)
        bare.wait(150 + 1600)
        net = bare.wheel.quarter - before
        assert bare.verdict == STOPPED and net < 30, (share, bare.verdict)
        assert bare.spin.before > 40, "the speed that it had, in quarters a second"


def test_a_hand_that_pushes_the_wheel_on():
    bare = ready()
    bare.wheel.turn(1500, 10000)
    bare.wait(6000)
    assert bare.throw(to_rest(bare, 1200), 8000) == PUSHED
    assert bare.spin.after > bare.spin.before > 0


def test_what_began_before_the_start_is_judged_only_as_far_as_it_was_seen():
    for quarters, verdict in ((700, UNSURE), (2200, GOOD)):  # of the second, three revolutions were seen, and more
        bare = Bare(settle=False)
        bare.wheel.turn(to_rest(bare, quarters), 9000)
        bare.wheel.pass_time(2000)
        bare.wait(9000)
        assert bare.verdict == verdict


def test_the_place_is_not_given_before_the_index_was_seen():
    bare = Bare()
    bare.wheel.bad = lambda levels: levels & 3
    assert bare.throw(to_rest(bare, 700), 8000) == UNSURE


def test_a_touch_is_no_spin():
    bare = ready()
    bare.verdict = None
    for quarters in (3, -3, 6, -7, 5):
        assert bare.throw(quarters, 300) is None
