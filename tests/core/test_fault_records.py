"""Faults in the journal: each occurrence is recorded once, and outlives power cuts until it is proven gone."""

from desk import Desk


def fault_records(desk):
    return [(each[0], each[4]) for each in desk.journal.log if each[0] in ("fault", "clear", "override")]


def test_an_occurrence_is_recorded_once_and_its_end_too():
    desk = Desk()
    desk.play("1 3 6 E")
    desk.lamps.registers.cut = (1, 0)
    desk.wait(20000)
    desk.play("2 S+ 6! w3000 6!")
    assert fault_records(desk) == [("fault", "C01")]
    desk.lamps.registers.cut = None
    desk.play("6! w3000")
    assert fault_records(desk) == [("fault", "C01"), ("clear", "C01")]
    desk.lamps.registers.cut = (0, 1)
    desk.wait(3000)
    assert fault_records(desk)[2:] == [("fault", "C00")]


def test_a_fault_that_is_still_there_after_a_power_cut_keeps_its_code_and_is_not_recorded_again():
    for before in ("", "1 3 6 E"):
        desk = Desk()
        desk.play(before)
        desk.lamps.registers.cut = (1, 0)
        desk.wait(3000)
        for _ in range(3):
            desk = Desk(like=desk, settle=False)
            desk.lamps.registers.cut = (1, 0)
            desk.wait(3000)
            # The place cannot be told at power-up; it is known from before.
            assert desk.terminal.snapshot()["faults"] == ["C01"] and not desk.lamps.enabled
            assert desk.state() == "fault" and desk.heard("2") == "error"
        assert fault_records(desk) == [("fault", "C01")]


def test_a_start_clears_what_it_does_not_find_again():
    desk = Desk()
    desk.lamps.registers.cut = (1, 0)
    desk.hold("3", 12000)
    desk.wait(3000)
    assert desk.terminal.snapshot()["faults"] == ["C01", "E43"]
    desk = desk.cut()
    assert desk.state() == "idle" and desk.terminal.snapshot()["faults"] == []
    assert sorted(fault_records(desk)[2:]) == [("clear", "C01"), ("clear", "E43")]


def test_a_start_leaves_alone_what_only_a_person_or_a_retest_can_clear():
    for code in ("E61", "L03", "H00", "E22", "E23"):
        desk = Desk()
        desk.terminal.game.fault(code)
        desk.wait(3000)
        desk = desk.cut()
        desk.wait(2500)
        assert desk.terminal.snapshot()["faults"] == [code] and desk.seen() == code
        assert desk.beeper.bursts == [2000], "it is told at the start"


def test_files_that_are_good_again_clear_their_fault():
    desk = Desk()
    desk.terminal.set_integrity("bad")
    desk = desk.cut()
    assert desk.terminal.snapshot()["faults"] == ["E14"]
    desk.terminal.set_integrity("good")
    assert desk.terminal.snapshot()["faults"] == []
    assert fault_records(desk) == [("fault", "E14"), ("clear", "E14")]


def test_an_open_result_is_lit_again_under_a_latched_fault():
    desk = Desk()
    desk.play("1 3 6 E")
    desk.terminal.game.fault("E61")
    desk = Desk(like=desk, settle=False)
    desk.wait(5)
    assert desk.lit() == "136"
    desk.wait(3000)
    assert desk.state() == "fault" and desk.lit() == "136"


def test_faults_that_could_not_be_recorded_are_when_the_journal_can_be_written_again():
    desk = Desk()
    desk.journal.full = True
    desk.play("1 3 6 E w3000")
    desk.lamps.registers.cut = (1, 0)
    desk.wait(3000)
    assert fault_records(desk) == []
    desk.journal.full = False
    desk.play("S+ 6! w3000")
    assert fault_records(desk) == [("clear", "E31"), ("fault", "C01")]


def test_a_code_of_another_version_is_left_out():
    desk = Desk()
    desk.journal.log.append(("fault", 0, "---", "---", "Z99"))
    desk = desk.cut()
    assert desk.state() == "idle" and desk.terminal.snapshot()["faults"] == []


def test_what_the_journal_says_of_itself():
    desk = Desk()
    desk.journal.export_due = True
    desk.play("1 3 6 E w3000")
    assert desk.state() == "result" and desk.terminal.snapshot()["faults"] == ["E33"]
    desk.journal.export_due = False
    desk.wait(500)
    assert desk.terminal.snapshot()["faults"] == []
    desk.journal.low_storage = True
    desk.wait(3000)
    assert desk.state() == "fault" and desk.lit() == "136" and desk.terminal.snapshot()["faults"] == ["E32"]
    desk.play("S+ 6!")
    assert desk.state() == "fault", "only an export clears it"
    desk.journal.low_storage = False
    desk.wait(500)
    assert desk.state() == "result"
    desk.journal.damaged += 1
    desk.wait(3000)
    assert desk.state() == "result" and desk.terminal.snapshot()["faults"] == ["E34"]
    assert desk.cut().terminal.snapshot()["faults"] == ["E34"]
    desk.play("6!")
    assert desk.terminal.snapshot()["faults"] == []
    codes = [code for _, code in fault_records(desk)]
    assert codes == ["E33", "E33", "E32", "E32", "E34", "E34"]


def test_a_warning_keeps_what_was_keyed():
    desk = Desk()
    desk.play("1 3")
    desk.terminal.game.fault("E71")
    desk.wait(3000)
    assert desk.seen() == "13" + " " or desk.seen() == " 13"
    desk.play("6 E")
    assert desk.lit() == "136"


def test_a_display_that_does_not_answer_is_a_fault_until_it_does():
    desk = Desk()
    desk.play("1 3 6 E")
    show = desk.display.show
    desk.display.show = lambda segments: False
    desk.wait(1000)
    assert desk.terminal.snapshot()["faults"] == ["E81"] and desk.lit() == "136"
    desk.play("S+ 6! w3000")
    assert desk.state() == "fault"
    desk.display.show = show
    desk.wait(1000)
    assert desk.state() == "fault", "a fault never clears by itself"
    desk.play("6!")
    assert desk.state() == "result"


def test_one_write_that_the_display_did_not_acknowledge_is_no_fault():
    desk = Desk()
    show = desk.display.show
    missed = []

    def once(segments):
        if len(missed) < 2:
            missed.append(1)
            return False
        return show(segments)

    desk.display.show = once
    desk.wait(2000)
    assert desk.state() == "idle" and len(missed) == 2
