"""What the journal says after each gesture, and the state that a power cut leaves the table in."""

from desk import Desk

# (script, what was recorded: kind, game, throw, previous throw, detail)
STORIES = (
    ("1 3 6", ()),
    ("1 3 E", ()),
    ("6 1 3 E", (("result", 1, "613", "---", ""),)),
    ("6 1 3 E E 2 2 5 E", (("result", 1, "613", "---", ""),)),
    ("1 3 6 E E!", (("result", 1, "136", "---", ""), ("end", 1, "136", "---", ""))),
    ("1 3 6 E E! 2 2 5 E", (("result", 1, "136", "---", ""), ("end", 1, "136", "---", ""),
                            ("result", 2, "225", "---", ""))),
    ("1 3 6 E S+ 5 2 2 E", (("result", 1, "136", "---", ""), ("amend", 1, "522", "136", ""))),
    ("1 3 6 E S+ 6 3 1 E", (("result", 1, "136", "---", ""),)),
    ("1 3 6 E S+ 5 2 2 E 1 1 1 E S- E!", (
        ("result", 1, "136", "---", ""), ("amend", 1, "522", "136", ""), ("amend", 1, "111", "522", ""),
        ("end", 1, "111", "---", ""))),
    ("S+ 1!", (("void", 1, "---", "---", ""),)),
    ("1 3 6 E S+ 1!", (("result", 1, "136", "---", ""), ("void", 1, "136", "---", ""))),
    ("1 3 6 E S+ 1! 1!", (("result", 1, "136", "---", ""), ("void", 1, "136", "---", ""),
                          ("void", 2, "---", "---", ""))),
    ("1!", ()),
    ("1 3 6 E S+ 2!", (("result", 1, "136", "---", ""),)),
    ("S+ 5! 1 1 E", (("config", 0, "---", "---", "bri=80"),)),
    ("S+ 5! 1 2 E", ()),
    ("S+ 5! 1 S-", (("config", 0, "---", "---", "bri=90"),)),
    # Tests are tests: no game number moves.
    ("S+ E! w3000 1 3 6 E E!", (("test", 0, "136", "---", "throw"), ("test", 0, "---", "---", "passed"))),
    ("S+ E! 1 3 6 E", (("test", 0, "136", "---", "throw"),)),
    ("1 3 6 E S+ E! 2 2 5 E S- E!", (("result", 1, "136", "---", ""), ("test", 1, "225", "---", "throw"),
                                     ("end", 1, "136", "---", ""))),
)  # fmt: skip

# (script, state, digits and lamps that the table has when the power comes back)
CUTS = (
    ("1 3", "idle", "", None),
    ("1 3 6", "idle", "", None),
    ("6 1 3 E", "result", "613", "613"),
    ("1 3 6 E 2 2 5", "result", "136", "136"),
    ("1 3 6 E E!", "idle", "", None),
    ("1 3 6 E E! 2 2", "idle", "", None),
    ("1 3 6 E S+ 2 2 5", "result", "136", "136"),
    ("1 3 6 E S+ 5 2 2 E", "result", "522", "522"),
    ("1 3 6 E S+ 1!", "idle", "", None),
    ("S+ 1!", "idle", "", None),
    ("S+ E! 1 3 6 E", "idle", "", None),
    ("1 3 6 E S+ E!", "result", "136", "136"),
    ("1 3 6 E S+ E! 2 2 5 E", "result", "136", "136"),
    ("1 3 6 E S+ 2!", "result", "136", "136"),
    ("1 3 6 E S+ 3!", "result", "136", "136"),
    ("1 3 6 E S+ 4!", "result", "136", "136"),
    ("1 3 6 E S+ 5! 1", "result", "136", "136"),
)


def test_what_is_recorded():
    for script, log in STORIES:
        desk = Desk()
        desk.play(script)
        assert tuple(desk.journal.log) == log, (script, desk.journal.log)


def test_a_power_cut_brings_back_what_was_recorded():
    for script, state, digits, throw in CUTS:
        desk = Desk()
        desk.play(script)
        log = list(desk.journal.log)
        desk = desk.cut()
        assert (desk.state(), desk.seen(), desk.lit()) == (state, digits, throw), script
        assert desk.journal.log == log, script
        desk.bits = 0
        desk.wait(200)
        desk.play("E! 4 4 6 E")
        assert (desk.state(), desk.lit()) == ("result", "446"), script


def test_a_restart_while_lit_lights_with_the_first_pass():
    desk = Desk()
    desk.play("1 3 6 E")
    desk = Desk(like=desk, settle=False)
    desk.wait(5)
    assert desk.lit() == "136"


def test_a_restart_while_lit_without_a_table_is_dark_and_shows_the_digits():
    desk = Desk()
    desk.play("1 3 6 E")
    desk = Desk(table=None, fault_codes=("E12",), like=desk)
    desk.wait(3000)
    assert desk.lit() is None and desk.state() == "fault" and desk.seen() == "136"
    assert desk.terminal.snapshot()["lit"] == [1, 3, 6]
    desk.play("E!")
    assert desk.seen() == "E12" and desk.journal.log[-1][:3] == ("end", 1, "136")


def test_a_result_that_cannot_be_written_is_lit_and_a_fault():
    desk = Desk()
    desk.journal.full = True
    assert desk.heard("1 3 6 E w3000") == [60, 60, 60, 2000]
    assert (desk.state(), desk.lit(), desk.seen()) == ("fault", "136", "136")
    assert desk.terminal.snapshot()["faults"] == ["E31"]
    # The end darkens though it cannot be written either; then no game until the journal takes records again.
    desk.play("E!")
    assert desk.lit() is None and desk.seen() == "E31"
    desk.play("2 2 5 E")
    assert desk.lit() is None
    desk.play("S+ 6! w3000")
    assert desk.state() == "fault"
    desk.journal.full = False
    assert desk.heard("6!") == "done" and desk.state() == "idle"
    desk.play("S- 2 2 5 E")
    assert desk.lit() == "225" and desk.journal.log[-1][:3] == ("result", 1, "225")


def test_amendment_and_void_go_on_when_they_cannot_be_written():
    for script, throw, digits in (("2 2 5 E", "225", "225"), ("1!", None, "E31")):
        desk = Desk()
        desk.play("1 3 6 E S+")
        desk.journal.full = True
        desk.play(script)
        desk.wait(3000)
        assert (desk.state(), desk.lit(), desk.seen()) == ("fault", throw, digits)
