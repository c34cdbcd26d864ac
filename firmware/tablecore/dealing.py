"""What every game does with keys, key-switch, faults and the journal. Decides; `app` carries out.

A game is one object that the house is given: game.py and wheelgame.py make one each from this. It says what its keys
mean, what its lamps show (`frame`), which test run belongs to it (`test`), and what becomes of it when something fails
(`fail`), in which the rules of the games are opposites.
"""

from tablecore import faults as fault_table
from tablecore import keys, records, tone
from tablecore.keys import ENTRY

FULL = 3  # the `count` of what ENTRY makes a result of
_PENDING_MS = 10000  # what is keyed while a result is lit is forgotten this long after the last key


class Dealing:
    """`tone`, `moved`, `relit`, `retest`, `show_code` and `show_test` are requests: the caller reads and resets them
    after each event or step. `window` has what the display shows, and the result while one is `lit`; `pending` blinks
    in its place while it has a `count`. `entry` is that of the two which ENTRY makes a result of.

    Starts in the state that the journal proves: the result that was lit is lit again. `supervisor` is set by whoever
    makes both.
    """

    off = False  # turned off by a fault: nothing is shown
    turning = False  # a wheel

    def __init__(self, faults, journal, window, pending, entry):
        self.faults = faults
        self.lit = False
        self.window = window
        self.pending = pending
        self._entry = entry
        self.supervisor = None
        self.switch = False  # where the key-switch stands
        self.checked = True  # the files of this version have been compared with the manifest
        self.tone = None  # pattern to play
        self.moved = False  # the display has to show that something was accepted
        self.relit = False  # the lamps have to show something else
        self.retest = False  # test again and clear what has passed
        self.show_code = False  # show the fault codes over whatever is shown
        self.show_test = False  # show that the opening test is due
        self._journal = journal
        self._armed = False  # the switch has been seen off since power-up
        self._switch_keyed = False  # something was keyed with the switch on, and is not entered yet
        self._key = 0  # the key that is down
        self._spent = False  # its press has had its gesture
        self._pending_ms = 0
        lit = journal.open_result()
        if lit is not None and window.take(lit[1]):
            self.lit = self.relit = True

    @property
    def supervised(self):
        """The key-switch is on and counts. It does not count at power-up until it has been seen off once."""
        return self.switch and self._armed

    def event(self, event):
        """Take one event of the key scanner."""
        kind = event & 0xF0
        key = event & 0x0F
        if kind == keys.PRESS:
            self._press(key)
        elif kind == keys.RELEASE:
            self._key = 0
            if not self._spent:
                self._short(key)
        elif kind == keys.HOLD:
            if not self._spent:
                self._spent = True
                self._hold(key)
        elif kind == keys.CHORD:
            self.refuse()
        elif kind == keys.STUCK:
            self._key = 0
            self.fault(fault_table.stuck_code(key))
        else:
            self._turn_switch(key == 1)

    def step(self, elapsed):
        """Let `elapsed` ms pass."""
        if self.lit and self.pending.count:
            self._pending_ms -= elapsed
            if self._pending_ms <= 0:
                self.pending.clear()
        self.supervisor.step(elapsed)

    def fault(self, code):
        """Raise a fault, and record it once."""
        if not self.faults.add(code):
            return
        if self.faults.blocks(code):
            self.fail(code)
        self.tone = tone.FAULT
        self.latch(code)

    def latch(self, code):
        """Have a fault outlive a power cut."""
        if code != fault_table.JOURNAL_FAILED and code not in self._journal.latched():
            self.record(records.FAULT, detail=code.encode())

    def clear(self, code):
        """The cause of a fault is gone."""
        if self.faults.remove(code):
            self.record(records.CLEAR, detail=code.encode())

    def alarm(self):
        """Faults from before the start are still there."""
        self.tone = tone.FAULT

    def record(self, kind, throw=records.NO_THROW, previous=records.NO_THROW, detail=b""):
        """Write to the journal; where that fails, the game goes on as it is and there is a fault."""
        if not self._journal.append(kind, throw, previous, detail=detail):
            self.fault(fault_table.JOURNAL_FAILED)

    def void(self):
        """No spin: closes the game whose result is lit, or stands for a game without a result."""
        throw = self.window.index() if self.lit else records.NO_THROW
        self.close()
        self.accept(tone.DONE)
        self.record(records.VOID, throw)

    def accept(self, pattern=tone.KEY):
        self.tone = pattern
        self.moved = True

    def refuse(self):
        self.tone = tone.ERROR
        self.show_code = self.faults.blocking

    def close(self):
        """Darken, and leave the window blank."""
        self.relit = self.relit or self.lit
        self.lit = False
        self.drop_digits()

    def drop_digits(self):
        """Forget what was keyed but not entered."""
        self.pending.clear()
        if not self.lit:
            self.window.clear()
            self._switch_keyed = False

    def _press(self, key):
        self._key = key
        self._spent = False
        if self.supervised:
            return  # acts on release or as a hold
        if key != ENTRY or not self.lit and self._entry.count == FULL:
            self._spent = True
            self._short(key)

    def _short(self, key):
        if self.supervised and self.supervisor.short(key):
            return
        if self.faults.blocking:
            self.refuse()
        elif key != ENTRY:
            self._digit(key)
        elif self.lit:
            self._amend()
        elif self._entry.count == FULL and self.checked:
            self._commit()
        else:
            self.refuse()

    def _hold(self, key):
        if self.supervised:
            self.supervisor.hold(key)
        elif self.lit:
            self.accept()
            self._end()
        elif self._entry.count:
            self.drop_digits()
            self.accept()
        else:
            self.refuse()

    def _end(self):
        """The game whose result is lit is over."""
        throw = self.window.index()
        self.close()
        self.record(records.END, throw)

    def _replace(self):
        """What was keyed takes the place of the result that is lit."""
        previous = self.window.index()
        self.window.take(self.pending.index())
        self.pending.clear()
        self.relit = True
        self.accept()
        self.record(records.AMEND, self.window.index(), previous)

    def _keyed(self):
        """A key has changed what is not entered yet."""
        self._pending_ms = _PENDING_MS
        self._switch_keyed = self._switch_keyed or self.supervised
        self.accept()

    def _turn_switch(self, on):
        """A press that spans a turn of the switch has no gesture. Turning it off drops what was keyed while lit, and
        what was keyed with the switch on.
        """
        if self.supervised and not on:
            self.supervisor.close()
            if self.lit:
                self.pending.clear()
            elif self._switch_keyed:
                self.drop_digits()
        self.switch = on
        self._armed = self._armed or not on
        if self._key:
            self._spent = True
