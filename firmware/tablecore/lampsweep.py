"""The lamps' part of a re-test: zones alone, one after the other, as fast as their currents can be judged."""

from tablecore import faults as table
from tablecore.view import View

_LATCHED_MS = 20  # the zone is lit by then
_DARK_MS = 2000  # time to judge what flows while nothing is lit


def zones_to_test(codes, count):
    """Numbers of the zones that have to be lit: those that the codes of lamps name, or all when one is not named."""
    zones = [table.zone_of(code) for code in codes if table.is_lamp(code)]
    return list(range(1, count + 1)) if 0 in zones else zones


class LampSweep(View):
    """`done()` is called after the last zone, unless the sweep was left before."""

    def __init__(self, frames, check, zones, done):
        super().__init__()
        self._frames = frames
        self._check = check
        self._zones = zones
        self._done = done
        self._place = -1
        self._ms = 0
        self._finished = False
        check.good = []
        self._next()

    def step(self, elapsed):
        self._ms += elapsed
        if self._place == len(self._zones):
            self.over = self._finished = self._ms >= _DARK_MS
        elif self._ms >= _LATCHED_MS and self._check.settled:
            self._next()

    def close(self):
        if self._finished:
            self._clear()
            self._done()
        self._check.good = None
        return True

    def _next(self):
        self._ms = 0
        self._place += 1
        if self._place < len(self._zones):
            zone = self._zones[self._place]
            self.chars = b"%3d" % zone
            self.light(self._frames.zone(zone))
        else:
            self.chars = b"---"
            self.light(self._frames.dark)

    def _clear(self):
        """Clear the faults of lamps that the sweep did not find again."""
        check = self._check
        game = check.game
        for code in list(game.faults.codes):
            zone = table.zone_of(code)
            if zone:
                gone = zone in check.good
            elif code == table.LAMP_ON:
                gone = not check.extra
            else:
                gone = table.is_lamp(code) and check.supplied
            if gone:
                game.clear(code)
