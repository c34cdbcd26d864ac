"""What a key does that is held while the key-switch is on, and what may then cover the game.

Hold 1: void. 2: the last games. 3: all lamps. 4: versions. 5: brightness. 6: re-test. ENTRY: test run. The game below
is not touched by what covers it, and is seen again when that ends: at the latest when the switch is turned off.

Each of these views is loaded when it is opened and dropped when it is left: all of them take 5 KB.
"""

from tablecore import faults as fault_table
from tablecore import modules, records, tone
from tablecore.keys import ENTRY

# The modules of the views, as one text: a board keeps that in a third of the memory of so many.
_VIEWS = "brightness lampsweep lamptest recall testrun versions wheeltest"

VOID, RECALL, LAMPS, VERSIONS, BRIGHTNESS, RETEST = range(1, 7)

OFFER_MS = 10000  # after a re-test that did not clear everything ENTRY accepts what may be accepted, for so long


class Supervisor:
    """`view` covers the game, None when nothing does. `frames`: what the lamps can show. `recent(count)`: the last
    games, OSError when they cannot be read. `settings`: the document of the settings. `dim(percent)` sets the
    brightness of the lamps. `names`: firmware version, layout, digest of the lamp table.
    """

    def __init__(self, game, frames, recent, settings, dim, names):
        self.view = None
        self._game = game
        self.frames = frames
        self._recent = recent
        self._settings = settings
        self._dim = dim
        self._names = names
        self._offer_ms = 0

    @property
    def testing(self):
        """A test run covers the game."""
        return self.view is not None and self.view.testing

    def short(self, key):
        """Take a short press. False: it is the game's."""
        offered = self._offer_ms > 0
        self._offer_ms = 0
        if self.view is not None:
            self._answer(self.view.short(key))
        elif offered and key == ENTRY:
            self._override()
        else:
            return False
        return True

    def hold(self, key):
        """Take a hold."""
        self._offer_ms = 0
        if self.testing or self.view is not None and key != ENTRY:
            self._answer(self.view.hold(key))
        elif key == VOID:
            self._game.void()
        elif key == RETEST:
            self._game.retest = True
        else:
            self._open(self._view(key))

    def step(self, elapsed):
        """Let `elapsed` ms pass."""
        self._offer_ms = max(self._offer_ms - elapsed, 0)
        if self.view is not None:
            self.view.step(elapsed)
            self._follow()

    def close(self):
        """Leave whatever covers the game."""
        self._offer_ms = 0
        view = self.view
        if view is None:
            return
        self.view = None
        self._game.relit = self._game.relit or view.frame is not None
        if not view.close():
            self._game.refuse()
        modules.drop(*_VIEWS.split())

    def sweep(self, check, done):
        """Have the faults of lamps tested by lighting zones alone; `done()` is called at the end. False when there are
        none that could be.
        """
        codes = self._game.faults.codes
        if check is None or fault_table.chain_broken(codes) or not any([fault_table.is_lamp(code) for code in codes]):
            return False
        from tablecore import lampsweep

        zones = lampsweep.zones_to_test(codes, self.frames.zones)
        self._open(lampsweep.LampSweep(self.frames, check, zones, done))
        return True

    def offer(self):
        """The re-test has left faults: let the supervisor accept them, if they are of the kind that may be."""
        if self._game.faults.acceptable():
            self._offer_ms = OFFER_MS

    def _view(self, key):
        """What a held key opens; None when it cannot be opened now."""
        game = self._game
        if key == VERSIONS:
            from tablecore.versions import Versions

            return Versions(*self._names)
        if key == RECALL:
            from tablecore.recall import DEPTH, Recall

            try:
                games = self._recent(DEPTH)
            except OSError:
                games = None
            return Recall(games) if games else None
        # The others use the lamps; after a break in their chain the settlement's could not be brought back.
        if not self.frames.zones or fault_table.chain_broken(game.faults.codes):
            return None
        if key == LAMPS:
            from tablecore.lamptest import LampTest

            return LampTest(self.frames)
        if key == ENTRY:
            return game.test(self.frames)
        if self._settings.damaged:
            return None  # a change would write over what has to be looked at
        from tablecore.brightness import Brightness

        sample = None if game.lit else self.frames.group(1)[0]
        return Brightness(self._settings, self._dim, sample, game.record)

    def cover(self, view):
        """Have a view cover the game, wherever the key-switch stands."""
        self.close()
        self.view = view
        self._game.drop_digits()
        self._follow()

    def _open(self, view):
        if view is None:
            self._game.refuse()
            return
        self.close()
        self.view = view
        self._answer(tone.KEY)

    def _answer(self, pattern):
        """Play the tone that answers a key, and follow the view."""
        if self.view is None:
            return  # a record could not be written: the fault has closed it and sounds
        if pattern is tone.ERROR:
            self._game.refuse()
        else:
            self._game.accept(pattern)
        self._follow()

    def _follow(self):
        """Do what the view asks for, after a key or with time."""
        view = self.view
        if view.relit:
            view.relit = False
            self._game.relit = True
        if view.over:
            if self.testing and view.passed:
                self._game.opening_test_passed()
            self.close()

    def _override(self):
        """Rule 7.4: go on with known faults. Which of them, is on record."""
        game = self._game
        game.accept(tone.DONE)
        for code in game.faults.accept():
            game.record(records.OVERRIDE, detail=code.encode())
