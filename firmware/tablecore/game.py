"""Tai-Sai: the states of a game and the gestures of the dealer. Decides; `app` carries out.

Idle: the window takes digits, ENTRY makes a result of three. Result (`lit`): lamps hold until ENTRY is held; digits go
to a window of their own, of which ENTRY with the key-switch on makes an amendment. A blocking fault refuses digits and
results in either state, but leaves a settlement alone and lets the game be ended (rules 7.3 and 7.4). What is held with
the key-switch on, and what may then cover the game, is in supervisor.py.
"""

from tablecore import faults as fault_table
from tablecore import records
from tablecore.dealing import Dealing
from tablecore.window import Window

_DAY_S = 86400
_NO_DAY = 0


class Game(Dealing):
    """`window`, idle: what is being keyed; lit: the throw being settled, as it was keyed. `pending`: digits keyed while
    lit. `settings`: the document of this unit's settings. `daytime.time()`: Unix seconds, 0 while unknown.
    """

    def __init__(self, faults, journal, settings, daytime):
        window = Window()
        super().__init__(faults, journal, window, Window(), window)
        self._settings = settings
        self._daytime = daytime
        self._tested = None  # day on which the opening test was passed, None: not since the start

    def frame(self, frames):
        """What the lamps show of the result."""
        return frames.throw(self.window)

    def test(self, frames):
        """The test run of rule 5.1."""
        from tablecore.testrun import TestRun

        return TestRun(frames, self.record, self.faults)

    def fail(self, code):
        """A settlement stays. Games have to wait: what was keyed but not entered is dropped, and so is what covers the
        game unless it is the lamps that failed.
        """
        if not fault_table.is_lamp(code):
            self.supervisor.close()
        self.drop_digits()

    def opening_test_passed(self):
        self._tested = self._today()

    def _digit(self, digit):
        (self.pending if self.lit else self.window).push(digit)
        self._keyed()

    def _commit(self):
        if self._test_due():
            self.refuse()
            self.show_test = True
        else:
            # The caller has the lamps follow after this, when the record is written.
            self.lit = self.relit = True
            self.accept()
            self.record(records.RESULT, self.window.index())

    def _amend(self):
        """Rule 7.2: under the key-switch, the three new digits take the place of the throw that is lit."""
        if not self.supervised or self.pending.count < 3 or self.pending.same_dice(self.window):
            self.refuse()
        else:
            self._replace()

    def _test_due(self):
        """The opening test of rule 5.1 has not been passed since the start, or not today."""
        if not self._settings.values["opening_test"]:
            return False
        today = self._today()
        if self._tested == _NO_DAY:
            self._tested = today  # it was passed before the time was known
        return self._tested != today

    def _today(self):
        """Number of the present day of play; _NO_DAY while no time is known."""
        time = self._daytime.time()
        return (time - self._settings.values["day_begins_hour_utc"] * 3600) // _DAY_S if time else _NO_DAY
