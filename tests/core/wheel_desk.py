"""A terminal with a money wheel on a test desk: a formula turns the wheel, its sensors are read every 5 ms."""

from desk import SHAPES, Beeper, Clock, Display, Lamps, Volume
from memory_journal import MemoryJournal

from tablecore import settings, wheelgame, wheelspin
from tablecore.app import Terminal, Unit
from tablecore.document import Document
from tablecore.ticks import PERIOD
from tablecore.wheelpegs import Pegs

STOPS = "GACBADABACABA" + "EACBADABACABA" + "FACBADABACABA" + "EABCADABACABA"
PAIR = (1, 3, 2, 0)  # levels of A (bit 0) and B (bit 1) in the quarters of a pitch, clockwise
SPIN = {"minimum_revolutions": 3, "rest_ms": 1500, "peg_quarters": [0]}
HZ = 2700
SHAPES["eg"] = "r"
SHAPES["acdef"] = "G"


class Journal(MemoryJournal):
    """Details are numbers too, told as one character for each byte."""

    def append(self, kind, throw=255, previous=255, game=None, detail=b""):
        assert len(detail) <= 8
        done = super().append(kind, throw, previous, game)
        if done:
            self.log[-1] = self.log[-1][:4] + ("".join([chr(byte) for byte in detail]),)
        return done


class Wheel:
    """`quarter` is what is at the indicator, counted on and on. `after`: a function of the levels, for bad sensors.

    `read` is the driver's, with a counter that follows the levels as a chip's does.
    """

    def __init__(self, quarter=82):
        self.quarter = quarter
        self.at = 0
        self.count = 0
        self.before = self.levels = 0
        self.bad = None
        self._seen = self._now()
        self._turn = None  # quarters, ms, where it began, ms passed

    def turn(self, quarters, ms):
        """Begin to turn so many quarters, slowing down evenly over so many ms."""
        self._turn = (quarters, ms, self.quarter, 0)

    def pass_time(self, ms):
        """Move on, one quarter after the other."""
        if self._turn is None:
            return
        quarters, whole, origin, passed = self._turn
        passed += ms
        left = 1 - min(passed, whole) / whole
        goal = origin + int(round(quarters * (1 - left * left)))
        while self.quarter != goal:
            self.quarter += 1 if goal > self.quarter else -1
            self._follow()
        self._turn = (quarters, whole, origin, passed) if passed < whole else None

    def jump(self, quarters):
        """The counter alone moves: pegs were miscounted."""
        self.count = self.count + quarters & 0xFFFF

    def read(self):
        self._follow()
        self.before = self.levels = self._now()

    def _now(self):
        levels = PAIR[self.quarter % 4] | (4 if self.quarter % 208 == 0 else 0)
        return self.bad(levels) if self.bad else levels

    def _follow(self):
        levels = self._now()
        was, now = self._seen & 3, levels & 3
        self._seen = levels
        step = (PAIR.index(now) - PAIR.index(was)) % 4
        self.count = self.count + (0, 1, 0, -1)[step] & 0xFFFF


class Bare:
    """Pegs and spin without a terminal."""

    def __init__(self, quarter=82, settle=True):
        self.wheel = Wheel(quarter)
        self.pegs = Pegs()
        self.spin = wheelspin.Spin(3 * 208, 1500, (0,))
        self.ms = PERIOD - 3000
        self.verdict = None
        if settle:
            self.wait(2000)

    def wait(self, ms):
        for _ in range(ms // 5):
            self.ms += 5
            wheel = self.wheel
            wheel.pass_time(5)
            wheel.read()
            self.pegs.take(self.ms % PERIOD, wheel.count, wheel.before, wheel.levels)
            verdict = self.spin.step(self.pegs)
            if verdict is not None:
                self.verdict = verdict

    def throw(self, quarters, ms):
        """Its verdict."""
        self.verdict = None
        self.wheel.turn(quarters, ms)
        self.wait(ms + 1600)
        return self.verdict


class Table:
    """Two registers: symbol n has the outputs n and n + 8. `entry` lights the symbol of a stop."""

    frame_bytes = 2
    zone_count = 7
    outcomes = 52
    lamps = bytes([1, 2, 3, 4, 5, 6, 7, 0] * 2)
    layout_id = "nz-div10"
    digest = bytes(32)

    def entry(self, stop):
        return bytes([1 << "ABCDEFG".index(STOPS[stop])] * 2)


class WheelDesk:
    """`like`: a desk whose journal, volume and wheel this one has, as after a power cut. `sensing`: it is fitted."""

    def __init__(self, like=None, sensing=True, fault_codes=(), bits=0):
        self.ms = 0
        self.bits = bits
        self.lamps = Lamps()
        self.display = Display()
        self.beeper = Beeper(self)
        self.journal = like.journal if like else Journal()
        self.volume = like.volume if like else Volume()
        self.wheel = like.wheel if like else Wheel()
        self._sensing = sensing
        self._start = PERIOD - 5000
        options = Document(settings.SETTINGS, "/s", self.volume, settings.defaults(settings.SETTINGS))
        sensors = self if sensing else None
        make = wheelgame.maker(SPIN, sensors)
        self.terminal = Terminal(
            Table(), 2, 7, self.lamps, self.display, self.beeper, HZ, self._start,
            Unit(self.journal, self.journal.recent, options, Clock()), fault_codes, make,
        )  # fmt: skip
        self.wait(2000)

    def read(self):
        """As the driver."""
        self.wheel.read()
        self.at = (self._start + self.ms) % PERIOD
        self.count, self.before, self.levels = self.wheel.count, self.wheel.before, self.wheel.levels

    def cut(self):
        return WheelDesk(like=self, sensing=self._sensing, bits=self.bits)

    def wait(self, ms):
        for _ in range(ms // 5):
            self.ms += 5
            self.wheel.pass_time(5)
            self.terminal.step((self._start + self.ms) % PERIOD, self.bits)

    def throw(self, quarters=900, ms=8000):
        """Spin the wheel and wait until it has been judged."""
        self.wheel.turn(quarters, ms)
        self.wait(ms + 1700)

    def play(self, script):
        """Words: 1..6 or E press, with ! hold 1.6 s; S+ S- key-switch; w500 wait."""
        for word in script.split():
            if word[0] == "S":
                self.bits = self.bits | 0x80 if word == "S+" else self.bits & 0x7F
            elif word[0] == "w":
                self.wait(int(word[1:]))
            else:
                mask = 1 << (6 if word[0] == "E" else int(word[0]) - 1)
                self.bits |= mask
                self.wait(1600 if word[-1] == "!" else 60)
                self.bits &= ~mask
            self.wait(150)

    def shown(self):
        """What is on the display for at least a moment in the next second, blank apart."""
        texts = {self.display.text}
        for _ in range(200):
            self.wait(5)
            texts.add(self.display.text)
        texts.discard("   ")
        return "/".join(sorted(texts)).strip()

    def lit(self):
        """The letters of the symbols whose lamps are all on."""
        on = self.lamps.registers.outputs if self.lamps.enabled else 0
        return "".join(["ABCDEFG"[n] for n in range(7) if on >> n & 1 and on >> n + 8 & 1])

    def state(self):
        return self.terminal.snapshot()["state"]

    def faults(self):
        return self.terminal.faults.codes

    def records(self):
        """Kinds of the records, without the start's."""
        return [record[0] for record in self.journal.log]
