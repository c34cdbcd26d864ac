"""What acceptance asks of a table, and nobody else: it stands before the key scanner and puts readings into it.

Loaded by the first request of the verb `fixture`, dropped at its end. IDLE_MS without a request end it too, and so does
a key that is pressed at the table while keys are put in: a person always comes first. Keys go into a test run, with
the key-switch on, so that a throw is on record as a test and never as a game, and none is down long enough to be a
hold, so that no test can be confirmed.
"""

from binascii import hexlify

from tablecore import modules, records
from tablecore.keys import ENTRY, KEYS, SWITCH
from tablecore.protocol import ProtocolError
from tablecore.ticks import diff

IDLE_MS = 30000
DOWN = UP = 8  # readings of 5 ms: more than the window in which two presses would be a chord; a hold takes 300
SETTLE = 30  # after the last key, for the record to be written and the lamps to be latched
MOST_KEYS = 8
TRACE_CHANGES = 20  # changes of the contacts in one reply
MEASUREMENTS = 4  # of the current of a throw, for one reply: half the noise of one is left
ALONE_MEASUREMENTS = 16  # of the current of one lamp: a quarter
_HANG_REST_MS = 100
_ANY_KEY = "1"  # ends the sweep of a test run
_LIT = 20  # readings for which one output is lit before its current is measured
_KEYS = "123456E"


def answer(terminal, do, data):
    """The reply to a request, or a job. ProtocolError."""
    if terminal.game.lit:
        raise ProtocolError("state")
    fixture = terminal.scanner
    if not isinstance(fixture, Fixture):
        fixture = Fixture(terminal)
        terminal.record(records.ACCESS, detail=b"fixture")
    fixture.used = None
    if do == "keys":
        return fixture.key(data)
    if do == "light":
        return fixture.light(data)
    if do == "show":
        return fixture.show(data)
    if do == "wheel":
        return fixture.wheel()
    if do == "trace":
        return fixture.trace(data)
    if do == "memory":
        return {"told": {"free": modules.free()}}
    if do == "hang":
        return Hang(terminal)
    if do != "end":
        raise ProtocolError("field", text="do is keys, light, show, wheel, trace, memory, hang or end")
    fixture.end()
    return {"told": {}}


