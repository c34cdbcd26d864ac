"""Contact times in, scanner events out: debounce, chords, one key at a time, holds, stuck keys, the switch."""

from tablecore import keys
from tablecore.ticks import PERIOD

START = PERIOD - 50
NAMES = {keys.PRESS: "press", keys.RELEASE: "release", keys.HOLD: "hold", keys.CHORD: "chord", keys.STUCK: "stuck"}
E = 0x40
SWITCH = 0x80

# (what, [(milliseconds, contacts)], events)
GESTURES = (
    ("a press of 40 ms", [(40, 1), (100, 0)], "press 1, release 1"),
    ("every key", [(60, 2), (90, 0), (60, 32), (90, 0), (60, E), (90, 0)],
     "press 2, release 2, press 6, release 6, press 7, release 7"),
    ("a glitch of 5 ms", [(5, 1), (100, 0)], ""),
    ("a glitch of 10 ms", [(10, 1), (100, 0)], ""),
    ("15 ms", [(15, 1), (100, 0)], ""),
    ("three glitches", [(5, 1), (5, 0), (5, 1), (5, 0), (5, 1), (100, 0)], ""),
    ("bounce of 10 ms", [(5, 1), (5, 0), (40, 1), (5, 0), (5, 1), (100, 0)], "press 1, release 1"),
    ("a dropout while down", [(200, 1), (5, 0), (200, 1), (100, 0)], "press 1, release 1"),
    ("the same key twice", [(60, 4), (60, 0), (60, 4), (100, 0)], "press 3, release 3, press 3, release 3"),
    ("both at once", [(100, 3), (100, 0)], "chord"),
    ("10 ms apart", [(10, 1), (100, 3), (100, 0)], "chord"),
    ("25 ms apart", [(25, 1), (100, 3), (100, 0)], "chord"),
    ("a short and a long key at once", [(25, 3), (100, 1), (100, 0)], "chord"),
    ("the shorter half is up before the bouncing half is settled", [(10, 1), (15, 3), (5, 0), (100, 2), (100, 0)],
     "chord"),
    ("the same key at once again, with another", [(60, 1), (20, 0), (10, 1), (60, 3), (100, 0)],
     "press 1, release 1, chord"),
    ("three at once", [(100, 7), (100, 0)], "chord"),
    ("third key after a chord", [(100, 3), (100, 7), (100, 4), (100, 0)], "chord"),
    ("a key again while the other half of a chord is down", [(100, 3), (100, 1), (100, 3), (100, 0)], "chord"),
    ("a chord, then a press", [(100, 3), (50, 0), (60, 4), (100, 0)], "chord, press 3, release 3"),
    ("a second key", [(80, 1), (100, 3), (60, 1), (100, 0)], "press 1, release 1"),
    ("a second key that stays", [(80, 1), (100, 3), (200, 2), (100, 0)], "press 1, release 1"),
    ("a third key while the ignored one stays", [(80, 1), (100, 3), (100, 2), (100, 6), (100, 0)],
     "press 1, release 1"),
    ("ignored, released, pressed again", [(80, 1), (100, 3), (100, 0), (60, 2), (100, 0)],
     "press 1, release 1, press 2, release 2"),
    ("20 ms after another key", [(60, 1), (20, 0), (40, 2), (100, 0)], "press 1, release 1, press 2, release 2"),
    ("a glitch of another key", [(10, 1), (5, 3), (60, 1), (100, 0)], "press 1, release 1"),
    ("a glitch of the key just released", [(60, 1), (15, 0), (5, 1), (40, 2), (100, 0)],
     "press 1, release 1, press 2, release 2"),
    ("a glitch just before", [(5, 1), (10, 0), (40, 1), (100, 0)], "press 1, release 1"),
    ("just under a hold", [(1490, E), (100, 0)], "press 7, release 7"),
    ("a hold", [(1510, E), (100, 0)], "press 7, hold 7, release 7"),
    ("a long hold is one", [(9000, E), (100, 0)], "press 7, hold 7, release 7"),
    ("down for 10 s", [(10100, 2), (100, 0)], "press 2, hold 2, stuck 2"),
    ("a stuck key does not block the others", [(10100, 2), (60, 6), (100, 2), (100, 0)],
     "press 2, hold 2, stuck 2, press 3, release 3"),
    ("an ignored key gets stuck too", [(80, 1), (100, 3), (10100, 2), (100, 0)], "press 1, release 1, stuck 2"),
    ("a stuck key that came free is a key again", [(10100, 2), (100, 0), (60, 2), (100, 0)],
     "press 2, hold 2, stuck 2, press 2, release 2"),
    ("the switch", [(200, SWITCH), (200, 0)], "on, off"),
    ("a glitch of the switch", [(10, SWITCH), (200, 0)], ""),
    ("the switch is no second key", [(100, SWITCH), (60, SWITCH | 1), (100, SWITCH)], "on, press 1, release 1"),
    ("the switch during a press", [(100, 1), (100, SWITCH | 1), (100, SWITCH)], "press 1, on, release 1"),
)  # fmt: skip


