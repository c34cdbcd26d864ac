"""The lamps proven by their current, where a sense is fitted: the sum of what is lit, and what flows while nothing is.

Currents are in counts of the converter, 0 to 65535; nothing here needs them in mA. A sample is two readings: with all
outputs off, and with them fully on, each for less than 2 ms, so that brightness does not matter and is not changed for
the eye. What an output that is stuck on carries flows in both. After every change of the lamps, results and the zones
of a sweep alike, SAMPLES samples are taken and judged by their mean, since one sample at the largest result may be off
by half a lamp; from then on only the current with the outputs off is watched.

A sum that is off by half a lamp or more means that a lamp among those lit is dark, which is not known yet; with one
zone lit alone it is known. A zone alone without any current may be a dark lamp or a missing supply: it is named when
another zone shows that there is a supply.
"""

from tablecore import faults as table

SAMPLES = 8
_SAMPLE_MS = 20
_WATCH_MS = 200  # between two readings with the outputs off, when the sum was judged
_END = 65000  # the converter's range ends: more than any lamps take
_MOST_DARK = 3  # zones in a row without current, and it is the supply


class LampCheck:
    """`current(on)` is the driver's reading. `lit(frame)`: numbers of the zones of a frame, each as often as it has
    lamps in it. `lamp`: counts of one lamp as declared; `tolerance`: percent of that, which each may differ.
    `calibration`: two bytes for each zone, its counts as measured, little-endian; None when that was never done.
    """

    def __init__(self, current, lit, lamp, tolerance, calibration, game):
        self.calibration = calibration
        self.good = None  # list of zones that were found good alone, while a re-test wants to know
        self.supplied = False  # there was a current since there was none, or since the start
        self.extra = None  # what flows with the outputs off, 0 when less than half a lamp; None: not known yet
        self.current = current
        self._lit = lit
        self._lamp = lamp
        self._tolerance = tolerance
        self.game = game
        self._zones = ()  # lit now
        self._judged = True  # their sum was
        self._dark = []  # zones that had no current alone, not judged yet
        self._known = {}  # zone with a known fault: what it takes
        self._ms = self._count = self._off = self._on = self._level = 0

    @property
    def settled(self):
        """The lamps that are lit now have been judged."""
        return self._judged

    def lamps(self, frame):
        """The lamps show another frame."""
        self._zones = self._lit(frame)
        self._judged = not self._zones
        self._ms = _SAMPLE_MS
        self._count = self._off = self._on = 0

    def step(self, elapsed):
        """Let `elapsed` ms pass."""
        self._ms -= elapsed
        if self._ms > 0:
            return
        off = self.current(False)
        if abs(off - self._level) > self._lamp // 2:
            self._count = self._off = self._on = 0  # it has changed: a mean over both would be neither
            self._level = off
        self._off += off
        if not self._judged:
            self._on += self.current(True)
        self._ms = _WATCH_MS if self._judged else _SAMPLE_MS
        self._count += 1
        if self._count == SAMPLES:
            self._judge(self._off // SAMPLES, self._on // SAMPLES)
            self._count = self._off = self._on = 0

    def expected(self, zone, lamps):
        """Counts that a zone with so many lamps takes."""
        if self.calibration is None:
            return lamps * self._lamp
        return self.calibration[2 * zone - 2] | self.calibration[2 * zone - 1] << 8

    def flows(self, off):
        """What flows with the outputs off. Below half a lamp it is noise, of which only the upper half shows."""
        return off if off > self._lamp // 2 else 0

    def share(self, counts, lamps):
        """None when counts are what so many lamps take as declared; else the percentage of that which they are."""
        wanted = lamps * self._lamp
        if abs(counts - wanted) <= self._lamp // 2 + wanted * self._tolerance // 100:
            return None
        return counts * 100 // wanted

    def _judge(self, off, on):
        lit = not self._judged
        self._judged = True
        if off > _END or on > _END:
            self.game.fault(table.SENSE_IMPLAUSIBLE)
            return
        off = self.flows(off)
        self._judge_off(off)
        if not lit:
            self._name_dark()
            return
        got = on - off
        zones = set(self._zones)
        if got > self._lamp // 2:
            self.supplied = True
            self._name_dark()
        elif len(zones) > 1 or self._zones[0] not in self._faulty():
            self._no_current(zones)
            return
        if len(zones) == 1:
            self._judge_one(self._zones[0], got)
        else:
            self._judge_sum(zones, got)

    def _judge_off(self, off):
        if self.extra is None or abs(off - self.extra) > self._lamp // 2:
            # At the start it may be the output that is known to be stuck.
            known = self.extra is None and any([code[0] == "H" for code in self.game.faults.codes])
            if off > (self.extra or 0) and not known:
                self.supplied = False
                self.game.fault(table.LAMP_ON)
            self.extra = off

    def _judge_one(self, zone, got):
        """A zone alone, with a current or with a fault that is known."""
        wanted = self.expected(zone, len(self._zones))
        if abs(got - wanted) <= self._margin(wanted):
            self._known.pop(zone, None)
            if self.good is not None:
                self.good.append(zone)
        else:
            self._name(zone, got, got < wanted)

    def _judge_sum(self, zones, got):
        wanted = 0
        for zone in zones:
            if zone in self._known:
                wanted += self._known[zone]
            elif zone in self._faulty():
                return  # what it takes is not known since the start
            else:
                wanted += self.expected(zone, self._zones.count(zone))
        if abs(got - wanted) > self._margin(wanted) and table.LAMP_ON not in self.game.faults.codes:
            self.game.fault(table.LAMP_DARK)

    def _no_current(self, zones):
        if len(zones) == 1:
            self._dark.append(self._zones[0])
        if len(zones) > 1 or len(self._dark) == _MOST_DARK:
            self._dark.clear()
            self.supplied = False
            self.game.fault(table.SENSE_IMPLAUSIBLE if self.extra else table.SUPPLY_MISSING)

    def _name_dark(self):
        """Zones that had no current, now that another one shows whether there is any."""
        for zone in self._dark:
            if self.supplied:
                self._name(zone, 0, True)
        self._dark.clear()

    def _name(self, zone, got, less):
        """A zone alone does not take what it should. When it takes less and an output is stuck on, it is that output:
        what it carries flows anyway.
        """
        self._known[zone] = got
        stuck = less and table.LAMP_ON in self.game.faults.codes
        kind = table.LAMP_ON if stuck else table.LAMP_DARK
        if zone not in self._faulty():
            self.game.fault(table.zone_code(kind, zone))
        self.game.clear(kind)

    def _faulty(self):
        return {table.zone_of(code) for code in self.game.faults.codes}

    def _margin(self, wanted):
        return self._lamp // 2 + (0 if self.calibration else wanted * self._tolerance // 100)
