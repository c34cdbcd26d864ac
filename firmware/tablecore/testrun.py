"""The test run of rule 5.1: every zone one after the other, then throws of the supervisor's choice. Never a game."""

from tablecore import records, tone
from tablecore.keys import ENTRY
from tablecore.view import View
from tablecore.window import Window

ZONE_MS = 500  # each zone of the sweep
BLINK_MS = 500  # a test throw is lit for this long and dark for as long

_WAITING = b"tSt"
_POINTS = 7  # all three: what is shown belongs to a test


class TestRun(View):
    """Sweeps at once. `record(kind, throw, detail=...)` writes to the journal. `faults`: no test is passed while one
    of them blocks. `passed`: the supervisor has confirmed it.
    """

    testing = True

    def __init__(self, frames, record, faults):
        super().__init__()
        self.points = _POINTS
        self.passed = False
        self._frames = frames
        self._record = record
        self._faults = faults
        self._window = Window()
        self._zone = 0  # the one that the sweep lights, 0 = no sweep
        self._swept = False  # a whole sweep has been shown
        self._shown = False  # the window's throw is lit, blinking
        self._thrown = False  # one throw at least has been lit
        self._ms = 0
        self._sweep(1)

    def short(self, key):
        """A digit ends a sweep and goes to the window; ENTRY lights three of them."""
        if key != ENTRY:
            if self._zone or self._shown:
                self._zone = 0
                self._shown = False
                self._window.clear()
                self.light(self._frames.dark)
            self._window.push(key)
            self.chars = self._window.chars
            return tone.KEY
        if self._zone or self._shown or self._window.count < 3:
            return tone.ERROR
        self._shown = self._thrown = True
        self._ms = 0
        self.light(self._frames.throw(self._window))
        self._record(records.TEST, self._window.index(), detail=b"throw")
        return tone.KEY

    def hold(self, key):
        """ENTRY: sweep again if the sweep was broken off, else confirm the test."""
        if key != ENTRY or self._zone:
            return tone.ERROR
        if not self._swept:
            self._shown = False
            self._window.clear()
            self._ms = 0
            self._sweep(1)
            return tone.KEY
        if not self._thrown or self._faults.blocking:
            return tone.ERROR
        self.passed = self.over = True
        self._record(records.TEST, detail=b"passed")
        return tone.DONE

    def step(self, elapsed):
        self._ms += elapsed
        if self._zone and self._ms >= ZONE_MS:
            self._ms -= ZONE_MS
            self._sweep(self._zone + 1)
        elif self._shown and self._ms >= BLINK_MS:
            self._ms -= BLINK_MS
            lit = self.frame is not self._frames.dark
            self.light(self._frames.dark if lit else self._frames.throw(self._window))

    def _sweep(self, zone):
        """Light one zone and show its number; beyond the last one the sweep is over."""
        if zone <= self._frames.zones:
            self._zone = zone
            self.chars = b"%3d" % zone
            self.light(self._frames.zone(zone))
        else:
            self._zone = 0
            self._swept = True
            self.chars = _WAITING
            self.light(self._frames.dark)
