"""Seven keys and the key-switch: from sampled levels to presses, releases, holds, chords and stuck keys.

Bits of a sample: 0..5 = keys 1..6, 6 = ENTRY, 7 = supervisor key-switch; 1 = closed. Key numbers in events: 1..6,
ENTRY = 7.

A press is announced only when no other key went down near it. The window for "near" is CHORD_MS between the first
closed readings: two contacts that close 10 ms apart, with 10 ms of bounce and 10 ms between readings, are seen to
close within 30 ms.
"""

from tablecore.debounce import Debouncer, credit_of
from tablecore.ticks import diff

ENTRY = 7
KEYS = 0x7F  # the keys in a sample

# Events: kind in the high nibble, key number in the low one (SWITCH: 1 = on, 0 = off).
PRESS = 0x10
RELEASE = 0x20
HOLD = 0x30  # the pressed key has been down for HOLD_MS; its RELEASE still follows
CHORD = 0x40  # two keys went down together, neither counts; key number 0
STUCK = 0x50  # down at power-up or for STUCK_MS; no RELEASE follows
SWITCH = 0x60  # every change of the key-switch, and once its position at power-up
LOST_KEY = 0x70  # 1 and 6 held since power-up for LOST_KEY_MS with the switch on, and no other key

SAMPLE_MS = 5  # between two readings; late ones are allowed for
HOLD_MS = 1500
STUCK_MS = 10000
LOST_KEY_MS = 3000
CHORD_MS = 30

_RIVAL_MS = 70  # CHORD_MS and 40 ms more: by then every true second press has been settled
_START_MS = 50  # an input must have been read as open within this time of power-up
_BLIND_MS = 50  # a release and a second press could hide in a longer gap between readings

_SWITCH = 0x80
_SWITCH_INPUT = 7  # its bit, counted as the keys are: 0 to 6
_LOST_KEY = 0xA1  # keys 1 and 6 and the switch


