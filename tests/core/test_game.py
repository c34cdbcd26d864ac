"""The dealer's gestures at the terminal's outside: contacts in; digits, lamps and sounds out."""

from desk import Desk

# (script, state, window at rest, throw on the lamps, sound of the last word)
STORIES = (
    # Idle: digits roll, ENTRY needs three, nothing happens by itself.
    ("1", "idle", "  1", None, "key"),
    ("1 3", "idle", " 13", None, "key"),
    ("1 3 6", "idle", "136", None, "key"),
    ("1 3 6 2", "idle", "362", None, "key"),
    ("1 3 6 w60000", "idle", "136", None, "silence"),
    ("E", "idle", "", None, "error"),
    ("1 3 E", "idle", " 13", None, "error"),
    ("1 3 E 6 E", "result", "136", "136", "key"),
    ("1 3 E!", "idle", "", None, "key"),
    ("1 E!", "idle", "", None, "key"),
    ("E!", "idle", "", None, "error"),
    # Result: the digits stay as keyed, the lamps hold without a limit.
    ("6 1 3 E", "result", "613", "613", "key"),
    ("6 1 3 E w120000", "result", "613", "613", "silence"),
    # The commit is on the press, and that press never becomes a hold.
    ("1 3 6 E!", "result", "136", "136", "key"),
    # A double press never darkens; a hold does, and the blank window repeats no throw.
    ("1 3 6 E E", "result", "136", "136", "error"),
    ("1 3 6 E E E E", "result", "136", "136", "error"),
    ("1 3 6 E E!", "idle", "", None, "key"),
    ("1 3 6 E E! E", "idle", "", None, "error"),
    ("1 3 6 E E! 2 2 5 E", "result", "225", "225", "key"),
    # New digits while lit: a window of their own, lamps unchanged, refused, forgotten after 10 s.
    ("1 3 6 E 2", "result", "  2", "136", "key"),
    ("1 3 6 E 2 2 5", "result", "225", "136", "key"),
    ("1 3 6 E 2 2 5 4", "result", "254", "136", "key"),
    ("1 3 6 E 2 2 5 E", "result", "225", "136", "error"),
    ("1 3 6 E 2 2 5 w7500", "result", "225", "136", "silence"),
    ("1 3 6 E 2 2 5 w10000", "result", "136", "136", "silence"),
    ("1 3 6 E 2 w7000 2 w7000", "result", " 22", "136", "silence"),
    ("1 3 6 E 2 2 5 E!", "idle", "", None, "key"),
    # Chords and second keys.
    ("12", "idle", "", None, "error"),
    ("1 23", "idle", "  1", None, "error"),
    ("1 3 6 4E", "idle", "136", None, "error"),
    ("1 3 6 E 5E", "result", "136", "136", "error"),
    # The switch: keys act on release, holds type nothing, off drops what was not entered.
    ("S+", "idle", "", None, "silence"),
    ("S+ 1", "idle", "  1", None, "key"),
    ("S+ 6!", "idle", "", None, "done"),
    ("S+ 1 3 6 E", "result", "136", "136", "key"),
    ("S+ 1 3 S-", "idle", "", None, "silence"),
    ("1 3 S+ 6 E", "result", "136", "136", "key"),
    ("1 3 S+ 6 S-", "idle", "", None, "silence"),
    ("1 3 S+ S-", "idle", " 13", None, "silence"),
    ("1 3 6 E S+ 2 2 5 S-", "result", "136", "136", "silence"),
    ("1 3 6 E 2 2 5 S+ S-", "result", "136", "136", "silence"),
    # Amendment: under the switch, three digits; the same dice in another order are no amendment.
    ("1 3 6 E S+ E", "result", "136", "136", "error"),
    ("1 3 6 E S+ 2 5 E", "result", " 25", "136", "error"),
    ("1 3 6 E S+ 2 2 5 E", "result", "225", "225", "key"),
    ("1 3 6 E 2 2 5 S+ E", "result", "225", "225", "key"),
    ("1 3 6 E S+ 1 3 6 E", "result", "136", "136", "error"),
    ("1 3 6 E S+ 6 3 1 E", "result", "631", "136", "error"),
    ("1 3 3 E S+ 1 1 3 E", "result", "113", "113", "key"),
    ("1 3 6 E S+ 2 2 5 E 1 3 6 E", "result", "136", "136", "key"),
    ("1 3 6 E S+ 2 2 5 E 4 4 4 E E", "result", "444", "444", "error"),
    ("1 3 6 E S+ 2 2 5 E S-", "result", "225", "225", "silence"),
    ("1 3 6 E S+ 2 2 5 E S- E!", "idle", "", None, "key"),
    ("1 3 6 E S+ S-", "result", "136", "136", "silence"),
    ("1 3 6 E S+ S- E!", "idle", "", None, "key"),
)


