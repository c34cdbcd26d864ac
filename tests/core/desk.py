"""A terminal on a test desk: contacts go in by script words, what a person sees and hears comes out.

Uses the product's Terminal with a bit-level chain model, a display that is read segment by segment and a beeper that is
listened to. The clock starts just below its wrap.
"""

import random

from memory_journal import MemoryJournal
from shift_model import Registers, refresh
from small_volume import Volume

from tablecore import chain, settings
from tablecore.app import Terminal, Unit
from tablecore.document import Document
from tablecore.lampcheck import LampCheck
from tablecore.ticks import PERIOD

REGISTERS = 2
HZ = 2700
GROUP_LAMPS = 2
LAMP = 1000  # counts of one lamp, where a current sense is fitted
FITTED = 0x11F  # outputs with a lamp

# What a person reads from a seven-segment digit, as lists of lit segments, a = top, clockwise, g = middle.
SHAPES = {
    "": " ", "g": "-", "abcdef": "0", "bc": "1", "abdeg": "2", "abcdg": "3", "bcfg": "4", "acdfg": "5", "acdefg": "6",
    "abc": "7", "abcdefg": "8", "abcdfg": "9", "abcefg": "A", "cdefg": "b", "adef": "C", "bcdeg": "d", "adefg": "E",
    "aefg": "F", "ceg": "n", "abefg": "P", "defg": "t", "cde": "u", "bcefg": "H", "def": "L",
}  # fmt: skip