class KeyScanner:
    """`sample()` fills `events`; the caller takes them before the next sample. Nothing in it allocates."""

    def __init__(self, now):
        self.events = bytearray(24)  # at most 2 for each of the 8 inputs, and one press, hold or chord more
        self.count = 0
        self.stuck = 0  # mask of stuck keys; a bit goes when its key has opened
        self.ready = False  # the start-up reading is over
        self._contacts = Debouncer()
        self._last = now
        self._start_ms = 0
        self._known = 0  # inputs that have been settled open, and after the start-up all
        self._active = 0  # number of the key whose press was announced
        self._candidate = 0  # number of the key that is down but might still be half of a chord
        self._spoilt = 0  # keys whose present closing belongs to a chord that was already refused
        self._hold_ms = 0
        self._held = False
        self._down_ms = [0] * 7  # how long each key has been settled closed, real ms
        self._lost_key_ms = -1  # how long the lost-key gesture has lasted; -1: it was not begun, or is over

    def sample(self, now, bits):
        """Take one reading of all inputs at `now`; return how many `events` it produced."""
        self.count = 0
        gap = diff(now, self._last)
        if gap <= 0:
            return 0  # a second reading in the same millisecond proves nothing
        self._last = now
        contacts = self._contacts
        if self.ready and bits == contacts.down and not contacts.moving:
            return 0
        credit = credit_of(gap)
        settled = contacts.settle(bits, credit)
        self._spoilt &= contacts.moving
        self._opened(settled & ~contacts.down)
        if self._active:
            self._time_hold(bits, gap)
        self._closed(settled & contacts.down, bits)
        if self._candidate:
            self._announce()
        self._time_stuck(bits, gap)
        if self._lost_key_ms >= 0:
            self._time_lost_key(credit)
        if not self.ready:
            self._start_up(credit)
        return self.count

    def _emit(self, event):
        self.events[self.count] = event
        self.count += 1

    def _opened(self, mask):
        """Inputs that have just settled open."""
        for k in range(8):
            if not mask & 1 << k:
                continue
            if k == _SWITCH_INPUT:
                self._emit(SWITCH)
            elif self.stuck & 1 << k:
                self.stuck &= ~(1 << k)
            elif k + 1 == self._active:
                self._active = 0
                self._emit(RELEASE | (k + 1))
            elif k + 1 == self._candidate:
                self._finish_short_press(k)
            self._contacts.forget_age(k)
        self._known |= mask

    def _finish_short_press(self, k):
        """The candidate is up again before it was announced."""
        self._spoilt |= self._rivals()
        if self._spoilt:
            self._candidate = 0
            self._emit(CHORD)
        elif self._others(k):
            self._candidate = 0
        else:
            self._press()
            self._active = 0
            self._emit(RELEASE | (k + 1))

    def _closed(self, mask, bits):
        """Inputs that have just settled closed."""
        earlier = self._contacts.down & ~mask & ~self.stuck & KEYS
        for k in range(8):
            if not mask & 1 << k:
                continue
            if k == _SWITCH_INPUT:
                self._emit(SWITCH | 1)
                continue
            self._down_ms[k] = 0
            if self._candidate:
                self._second_key(k, earlier)
            elif not (earlier & bits or self._spoilt & 1 << k):
                # Keys that were down earlier all read open now: it counts if they settle open (`_announce`).
                self._candidate = k + 1
            earlier |= 1 << k

    def _second_key(self, k, earlier):
        """A key closed beside the candidate. It never counts; the candidate does, unless they closed together."""
        candidate = self._candidate - 1
        if -CHORD_MS <= self._contacts.age[k] - self._contacts.age[candidate] <= CHORD_MS:
            self._candidate = 0
            self._emit(CHORD)
        elif earlier & ~(1 << candidate):
            self._candidate = 0  # a third key is down: ignored until all are released
        else:
            self._press()

    def _others(self, k):
        """The other keys that are down."""
        return self._contacts.down & ~self.stuck & ~(1 << k) & KEYS

    def _rivals(self):
        """Keys that began to close near the candidate and are not decided yet."""
        mine = self._contacts.age[self._candidate - 1]
        if mine > _RIVAL_MS:
            return 0
        rivals = 0
        for k in range(7):
            age = self._contacts.age[k]
            if age and age + CHORD_MS >= mine and not self._contacts.down & 1 << k:
                rivals |= 1 << k
        return rivals & ~(1 << (self._candidate - 1))

    def _announce(self):
        age = self._contacts.age[self._candidate - 1]
        if self._others(self._candidate - 1):
            if age > _RIVAL_MS:
                self._candidate = 0  # a second key while another is down
        elif age > CHORD_MS and not self._rivals():
            self._press()

    def _press(self):
        self._active = self._candidate
        self._candidate = 0
        self._hold_ms = self._contacts.age[self._active - 1]
        self._held = False
        self._emit(PRESS | self._active)

    def _time_hold(self, bits, gap):
        if self._held or not bits & 1 << (self._active - 1):
            return
        if gap > _BLIND_MS:
            self._hold_ms = 0  # two presses must never pass for a hold, for a hold darkens the layout
            return
        self._hold_ms += gap
        if self._hold_ms >= HOLD_MS:
            self._held = True
            self._emit(HOLD | self._active)

    def _time_stuck(self, bits, gap):
        suspects = self._known & self._contacts.down & bits & ~self.stuck & KEYS
        if not suspects:
            return
        for k in range(7):
            if suspects & 1 << k:
                self._down_ms[k] += gap
                if self._down_ms[k] >= STUCK_MS:
                    self._mark_stuck(k)

    def _mark_stuck(self, k):
        self.stuck |= 1 << k
        if self._active == k + 1:
            self._active = 0
        self._emit(STUCK | (k + 1))

    def _time_lost_key(self, credit):
        if self._contacts.down != _LOST_KEY:
            self._lost_key_ms = -1
            return
        self._lost_key_ms += credit
        if self._lost_key_ms >= LOST_KEY_MS:
            self._lost_key_ms = -1
            self._emit(LOST_KEY)

    def _start_up(self, credit):
        """After the start-up time a key that never opened is stuck, and the switch tells where it stands.

        The two keys of the lost-key gesture become stuck only as any key does that is down for too long.
        """
        self._start_ms += credit
        if self._start_ms < _START_MS:
            return
        self.ready = True
        if self._known == _LOST_KEY ^ 0xFF:
            self._lost_key_ms = self._start_ms
        else:
            for k in range(7):
                if not self._known & 1 << k:
                    self._mark_stuck(k)
        if not self._known & _SWITCH:
            self._emit(SWITCH | 1)
        self._known = 0xFF
