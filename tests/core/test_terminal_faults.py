"""Faults at the terminal's outside: nothing lights that should not, a settlement keeps its lamps, a re-test clears."""

from desk import REGISTERS, Desk

from tablecore import faults, faulttexts

# One refresh: marker, the frame twice, resident pattern.
REFRESH_CLOCKS = 8 * (4 + 3 * REGISTERS)
LINES = [(k, level) for k in range(REGISTERS + 1) for level in (0, 1)]


def code_of(k):
    return "C%02d" % k


def test_missing_or_damaged_table_shows_its_code_and_lights_nothing():
    for code in (faults.TABLE_MISSING, faults.TABLE_DAMAGED):
        desk = Desk(table=None, fault_codes=(code,), settle=False)
        desk.wait(3000)
        assert desk.beeper.bursts[0] >= 1500
        assert desk.seen() == code
        for word in ("1", "3", "6", "E", "E!", "12", "S+", "6!", "S-", "1 3 6 E"):
            desk.play(word)
            assert desk.lit() is None and desk.state() == "fault", word
            assert desk.seen() == code, word
        assert desk.terminal.snapshot() == {
            "state": "fault", "digits": "", "lit": None, "faults": [code], "switch": False,
        }  # fmt: skip


def test_no_table_and_no_reason_is_a_missing_table():
    desk = Desk(table=None)
    assert desk.terminal.snapshot()["faults"] == [faults.TABLE_MISSING]


def test_a_table_for_another_chain_is_refused():
    class Longer:
        frame_bytes = REGISTERS + 1

    assert Desk(table=Longer).terminal.snapshot()["faults"] == [faults.TABLE_DAMAGED]


def test_cut_while_idle_is_found_named_and_dark():
    for k, level in LINES:
        desk = Desk()
        desk.play("1 3")
        desk.lamps.registers.cut = (k, level)
        desk.wait(1000)
        assert desk.terminal.snapshot()["faults"] == [code_of(k)], (k, level)
        assert not desk.lamps.enabled and desk.seen() == code_of(k)
        assert desk.heard("1") in ("error", [2000]) or desk.beeper.bursts[-1] >= 1500
        assert desk.heard("6") == "error"
        desk.play("E")
        assert desk.lit() is None and desk.state() == "fault"


def test_cut_while_lit_keeps_the_settlement_until_it_is_ended():
    for k, level in LINES:
        desk = Desk()
        desk.play("1 3 6 E")
        desk.lamps.registers.cut = (k, level)
        desk.wait(1000)
        assert desk.terminal.snapshot()["faults"] == [code_of(k)], (k, level)
        assert desk.lit() == "136" and desk.terminal.snapshot()["lit"] == [1, 3, 6]
        desk.wait(3000)
        assert desk.beeper.bursts[-1] >= 1500
        assert desk.seen() == "136"
        assert 0.3 < points(desk) < 0.7
        # Any key: error beep and the code for a while, then the digits again.
        assert desk.heard("2") == "error"
        assert desk.display.text == code_of(k)
        desk.wait(1500)
        assert desk.seen() == "136"
        assert desk.heard("E") == "error"
        assert desk.lit() == "136"
        desk.play("E!")
        assert desk.lit() is None and not desk.lamps.enabled
        assert desk.seen() == code_of(k)


def points(desk):
    on = 0
    for _ in range(400):
        desk.wait(5)
        on += desk.display.points == "..."
    return on / 400


def test_fault_at_power_up_never_enables_the_lamps():
    for k, level in LINES:
        desk = Desk(settle=False)
        desk.lamps.registers.cut = (k, level)
        desk.wait(2000)
        assert not desk.lamps.enabled
        assert desk.terminal.snapshot()["faults"] == ["E21"]


def test_a_disturbed_power_up_is_made_good():
    for clock in range(1, REFRESH_CLOCKS + 1):
        desk = Desk(settle=False)
        desk.lamps.registers.flips = (clock,)
        desk.wait(1000)
        desk.play("1 3 6 E")
        assert desk.state() == "result" and desk.lit() == "136", clock


def test_one_disturbed_transfer_is_no_fault():
    for clock in range(1, REFRESH_CLOCKS + 1):
        desk = Desk()
        desk.play("1 3 6 E")
        desk.lamps.registers.flips = (clock,)
        desk.wait(1000)
        assert desk.state() == "result" and desk.lit() == "136", clock


def test_noise_in_front_of_register_1_leaves_a_settlement_as_it_is():
    desk = Desk()
    desk.play("1 3 6 E")
    for _ in range(300):
        desk.lamps.registers.cut = (0, "noise")
        desk.wait(250)
        assert desk.lit() == "136"
        desk.lamps.registers.cut = None
        desk.wait(250)
        assert desk.lit() == "136"