class Table:
    """A table file whose frame for a throw is easily read: 0x1d 0xdd with the three digits.

    Five zones: zone 1 has the outputs 0 and 8, zones 2 to 5 the outputs 1 to 4.
    """

    frame_bytes = REGISTERS
    zone_count = 5
    lamps = bytes([1, 2, 3, 4, 5, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    layout_id = "nz-div9"
    digest = bytes([0xA5, 0x0F, 0xE3]) + bytes(29)

    def frame(self, d1, d2, d3):
        return bytes([0x10 | d1, d2 << 4 | d3])


class Clock:
    """The time of day: Unix seconds, 0 = unknown."""

    def __init__(self):
        self.seconds = 0

    def time(self):
        return self.seconds

    def step(self, now):
        pass


class Lamps:
    def __init__(self):
        random.seed(1)
        self.registers = Registers(REGISTERS, random)
        self.enabled = False
        self.powered = 0
        self.percent = 100
        self.dark = 0  # outputs whose lamp takes no current
        self.stuck_on = 0  # outputs that always conduct
        self.supply = True
        self.gain = 1  # of the current sense
        self._chain = chain.Chain(REGISTERS, 9)

    def power_up(self):
        self.enabled = False
        self.powered += 1
        self._chain.forget()
        place = refresh(self.registers, self._chain, bytes(REGISTERS))
        self.enabled = place == 0
        return place

    def refresh(self, frame):
        return refresh(self.registers, self._chain, frame)

    def brightness(self, percent):
        self.percent = percent

    def current(self, on, readings=16):
        conducting = (self.registers.outputs if on and self.enabled else 0) & FITTED & ~self.dark | self.stuck_on
        return int(self.gain * LAMP * bin(conducting).count("1")) if self.supply else 0


class Display:
    def __init__(self):
        self.text = "   "
        self.points = "   "
        self.log = []
        self.writes = 0

    def show(self, segments):
        self.writes += 1
        text = ""
        for byte in segments:
            text += SHAPES["".join([name for i, name in enumerate("abcdefg") if byte >> i & 1])]
        self.points = "".join(["." if byte & 0x80 else " " for byte in segments])
        if not self.log or text != self.text:
            self.log.append(text)
        self.text = text
        return True


class Beeper:
    def __init__(self, desk):
        self.desk = desk
        self.bursts = []  # lengths in ms of what has sounded
        self._since = None

    def set(self, hz):
        if hz:
            assert hz == HZ
            self._since = self.desk.ms
        elif self._since is not None:
            self.bursts.append(self.desk.ms - self._since)
            self._since = None


class Desk:
    """`like`: a desk whose journal, volume and clock this one has, as after a power cut. `sense`: one is fitted."""

    def __init__(self, table=Table, fault_codes=(), bits=0, settle=True, like=None, values=None, sense=False):
        self.ms = 0
        self.bits = bits
        self.lamps = Lamps()
        self.display = Display()
        self.beeper = Beeper(self)
        self.journal = like.journal if like else MemoryJournal()
        self.volume = like.volume if like else Volume()
        self.clock = like.clock if like else Clock()
        start = PERIOD - 50
        delivered = settings.defaults(settings.SETTINGS)
        delivered.update(values or {})
        options = Document(
            settings.SETTINGS, "/s", self.volume, delivered, lambda v: self.lamps.brightness(v["brightness_percent"])
        )
        self.terminal = Terminal(
            table() if table else None, REGISTERS, GROUP_LAMPS, self.lamps, self.display, self.beeper, HZ, start,
            Unit(self.journal, self.journal.recent, options, self.clock), fault_codes,
        )  # fmt: skip
        self._sense = sense
        if sense:
            lit = self.terminal.frames.lit
            self.terminal.check = LampCheck(self.lamps.current, lit, LAMP, 5, None, self.terminal.game)
        self._start = start
        if settle:
            self.wait(300)

    def cut(self):
        """Power off and on again: the desk that starts then."""
        return Desk(bits=self.bits, like=self, sense=self._sense)

    def wait(self, ms):
        for _ in range(ms // 5):
            self.ms += 5
            self.terminal.step((self._start + self.ms) % PERIOD, self.bits)

    def hold(self, keys, ms):
        """Contacts of `keys` (text, E = ENTRY) closed for `ms`."""
        mask = 0
        for key in keys:
            mask |= 1 << (6 if key == "E" else int(key) - 1)
        self.bits |= mask
        self.wait(ms)
        self.bits &= ~mask

    def play(self, script):
        """Words: 1..6 or E press, with ! hold 1.6 s, two characters both at once, S+ S- key-switch, w500 wait."""
        for word in script.split():
            if word == "S+":
                self.bits |= 0x80
            elif word == "S-":
                self.bits &= 0x7F
            elif word[0] == "w":
                self.wait(int(word[1:]))
                continue
            elif word[-1] == "!":
                self.hold(word[:-1], 1600)
            else:
                self.hold(word, 60)
            self.wait(150)

    def lit(self):
        """What the lamps show: None when dark, else the throw that the latched frame stands for."""
        if not self.lamps.enabled or self.lamps.registers.outputs == 0:
            return None
        frame = self.lamps.registers.frame()
        return "%x%x%x" % (frame[0] & 0x0F, frame[1] >> 4, frame[1] & 0x0F)

    def heard(self, script):
        """Play `script` and name what was heard: key, error, done, fault, or a list of burst lengths."""
        self.beeper.bursts = []
        self.play(script)
        self.wait(600)
        bursts = self.beeper.bursts
        if len(bursts) == 1:
            return "key" if bursts[0] <= 100 else "fault" if bursts[0] >= 1500 else bursts
        return {0: "silence", 2: "done", 3: "error"}.get(len(bursts), bursts)

    def outputs(self):
        """Which lamps are on, by the number of their output."""
        on = self.lamps.registers.outputs if self.lamps.enabled else 0
        return [output for output in range(8 * REGISTERS) if on >> output & 1]

    def seen(self):
        """The steady part of the display: the text that is not blank during the next second."""
        self.display.log = []
        texts = {self.display.text}
        for _ in range(200):
            self.wait(5)
            texts.add(self.display.text)
        texts.discard("   ")
        return "/".join(sorted(texts))

    def state(self):
        return self.terminal.snapshot()["state"]