def test_stories():
    for script, state, window, throw, sound in STORIES:
        desk = Desk()
        words = script.split()
        desk.play(" ".join(words[:-1]))
        desk.wait(500)
        heard = desk.heard(words[-1])
        found = (desk.state(), desk.seen(), desk.lit(), heard)
        assert found == (state, window, throw, sound), (script, found)


def test_every_throw_lights_as_keyed():
    desk = Desk()
    for number in range(216):
        desk.beeper.bursts = []
        desk.display.log = []
        keys = "%d%d%d" % (number // 36 + 1, number // 6 % 6 + 1, number % 6 + 1)
        desk.play(" ".join(keys) + " E")
        assert desk.lit() == keys
        assert desk.terminal.snapshot() == {
            "state": "result", "digits": keys, "lit": [int(key) for key in keys], "faults": [], "switch": False,
        }  # fmt: skip
        desk.play("E!")
        assert desk.lit() is None and desk.state() == "idle"


def test_lamps_light_with_the_press_and_not_with_the_release():
    desk = Desk()
    desk.play("1 3 6")
    desk.bits = 0x40
    desk.wait(50)
    assert desk.lit() == "136"


def test_end_comes_after_a_second_and_a_half():
    desk = Desk()
    desk.play("1 3 6 E")
    desk.hold("E", 1450)
    assert desk.lit() == "136"
    desk.wait(200)
    assert desk.lit() == "136"
    desk.hold("E", 1550)
    assert desk.lit() is None


def test_an_accepted_press_moves_even_equal_digits():
    desk = Desk()
    desk.play("3 3 3")
    for key in ("3", "E"):
        desk.display.log = []
        desk.play(key)
        assert desk.display.log[-2:] == ["   ", "333"], key
    desk.display.log = []
    desk.play("E")  # refused: nothing moves
    assert set(desk.display.log) <= {"333"}


def test_the_display_is_written_again_though_nothing_changed():
    desk = Desk()
    desk.play("1 3 6 E")
    desk.wait(1000)
    before = desk.display.writes
    desk.wait(5000)
    assert 5 <= desk.display.writes - before <= 20


def test_pending_digits_blink_and_a_settlement_does_not():
    desk = Desk()
    desk.play("1 3 6 E")
    desk.wait(500)
    for pending, blinks in (("", False), ("2 2 5", True)):
        desk.play(pending)
        desk.wait(300)
        texts = []
        for _ in range(400):
            desk.wait(5)
            texts.append(desk.display.text)
        assert ("   " in texts) == blinks
        assert not blinks or 0.3 < texts.count("225") / len(texts) < 0.7


def test_switch_found_on_at_power_up_does_nothing_until_seen_off():
    desk = Desk(bits=0x80)
    assert desk.terminal.snapshot()["switch"]
    desk.play("1 3 6 E")
    assert desk.lit() == "136"
    desk.play("E!")  # would be a test run with the switch on
    assert desk.lit() is None
    desk.play("S- S+ 1!")  # from now on a hold types nothing
    assert desk.seen() == ""


def test_a_press_across_a_turn_of_the_switch_does_nothing():
    desk = Desk()
    desk.play("1 3 6 E")
    desk.bits |= 0x40
    desk.wait(200)
    desk.bits |= 0x80
    desk.wait(2000)
    desk.bits &= ~0x40
    desk.wait(200)
    assert desk.lit() == "136" and desk.state() == "result"
    desk.play("S-")
    assert desk.lit() == "136"


def test_a_press_that_began_with_the_switch_on_ends_nothing():
    desk = Desk()
    desk.play("1 3 6 E S+")
    for key in (0x40, 0x02):
        desk.bits |= 0x80
        desk.wait(200)
        desk.bits |= key
        desk.wait(200)
        desk.bits &= 0x7F
        desk.wait(2000 if key == 0x40 else 200)
        desk.bits &= ~key
        desk.wait(200)
        assert desk.lit() == "136" and desk.seen() == "136"


def test_booting_shows_dashes_and_is_short():
    desk = Desk(settle=False)
    assert desk.state() == "booting"
    desk.wait(30)
    assert desk.display.text == "---" and desk.state() == "booting" and desk.lit() is None
    desk.wait(50)
    assert desk.state() == "idle"


def test_two_presses_around_a_blind_time_never_darken():
    """ENTRY is let go and pressed again while a flash operation blocks everything: that is not a hold."""
    desk = Desk()
    desk.play("1 3 6 E")
    desk.bits |= 0x40
    desk.wait(1300)
    desk.ms += 400  # nobody looked
    desk.wait(1400)
    assert desk.lit() == "136"
    desk.wait(200)
    assert desk.lit() is None
