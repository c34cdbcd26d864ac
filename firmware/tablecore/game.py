"""What the keys do: the states of a game and the gestures of the dealer. Decides; `app` carries out.

Idle: the window takes digits, ENTRY makes a result of three. Result (`lit`): lamps hold until ENTRY is held; digits go
to a window of their own, of which ENTRY with the key-switch on makes an amendment. A blocking fault refuses digits and
results in either state, but leaves a settlement alone and lets the game be ended. What is held with the key-switch on,
and what may then cover the game, is in supervisor.py.
"""

from tablecore import faults as fault_table
from tablecore import keys, records, tone
from tablecore.keys import ENTRY
from tablecore.window import Window

PENDING_MS = 10000  # digits keyed while lit are forgotten this long after the last of them
_DAY_S = 86400
_NO_DAY = 0


class Game:
    """`tone`, `moved`, `relit`, `retest`, `show_code` and `show_test` are requests: the caller reads and resets them
    after each event or step.

    Starts in the state that the journal proves: the result that was lit is lit again. `settings`: the document of this
    unit's settings. `daytime.time()`: Unix seconds, 0 while unknown. `supervisor` is set by whoever makes both.
    """

    def __init__(self, faults, journal, settings, daytime):
        self.faults = faults
        self.lit = False
        self.window = Window()  # idle: what is being keyed; lit: the throw being settled, as it was keyed
        self.pending = Window()  # digits keyed while lit
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
        self._settings = settings
        self._daytime = daytime
        self._tested = None  # day on which the opening test was passed, None: not since the start
        self._armed = False  # the switch has been seen off since power-up
        self._switch_keyed = False  # the window has digits that were keyed with the switch on
        self._key = 0  # the key that is down
        self._spent = False  # its press has had its gesture
        self._pending_ms = 0
        lit = journal.open_result()
        if lit is not None:
            self.window.take(lit[1])
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
        if self.pending.count:
            self._pending_ms -= elapsed
            if self._pending_ms <= 0:
                self.pending.clear()
        self.supervisor.step(elapsed)

    def fault(self, code):
        """Raise a fault, and record it once. A settlement stays. If games have to wait, what was keyed but not entered
        is dropped, and so is what covers the game unless it is the lamps that failed.
        """
        if not self.faults.add(code):
            return
        if self.faults.blocks(code):
            if not fault_table.is_lamp(code):
                self.supervisor.close()
            self.drop_digits()
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
        """No spin (rule 7.1): closes the game whose result is lit, or stands for a game without a result."""
        throw = self.window.index() if self.lit else records.NO_THROW
        self.close()
        self.accept(tone.DONE)
        self.record(records.VOID, throw)

    def opening_test_passed(self):
        self._tested = self._today()

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
        if key != ENTRY or not self.lit and self.window.count == 3:
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
        else:
            self._commit()

    def _hold(self, key):
        if self.supervised:
            self.supervisor.hold(key)
        elif self.lit:
            throw = self.window.index()
            self.close()
            self.accept()
            self.record(records.END, throw)
        elif self.window.count:
            self.drop_digits()
            self.accept()
        else:
            self.refuse()

    def _digit(self, digit):
        if self.lit:
            self.pending.push(digit)
            self._pending_ms = PENDING_MS
        else:
            self.window.push(digit)
            self._switch_keyed = self._switch_keyed or self.supervised
        self.accept()

    def _commit(self):
        if self.window.count < 3 or not self.checked:
            self.refuse()
        elif self._test_due():
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
            return
        previous = self.window.index()
        self.window.take(self.pending.index())
        self.pending.clear()
        self.relit = True
        self.accept()
        self.record(records.AMEND, self.window.index(), previous)

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

    def _turn_switch(self, on):
        """A press that spans a turn of the switch has no gesture. Turning it off drops digits keyed while lit, and what
        was keyed with the switch on.
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
