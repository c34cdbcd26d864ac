"""The money wheel at the terminal's outside: wheel and contacts in; digits, lamps, sounds and records out."""

from wheel_desk import STOPS, WheelDesk

SYMBOL_A = 220


def good_spin(desk, quarters=900):
    """Spin to the middle of a section; its letter."""
    while (desk.wheel.quarter + quarters) % 4 != 2:
        quarters += 1
    desk.throw(quarters)
    return STOPS[desk.wheel.quarter // 4 % 52]


def ready():
    """A desk whose wheel has shown its index, with nothing on the display."""
    desk = WheelDesk()
    good_spin(desk, 900)
    desk.play("E E!")
    assert desk.shown() == "" and desk.state() == "idle"
    return desk


def test_a_good_spin_offers_its_letter_and_entry_lights_it():
    desk = ready()
    for quarters in (900, -1000, 700):
        letter = good_spin(desk, quarters)
        assert desk.shown().upper() == letter and desk.lit() == "" and desk.state() == "idle"
        desk.play("E")
        assert desk.shown().upper() == letter and desk.lit() == letter and desk.state() == "result"
        assert desk.terminal.snapshot()["lit"] == [letter]
        kind, _, throw, previous, _ = last(desk)
        assert (kind, throw, previous) == ("result", letter, None)
        desk.play("E")
        assert desk.lit() == letter, "a second ENTRY darkens nothing"
        desk.play("E!")
        assert desk.lit() == "" and last(desk)[0] == "end" and last(desk)[2] == letter


def last(desk):
    """The last record, its throws as letters."""
    kind, game, throw, previous, detail = desk.journal.log[-1]
    return kind, game, letter_of(throw), letter_of(previous), detail


def letter_of(throw):
    """The journal on the desk tells numbers as three dice."""
    if throw == "---":
        return None
    return "ABCDEFG"[(int(throw[0]) - 1) * 36 + (int(throw[1]) - 1) * 6 + int(throw[2]) - 1 - SYMBOL_A]


def test_while_it_turns_the_revolutions_are_shown_and_keys_do_nothing():
    desk = ready()
    desk.wheel.turn(1200, 9000)
    desk.wait(2500)
    assert desk.display.text[0] == "r" or desk.display.text == "F 2", desk.display.text
    records = desk.records()
    assert desk.state() == "spin" and int(desk.display.text[1:]) in (2, 3)
    desk.play("6 E 1")
    assert desk.state() == "spin" and desk.lit() == "" and desk.records() == records


def test_no_spin_shows_why_and_is_on_record():
    for code, quarters in (("n-r", 500), ("n-P", 900)):
        desk = ready()
        while code == "n-P" and (desk.wheel.quarter + quarters) % 4:
            quarters += 1
        desk.beeper.bursts = []
        desk.throw(quarters)
        assert desk.shown() == code and desk.lit() == ""
        assert len(desk.beeper.bursts) == 3, "the error tone"
        kind, _, throw, _, detail = last(desk)
        assert (kind, throw) == ("void", None) and ord(detail[0]) == {"n-r": 1, "n-P": 5}[code]
        assert ord(detail[2]) + 256 * ord(detail[3]) == quarters
        desk.play("E")
        assert desk.lit() == "" and desk.records()[-1] == "void", "ENTRY makes no result of it"


def test_one_and_six_choose_a_letter_where_nothing_is_sensed():
    for script, letter in (
        ("6 E", "A"), ("6 6 E", "B"), ("1 E", "G"), ("1 1 E", "F"), ("6 1 E", "G"), ("6 6 6 6 6 6 6 6 E", "A"),
    ):  # fmt: skip
        desk = WheelDesk(sensing=False)
        desk.play(script)
        assert desk.lit() == letter and desk.shown().upper() == letter, script
        assert last(desk)[0] == "result" and last(desk)[2] == letter
    for script in ("E", "2 E", "3 4 5 E", "E!"):
        desk = WheelDesk(sensing=False)
        desk.play(script)
        assert desk.lit() == "" and desk.shown() == "" and desk.records() == [], script


def test_the_dealer_may_correct_what_was_sensed_and_that_is_on_record():
    desk = ready()
    letter = good_spin(desk)
    other = "ABCDEFG"[("ABCDEFG".index(letter) + 1) % 7]
    desk.play("6 E")
    assert desk.lit() == other and last(desk)[0] == "result" and last(desk)[2] == other
    assert last(desk)[3] == letter, "the letter that the wheel had offered"


def test_the_supervisor_voids_an_offer_a_result_and_a_spin_under_way():
    desk = ready()
    good_spin(desk)
    desk.play("S+ 1!")
    assert desk.shown() == "" and desk.lit() == "" and last(desk)[0] == "void" and last(desk)[2] is None
    desk.play("S-")
    letter = good_spin(desk)
    desk.play("E S+ 1! S-")
    assert desk.lit() == "" and last(desk)[0] == "void" and last(desk)[2] == letter
    desk.play("S+")
    desk.wheel.turn(1000, 9000)
    desk.wait(3000)
    desk.play("1!")
    assert desk.records()[-1] == "void"
    desk.wait(9000)
    assert desk.shown() == "" and desk.records()[-1] == "void", "it offers no letter any more"


def test_an_amendment_needs_the_switch():
    desk = WheelDesk(sensing=False)
    desk.play("6 E 6 E")
    assert desk.lit() == "A"
    desk.play("w11000 S+ 6 E")
    assert desk.lit() == "B" and last(desk)[:4] == ("amend", 1, "B", "A")
    desk.play("E")
    assert desk.lit() == "B" and desk.records()[-1] == "amend"


def test_the_next_spin_ends_a_game_that_is_lit_and_a_touch_does_not():
    desk = ready()
    letter = good_spin(desk)
    desk.play("E")
    desk.throw(60, 1500)
    assert desk.lit() == letter and desk.records()[-1] == "result", "touched, a quarter of a revolution"
    desk.wheel.turn(1000, 9000)
    desk.wait(4000)
    assert desk.lit() == "" and desk.records()[-1] == "end"
    desk.wait(7000)
    assert desk.state() == "idle"


def test_a_power_cut_brings_the_result_back_and_nothing_else():
    desk = ready()
    letter = good_spin(desk)
    again = desk.cut()
    assert again.lit() == "" and again.shown() == "", "an offer is gone; the wheel still shows it"
    again.play(("6 " * ("ABCDEFG".index(letter) + 1)) + "E")
    again = again.cut()
    assert again.lit() == letter and again.shown().upper() == letter and again.state() == "result"
    again.play("E!")
    assert again.cut().lit() == ""


def test_a_malfunction_turns_everything_off_says_so_once_and_stays_so():
    """Rule 5.6."""
    desk = ready()
    letter = good_spin(desk)
    desk.play("E")
    assert desk.lit() == letter
    desk.beeper.bursts = []
    desk.terminal.fault("E61")
    desk.wait(500)
    assert desk.lit() == "" and desk.display.text == "E61"
    desk.wait(4000)
    assert desk.shown() == "" and [burst > 1400 for burst in desk.beeper.bursts] == [True]
    desk.beeper.bursts = []
    desk.play("6 E E! 1 w500")
    assert desk.shown() == "" and desk.beeper.bursts == [] and desk.lit() == "", "turned off"
    good_spin(desk)
    assert desk.shown() == "" and desk.state() == "fault"
    desk.play("S+ 6! S- w3000")
    assert desk.faults() == [] and desk.state() == "idle", "the re-test has turned it on again"
    letter = good_spin(desk)
    desk.play("E")
    assert desk.lit() == letter


def test_it_stays_off_over_a_power_cut_until_the_re_test():
    desk = ready()
    good_spin(desk)
    desk.play("E")
    desk.terminal.fault("E61")
    desk.wait(3000)
    again = desk.cut()
    again.wait(4000)
    assert again.lit() == "" and again.shown() == "" and again.faults() == ["E61"]


def test_a_warning_turns_nothing_off():
    desk = ready()
    good_spin(desk)
    desk.play("E")
    lit = desk.lit()
    desk.terminal.fault("E33")
    desk.wait(3000)
    assert desk.lit() == lit != ""


def test_a_sensor_fault_is_a_malfunction_and_is_found_again_after_a_re_test_that_mended_nothing():
    desk = ready()
    desk.wheel.bad = lambda levels: levels & ~1
    good_spin(desk)
    assert desk.faults() == ["E91"] and desk.lit() == "" and desk.shown() == ""
    desk.play("S+ 6! S- w3000")
    assert desk.faults() == []
    good_spin(desk)
    assert desk.faults() == ["E91"]
    desk.wheel.bad = None
    desk.play("S+ 6! S- w3000")
    good_spin(desk)  # the index has to be seen first
    letter = good_spin(desk)
    desk.play("E")
    assert desk.lit() == letter


def test_a_test_run_sweeps_the_symbols_and_then_shows_the_sensors():
    desk = ready()
    desk.play("S+ E!")
    seen = []
    for _ in range(800):
        desk.wait(5)
        if desk.lit() and (not seen or seen[-1] != desk.lit()):
            seen.append(desk.lit())
    assert "".join(seen) in "ABCDEFG" and "".join(seen).endswith("CDEFG")
    assert desk.state() == "test" and int(desk.display.text) == desk.wheel.quarter // 4 % 52
    shown = set()
    for _ in range(8):
        desk.throw(1, 100)
        shown.add(desk.display.points)
        assert int(desk.display.text) == desk.wheel.quarter // 4 % 52
    assert {"   ", ".  ", ".. ", " . "} <= shown, "a and b as they are read"
    desk.play("6")
    assert desk.lit() == "A"
    desk.play("1 1")
    assert desk.lit() == "F"
    desk.play("E!")
    assert desk.state() == "idle" and last(desk)[4] == "passed"
    assert "void" not in desk.records()[-1:], "turning the wheel under a test is no spin"


def test_what_covers_a_spin_does_not_hide_how_it_ends_but_a_test_run_does():
    for view, shown in (("4!", True), ("E!", False)):
        desk = ready()
        quarters = 900
        while (desk.wheel.quarter + quarters) % 4 != 2:
            quarters += 1
        desk.wheel.turn(quarters, 8000)
        desk.play("w2000 S+ " + view)
        desk.wait(8000)
        desk.play("S-")
        letter = STOPS[desk.wheel.quarter // 4 % 52]
        assert desk.shown().upper() == (letter if shown else ""), view


def test_a_lit_throw_of_another_game_is_left_alone():
    desk = WheelDesk()
    desk.journal.lit = 135
    again = desk.cut()
    assert again.lit() == "" and again.state() == "idle"
