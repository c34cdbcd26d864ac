"""The test run of a money wheel: the lamps of every symbol one after the other, then the sensors as they are read."""

from tablecore import records, tone
from tablecore.keys import ENTRY
from tablecore.view import View
from tablecore.wheelpegs import PITCH

ZONE_MS = 500  # each symbol of the sweep
LOWER, HIGHER = 1, 6  # keys

_UNKNOWN = b" --"


class WheelTest(View):
    """Sweeps at once, with the letters on the display. Then it shows the stop at the indicator, 0 to 51, as far as that
    is known, and with the three points the sensors A, B and index. 6 and 1 light one symbol after the other.

    `record(kind, throw, detail=...)` writes to the journal. `faults`: no test is passed while one of them blocks.
    `pegs`: a wheelpegs.Pegs. `passed`: the supervisor has confirmed it.
    """

    testing = True

    def __init__(self, frames, record, faults, pegs):
        super().__init__()
        self.passed = False
        self._frames = frames
        self._record = record
        self._faults = faults
        self._pegs = pegs
        self._zone = 0  # the one that is lit, 0 = none
        self._sweeping = True
        self._swept = False  # a whole sweep has been shown
        self._ms = 0
        self._light(1)

    def short(self, key):
        """1 and 6 light a symbol, and end the sweep; any other key is refused."""
        if key not in (LOWER, HIGHER):
            return tone.ERROR
        self._sweeping = False
        zones = self._frames.zones
        self._light(self._zone % zones + 1 if key == HIGHER else (self._zone - 2) % zones + 1)
        return tone.KEY

    def hold(self, key):
        """ENTRY: sweep again if the sweep was broken off, else confirm the test."""
        if key != ENTRY or self._sweeping:
            return tone.ERROR
        if not self._swept:
            self._sweeping = True
            self._ms = 0
            self._light(1)
            return tone.KEY
        if self._faults.blocking:
            return tone.ERROR
        self.passed = self.over = True
        self._record(records.TEST, detail=b"passed")
        return tone.DONE

    def step(self, elapsed):
        if self._sweeping:
            self._ms += elapsed
            if self._ms >= ZONE_MS:
                self._ms -= ZONE_MS
                self._light(self._zone + 1)
        elif not self._zone:
            place = self._pegs.place
            self.chars = _UNKNOWN if place is None else b"%3d" % (place // PITCH)
            self.points = self._pegs.levels

    def _light(self, zone):
        """Light one symbol; beyond the last one the sweep is over."""
        if zone <= self._frames.zones:
            self._zone = zone
            self.chars = b" %c " % (64 + zone)
            self.points = 7
            self.light(self._frames.zone(zone))
        else:
            self._zone = 0
            self._sweeping = False
            self._swept = True
            self.light(self._frames.dark)
