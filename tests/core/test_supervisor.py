"""Keys held with the key-switch on, and what then covers the game: seen, heard and lit at the terminal's outside."""

from desk import Desk, Table

from tablecore import version

# (script, display at rest, points, lit outputs, sound of the last word). The sweep of five zones is over after w3000.
# What the firmware writes as tSt reads t5t.
STORIES = (
    # Void.
    ("S+ 1!", "", "   ", [], "done"),
    ("1 3 S+ 1!", "", "   ", [], "done"),
    ("1 3 6 E S+ 1!", "", "   ", [], "done"),
    ("1 3 6 E 2 2 5 S+ 1!", "", "   ", [], "done"),
    # Recall: nothing to recall; newest first, 2 older, 1 newer, ENTRY leaves.
    ("S+ 2!", "", "   ", [], "error"),
    ("1 3 6 E E! 2 2 5 E E! S+ 2!", "225", "   ", [], "key"),
    ("1 3 6 E E! 2 2 5 E E! S+ 2! 2", "136", "   ", [], "key"),
    ("1 3 6 E E! 2 2 5 E E! S+ 2! 2 2", "136", "   ", [], "error"),
    ("1 3 6 E E! 2 2 5 E E! S+ 2! 1", "225", "   ", [], "error"),
    ("1 3 6 E E! 2 2 5 E E! S+ 2! 2 1", "225", "   ", [], "key"),
    ("1 3 6 E E! S+ 2! 3", "136", "   ", [], "error"),
    ("1 3 6 E E! S+ 2! E", "", "   ", [], "key"),
    ("1 3 6 E E! S+ 2! S-", "", "   ", [], "silence"),
    ("1 3 6 E S+ 5 2 2 E S- E! S+ 2!", "522", "...", [], "key"),
    ("1 3 6 E S+ 5 2 2 E 1! 2!", "---", "   ", [], "key"),
    ("S+ 1! 2!", "---", "   ", [], "key"),
    # A hold inside does nothing, so that a long press on 1 voids no game.
    ("1 3 6 E E! S+ 2! 1!", "136", "   ", [], "error"),
    # ENTRY held starts a test run from anywhere.
    ("S+ 4! E! w3000", "t5t", "...", [], "silence"),
    # Test run: sweep, then throws; a digit breaks the sweep off.
    ("S+ E! w3000 1", "  1", "...", [], "key"),
    ("S+ E! w3000 1 3 E", " 13", "...", [], "error"),
    ("S+ E! w3000 E", "t5t", "...", [], "error"),
    ("S+ E! 1", "  1", "...", [], "key"),
    ("S+ E! w3000 3!", "t5t", "...", [], "error"),
    ("S+ E! w3000 1 3 6 E 2", "  2", "...", [], "key"),
    ("S+ E! w3000 1 3 6 E!", "136", "...", [], "error"),
    ("S+ E! w3000 E!", "t5t", "...", [], "error"),
    ("S+ E! w3000 1 3 6 E E!", "", "   ", [], "done"),
    ("S+ E! 1 3 6 E E! w3000", "t5t", "...", [], "silence"),
    ("S+ E! 1 3 6 E E! w3000 E!", "", "   ", [], "done"),
    ("S+ E! w3000 1 3 6 E S-", "", "   ", [], "silence"),
    ("1 3 S+ E! w3000 2 2 5 E S-", " 13", "   ", [], "silence"),
    # Versions end by themselves; so does the lamp test.
    ("S+ 4! E", "", "   ", [], "key"),
    ("S+ 4! w12000", "", "   ", [], "silence"),
    ("S+ 3! E", "", "   ", [], "key"),
    ("S+ 3! w5000", "", "   ", [], "silence"),
    # Brightness: first group as a sample where nothing is lit.
    ("S+ 5!", "100", "   ", [0, 8], "key"),
    ("S+ 5! 2", "100", "   ", [0, 8], "error"),
    ("S+ 5! 1", " 90", "   ", [0, 8], "key"),
    ("S+ 5! 1 E", "", "   ", [], "key"),
    ("S+ 5! 3", "100", "   ", [0, 8], "error"),
)  # fmt: skip


def test_stories():
    for script, display, points, outputs, sound in STORIES:
        desk = Desk()
        words = script.split()
        desk.play(" ".join(words[:-1]))
        desk.wait(500)
        heard = desk.heard(words[-1])
        found = (desk.seen(), desk.display.points, desk.outputs(), heard)
        assert found == (display, points, outputs, sound), (script, found)


