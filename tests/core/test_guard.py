"""The door contact, the lost-key gesture, and the hold of ENTRY while the files are being compared, at a desk."""

from desk import Desk

from tablecore.guard import Guard
from tablecore.integrity import BAD, CHECKING, GOOD


class Inputs:
    def __init__(self):
        self.open = False
        self.allowed = True

    def door_open(self):
        return self.open

    def writing_allowed(self):
        return self.allowed


def guarded():
    desk, inputs, noted = Desk(), Inputs(), []
    guard = Guard(inputs, desk.terminal, noted.append)

    def pass_ms(ms):
        for _ in range(ms // 5):
            desk.wait(5)
            guard.step()

    return desk, inputs, noted, guard, pass_ms


def test_an_opened_door_is_journaled_shown_and_stays_a_fault_until_a_retest_with_it_closed():
    desk, inputs, noted, _, pass_ms = guarded()
    pass_ms(200)
    assert noted == [] and desk.state() == "idle"
    inputs.open = True
    pass_ms(100)
    assert noted == ["door"] and desk.state() == "fault" and desk.seen() == "E61"
    assert desk.heard("S+ 6!") == "fault" and desk.state() == "fault"
    inputs.open = False
    pass_ms(2000)  # the fault tone ends
    assert desk.state() == "fault" and noted == ["door"]
    assert desk.heard("6!") == "done" and desk.state() == "idle"
    inputs.open = True
    pass_ms(100)
    assert noted == ["door", "door"] and desk.state() == "fault"


def test_a_door_that_is_open_at_power_up_is_found():
    desk, inputs, noted, _, pass_ms = guarded()
    inputs.open = True
    pass_ms(60)
    assert noted == ["door"]


def test_a_knock_on_the_housing_is_no_open_door():
    desk, inputs, noted, _, pass_ms = guarded()
    for _ in range(50):
        inputs.open = True
        pass_ms(45)
        inputs.open = False
        pass_ms(5)
    assert noted == [] and desk.state() == "idle"


def test_a_door_opened_while_lit_leaves_the_settlement_alone():
    desk, inputs, noted, _, pass_ms = guarded()
    desk.play("1 3 6 E")
    inputs.open = True
    pass_ms(2000)
    assert desk.lit() == "136" and noted == ["door"]
    desk.play("E!")
    assert desk.lit() is None and desk.state() == "fault"


def test_the_jumper_is_read_when_it_is_asked_for():
    _, inputs, _, guard, _ = guarded()
    assert not guard.locked()
    inputs.allowed = False
    assert guard.locked()


def lost(bits, ms=0, key_gone=True):
    """A desk switched on with `bits` closed for `ms`; how often the service key was removed."""
    desk = Desk(bits=bits, settle=False)
    desk.removed = []

    def remove():
        desk.removed.append(desk.ms)
        return key_gone

    desk.terminal.on_lost_key = remove
    desk.wait(ms)
    return desk


def test_1_and_6_with_the_switch_on_for_3_s_from_power_up_remove_the_key():
    desk = lost(0xA1, 2900)
    assert desk.removed == [] and desk.state() == "idle"
    desk.wait(200)
    assert len(desk.removed) == 1 and 2950 <= desk.removed[0] <= 3100
    desk.wait(3000)
    assert len(desk.removed) == 1 and desk.state() == "idle" and len(desk.beeper.bursts) == 2  # the double beep of done
    desk.bits = 0x80
    desk.wait(200)
    desk.bits = 0
    desk.wait(200)
    # No digit was keyed, and the keys work as ever.
    assert desk.terminal.snapshot()["digits"] == "" and desk.state() == "idle"
    desk.play("1 6 6 E")
    assert desk.lit() == "166"


def test_a_key_that_could_not_be_removed_sounds_like_an_error():
    desk = lost(0xA1, 4000, key_gone=False)
    assert len(desk.removed) == 1 and len(desk.beeper.bursts) == 3


def test_let_go_too_early_nothing_happens_and_nothing_is_stuck():
    for mask in (0x01, 0x20, 0x80, 0xA1):
        desk = lost(0xA1, 2800)
        desk.bits &= ~mask
        desk.wait(200)
        desk.bits |= mask
        desk.wait(4000)
        assert desk.removed == [] and desk.state() == "idle", mask


def test_other_keys_at_power_up_are_stuck_as_ever():
    for bits in (0x21, 0x81, 0xA0, 0xA3, 0xE1, 0x20, 0x01):
        desk = lost(bits, 5000)
        assert desk.removed == [] and desk.state() == "fault", bits


def test_the_gesture_begins_at_power_up_or_not_at_all():
    desk = lost(0x80, 300)
    desk.bits = 0xA1
    desk.wait(6000)
    assert desk.removed == []


def test_keys_that_stay_down_after_it_are_stuck():
    desk = lost(0xA1, 10500)
    assert len(desk.removed) == 1 and desk.state() == "fault"
    assert desk.terminal.faults.codes == ["E41", "E46"]


def test_a_third_key_ends_the_gesture():
    desk = lost(0xA1, 1000)
    desk.bits |= 0x02
    desk.wait(5000)
    assert desk.removed == []


def test_no_entry_is_accepted_before_the_files_have_been_compared():
    desk = Desk()
    desk.terminal.set_integrity(CHECKING)
    desk.play("1 3 6")
    assert desk.heard("E") == "error"
    assert desk.terminal.integrity == "checking" and desk.lit() is None
    assert desk.terminal.snapshot()["digits"] == "136"
    desk.terminal.set_integrity(GOOD)
    assert desk.heard("E") == "key" and desk.lit() == "136"


def test_after_a_bad_comparison_no_game_and_no_retest_helps():
    desk = Desk()
    desk.terminal.set_integrity(CHECKING)
    desk.terminal.set_integrity(BAD)
    desk.wait(2000)
    assert desk.state() == "fault" and desk.seen() == "E14"
    desk.play("S+ 6! S-")
    assert desk.state() == "fault"
    desk.play("1 3 6 E")
    assert desk.lit() is None


def test_a_bad_comparison_leaves_a_settlement_alone():
    desk = Desk()
    desk.play("1 3 6 E")
    desk.terminal.set_integrity(BAD)
    desk.wait(2000)
    assert desk.lit() == "136"
