"""Random bouncing contacts: no press is invented, no clean press is missed, also around a hole of 400 ms."""

import random

import campaign
from key_traces import MS, Trace, complaint, random_trace, readings

from tablecore import keys
from tablecore.ticks import PERIOD

START = PERIOD - 50


def scanner_at(now):
    """A scanner whose start-up is over, and the time after it."""
    scanner = keys.KeyScanner(now)
    while not scanner.ready:
        now = (now + 5) % PERIOD
        scanner.sample(now, 0)
    return scanner, now


def announce(scanner, base, steps):
    """Feed (time in us, bits); return the presses as (key index, time) and the times of the chords."""
    presses = []
    chords = []
    down = 0
    for time, bits in steps:
        for i in range(scanner.sample((base + time // MS) % PERIOD, bits)):
            kind = scanner.events[i] & 0xF0
            key = scanner.events[i] & 0x0F
            if kind == keys.PRESS:
                assert not down, "a second press before the release of the first"
                down = key
                presses.append((key - 1, time))
            elif kind == keys.RELEASE:
                assert down == key, "a release without its press"
                down = 0
            elif kind == keys.CHORD:
                chords.append(time)
            else:
                raise AssertionError("unexpected event %x" % scanner.events[i])
    assert not down, "a press without its release"
    return presses, chords


def test_traces_campaign():
    scanner, base = scanner_at(START)
    announced = 0
    must = 0
    for number in range(campaign.size(100000)):
        random.seed(number)
        trace = random_trace()
        presses, chords = announce(scanner, base, readings(trace))
        wrong = complaint(trace, presses)
        assert wrong is None, "trace %d: %s" % (number, wrong)
        for start, end in trace.chords:
            assert any([start <= time <= end for time in chords]), "trace %d: chord not reported" % number
        base = (base + trace.length // MS + 1) % PERIOD
        announced += len(presses)
        must += len([press for press in trace.presses if press.verdict == "must"])
    # The campaign means something only when it is full of presses.
    assert announced >= must > campaign.size(100000)


def test_holes_campaign():
    """400 ms without a reading: what is still down 25 ms later is seen, nothing is invented, nothing sticks."""
    scanner, base = scanner_at(START)
    seen = 0
    for number in range(campaign.size(20000)):
        random.seed(number)
        hole = random.randint(100, 300) * MS
        end = hole + 400 * MS
        trace = Trace()
        down = random.randint(hole - 100 * MS, end - 1)
        first, second = random.choice(((0, 3), (2, 6), (6, 1)))
        length = random.randint(40, 700) * MS
        up = down + length
        # The last bounce of a contact that closed late in the hole ends within 10 ms after it.
        in_time = up >= end + 25 * MS and up >= down + 40 * MS
        before = min(up, hole) - down >= 45 * MS
        trace.press(first, down, length, "must" if in_time or before else "may")
        if up + 20 * MS < end - 20 * MS and before and random.randint(0, 1):
            # Another key, pressed while nobody was looking and still down afterwards.
            later = random.randint(up + 20 * MS, end - 10 * MS)
            trace.press(second, later, end - later + random.randint(26, 200) * MS, "must")
        trace.press(4, max(trace.length, end) + random.randint(40, 100) * MS, 60 * MS, "must")
        trace.length = max(trace.length, end) + 100 * MS
        trace.changes.sort()
        steps = [(t, b) for t, b in every_5_ms(trace) if not hole <= t < end]
        presses, _ = announce(scanner, base, steps)
        wrong = complaint(trace, presses, (hole, end))
        assert wrong is None, "trace %d: %s" % (number, wrong)
        base = (base + trace.length // MS + 1) % PERIOD
        seen += len(presses)
    assert seen > campaign.size(20000)


def every_5_ms(trace):
    place = 0
    bits = 0
    for time in range(0, trace.length, 5 * MS):
        while place < len(trace.changes) and trace.changes[place][0] <= time:
            _, key, level = trace.changes[place]
            bits = bits | 1 << key if level else bits & ~(1 << key)
            place += 1
        yield time, bits


def test_the_reference_can_complain():
    """A model that finds every scanner right proves nothing."""
    trace = Trace()
    trace.press(2, 100 * MS, 60 * MS, "must")
    assert "missed" in complaint(trace, [])
    trace.presses[0].seen = 0
    assert "not contain" in complaint(trace, [(3, 130 * MS)])
    trace.presses[0].seen = 0
    assert "2 times" in complaint(trace, [(2, 130 * MS), (2, 150 * MS)])
    trace.presses[0].seen = 0
    assert complaint(trace, [(2, 130 * MS)]) is None
    trace.presses[0].verdict = "never"
    trace.presses[0].seen = 0
    assert "must not" in complaint(trace, [(2, 130 * MS)])
