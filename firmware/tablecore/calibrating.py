"""The calibration of the lamps: each zone alone, its current kept as what it takes from then on. Loaded for that only.

A zone whose current is not that of its declared lamps, within their tolerance and half a lamp, ends it: a dark lamp
must not become what is expected. Nothing is kept then.
"""

from tablecore import calibration, records
from tablecore import faults as table
from tablecore.protocol import ProtocolError
from tablecore.view import View

_LATCHED_MS = 20  # the zone is lit by then
# A reading has some 10 mA of noise: the mean of these has a third of one, and the sum of 36 zones 2 mA.
_READINGS = 128
_ROUNDS = 6
_MOST_COUNTS = 0xFFFF


class Calibrating(View):
    """Covers the game while zone after zone is measured. `measured`: counts of
    the zones so far. `bad`: number of the zone that is not as declared, 0 when none is. `check` does not look at the
    lamps meanwhile.
    """

    def __init__(self, terminal):
        super().__init__()
        self.measured = []
        self.bad = 0
        self.share = 0  # what the bad one takes, percent of what is declared
        self._terminal = terminal
        self._check = terminal.check
        self._ms = self._sum = self._rounds = self._off = 0
        terminal.check = None
        self._next()

    @property
    def finished(self):
        return len(self.measured) == self._terminal.frames.zones

    def step(self, elapsed):
        self._ms += elapsed
        if self._terminal.game.lit:
            self.over = True  # somebody plays: the layout is theirs
        if self.over or self._ms < _LATCHED_MS:
            return
        if self._rounds == 0:
            self._off = self._check.flows(self._check.current(False, _READINGS))
        self._sum += self._check.current(True, _READINGS)
        self._rounds += 1
        if self._rounds == _ROUNDS:
            self._keep(min(max(self._sum // _ROUNDS - self._off, 0), _MOST_COUNTS))

    def close(self):
        self._terminal.check = self._check
        return True

    def _keep(self, counts):
        zone = len(self.measured) + 1
        frames = self._terminal.frames
        share = self._check.share(counts, len(frames.lit(frames.zone(zone))))
        if share is not None:
            self.bad = zone
            self.share = share
            self.over = True
            return
        self.measured.append(counts)
        self._sum = self._rounds = 0
        if self.finished:
            self.over = True
        else:
            self._next()

    def _next(self):
        self._ms = 0
        zone = len(self.measured) + 1
        self.chars = b"%3d" % zone
        self.light(self._terminal.frames.zone(zone))


class Calibration:
    """The job behind the verb: `step()` returns None until it returns the reply's fields. ProtocolError "failed"."""

    def __init__(self, terminal, storage):
        if terminal.check is None:
            raise ProtocolError("failed", text="this table has no current sense")
        if table.chain_broken(terminal.faults.codes):
            raise ProtocolError("failed", text="the lamp chain is broken: mend it first")
        if terminal.game.lit:
            raise ProtocolError("failed", text="a result is lit")
        self._terminal = terminal
        self._storage = storage
        self._table = terminal.frames.table
        self._view = Calibrating(terminal)
        terminal.game.supervisor.cover(self._view)

    def step(self):
        view, game = self._view, self._terminal.game
        if game.supervisor.view is view:
            return None
        if view.bad:
            raise ProtocolError(
                "failed", text="area %d takes %d %% of its declared current: mend it first" % (view.bad, view.share)
            )
        if not view.finished:
            raise ProtocolError("failed", text="broken off at the table: nothing has changed")
        try:
            data = calibration.pack(self._table, view.measured)
            self._storage.replace(calibration.PATH, data)
            self._terminal.check.calibration = calibration.load(self._storage, self._table)
        except OSError as error:
            raise ProtocolError("failed", text="cannot be stored (error %d)" % error.errno) from None
        self._terminal.record(records.CONFIG, detail=b"lamps")
        self._terminal.clear(table.CALIBRATION_DAMAGED)
        return {"zones": len(view.measured)}