def test_a_disturbed_commit_is_made_good_at_once():
    desk = Desk()
    desk.play("1 3 6")
    desk.bits = 0x40
    while desk.state() != "result":
        desk.lamps.registers.flips = (1,)
        desk.wait(5)
    desk.lamps.registers.flips = ()
    desk.wait(30)
    assert desk.lit() == "136"


def test_retest_clears_what_was_repaired_and_nothing_else():
    desk = Desk()
    desk.lamps.registers.cut = (1, 0)
    desk.wait(3000)
    desk.play("6!")  # without the switch nobody clears anything
    assert desk.state() == "fault"
    assert desk.heard("S+ 6! w3000") == "fault" and desk.state() == "fault"
    desk.lamps.registers.cut = None
    desk.wait(1000)
    assert desk.state() == "fault", "a fault never clears by itself"
    assert desk.heard("6!") == "done" and desk.state() == "idle" and desk.lamps.enabled
    desk.play("S- 1 3 6 E")
    assert desk.lit() == "136"


def test_retest_while_lit_goes_on_with_the_settlement():
    desk = Desk()
    desk.play("1 3 6 E")
    desk.lamps.registers.cut = (0, 1)
    desk.wait(3000)
    desk.lamps.registers.cut = None
    desk.play("S+ 6! S-")
    assert desk.state() == "result" and desk.lit() == "136" and desk.seen() == "136"
    desk.play("E!")
    assert desk.lit() is None and desk.state() == "idle"


def test_stuck_keys_are_named_and_block_until_they_are_free():
    for key in "123456E":
        number = 7 if key == "E" else int(key)
        desk = Desk()
        desk.play("S+")
        desk.hold(key, 10100)
        stuck = desk.bits | (1 << number - 1)
        desk.bits = stuck
        desk.wait(3000)
        code = "E4%d" % number
        assert desk.terminal.snapshot()["faults"] == [code]
        assert desk.seen() == code
        if key != "6":
            desk.play("6!")
            assert desk.state() == "fault", "the key is still down"
        desk.bits &= 0x80
        desk.wait(3000)
        assert desk.state() == "fault"
        desk.play("6!")
        assert desk.state() == "idle"


def test_entry_stuck_on_a_result_commits_once_and_leaves_it_lit():
    desk = Desk()
    desk.play("1 3 6")
    desk.hold("E", 12000)
    desk.wait(2000)
    assert desk.lit() == "136"
    assert desk.terminal.snapshot()["faults"] == ["E47"]


def test_a_key_down_at_power_up_is_stuck():
    desk = Desk(bits=0x08)
    assert desk.terminal.snapshot()["faults"] == ["E44"]


def test_several_faults_are_shown_in_turn_most_severe_first():
    desk = Desk(bits=0x08)
    desk.lamps.registers.cut = (1, 0)
    desk.wait(1000)
    assert desk.terminal.snapshot()["faults"] == ["C01", "E44"]
    desk.display.log = []
    desk.wait(6000)
    assert set(desk.display.log) == {"C01", "E44"}


def test_faults_drop_what_was_keyed_but_not_entered():
    desk = Desk()
    desk.play("1 3 6")
    desk.lamps.registers.cut = (1, 0)
    desk.wait(1000)
    desk.lamps.registers.cut = None
    desk.play("S+ 6! S-")
    assert desk.state() == "idle" and desk.seen() == ""


def test_fault_table_is_complete():
    codes = ["E11", "E12", "E13", "E21"] + [code_of(k) for k in range(65)] + ["E4%d" % key for key in range(1, 8)]
    codes += [faults.zone_code(kind, zone) for kind in ("L00", "H00") for zone in range(1, 160)]
    rows = [faults.ROWS[at : at + faults.ROW] for at in range(0, len(faults.ROWS), faults.ROW)]
    assert sorted(faulttexts.TEXTS) == sorted([row[:3] for row in rows])
    for row in rows:
        assert len(row) == 9 and row[6] in "Xw" and row[7] in "o-" and row[8] in "sbr-", row
        assert row[:3] <= row[3:6] and (row[7] == "-" or row[6] == "X")
    names = set()
    for code in codes:
        name, seen, clears, remedy = faulttexts.describe(code)
        assert name and seen and clears and remedy and "{" not in name + seen + clears + remedy
        names.add(name)
    assert len(names) == len(codes), "two codes with one name"
    assert "register 7 " in faulttexts.describe("C07")[0] and "key 3 " in faulttexts.describe("E43")[0]
    assert "area 7:" in faulttexts.describe("L07")[0] and "area 106:" in faulttexts.describe("HA6")[0]
    for code in ("C65", "E48", "E40", "E99", "X01"):
        try:
            faults.severity(code)
        except KeyError:
            continue
        raise AssertionError("unknown code accepted: " + code)
