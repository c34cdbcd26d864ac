"""Random traces of seven bouncing contacts, and what must and must not come of them.

A plain reference model: it knows when each contact closed and opened and judges what a scanner announced. It imports
nothing of the product. Times are in microseconds from the start of the trace.
"""

import random

KEYS = 7
MS = 1000
BOUNCE_US = 10 * MS

# Ways to read the inputs: shortest and longest time between two readings, in microseconds.
CADENCES = ((5000, 5000), (5000, 10000), (1000, 10000), (10000, 10000), (4000, 6500))


class Press:
    """One closing of a contact. `verdict`: must, may or never be announced."""

    def __init__(self, key, down, up, verdict):
        self.key = key
        self.down = down
        self.up = up
        self.verdict = verdict
        self.seen = 0


class Trace:
    def __init__(self):
        self.changes = []  # (time, key, level)
        self.presses = []
        self.chords = []  # (start, end) during which a chord has to be reported
        self.length = 0

    def press(self, key, down, length, verdict):
        up = down + length
        self._bounce(key, down, 1, length)
        self._bounce(key, up, 0, BOUNCE_US)
        self.presses.append(Press(key, down, up, verdict))
        self.length = max(self.length, up)
        return up

    def glitch(self, key, at, level):
        length = random.randint(200, 4900)
        self.changes.append((at, key, level))
        self.changes.append((at + length, key, 1 - level))
        self.length = max(self.length, at + length)

    def _bounce(self, key, at, level, limit):
        """The contact changes at `at` and is steady at most 10 ms later."""
        self.changes.append((at, key, level))
        time = at
        end = at + random.randint(0, min(BOUNCE_US, limit - 1))
        while random.randint(0, 4):
            opened = time + random.randint(50, 4000)
            closed = opened + random.randint(50, 4000)
            if closed >= end:
                break
            self.changes.append((opened, key, 1 - level))
            self.changes.append((closed, key, level))
            time = closed


def _two_keys():
    first = random.randint(0, KEYS - 1)
    return first, (first + random.randint(1, KEYS - 1)) % KEYS


def _clean(trace, at):
    length = random.randint(40, 300) * MS
    key = random.randint(0, KEYS - 1)
    up = trace.press(key, at, length, "must")
    if length >= 120 * MS and not random.randint(0, 2):
        trace.glitch(key, at + random.randint(60 * MS, length - 40 * MS), 0)
    return up


def _short(trace, at):
    return trace.press(random.randint(0, KEYS - 1), at, random.randint(5 * MS, 39 * MS), "may")


def _chord(trace, at):
    """Both close within 10 ms and stay: neither counts."""
    first, second = _two_keys()
    later = at + random.randint(0, 10 * MS)
    up = trace.press(first, at, random.randint(40, 200) * MS, "never")
    up = max(up, trace.press(second, later, random.randint(40, 200) * MS, "never"))
    trace.chords.append((at, up))
    return up


def _second_key(trace, at):
    """A second key while an accepted one is down is ignored."""
    first, second = _two_keys()
    later = at + random.randint(70, 150) * MS
    up = trace.press(first, at, later - at + random.randint(40, 200) * MS, "must")
    return max(up, trace.press(second, later, random.randint(5, 250) * MS, "never"))


def _muddle(trace, at):
    """Two keys in any overlap: each counts once at most."""
    first, second = _two_keys()
    up = trace.press(first, at, random.randint(5, 150) * MS, "may")
    return max(up, trace.press(second, at + random.randint(11, 80) * MS, random.randint(5, 150) * MS, "may"))


_EPISODES = (_clean, _clean, _clean, _short, _chord, _second_key, _muddle)


def random_trace():
    """One to four episodes, each starting 20 ms or more after all contacts opened, and glitches in between."""
    trace = Trace()
    at = random.randint(30 * MS, 60 * MS)
    for _ in range(random.randint(1, 4)):
        before = len(trace.presses)
        end = random.choice(_EPISODES)(trace, at)
        last = [press for press in trace.presses[:before] if press.up + 40 * MS > trace.presses[before].down]
        for press in trace.presses[before:]:
            for earlier in last:
                # The same key again within 40 ms: its contact was not steadily open for 30 ms.
                if earlier.key == press.key:
                    return random_trace()
        at = end + random.randint(20 * MS, 150 * MS)
    _add_glitches(trace, at)
    trace.length += 100 * MS
    trace.changes.sort()
    return trace


def _add_glitches(trace, end):
    """Closures under 5 ms on contacts that are open, well apart from everything else on the same contact."""
    for _ in range(random.randint(0, 4)):
        key = random.randint(0, KEYS - 1)
        at = random.randint(0, end)
        if all([abs(time - at) > 25 * MS for time, k, _ in trace.changes if k == key]) and not any(
            [press.key == key and press.down <= at <= press.up for press in trace.presses]
        ):
            trace.glitch(key, at, 1)


def readings(trace):
    """(time, contact bits) as one of the cadences finds them."""
    shortest, longest = random.choice(CADENCES)
    time = random.randint(0, longest)
    place = 0
    bits = 0
    changes = trace.changes
    while time < trace.length:
        while place < len(changes) and changes[place][0] <= time:
            _, key, level = changes[place]
            bits = bits | 1 << key if level else bits & ~(1 << key)
            place += 1
        yield time, bits
        time += random.randint(shortest, longest)


def complaint(trace, announced, hole=(0, 0)):
    """What is wrong with the announced presses [(key index, time)], or None. Nothing is read in `hole` (start, end)."""
    for key, time in announced:
        # A press may be announced when its contact is open again, but not long after; the hole does not count.
        heard = hole[0] if hole[0] <= time < hole[1] + 60 * MS else time
        found = [p for p in trace.presses if p.key == key and p.down <= time and heard <= p.up + 60 * MS]
        if not found:
            return "a press that the trace does not contain: key %d at %d us" % (key, time)
        found[-1].seen += 1
    for press in trace.presses:
        if press.seen > 1:
            return "one press announced %d times: key %d at %d us" % (press.seen, press.key, press.down)
        if press.verdict == "must" and not press.seen:
            return "a press was missed: key %d at %d us for %d us" % (press.key, press.down, press.up - press.down)
        if press.verdict == "never" and press.seen:
            return "a press counts that must not: key %d at %d us" % (press.key, press.down)
    return None
