"""The scan path allocates nothing: under MicroPython the heap is locked, so that any allocation raises MemoryError."""

from desk import Clock, Volume
from memory_journal import MemoryJournal

from tablecore import chain, keys, settings
from tablecore.app import Terminal, Unit
from tablecore.document import Document
from tablecore.ticks import add

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython has no such lock; there the same passes run without it

    def heap_lock():
        pass

    def heap_unlock():
        pass


class Wire:
    """Lamps on a perfect chain, without allocation: what is sent in falls out one refresh later."""

    def __init__(self, registers):
        self.chain = chain.Chain(registers, 5)
        self.held = bytearray(registers)
        self.refreshes = 0

    def power_up(self):
        return self.refresh(self.held)

    def refresh(self, frame):
        self.refreshes += 1
        self._pass(self.chain.prepare(frame), self.chain.rx)
        place = self.chain.judge()
        self._pass(self.chain.prepare_resident(), self.chain.rx_resident)
        return place or self.chain.judge_resident()

    def brightness(self, percent):
        pass

    def _pass(self, sent, back):
        count = len(self.held)
        for i in range(len(back)):
            back[i] = self.held[i] if i < count else sent[i - count]
        for i in range(count):
            self.held[i] = sent[i + len(back) - count]


class Table:
    frame_bytes = 14
    zone_count = 1
    lamps = bytes([1]) + bytes(111)
    layout_id = "x"
    digest = bytes(32)


class Display:
    def show(self, segments):
        return True


class Beeper:
    def set(self, hz):
        pass


def test_scanner_sample():
    now = 0
    scanner = keys.KeyScanner(now)
    for _ in range(20):
        now += 5
        scanner.sample(now, 0)
    events = 0
    heap_lock()
    try:
        for bits in (0, 1, 0, 3, 2, 0, 0x40, 0xC0, 0x40, 0, 0x80, 0):
            for _ in range(60):
                now = add(now, 5)
                events += scanner.sample(now, bits)
        for _ in range(3000):  # hold and stuck
            now = add(now, 5)
            events += scanner.sample(now, 4)
    finally:
        heap_unlock()
    assert events >= 10


def test_idle_step():
    now = 0
    lamps = Wire(14)
    journal = MemoryJournal()
    options = Document(settings.SETTINGS, "/s", Volume(), settings.defaults(settings.SETTINGS))
    unit = Unit(journal, journal.recent, options, Clock())
    terminal = Terminal(Table(), 14, 20, lamps, Display(), Beeper(), 2700, now, unit)
    for _ in range(100):
        now += 5
        terminal.step(now, 0)
    before = lamps.refreshes
    heap_lock()
    try:
        for _ in range(1000):
            now = add(now, 5)
            terminal.step(now, 0)
    finally:
        heap_unlock()
    assert 20 <= lamps.refreshes - before <= 30
    assert terminal.snapshot()["state"] == "idle"
