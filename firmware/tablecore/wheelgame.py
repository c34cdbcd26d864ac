"""The money wheel (Division 10): what the wheel's sensors and the dealer's keys make of a game. Decides; `app` carries
out.

The wheel decides and the electronics only help (rule 5.5). A wheel that has come to rest after a valid spin offers its
symbol, blinking; ENTRY confirms it, and its areas light. 1 and 6 go to another letter, also where there are no sensors
or where they cannot tell. A spin that was none shows why and is on record as void. A wheel that is thrown again ends
the game before. Any fault that would make games wait at Tai-Sai turns all of it off here, and the game goes on without
(rule 5.6).
"""

import struct

from tablecore import records, tone, wheelspin
from tablecore.dealing import FULL, Dealing
from tablecore.wheelpegs import PITCH, QUARTERS, Pegs

SYMBOLS = 7  # A to G
NO_COUNTER = "E97"  # fault: this MicroPython cannot count the pegs
LOWER, HIGHER = 1, 6  # keys

# What the display shows of each verdict of wheelspin: no spin, and why. Of a good spin it shows the letter.
_SHOWN = (b"   ", b"n-r", b"n-b", b"n-H", b"n-F", b"n-P", b"---")
_LETTER = b" %c "
_NO_STOP = 255

# Detail of a result and of a void: verdict, stop, net quarters, and the evidence of the verdict.
_DETAIL = "<BBHHH"
_MOST = 0xFFFF


