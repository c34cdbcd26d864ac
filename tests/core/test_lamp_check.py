"""Lamps proven by their current, on a desk: what is found, when, under which code; what a re-test and a sweep name."""

from desk import LAMP, Desk

from tablecore import calibration
from tablecore.calibrating import Calibration
from tablecore.protocol import ProtocolError

# Zone 1 has the lamps 0 and 8, zones 2 to 5 the lamps 1 to 4. This throw lights the zones 1, 2 and 5: 0, 1, 4 and 8.
THROW = "1 1 3"


def faults(desk):
    return desk.terminal.snapshot()["faults"]


def lit_desk(**options):
    desk = Desk(sense=True, **options)
    desk.wait(2000)
    return desk


def test_good_lamps_are_never_blamed():
    desk = lit_desk()
    for throw in ("1 1 3", "2 2 5", "6 6 6", "1 3 6"):
        desk.play(throw + " E w2000")
        assert faults(desk) == [], throw
        desk.play("E! w2000")
    desk.play("S+ E! w4000 1 3 6 E w3000 S- S+ 3! w6000 5! w1000 S-")
    assert faults(desk) == [] and desk.state() == "idle"


def test_a_dark_lamp_is_found_at_the_first_result_that_lights_it_and_not_before():
    for output in (0, 1, 4, 8):
        desk = lit_desk()
        desk.lamps.dark = 1 << output
        desk.wait(5000)
        assert faults(desk) == []
        desk.play(THROW + " E w600")
        assert faults(desk) == ["L00"] and desk.state() == "fault", output
        assert desk.terminal.snapshot()["lit"] == [1, 1, 3], "the settlement stays"
        desk.play("E! 2 2 5 E")
        assert desk.lit() is None, "no game before it is named and accepted"


def test_a_retest_names_the_dark_lamp_and_nothing_else():
    for output, code in ((0, "L01"), (8, "L01"), (1, "L02"), (2, "L03"), (3, "L04"), (4, "L05")):
        desk = lit_desk()
        desk.lamps.dark = 1 << output
        desk.terminal.game.fault("L00")
        desk.play("S+ 6! w8000")
        assert faults(desk) == [code], output
        desk.lamps.dark = 0
        desk.play("6! w6000")
        assert faults(desk) == [] and desk.state() == "idle"


def test_the_sweep_of_a_test_run_names_what_it_finds_and_goes_on():
    desk = lit_desk()
    desk.lamps.dark = 1 << 1 | 1 << 4
    desk.play("S+ E! w4500")
    assert faults(desk) == ["L02", "L05"] and desk.state() == "test"
    desk.play("1 3 6 E w1500")
    assert desk.heard("E!") == "error", "no test is passed with a fault"


def test_a_stuck_output_is_found_at_once_and_named_by_a_retest():
    for before in ("", "1 3 6 E", "S+ E! 1 1 3 E"):
        desk = lit_desk()
        desk.play(before)
        desk.wait(1000)
        desk.lamps.stuck_on = 1 << 3
        desk.wait(3500)
        assert faults(desk) == ["H00"], before
        desk.play("S- S+ 6! w8000")
        assert faults(desk) == ["H04"], before
        desk.play("E w500")
        assert desk.state() in ("idle", "result")
        desk.play("S- E! " + THROW + " E w1000")
        assert faults(desk) == ["H04"] and desk.state() == "result", "the others are still proven"
        desk.lamps.stuck_on = 0
        desk.play("E! S+ 6! w6000")
        assert faults(desk) == [], before


def test_a_missing_supply_is_found_at_a_result_and_no_lamp_is_blamed():
    desk = lit_desk()
    desk.lamps.supply = False
    desk.wait(5000)
    assert faults(desk) == []
    desk.play(THROW + " E w600")
    assert faults(desk) == ["E22"]
    desk.play("E! S+ 6! w8000")
    assert faults(desk) == ["E22"] and desk.heard("E") == "error", "cannot be accepted"
    desk.play("E! w4000")
    assert faults(desk) == ["E22"]
    desk.lamps.supply = True
    desk.play("S- S+ 6! w8000")
    assert faults(desk) == []


def test_a_missing_supply_is_found_in_a_sweep():
    desk = lit_desk()
    desk.lamps.supply = False
    desk.play("S+ E! w4500")
    assert faults(desk) == ["E22"]


def test_one_dark_zone_in_a_sweep_is_not_taken_for_the_supply():
    for output in (1, 2, 3, 4):
        desk = lit_desk()
        desk.lamps.dark = 1 << output
        desk.play("S+ E! w6000")
        assert faults(desk) == ["L0%d" % (output + 1)]


def test_a_sense_at_its_end_is_implausible():
    desk = lit_desk()
    current = desk.terminal.check.current
    desk.terminal.check.current = lambda on: 65535
    desk.wait(3500)
    assert faults(desk) == ["E23"]
    desk.play("S+ 6! w8000")
    assert faults(desk) == ["E23"]
    desk.terminal.check.current = current
    desk.play("6! w8000")
    assert faults(desk) == []