def watch(desk, ms):
    """[(display, points, lit outputs)] as they follow one another in the next `ms`."""
    found = []
    for _ in range(ms // 5):
        desk.wait(5)
        seen = (desk.display.text, desk.display.points, desk.outputs())
        if not found or seen != found[-1]:
            found.append(seen)
    return [seen for seen in found if seen[0] != "   "]


def test_the_sweep_lights_every_zone_alone_and_names_it():
    desk = Desk()
    desk.play("S+")
    desk.bits |= 0x40
    seen = watch(desk, 4500)
    desk.bits &= ~0x40
    lit = [each for each in seen if each[2]]
    zones = ([0, 8], [1], [2], [3], [4])
    assert lit == [("  %d" % (number + 1), "...", outputs) for number, outputs in enumerate(zones)]
    assert seen[-1] == ("t5t", "...", [])


def test_a_test_throw_blinks_and_is_no_result():
    desk = Desk()
    desk.play("S+ E! w3000 1 3 6 E")
    states = set()
    dark = 0
    for _ in range(800):
        desk.wait(5)
        dark += desk.lit() is None
        states.add(desk.lit())
    assert states == {None, "136"} and 0.4 < dark / 800 < 0.6
    assert desk.state() == "test" and desk.seen() == "136" and desk.display.points == "..."
    assert desk.terminal.snapshot()["lit"] is None


def test_a_test_run_over_a_settlement_gives_everything_back():
    for way in ("S-", "E!"):
        desk = Desk()
        desk.play("6 1 3 E S+ E! w3000 2 2 5 E w700 " + way)
        desk.wait(500)
        assert (desk.state(), desk.seen(), desk.display.points, desk.lit()) == ("result", "613", "   ", "613")


def test_a_test_run_over_a_fault_gives_everything_back():
    desk = Desk(bits=0x08)  # key 4 is down from the start
    desk.play("S- S+")
    assert desk.seen() == "E44"
    desk.play("E! w3000 2 2 5 E")
    assert desk.seen() == "225"
    assert desk.heard("E!") == "error", "no test is passed with a fault"
    desk.play("S-")
    desk.wait(2000)
    assert desk.seen() == "E44" and desk.state() == "fault" and desk.lit() is None


def test_lamp_test_lights_every_lamp_in_groups_that_the_supply_can_feed():
    desk = Desk()
    desk.play("1 3 6 E S+")
    desk.bits |= 0x04
    seen = [each for each in watch(desk, 8000) if each[0] == "888"]
    assert seen == [("888", "...", outputs) for outputs in ([0, 8], [1, 2], [3, 4])]
    assert desk.lit() == "136" and desk.seen() == "136"


def test_versions_show_firmware_layout_and_digest():
    desk = Desk()
    desk.play("S+")
    desk.bits |= 0x08
    seen = watch(desk, 2000)
    desk.bits &= 0x80
    seen = [(text, points) for text, points, _ in seen + watch(desk, 10000)]
    seen = [each for place, each in enumerate(seen) if not place or each != seen[place - 1]]
    # nz-div9 and a5 0f e3, as near as seven segments come: z like 2, i like 1, v like u.
    numbers = version.VERSION.split(".")
    assert seen == [
        ("".join(numbers), "".join(["."] * (len(numbers) - 1)) + " "),
        ("n2-", "   "), ("d1u", "   "), ("9  ", "   "), ("A50", "   "), ("FE3", "   "),
    ]  # fmt: skip


def test_brightness_goes_in_steps_between_its_limits_and_is_kept():
    desk = Desk(values={"brightness_percent": 35})
    desk.play("S+ 5!")
    seen = []
    for key in "2222222221":
        desk.play(key)
        seen.append(desk.lamps.percent)
    assert seen == [40, 50, 60, 70, 80, 90, 100, 100, 100, 90]
    desk.play("1 1 1 1 1 1 1 1")
    assert desk.lamps.percent == 10 and desk.heard("1") == "error"
    desk.play("2 E")
    assert desk.cut().lamps.percent == 20


def test_brightness_that_cannot_be_kept_is_refused_and_taken_back():
    desk = Desk()
    desk.volume.full = True
    desk.play("S+ 5! 1 1")
    assert desk.lamps.percent == 80
    assert desk.heard("E") == "error" and desk.lamps.percent == 100 and desk.journal.log == []


def test_brightness_is_judged_by_the_settlement_where_there_is_one():
    desk = Desk()
    desk.play("1 3 6 E S+ 5! 1 1")
    assert desk.lit() == "136" and desk.seen() == " 80"
    desk.play("S-")
    assert desk.lit() == "136" and desk.seen() == "136" and desk.lamps.percent == 80


def test_damaged_settings_are_not_written_over_at_the_table():
    desk = Desk()
    desk.volume.files["/s"] = b"damaged"
    desk = desk.cut()
    desk.bits = 0
    assert desk.heard("S+ 5!") == "error" and desk.volume.files["/s"] == b"damaged"


def test_journal_that_cannot_be_read_gives_no_recall():
    desk = Desk()
    desk.play("1 3 6 E E! S+")
    desk.journal.full = True
    assert desk.heard("2!") == "error"


def test_recall_goes_back_twenty_games():
    desk = Desk()
    for number in range(25):
        desk.play("%d %d %d E E!" % (number // 36 + 1, number // 6 % 6 + 1, number % 6 + 1))
    desk.play("S+ 2!")
    for number in range(24, 5, -1):
        assert desk.seen() == "%d%d%d" % (number // 36 + 1, number // 6 % 6 + 1, number % 6 + 1)
        assert desk.heard("2") == "key"
    assert desk.heard("2") == "error"


def test_holds_do_nothing_with_the_switch_off_or_not_yet_seen_off():
    for bits, prefix in ((0, ""), (0x80, ""), (0, "S+ S-")):
        for key in "123456":
            desk = Desk(bits=bits)
            desk.play(prefix)
            desk.play(key + "!")
            assert desk.seen() == "  " + key and desk.journal.log == []


def test_a_turn_of_the_switch_while_lit_voids_and_ends_nothing():
    desk = Desk()
    desk.play("1 3 6 E S+")
    desk.bits |= 0x01
    desk.wait(1000)
    desk.bits &= 0x7F
    desk.wait(2000)
    desk.bits = 0
    desk.wait(200)
    assert desk.lit() == "136" and len(desk.journal.log) == 1


def test_opening_test():
    desk = Desk(values={"opening_test": True})
    desk.play("1 3 6")
    assert desk.heard("E") == "error" and desk.display.text == "t5t"
    desk.wait(1500)
    assert desk.seen() == "136" and desk.lit() is None
    # A sweep broken off, a sweep without a throw, and a run that was left are no test.
    for script in ("E! 2 2 5 E", "E! w3000", "E! w3000 2 2 5 E"):
        desk.play("S+ " + script + " S- E")
        assert desk.lit() is None, script
    desk.play("S+ E! w3000 2 2 5 E E! S-")
    assert desk.journal.log[-1] == ("test", 0, "---", "---", "passed")
    assert desk.seen() == "136"
    desk.play("E")
    assert desk.lit() == "136"
    # After a power cut the settlement goes on, and the next game needs a test.
    desk = Desk(like=desk, values={"opening_test": True})
    desk.play("S- S+ 4 4 4 E S-")
    assert desk.lit() == "444", "an amendment is no new game"
    desk.play("E! 1 3 6 E")
    assert desk.lit() is None


def passes(desk):
    desk.play("2 2 5 E")
    lit = desk.lit() is not None
    desk.play("E!")
    return lit


def test_opening_test_is_due_again_on_a_new_day():
    desk = Desk(values={"opening_test": True, "day_begins_hour_utc": 18})
    day = 20000 * 86400
    desk.clock.seconds = day + 19 * 3600
    desk.play("S+ E! w3000 2 2 5 E E! S-")
    assert passes(desk)
    desk.clock.seconds = day + 86400 + 18 * 3600 - 1
    assert passes(desk)
    desk.clock.seconds += 1
    assert not passes(desk)
    desk.play("S+ E! w3000 2 2 5 E E! S-")
    assert passes(desk)


def test_opening_test_that_was_passed_before_the_time_was_known_holds_for_that_day():
    desk = Desk(values={"opening_test": True, "day_begins_hour_utc": 0})
    desk.play("S+ E! w3000 2 2 5 E E! S-")
    assert passes(desk)
    desk.clock.seconds = 20000 * 86400
    assert passes(desk)
    desk.clock.seconds += 86400
    assert not passes(desk)


def test_group_of_zones_never_exceeds_the_budget():
    from tablecore.frames import Frames

    for lamps in range(2, 8):
        frames = Frames(Table(), 2, lamps)
        last = 0
        seen = 0
        while last < 5:
            frame, last = frames.group(last + 1)
            bits = sum([bin(byte).count("1") for byte in frame])
            assert bits <= lamps
            seen += bits
        assert seen == 6
