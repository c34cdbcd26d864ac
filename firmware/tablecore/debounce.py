"""Debounce of eight contacts by time-stamped readings.

A level counts once it has been read 3 times in a row and the last reading of the other level lies 20 ms or more back.
At the nominal 5 ms between readings that is 4 readings over 15 ms. At 10 ms between readings it still finds every
contact that is steady for 30 ms, which a press of 40 ms with 10 ms of bounce is. No glitch under 5 ms is taken for a
level, since one gap counts for 10 ms at most. A longer gap (a flash operation blocks everything for up to 400 ms)
counts for 5 ms only, because it proves nothing but its two ends.
"""

_READINGS = 3
_REACH_MS = 20
_QUIET_MS = 10  # open for longer than a bounce lasts: the attempt to close was a glitch
_LONGEST_GAP_MS = 10
_GAP_CREDIT_MS = 5
_FULL = 250  # where the byte counters stop


def credit_of(gap):
    """How many milliseconds the gap between two readings proves."""
    return gap if gap <= _LONGEST_GAP_MS else _GAP_CREDIT_MS


class Debouncer:
    """Settled levels of eight inputs, bit by bit; 1 = closed. Nothing in `settle` allocates."""

    def __init__(self):
        # Closed until proven open: so the first change of each contact is to open, and one that is down at power-up
        # never changes.
        self.down = 0xFF
        self.moving = 0  # inputs with a counter running
        self.age = bytearray(8)  # credited ms since the contact began to close, plus 1; 0 = open; stops at _FULL.
        # It is left standing when an input settles open, for whoever has to judge that press; then `forget_age`.
        # Credited ms, stopping at _FULL:
        self._readings = bytearray(8)  # readings in a row against the settled level (a count)
        self._reach = bytearray(8)  # from the last reading at the settled level
        self._quiet = bytearray(8)  # since the last closed reading

    def settle(self, bits, credit):
        """Take one reading `credit` ms after the last; return the mask of the inputs whose settled level changed."""
        settled = 0
        k = 0
        busy = bits | self.down | self.moving  # any other input is open, as settled, and its counters stand at 0
        while busy:
            if busy & 1 and self._settle(k, bits, credit):
                settled |= 1 << k
            busy >>= 1
            k += 1
        return settled

    def _settle(self, k, bits, credit):
        """Take one reading of one input; True when its settled level changed."""
        bit = 1 << k
        changed = False
        self._trace_closing(k, bits & bit, credit)
        if (bits ^ self.down) & bit:
            changed = self._count_against(k, credit)
            if changed:
                self.down ^= bit
        else:
            self._readings[k] = 0
        if self._readings[k] or self.age[k]:
            self.moving |= bit
        else:
            self.moving &= ~bit
        return changed

    def forget_age(self, k):
        """Input `k` has settled open and its closing has been dealt with."""
        self.age[k] = 0

    def _trace_closing(self, k, closed, credit):
        """Keep the age of the contact: it starts with the first closed reading; bounce keeps it, a glitch does not."""
        age = self.age[k]
        if closed:
            self._quiet[k] = 0
            self.age[k] = min(age + credit, _FULL) if age else 1
        elif age:
            self._quiet[k] = quiet = min(self._quiet[k] + credit, _FULL)
            glitch = quiet >= _QUIET_MS and not self.down & 1 << k
            self.age[k] = 0 if glitch else min(age + credit, _FULL)

    def _count_against(self, k, credit):
        """Count one reading against the settled level; True when the new level is proven."""
        n = self._readings[k]
        self._reach[k] = reach = min(self._reach[k] + credit, _FULL) if n else credit
        n = min(n + 1, _FULL)
        proven = n >= _READINGS and reach >= _REACH_MS
        self._readings[k] = 0 if proven else n
        return proven