def test_a_second_dark_lamp_is_found_beside_an_accepted_one():
    desk = lit_desk()
    desk.lamps.dark = 1 << 1
    desk.terminal.game.fault("L02")
    desk.play("S+ 6! w6000 E S- " + THROW + " E w1000")
    assert faults(desk) == ["L02"] and desk.state() == "result"
    desk.play("E!")
    desk.lamps.dark |= 1 << 4
    desk.play(THROW + " E w1000")
    assert faults(desk) == ["L00", "L02"] and desk.state() == "fault"


def test_what_a_known_dark_zone_takes_is_not_known_after_a_restart_and_blames_nobody():
    desk = lit_desk()
    desk.lamps.dark = 1 << 1
    desk.terminal.game.fault("L02")
    desk.play("S+ 6! w6000 E S-")
    desk = desk.cut()
    desk.lamps.dark = 1 << 1
    desk.play(THROW + " E w1000")
    assert faults(desk) == ["L02"] and desk.state() == "result"


def test_a_retest_that_is_left_clears_and_offers_nothing():
    for way in ("E", "S- S+"):
        desk = lit_desk()
        desk.terminal.game.fault("L00")
        desk.wait(3000)
        desk.play("S+ 6! w300 " + way)
        desk.wait(3000)
        assert faults(desk) == ["L00"] and desk.heard("E") == "error"


def test_a_settlement_is_seen_again_after_the_retest():
    desk = lit_desk()
    desk.lamps.dark = 1 << 2
    desk.play(THROW + " E w1000")
    desk.terminal.game.fault("L00")
    desk.play("S+ 6! w8000")
    assert desk.lit() == "113" and faults(desk) == ["L03"]


def test_a_lit_result_that_comes_back_after_a_cut_is_proven_too():
    desk = lit_desk()
    desk.play(THROW + " E w1000")
    desk = Desk(like=desk, settle=False, sense=True)
    desk.lamps.dark = 1 << 4
    desk.wait(1500)
    assert faults(desk) == ["L00"]


def calibrate(desk, answer=None):
    """The job's reply, or the words of its refusal."""
    try:
        job = Calibration(desk.terminal, desk.volume)
        for _ in range(5000):
            desk.wait(5)
            reply = job.step()
            if reply is not None:
                return reply
            if answer:
                answer(desk)
    except ProtocolError as error:
        return error.text
    raise AssertionError("it does not end")


def test_a_calibration_is_kept_used_and_recorded():
    desk = lit_desk()
    desk.lamps.gain = 0.97
    assert calibrate(desk) == {"zones": 5}
    assert desk.journal.log[-1] == ("config", 0, "---", "---", "lamps")
    kept = calibration.load(desk.volume, desk.terminal.frames.table)
    assert [kept[at] | kept[at + 1] << 8 for at in range(0, 10, 2)] == [1940, 970, 970, 970, 970]
    assert desk.terminal.check.calibration == kept
    desk.play(THROW + " E w1000")
    assert faults(desk) == []


def test_a_calibration_refuses_a_dark_lamp_and_keeps_the_old_one():
    desk = lit_desk()
    calibrate(desk)
    before = dict(desk.volume.files)
    desk.lamps.dark = 1 << 8
    assert calibrate(desk) == "area 1 takes 50 % of its declared current: mend it first"
    assert desk.volume.files == before and faults(desk) == [] and desk.outputs() == []


def test_a_calibration_does_not_disturb_a_game_and_ends_when_somebody_leaves_it():
    desk = lit_desk()
    desk.play(THROW + " E w1000")
    assert calibrate(desk) == "a result is lit"
    assert desk.lit() == "113" and desk.volume.files == {}
    desk = lit_desk()
    desk.play("S+")
    assert calibrate(desk, lambda desk: desk.play("E")) == "broken off at the table: nothing has changed"
    desk = lit_desk()

    def cut(desk):
        desk.lamps.registers.cut = (1, 0)

    assert calibrate(desk, cut) == "broken off at the table: nothing has changed"
    desk.wait(2000)
    assert calibrate(desk) == "the lamp chain is broken: mend it first"
    assert calibrate(Desk()) == "this table has no current sense"


def test_a_calibration_that_cannot_be_stored_changes_nothing():
    desk = lit_desk()
    desk.volume.full = True
    assert calibrate(desk) == "cannot be stored (error 28)"
    assert desk.terminal.check.calibration is None


def test_every_damage_of_the_calibration_file_is_noticed():
    table = lit_desk().terminal.frames.table
    desk = lit_desk()
    calibrate(desk)
    good = desk.volume.files[calibration.PATH]
    assert len(calibration.load(desk.volume, table)) == 10
    damaged = [good[:at] for at in range(len(good))] + [b"", good + b"x"]
    damaged += [good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :] for at in range(len(good))]
    for data in damaged:
        desk.volume.files[calibration.PATH] = data
        try:
            calibration.load(desk.volume, table)
        except ValueError:
            continue
        raise AssertionError("damage not noticed: %d bytes" % len(data))


def test_a_calibration_of_another_table_is_none():
    desk = lit_desk()
    calibrate(desk)

    class Other:
        digest = bytes(32)
        zone_count = 5

    assert calibration.load(desk.volume, Other) is None
    del desk.volume.files[calibration.PATH]
    assert calibration.load(desk.volume, Other) is None


def test_counts_of_a_lamp():
    # 3.3 V at 400 mA for each volt are 1,320 mA.
    assert calibration.counts(1320, 400) == 65535 and calibration.counts(20, 400) == 993 and LAMP == 1000