class Letter:
    """A symbol, A to G, or nothing, or another short text, as the display shows it; `count` is FULL for a symbol."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.show(b"   ")

    def show(self, chars):
        """Three characters that are no symbol."""
        self.chars = chars
        self.count = 0
        self.symbol = None

    def put(self, symbol):
        """A symbol, 0 to 6."""
        self.chars = _LETTER % (65 + symbol)
        self.count = FULL
        self.symbol = symbol

    def take(self, throw):
        """Show the symbol of a record. False: it has none."""
        if not 0 <= throw - records.SYMBOL_A < SYMBOLS:
            return False
        self.put(throw - records.SYMBOL_A)
        return True

    def index(self):
        """The symbol as a record has it."""
        return records.SYMBOL_A + self.symbol

    def dice(self):
        """What the link tells of a result."""
        return (self.text(),)

    def text(self):
        return self.chars.decode().strip()


class WheelGame(Dealing):
    """`sensors.read()` takes a sample and leaves it in `at`, `count`, `before` and `levels`, as wheelpegs.Pegs takes
    them; None: there are no sensors. `spin`: a wheelspin.Spin.
    """

    def __init__(self, faults, journal, sensors, spin):
        pending = Letter()
        super().__init__(faults, journal, Letter(), pending, pending)
        self.pegs = Pegs()
        self._sensors = sensors
        self.spin = spin
        self.verdict = None  # of the last spin, were it in a test run
        self._sensed = None  # the symbol that the sensors have offered for the game
        self._detail = b""  # of the last spin, until it is on record
        self.turning = False  # a spin is under way, and is shown
        self._voided = False  # and is void already

    @property
    def off(self):
        """Rule 5.6."""
        return self.faults.blocking

    def frame(self, frames):
        """What the lamps show of the result."""
        return frames.zone(self.window.symbol + 1)

    def test(self, frames):
        """The test run."""
        from tablecore.wheeltest import WheelTest

        return WheelTest(frames, self.record, self.faults, self.pegs)

    def step(self, elapsed):
        """Let `elapsed` ms pass, and look at the wheel."""
        super().step(elapsed)
        sensors = self._sensors
        if sensors is None:
            return
        sensors.read()
        pegs = self.pegs
        pegs.take(sensors.at, sensors.count, sensors.before, sensors.levels)
        if pegs.fault is not None:
            self.fault(pegs.fault)
        verdict = self.spin.step(pegs)
        if verdict is not None:
            self.verdict = verdict
        if self.off or self.supervisor.testing:
            if self.turning:
                self.turning = False
                self.drop_digits()
        elif verdict is not None:
            self.turning = False
            if not self.lit:
                self._judged(verdict)
        elif self.spin.turning:
            self._turn()

    def opening_test_passed(self):
        """There is no rule that a day begins with one."""

    def fail(self, code):
        """Rule 5.6: the equipment is turned off, says so once, and the game continues."""
        self.supervisor.close()
        if self.lit:
            self._end()
        self.drop_digits()
        self.show_code = True

    def alarm(self):
        super().alarm()
        self.show_code = True

    def clear(self, code):
        if code == self.pegs.fault:
            self.pegs.forget()
        super().clear(code)

    def refuse(self):
        """Turned off, it is silent but to the supervisor."""
        if self.supervised or not self.off:
            super().refuse()

    def void(self):
        """No spin, as the supervisor has it (rule 5.1)."""
        throw = self.window.index() if self.lit else records.NO_THROW
        detail = self._detail
        self._voided = self.turning
        self.close()
        self.accept(tone.DONE)
        self.record(records.VOID, throw, detail=detail)

    def drop_digits(self):
        super().drop_digits()
        self._sensed = None
        self._detail = b""

    def _turn(self):
        """A spin is under way. While a result is lit, a wheel that has not gone round once may only have been touched.
        """
        if self.lit:
            if not self.spin.revolutions:
                return
            self._end()  # the counter of the pegs is hardware: what is written now costs no peg
        if not self.turning:
            self.turning = True
            self._voided = False
            self.drop_digits()
        self.window.show(b"r%2d" % min(self.spin.revolutions, 99))

    def _judged(self, verdict):
        """A spin is over."""
        if self._voided:
            self.drop_digits()
            return
        spin = self.spin
        place = self.pegs.place
        stop = _NO_STOP if place is None else place // PITCH
        numbers = [min(max(number, 0), _MOST) for number in (spin.net, spin.before, spin.after)]
        self.drop_digits()
        self._detail = struct.pack(_DETAIL, verdict, stop, *numbers)
        if verdict == wheelspin.GOOD:
            frames = self.supervisor.frames
            self._sensed = frames.lit(frames.table.entry(stop))[0] - 1
            self._offer(self._sensed)
            self.accept()
            return
        self.window.show(_SHOWN[verdict])
        if verdict != wheelspin.UNSURE:
            self.tone = tone.ERROR
            self.record(records.VOID, detail=self._detail)
            self._detail = b""

    def _offer(self, symbol):
        """A symbol that ENTRY would confirm."""
        self.pending.put(symbol)
        if not self.lit:
            self.window.show(self.pending.chars)

    def _digit(self, digit):
        """The next letter, or the one before; around at the ends."""
        if digit not in (LOWER, HIGHER) or self.turning:
            self.refuse()
            return
        shown = self.pending if self.pending.count else self.window
        if shown.symbol is None:
            symbol = 0 if digit == HIGHER else SYMBOLS - 1
        else:
            symbol = (shown.symbol + (1 if digit == HIGHER else -1)) % SYMBOLS
        self._offer(symbol)
        self._keyed()

    def _commit(self):
        """The caller has the lamps follow after this, when the record is written."""
        previous = records.NO_THROW
        if self._sensed is not None and self._sensed != self.pending.symbol:
            previous = records.SYMBOL_A + self._sensed
        self.window.take(self.pending.index())
        self.pending.clear()
        self.lit = self.relit = True
        self.accept()
        self.record(records.RESULT, self.window.index(), previous, self._detail)
        self._sensed = None
        self._detail = b""

    def _amend(self):
        """Under the key-switch another symbol takes the place of the one that is lit."""
        if not self.supervised or not self.pending.count or self.pending.symbol == self.window.symbol:
            self.refuse()
        else:
            self._replace()


def maker(settings, sensors):
    """The function that makes the game, for the terminal. `settings`: the part `spin` of the hardware file."""
    spin = wheelspin.Spin(settings["minimum_revolutions"] * QUARTERS, settings["rest_ms"], settings["peg_quarters"])
    return lambda faults, journal, options, daytime: WheelGame(faults, journal, sensors, spin)
