"""What the keys do: the states of a game and the gestures of dealer and supervisor. Decides; `app` carries out.

Idle: the window takes digits, ENTRY makes a result of three. Result (`lit`): lamps hold until ENTRY is held; digits go
to a window of their own. A blocking fault refuses digits and results in either state, but leaves a settlement alone
and lets the game be ended.
"""

from tablecore import faults as fault_table
from tablecore import keys, tone
from tablecore.keys import ENTRY
from tablecore.window import Window

PENDING_MS = 10000  # digits keyed while lit are forgotten this long after the last of them
_RETEST_KEY = 6


class Game:
    """`tone`, `moved`, `retest` and `show_code` are requests: the caller reads and resets them after each event or
    step.
    """

    def __init__(self, faults):
        self.faults = faults
        self.lit = False
        self.window = Window()  # idle: what is being keyed; lit: the throw being settled, as it was keyed
        self.pending = Window()  # digits keyed while lit
        self.switch = False  # where the key-switch stands
        self.checked = True  # the files of this version have been compared with the manifest
        self.tone = None  # pattern to play
        self.moved = False  # the display has to show that something was accepted
        self.retest = False  # test again and clear what has passed
        self.show_code = False  # show the fault codes over a settlement
        self._armed = False  # the switch has been seen off since power-up
        self._key = 0  # the key that is down
        self._spent = False  # its press has had its gesture
        self._pending_ms = 0

    @property
    def supervisor(self):
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
            self._refuse()
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

    def fault(self, code):
        """Raise a fault. What was keyed but not entered is dropped; a settlement stays."""
        if not self.faults.add(code):
            return
        self.tone = tone.FAULT
        self._drop_digits()

    def _press(self, key):
        self._key = key
        self._spent = False
        if self.supervisor:
            return  # acts on release or as a hold
        if key != ENTRY or not self.lit and self.window.count == 3:
            self._spent = True
            self._short(key)

    def _short(self, key):
        if self.faults.blocking:
            self._refuse()
        elif key != ENTRY:
            self._digit(key)
        elif self.lit or self.window.count < 3 or not self.checked:
            self._refuse()
        else:
            self.lit = True
            self._accept()

    def _hold(self, key):
        if self.supervisor:
            if key == _RETEST_KEY:
                self.retest = True
            else:
                self._refuse()
        elif self.lit:
            self.lit = False
            self._drop_digits()
            self._accept()
        elif self.window.count:
            self._drop_digits()
            self._accept()
        else:
            self._refuse()

    def _digit(self, digit):
        if self.lit:
            self.pending.push(digit)
            self._pending_ms = PENDING_MS
        else:
            self.window.push(digit)
        self._accept()

    def _turn_switch(self, on):
        """A press that spans a turn of the switch has no gesture. Turning it off drops what was keyed but not entered.
        """
        if self.supervisor and not on:
            self._drop_digits()
        self.switch = on
        self._armed = self._armed or not on
        if self._key:
            self._spent = True

    def _drop_digits(self):
        self.pending.clear()
        if not self.lit:
            self.window.clear()

    def _accept(self):
        self.tone = tone.KEY
        self.moved = True

    def _refuse(self):
        self.tone = tone.ERROR
        self.show_code = self.faults.blocking
