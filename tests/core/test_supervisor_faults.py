"""The supervisor's gestures where something is broken: what is refused, what ends dark, and what may be accepted."""

from desk import Desk


def test_without_a_table_nothing_is_tested():
    desk = Desk(table=None, fault_codes=("E11",))
    desk.wait(3000)
    desk.play("S+")
    for key in "3E5":
        assert desk.heard(key + "!") == "error" and desk.seen() == "E11"


def test_a_broken_chain_is_not_tested_and_the_settlement_stays():
    desk = Desk()
    desk.play("1 3 6 E S+")
    desk.lamps.registers.cut = (1, 0)
    desk.wait(3000)
    for key in "3E5":
        assert desk.heard(key + "!") == "error", key
        desk.wait(1500)
        assert desk.lit() == "136" and desk.seen() == "136", key


def test_a_chain_that_breaks_during_a_test_ends_it_dark():
    for before, state in (("", "fault"), ("1 3 6 E", "fault")):
        for inside in ("E!", "E! w3000 2 2 5 E", "3!"):
            desk = Desk()
            desk.play(before + " S+ " + inside)
            desk.lamps.registers.cut = (1, 0)
            desk.wait(1000)
            assert desk.state() == state and desk.outputs() == [], (before, inside)
            desk.wait(4000)
            assert desk.seen() == ("136" if before else "C01")
            desk.lamps.registers.cut = None
            desk.play("6!")
            assert desk.lit() == ("136" if before else None)


def test_a_chain_that_is_found_broken_by_the_first_frame_of_a_test_keeps_the_settlement():
    desk = Desk()
    desk.play("1 3 6 E S+")
    desk.bits |= 0x40
    while not desk.terminal.game.supervisor.testing:
        desk.lamps.registers.cut = (1, 0) if desk.terminal._refresh_ms > 5 else None
        desk.wait(5)
    desk.wait(2500)
    assert desk.lit() == "136" and desk.state() == "fault"


def test_a_chain_broken_at_an_amendment_shows_no_wrong_lamps():
    desk = Desk()
    desk.play("1 3 6 E S+ 2 2")
    desk.bits |= 0x10
    desk.wait(100)
    desk.bits &= 0x80
    desk.wait(100)
    desk.bits |= 0x40
    desk.wait(100)
    desk.bits &= 0x80
    while len(desk.journal.log) < 2:
        desk.lamps.registers.cut = (1, 0) if desk.terminal._refresh_ms > 5 else None
        desk.wait(5)
    desk.wait(3000)
    assert desk.outputs() == [] and desk.seen() == "225" and desk.terminal.snapshot()["lit"] == [2, 2, 5]


def dark_lamp(*zones):
    """A table with a sense and dark lamps, all of them found and named: of zone 1 where none is given."""
    desk = Desk(sense=True)
    for zone in zones or (1,):
        desk.lamps.dark |= 1 << (zone - 1)
        desk.terminal.game.fault("L0%d" % zone)
    desk.wait(3000)
    return desk


def test_a_fault_that_may_be_accepted_is_accepted_after_a_retest():
    desk = dark_lamp()
    desk.play("S+")
    assert desk.heard("E") == "error", "not before a re-test"
    desk.play("6! w6000")
    assert desk.heard("E") == "done" and desk.state() == "idle"
    assert [(each[0], each[4]) for each in desk.journal.log] == [("fault", "L01"), ("override", "L01")]
    desk.play("S- 1 3 6 E")
    assert desk.lit() == "136" and desk.terminal.snapshot()["faults"] == ["L01"]


def test_an_accepted_fault_stays_accepted_over_a_power_cut():
    desk = dark_lamp()
    desk.play("S+ 6! w6000 E S-")
    desk = desk.cut()
    assert desk.state() == "idle" and desk.terminal.snapshot()["faults"] == ["L01"]
    assert [(each[0], each[4]) for each in desk.journal.log] == [("fault", "L01"), ("override", "L01")]


def test_an_accepted_fault_is_shown_at_every_result_of_its_area_and_at_no_other():
    desk = dark_lamp(1, 4)  # their lamps are the outputs 0 and 8, and 3
    desk.play("S+ 6! w6000 E S-")
    for throw, codes in (("1 2 1", {"L01"}), ("2 2 2", set()), ("6 6 6", set()), ("1 1 1", {"L01"})):
        desk.display.log = []
        desk.play(throw + " E")
        desk.wait(4000)
        shown = {text for text in desk.display.log if text[0] == "L"}
        assert shown == codes, throw
        assert desk.seen() == throw.replace(" ", "") and desk.state() == "result"
        desk.play("E!")
    desk.play("1 2 1 E")
    desk.wait(2000)
    desk.play("S+ 2 2 4")
    desk.display.log = []
    desk.play("E")
    desk.wait(2000)
    assert "L01" not in desk.display.log, "the amended throw does not light the area"
    desk.play("1 1 1")
    desk.display.log = []
    desk.play("E")
    assert "L01" in desk.display.log


def test_an_offer_to_accept_does_not_last():
    for spoiler in ("w11000", "1", "6! w6000 1", "S- S+"):
        desk = dark_lamp()
        desk.play("S+ 6! w6000 " + spoiler)
        assert desk.heard("E") == "error", spoiler
        assert [each[0] for each in desk.journal.log] == ["fault"]


def test_only_a_named_lamp_may_be_accepted():
    for code in ("E11", "E14", "E21", "C00", "C03", "E22", "E23", "L00", "H00", "E31", "E32", "E41", "E61", "E81"):
        desk = Desk()
        desk.terminal.game.fault(code)
        desk.terminal.game.fault("L01")
        assert not desk.terminal.faults.acceptable(), code
    desk = Desk(bits=0x08)
    desk.terminal.game.fault("L01")
    desk.play("S- S+ 6! w6000")
    assert desk.heard("E") == "error", "a stuck key cannot be accepted"
