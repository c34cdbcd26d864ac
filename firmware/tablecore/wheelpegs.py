"""The pegs of the money wheel, from samples of its sensors: how far it has turned, where it stands, what is wrong.

Two sensors see the pegs in quadrature, four quarters to a peg pitch, and A leads B when the wheel turns clockwise. The
driver counts their quarters in hardware: a contact that bounces counts forth and back, so that bounce never adds up. A
third sensor, the index, is active in one quarter of the wheel only. It tells where the wheel stands, and at every pass
whether the count still is what it was: a revolution has 208 quarters.

A place is `sure` when the index has confirmed it and each quarter since then was seen. What could miscount by a peg
unseen, a wheel so fast or a reading so late that quarters passed between two samples, ends that until the next pass.
"""

from tablecore.ticks import diff

# Fault codes: a sensor that is dead or stuck, and what else the index shows.
SENSOR_A, SENSOR_B, SWAPPED, INDEX_MISSING, INDEX_STUCK, MISCOUNTED = ("E91", "E92", "E93", "E94", "E95", "E96")

QUARTERS = 208  # of a revolution: 52 pegs
PITCH = 4

# Bits of the sensors' levels.
A, B, INDEX = 1, 2, 4
_PAIR = A | B

# The quarter of the pitch in which the pair has the levels 0 to 3: clockwise (A, B) is 10, 11, 01, 00.
_QUARTER_OF = b"\x03\x00\x02\x01"
_SWAPPED_QUARTER = 2  # in which the index is active, if A and B are swapped
_SURE_STEP = 2  # quarters between two samples; a miscount takes a peg's four and would show in so few
_INDEX_WIDTH = 2  # quarters further on the index must have gone, bounce at its edges allowed for
_SOONEST_MS = 2  # a sample sooner after the last one could show the same bounce, and the wheel going back

# One sensor alone moves so often within so long: no rocking of a wheel does that, and a turning one moves both.
_LONE = 32
_LONE_MS = 2000
_LONE_DOUBT = 4  # so many may become _LONE: the count is wrong then, but that has another name


class Pegs:
    """`take` samples; then `travel` is how many quarters the wheel has turned since the start, clockwise positive, as
    read at `at` (ms, wrapping), and `moved_at` is when anything moved. `sure`: the place is certain; whoever has a
    reason to doubt it sets it back. `fault`: code of what was found to be wrong with the sensors, None: nothing.
    """

    def __init__(self):
        self.travel = 0
        self.at = self.moved_at = None  # before the first sample
        self._count = 0  # as the driver gave it
        self._levels = 0
        self._clear = False  # nothing moved while the last sample was taken
        self._aligned = False  # travel has been fitted to the levels of a wheel that stood still
        self.forget()

    def forget(self):
        """Nothing is known of the sensors any more: somebody has had them in hand."""
        self.fault = None
        self.sure = False
        self._zero = None  # travel at the index, a multiple of the pitch
        self._index_at = None  # travel where the index became active; None while it is not, or has been for ever
        self._index_zero = None  # travel at its quarter, as it was seen since then
        self._index_gone = False  # it has been inactive
        self._lone = 0  # moves of A alone since B moved; negative: of B alone
        self._lone_at = 0  # when they began
        self._bare = bytearray(QUARTERS // PITCH)  # pegs that were seen without the index since it was seen last
        self._bare_count = 0

    @property
    def place(self):
        """Quarter of the wheel at the indicator, 0 to 207 clockwise from the index; None while it is not sure."""
        return (self.travel - self._zero) % QUARTERS if self.sure else None

    @property
    def quarter(self):
        """Quarter of the peg pitch, 0 to 3, as the levels have it: right also where the place is not known."""
        return _QUARTER_OF[self._levels & _PAIR]

    @property
    def levels(self):
        """A, B and INDEX as they were read last."""
        return self._levels

    def take(self, at, count, before, levels):
        """One sample, read at `at`: the driver's count of quarters (16 bits, wrapping), and the levels before and after
        it was read.
        """
        if self.at is None:
            self._count = count
            self.moved_at = at
        elif diff(at, self.at) < _SOONEST_MS:
            return
        step = (count - self._count + 0x8000 & 0xFFFF) - 0x8000
        self.at = at
        self._count = count
        self.travel += step
        if step:
            self.moved_at = at
        if step > _SURE_STEP or step < -_SURE_STEP:
            self.sure = self._index_gone = False
            self._index_at = None
        after_clear, self._clear = self._clear, before == levels
        if not self._clear:
            return
        moved = levels ^ self._levels
        self._levels = levels
        if moved & _PAIR:
            self.moved_at = at
            self._compare_pair(moved & _PAIR, at)
        still = after_clear and not (step or moved)
        if still:
            self._align()
        if levels & INDEX:
            self._see_index()
        else:
            if self._index_at is not None:
                self._pass_index()
            self._index_gone = True
            if still:
                self._miss_index()

    def _find(self, code):
        self.sure = False
        if self.fault is None:
            self.fault = code

    def _compare_pair(self, moved, at):
        """A sensor that is dead or stuck lets the other move alone."""
        if moved == _PAIR:
            self._lone = 0
            return
        one = 1 if moved == A else -1
        if self._lone * one <= 0 or diff(at, self._lone_at) > _LONE_MS:
            self._lone = 0
            self._lone_at = at
        self._lone += one
        if self._lone * one >= _LONE:
            self._find(SENSOR_B if one > 0 else SENSOR_A)

    def _align(self):
        """The wheel stands still, and the count is to be in the quarter of the pitch that the levels show."""
        off = (self.quarter - self.travel) % PITCH
        if off:
            self.travel += off
            self.sure = False
        self._aligned = True

    def _see_index(self):
        """The index is active."""
        travel = self.travel
        if self._index_at is None:
            self._index_at = travel
            self._index_zero = None
        elif abs(travel - self._index_at) > _INDEX_WIDTH:
            self._find(INDEX_STUCK)
        if travel % PITCH in (0, _SWAPPED_QUARTER):
            self._index_zero = travel

    def _pass_index(self):
        """It has been active, and is not any more: the wheel has passed its quarter."""
        zero = self._index_zero
        self._index_at = None
        if zero is None or not (self._aligned and self._index_gone):
            return  # it was seen at its edges only, or may have been active for ever
        for place in range(len(self._bare)):
            self._bare[place] = 0
        self._bare_count = 0
        if zero % PITCH:
            self._find(SWAPPED)
        elif self._zero is None or (zero - self._zero) % QUARTERS == 0:
            self._zero = zero
            self.sure = self.fault is None
        else:
            self._zero = None
            self.sure = False
            if abs(self._lone) < _LONE_DOUBT:
                self._find(MISCOUNTED)

    def _miss_index(self):
        """A wheel that stands, or turns so slowly that it seems to, shows a quarter without the index. If that has been
        so for every peg there is none.
        """
        if self.travel % PITCH or not self._aligned:
            return
        place = self.travel // PITCH % len(self._bare)
        if not self._bare[place]:
            self._bare[place] = 1
            self._bare_count += 1
            if self._bare_count == len(self._bare):
                self._find(INDEX_MISSING)
