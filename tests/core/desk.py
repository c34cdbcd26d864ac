"""A terminal on a test desk: contacts go in by script words, what a person sees and hears comes out.

Uses the product's Terminal with a bit-level chain model, a display that is read segment by segment and a beeper that is
listened to. The clock starts just below its wrap.
"""

import random

from shift_model import Registers, refresh

from tablecore import chain
from tablecore.app import Terminal
from tablecore.ticks import PERIOD

REGISTERS = 2
HZ = 2700

# The digits of a seven-segment display as lists of lit segments, a = top, clockwise, g = middle.
SHAPES = {
    "": " ", "g": "-", "abcdef": "0", "bc": "1", "abdeg": "2", "abcdg": "3", "bcfg": "4", "acdfg": "5", "acdefg": "6",
    "abc": "7", "abcdefg": "8", "abcdfg": "9", "adef": "C", "adefg": "E",
}  # fmt: skip


class Table:
    """A table file whose frame for a throw is easily read: 0x1d 0xdd with the three digits."""

    frame_bytes = REGISTERS

    def frame(self, d1, d2, d3):
        return bytes([0x10 | d1, d2 << 4 | d3])


class Lamps:
    def __init__(self):
        random.seed(1)
        self.registers = Registers(REGISTERS, random)
        self.enabled = False
        self.powered = 0
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


class Display:
    def __init__(self):
        self.text = "   "
        self.points = False
        self.log = []
        self.writes = 0

    def show(self, segments):
        self.writes += 1
        text = ""
        for byte in segments:
            text += SHAPES["".join([name for i, name in enumerate("abcdefg") if byte >> i & 1])]
        self.points = bool(segments[0] & 0x80)
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
    def __init__(self, table=Table, fault_codes=(), bits=0, settle=True):
        self.ms = 0
        self.bits = bits
        self.lamps = Lamps()
        self.display = Display()
        self.beeper = Beeper(self)
        start = PERIOD - 50
        self.terminal = Terminal(
            table() if table else None, REGISTERS, self.lamps, self.display, self.beeper, HZ, start, fault_codes
        )
        self._start = start
        if settle:
            self.wait(300)

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
