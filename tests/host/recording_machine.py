"""A stand-in for the module `machine` that records what drivers do on the wires.

It knows no driver: it logs every level and every byte, and shifts bytes through a chain of registers as the data sheets
describe it. What the parts then show is proven on the bench; here it is the order that counts.
"""

import importlib
import sys
import time
from types import SimpleNamespace

from taisai.paths import firmware_dir

REGISTERS = 7
ENABLE, LATCH, CLEAR = 20, 17, 21


class Wires:
    """The log and the far side: a chain of shift stages and output stages, and levels of input pins.

    Log entries: ("pin", number, level), ("pwm", number, duty or None for stopped), ("spi", bus, bytes), ("sleep", us).
    """

    def __init__(self):
        self.log = []
        self.levels = {}
        self.shift = bytearray(b"\xa5" * REGISTERS)  # nearest register first
        self.outputs = bytearray(b"\x5a" * REGISTERS)
        self.cut = None  # the data line is cut after this many registers
        self.adc = 0
        self.ms = 0
        self.timer, self.hard_timers = -1, True  # the only timer, and whether it takes hard callbacks
        self.timers = []  # those that run

    def tick(self, ms=5):
        """Let so many milliseconds pass, then call every timer that runs."""
        self.ms += ms
        for timer in self.timers:
            timer.callback(timer)

    def drive(self, number, level):
        if number == LATCH and level and not self.levels.get(LATCH):
            self.outputs[:] = self.shift
        if number == CLEAR and not level:
            self.shift[:] = bytes(REGISTERS)
        self.levels[number] = level
        self.log.append(("pin", number, level))

    def transfer(self, bus, data):
        self.log.append(("spi", bus, bytes(data)))
        back = bytearray()
        for byte in data:
            back.append(self.shift[-1])
            self.shift[1:] = self.shift[:-1]
            self.shift[0] = byte
            if self.cut is not None:
                self.shift[self.cut] = 0
        return back

    def pins(self, number):
        return [entry[2] for entry in self.log if entry[:2] == ("pin", number)]

    def rises(self, number):
        """How often a pin went from low, as it is at reset, to high."""
        levels = self.pins(number)
        return sum(1 for before, after in zip([0, *levels], levels, strict=False) if after and not before)

    def place(self, *entry):
        return self.log.index(entry)


def machine(wires):
    """A module that looks like `machine` and writes everything into `wires`."""

    class Pin:
        IN, OUT, OPEN_DRAIN, PULL_UP = range(4)

        def __init__(self, number, mode=None, pull=None, value=None):
            self.number, self.mode = number, mode
            if mode in (self.OUT, self.OPEN_DRAIN):
                self.init(mode, value=value)
            if mode == self.IN:
                assert pull == self.PULL_UP, f"pin {number} floats"

        def init(self, mode, value=None):
            assert value is not None, f"pin {self.number} becomes an output without a level"
            wires.drive(self.number, value)

        def value(self, level=None):
            if level is None:
                return wires.levels.get(self.number, 1)
            return wires.drive(self.number, level)

        __call__ = value

    class SPI:
        def __init__(self, bus, baudrate, polarity, phase, sck, mosi, miso=None):
            assert (polarity, phase) == (0, 0)
            self.bus = bus

        def write(self, data):
            wires.transfer(self.bus, data)

        def write_readinto(self, out, into):
            assert len(out) == len(into)
            into[:] = wires.transfer(self.bus, out)

    class PWM:
        def __init__(self, pin, freq, duty_u16):
            self.number = pin.number
            self.duty_u16(duty_u16)

        def duty_u16(self, duty):
            wires.log.append(("pwm", self.number, duty))

        def deinit(self):
            wires.log.append(("pwm", self.number, None))

        def freq(self, hz):
            wires.log.append(("freq", self.number, hz))

    class ADC:
        def __init__(self, pin):
            pass

        def read_u16(self):
            wires.log.append(("adc",))
            return wires.adc

    class WDT:
        def __init__(self, timeout):
            wires.log.append(("wdt", timeout))

        def feed(self):
            wires.log.append(("feed",))

    class Timer:
        def __init__(self, number, *, period, callback, hard=False):
            if number != wires.timer or hard and not wires.hard_timers:
                raise ValueError
            self.callback, self.period, self.hard = callback, period, hard
            wires.timers.append(self)

        def deinit(self):
            wires.timers.remove(self)

    return SimpleNamespace(Pin=Pin, SPI=SPI, PWM=PWM, ADC=ADC, WDT=WDT, Timer=Timer)


def loader(wires, monkeypatch):
    """A function that imports one driver module freshly, with `machine` and the microsecond sleep replaced."""
    monkeypatch.setitem(sys.modules, "machine", machine(wires))
    monkeypatch.setattr(time, "sleep_us", lambda us: wires.log.append(("sleep", us)), raising=False)
    monkeypatch.setattr(time, "ticks_ms", lambda: wires.ms, raising=False)
    monkeypatch.syspath_prepend(str(firmware_dir()))

    def load(name):
        monkeypatch.delitem(sys.modules, "tablehw." + name, raising=False)
        module = importlib.import_module("tablehw." + name)
        monkeypatch.delitem(sys.modules, "tablehw." + name)
        return module

    return load
