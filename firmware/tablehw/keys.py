"""The seven dealer keys and the supervisor key-switch: direct inputs to ground with pull-ups, read by a timer.

The timer interrupts whatever the main loop does, so that a collection of garbage, the link or a refresh of the lamps
delays a reading's evaluation, but never the reading. Only a flash operation stops the readings: it blocks interrupts.
"""

from array import array
from time import ticks_ms

from machine import Pin, Timer

from tablecore.keys import SAMPLE_MS

_SLOTS = 64  # 320 ms of readings; a power of two, which divides the range of the counters
_COUNT = 0xFFFF  # the counters wrap: an integer beyond 2^30 would be an object, which an interrupt may not make


class Keys:
    """Every contact's level, bounce still in it, each SAMPLE_MS with the time of the reading.

    `keys` are the GPIO numbers of keys 1 to 6 and ENTRY, `switch` that of the key-switch. After `take` has returned
    True, `at` (ms as time.ticks_ms) and `bits` are the reading: 1 = pressed or on, bits 0 to 5 are keys 1 to 6, bit 6
    is ENTRY, bit 7 the key-switch.
    """

    def __init__(self, keys, switch):
        self.at = 0
        self.bits = 0
        self._pins = tuple([Pin(number, Pin.IN, Pin.PULL_UP) for number in list(keys) + [switch]])
        self._times = array("i", [0] * _SLOTS)
        self._levels = bytearray(_SLOTS)
        self._made = 0  # readings so far; only the interrupt changes it
        self._taken = 0  # up to which reading; only the main loop changes it
        self._last = -1
        self._timer = None

    def start(self):
        """Begin to read; `at` is now. Where the port has hard interrupts, no collection delays them."""
        self.at = ticks_ms()
        try:
            self._timer = Timer(-1, period=SAMPLE_MS, callback=self._sample, hard=True)  # the RP2040
        except ValueError:  # the ESP32: numbered timers, whose callbacks run between two bytecodes
            self._timer = Timer(0, period=SAMPLE_MS, callback=self._sample)

    def stop(self):
        """Read no more."""
        self._timer.deinit()

    def waiting(self):
        """How many readings have not been taken."""
        return self._made - self._taken & _COUNT

    def take(self):
        """Get the next reading, oldest first, into `at` and `bits`; False when there is none.

        Readings that found no room have pushed out the oldest; then there is a gap in `at`, as after a flash operation.
        """
        if self._made == self._taken:
            return False
        while True:
            slot = self._taken & _SLOTS - 1
            self.at = self._times[slot]
            self.bits = self._levels[slot]
            if self.waiting() <= _SLOTS:  # else it was pushed out, perhaps while it was being copied
                break
            self._taken = self._made - _SLOTS & _COUNT
        self._taken = self._taken + 1 & _COUNT
        return True

    def _sample(self, timer):
        """The interrupt. Nothing in it may allocate, nor wait.

        After a flash operation the RP2040 port makes up for every call that was due; they come within one millisecond,
        where a second reading proves nothing.
        """
        now = ticks_ms()
        if now != self._last:
            self._last = now
            slot = self._made & _SLOTS - 1
            self._times[slot] = now
            self._levels[slot] = self._read()
            self._made = self._made + 1 & _COUNT

    def _read(self):
        bits = 0
        mask = 1
        for pin in self._pins:
            if not pin():
                bits |= mask
            mask <<= 1
        return bits