class Fixture:
    """In the place of the terminal's scanner. `used`: when the last request came, None: now."""

    def __init__(self, terminal):
        self.used = None
        self._terminal = terminal
        self._scanner = terminal.scanner
        self.events = self._scanner.events
        self._keys = None  # the keys that are being pressed, as text; None: the contacts' own readings
        self._at = 0  # which of them
        self._left = 0  # readings until it is up and the next comes, or everything has settled
        self._output = None  # to be lit alone when the keys are up
        self._text = None  # to be displayed then
        self._measurements = 0
        self._now = 0
        self._last = None  # the contacts when they were read last
        self._trace = []
        self._deaf = False  # what the contacts do is traced, and nothing else comes of it
        terminal.scanner = self

    @property
    def ready(self):
        return self._scanner.ready

    @property
    def stuck(self):
        return self._scanner.stuck

    def end(self):
        """Give the scanner its contacts back: the key-switch, which is off, ends the test run."""
        self._keys = None
        if self._terminal.scanner is self:
            self._terminal.scanner = self._scanner

    def sample(self, now, bits):
        """In place of the scanner's."""
        self._now = now
        if self.used is None:
            self.used = now
        if bits != self._last:
            self._last = bits
            self._trace.append([now, bits])
            if len(self._trace) > 2 * TRACE_CHANGES:
                self._trace.pop(0)
        if diff(now, self.used) > IDLE_MS or self._keys is not None and (bits or not self._in_test()):
            self.end()
        elif self._deaf:
            bits &= ~KEYS
        if self._keys is not None:
            bits = KEYS ^ 0xFF | self._next()  # the switch is on: all of a sample but the keys
        return self._scanner.sample(now, bits)

    def trace(self, text):
        """When the contacts changed, and to what: [ms, bits], oldest first; told once. "deaf": the terminal does not
        get to know of them, where a press could become a game.
        """
        self._deaf = text == "deaf"
        told = self._trace[:TRACE_CHANGES]
        self._trace = self._trace[TRACE_CHANGES:]
        return {"told": {"trace": told, "now": self._now}}

    def key(self, text):
        """Have keys pressed, 1 to 6 and E for ENTRY; the job ends when everything has settled after the last."""
        if not 0 < len(text) <= MOST_KEYS or any([character not in _KEYS for character in text]):
            raise ProtocolError("field", text="data must be keys: 1 to 6, and E")
        self._begin()
        self._output = self._text = None
        self._measurements = MEASUREMENTS
        self._keys = text
        self._at = 0
        self._left = self._readings()
        return self

    def light(self, text):
        """Have one output of the chain light alone, by its number; the job ends when that has been latched."""
        frame = self._terminal.lamps_seen()[0]
        if not text.isdigit() or int(text) >= 8 * len(frame):
            raise ProtocolError("field", text="data must be the number of an output")
        self.key(_ANY_KEY)
        self._output = int(text)
        self._measurements = ALONE_MEASUREMENTS
        return self

    def show(self, text):
        """Have three digits on the display, with every lamp dark; the job ends when that is so."""
        if len(text) != 3 or not text.isdigit():
            raise ProtocolError("field", text="data must be three digits")
        self.key(_ANY_KEY)
        self._text = text
        return self

    def wheel(self):
        """How a money wheel stands and what its last spin was, in a test run: there no spin is a game."""
        game = self._terminal.game
        pegs = getattr(game, "pegs", None)
        if pegs is None or pegs.at is None:
            raise ProtocolError("failed", text="there are no sensors at a wheel")
        self._begin()
        self._keys = ""
        place = pegs.place
        told = {"travel": pegs.travel, "quarter": pegs.quarter, "stop": None if place is None else place // 4}
        told.update(fault=pegs.fault, turning=game.spin.turning, quarters=game.spin.net, verdict=game.verdict)
        return {"told": told}

    def _begin(self):
        """Begin a test run, if none is under way."""
        if self._in_test():
            return
        # The gesture that begins one: the switch turned on, ENTRY held and let go.
        game = self._terminal.game
        game.event(SWITCH | 1)
        if game.supervised:
            game.supervisor.hold(ENTRY)
        if not self._in_test():
            game.event(SWITCH)
            raise ProtocolError("failed", text="no test run can be begun now")

    def _readings(self):
        """How many readings the present key takes, down and up."""
        return DOWN + (UP if self._at < len(self._keys) - 1 else SETTLE)

    def step(self):
        """Of the job: what is to be seen when every key has been pressed."""
        if self._keys is None:
            raise ProtocolError("failed", text="the test run has ended: a key was pressed, or there is a fault")
        if self._left:
            return None
        frame, milliamp = self._terminal.lamps_seen()
        if self._output is not None or self._text is not None:
            view = self._terminal.game.supervisor.view
            alone = bytearray(len(frame))
            if self._output is not None:
                alone[-1 - self._output // 8] = 1 << self._output % 8
            else:
                view.chars = self._text.encode()
            self._output = self._text = None
            view.light(bytes(alone))
            self._keys = ""
            self._left = _LIT
            return None
        told = {"frame": hexlify(frame).decode()}
        if milliamp is not None:
            for _ in range(self._measurements - 1):
                milliamp += self._terminal.lamps_seen()[1]
            told["milliamp"] = round(milliamp / self._measurements, 1)
        return {"told": told}

    def _in_test(self):
        game = self._terminal.game
        return game.supervised and game.supervisor.testing

    def _next(self):
        """The keys of the next reading."""
        if not self._left:
            return 0
        down = self._keys and self._left > self._readings() - DOWN
        bits = 1 << _KEYS.index(self._keys[self._at]) if down else 0
        self._left -= 1
        if not self._left and self._at < len(self._keys) - 1:
            self._at += 1
            self._left = self._readings()
        return bits


class Hang:
    """A main loop that does not come back: the watchdog has to end it."""

    def __init__(self, terminal):
        self._rest = terminal.rest

    def step(self):
        while True:
            self._rest(_HANG_REST_MS)