class Clock:
    def __init__(self):
        self.now = START
        self.scanner = keys.KeyScanner(START)

    def feed(self, steps):
        found = []
        for length, bits in steps:
            for _ in range(length // 5):
                self.now = (self.now + 5) % PERIOD
                for i in range(self.scanner.sample(self.now, bits)):
                    found.append(name(self.scanner.events[i]))
        return ", ".join(found)


def name(event):
    kind = event & 0xF0
    if kind == keys.SWITCH:
        return "on" if event & 1 else "off"
    return (NAMES[kind] + " %d" % (event & 0x0F)) if event & 0x0F else NAMES[kind]


def test_gestures():
    for what, steps, events in GESTURES:
        clock = Clock()
        assert clock.feed([(60, 0)]) == "off", what
        found = clock.feed(steps)
        assert found == events, (what, found)


def test_readings_at_irregular_times():
    """(what, [(milliseconds since the last reading, contacts)], events), then open."""
    for what, steps, events in (
        ("two glitches 10 ms apart", [(10, 1), (10, 1)], ""),
        ("slow readings", [(10, 1), (10, 1), (10, 1)], "press 1, release 1"),
        ("glitches on both ends of a hole", [(5, 1), (400, 1), (1, 1), (3, 1)], ""),
        ("a press that outlasts a hole", [(400, 1), (5, 1), (5, 1), (5, 1), (5, 1), (5, 1)], "press 1, release 1"),
        ("a release inside a hole", [(10, 1)] * 5 + [(400, 0)], "press 1, release 1"),
        ("another key inside a hole", [(10, 1)] * 5 + [(400, 2)] + [(5, 2)] * 5,
         "press 1, release 1, press 2, release 2"),
        ("always late", [(20, 1)] * 5, "press 1, release 1"),
    ):  # fmt: skip
        clock = Clock()
        clock.feed([(60, 0)])
        found = []
        for gap, bits in steps:
            clock.now = (clock.now + gap) % PERIOD
            for i in range(clock.scanner.sample(clock.now, bits)):
                found.append(name(clock.scanner.events[i]))
        rest = clock.feed([(200, 0)])
        found = ", ".join(found + ([rest] if rest else []))
        assert found == events, (what, found)


def test_every_key_has_its_number():
    for key in range(1, 8):
        clock = Clock()
        clock.feed([(60, 0)])
        assert clock.feed([(60, 1 << (key - 1)), (60, 0)]) == "press %d, release %d" % (key, key)


def test_power_up():
    for bits, events in ((0, "off"), (SWITCH, "on"), (4, "off, stuck 3"), (SWITCH | E | 1, "stuck 1, stuck 7, on")):
        clock = Clock()
        found = clock.feed([(200, bits)])
        assert found == events, (bits, found)
        assert clock.scanner.ready
        assert clock.scanner.stuck == bits & 0x7F
        clock.feed([(100, bits & SWITCH)])
        assert clock.scanner.stuck == 0


def test_press_is_announced_within_40_ms():
    clock = Clock()
    clock.feed([(60, 0)])
    assert clock.feed([(40, 1)]) == "press 1"


def test_hold_time_runs_from_the_contact():
    clock = Clock()
    clock.feed([(60, 0)])
    assert clock.feed([(1495, E)]) == "press 7"
    assert clock.feed([(10, E)]) == "hold 7"


def test_days_without_a_key_change_nothing():
    """The clock wraps many times; idle time is sampled rarely here, which the scanner takes as holes."""
    clock = Clock()
    clock.feed([(60, 0)])
    for _ in range(40):
        clock.now = (clock.now + (1 << 28)) % PERIOD
        assert clock.scanner.sample(clock.now, 0) == 0
    assert clock.feed([(60, 1), (100, 0)]) == "press 1, release 1"


def test_two_readings_in_one_millisecond_count_as_one():
    clock = Clock()
    clock.feed([(60, 0)])
    clock.now = (clock.now + 1) % PERIOD
    for _ in range(100):
        assert clock.scanner.sample(clock.now, 1) == 0
    assert clock.feed([(100, 0)]) == ""
