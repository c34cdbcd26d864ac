"""The drivers' order of operations on the wires, against a recording stand-in for `machine`.

The stand-in knows no driver: it logs every level and every byte, and shifts bytes through a chain of registers as the
data sheets describe it. What the parts then show is proven on the bench; here it is the order that counts.
"""

import importlib
import sys
import time
from types import SimpleNamespace

import pytest

from taisai.paths import firmware_dir

REGISTERS = 7
ENABLE, LATCH, CLEAR, SCK, MOSI, MISO = 20, 17, 21, 18, 19, 16
CHAIN_PINS = {"enable": ENABLE, "latch": LATCH, "spi": 0, "sck": SCK, "mosi": MOSI, "miso": MISO, "baud": 1000000}


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


def _machine(wires):
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

    return SimpleNamespace(Pin=Pin, SPI=SPI, PWM=PWM, ADC=ADC, WDT=WDT)


@pytest.fixture
def wires():
    return Wires()


@pytest.fixture
def driver(wires, monkeypatch):
    """Imports one driver module freshly, with `machine` and the microsecond sleep replaced."""
    monkeypatch.setitem(sys.modules, "machine", _machine(wires))
    monkeypatch.setattr(time, "sleep_us", lambda us: wires.log.append(("sleep", us)), raising=False)
    monkeypatch.syspath_prepend(str(firmware_dir()))

    def load(name):
        monkeypatch.delitem(sys.modules, "tablehw." + name, raising=False)
        module = importlib.import_module("tablehw." + name)
        monkeypatch.delitem(sys.modules, "tablehw." + name)
        return module

    return load


@pytest.fixture
def lamps(driver):
    """Makes the lamp chain's driver."""

    def make(clear=CLEAR, sense=None, percent=100):
        chain = driver("chain")
        return chain.LampChain(clear=clear, registers=REGISTERS, sense=sense, percent=percent, **CHAIN_PINS)

    return make


def test_output_enable_is_the_first_pin_and_high_from_its_first_moment(lamps, wires):
    lamps()
    assert wires.log[0] == ("pin", ENABLE, 1)
    assert wires.pins(ENABLE) == [1]
    assert wires.rises(LATCH) == 0


@pytest.mark.parametrize("clear", [CLEAR, None])
def test_zeros_through_the_whole_chain_and_one_latch_edge_before_the_lamps_are_enabled(lamps, wires, clear):
    assert lamps(clear).power_up() == 0
    enabled = wires.place("pwm", ENABLE, 0)
    before = wires.log[:enabled]
    latched = before.index(("pin", LATCH, 1))
    assert before.count(("pin", LATCH, 1)) == 1
    sent = b"".join(entry[2] for entry in before[:latched] if entry[0] == "spi")
    assert len(sent) == REGISTERS + 1 and sent[-REGISTERS:] == bytes(REGISTERS)
    assert wires.outputs == bytes(REGISTERS)
    assert 0 not in wires.pins(ENABLE)


def test_clear_is_pulsed_before_anything_is_shifted(lamps, wires):
    lamps().power_up()
    first_byte = next(place for place, entry in enumerate(wires.log) if entry[0] == "spi")
    assert [entry[2] for entry in wires.log[:first_byte] if entry[:2] == ("pin", CLEAR)][-2:] == [0, 1]
    assert wires.pins(CLEAR)[-1] == 1


@pytest.mark.parametrize("cut", range(REGISTERS))
def test_a_chain_that_does_not_pass_data_at_power_up_is_neither_latched_nor_enabled(lamps, wires, cut):
    wires.cut = cut
    chain = lamps()
    for _ in range(3):
        assert chain.power_up() != 0
    assert wires.rises(LATCH) == 0
    assert not [entry for entry in wires.log if entry[0] == "pwm"]


def test_the_lamps_can_be_enabled_once_the_chain_is_plugged_in(lamps, wires):
    wires.cut = 3
    chain = lamps()
    assert chain.power_up() != 0
    wires.cut = None
    assert chain.power_up() == 0
    assert wires.log[-1] == ("pwm", ENABLE, 0)


def test_a_second_power_up_holds_the_lamps_off_first_and_leaves_them_off_without_a_chain(lamps, wires):
    chain = lamps()
    chain.power_up()
    chain.refresh(b"\xff" * REGISTERS)
    wires.cut = 2
    wires.log.clear()
    assert chain.power_up() != 0
    assert wires.log[:2] == [("pwm", ENABLE, None), ("pin", ENABLE, 1)]
    assert wires.pins(ENABLE) == [1] and wires.rises(LATCH) == 0
    assert chain.milliamp() is None


def test_the_first_byte_of_a_frame_ends_in_the_farthest_register(lamps, wires):
    chain = lamps()
    chain.power_up()
    assert chain.refresh(bytes([1, 2, 3, 4, 5, 6, 7])) == 0
    assert wires.outputs == bytes([7, 6, 5, 4, 3, 2, 1])


@pytest.mark.parametrize("cut", range(1, REGISTERS))
def test_a_mismatch_keeps_the_lamps_and_names_the_register_before_the_cut(lamps, wires, cut):
    chain = lamps()
    chain.power_up()
    frame = bytes([0x80, 0, 0x11, 0, 0x42, 0, 0x08])
    for _ in range(2):
        assert chain.refresh(frame) == 0
    lit = bytes(wires.outputs)
    rises = wires.rises(LATCH)
    wires.cut = cut
    assert chain.refresh(bytes(REGISTERS)) == cut
    for _ in range(3):
        assert chain.refresh(bytes(REGISTERS)) != 0
    assert wires.rises(LATCH) == rises and bytes(wires.outputs) == lit
    wires.cut = None
    chain.refresh(frame)
    assert chain.refresh(frame) == 0


def test_what_stays_in_the_shift_stages_is_never_latched(lamps, wires):
    chain = lamps()
    chain.power_up()
    for number in range(20):
        frame = bytes([number] * REGISTERS)
        assert chain.refresh(frame) == 0
        assert wires.outputs == frame and wires.shift != frame


def test_brightness_is_active_low_and_waits_for_power_up(lamps, wires):
    chain = lamps(percent=25)
    chain.brightness(10)
    assert not [entry for entry in wires.log if entry[0] == "pwm"]
    chain.power_up()
    chain.brightness(100)
    duties = [entry[2] for entry in wires.log if entry[0] == "pwm"]
    assert duties == [65535 * 90 // 100, 0]


def test_current_is_read_at_full_brightness_within_two_milliseconds(lamps, wires):
    chain = lamps(sense=(26, 400), percent=25)
    assert chain.milliamp() is None
    chain.power_up()
    wires.adc = 65535 // 2
    mark = len(wires.log)
    assert chain.milliamp() == pytest.approx(660, rel=0.001)  # 1.65 V of 3.3 V, at 400 mA per volt
    steps = wires.log[mark:]
    assert steps[0] == ("pwm", ENABLE, 0) and steps[-1] == ("pwm", ENABLE, 65535 * 75 // 100)
    assert 200 < sum(entry[1] for entry in steps if entry[0] == "sleep") < 1500
    assert lamps().milliamp() is None


def test_key_bits(driver, wires):
    keys = driver("keys").Keys([2, 3, 4, 5, 6, 7, 14], 15)
    assert keys.read() == 0
    for bit, pin in enumerate([2, 3, 4, 5, 6, 7, 14, 15]):
        wires.levels[pin] = 0
        assert keys.read() == 1 << bit
        wires.levels[pin] = 1


def test_static_display_latches_once_after_three_bytes_left_digit_first(driver, wires):
    display = driver("display_hc595").Display(spi=1, sck=10, mosi=11, latch=13, baud=1000000)
    assert wires.rises(13) == 0
    assert display.show(bytearray([0x06, 0x4F, 0x7D])) is True
    assert wires.log[-3:] == [("spi", 1, b"\x06\x4f\x7d"), ("pin", 13, 1), ("pin", 13, 0)]


def test_max7219_writes_every_register_each_time_and_wakes_last(driver, wires):
    display = driver("display_max7219").Display(spi=1, sck=10, mosi=11, cs=13, baud=1000000)
    assert wires.rises(13) == 0
    for _ in range(2):
        wires.log.clear()
        assert display.show(bytearray([0x06, 0x4F, 0xFD])) is True
        words = [entry[2] for entry in wires.log if entry[0] == "spi"]
        # Segments in the chip's own order, D6..D0 = a..g, D7 = point: 1 = bc, 3 = abcdg, 6 with point = acdefg.
        assert words[4:7] == [b"\x01\x30", b"\x02\x79", b"\x03\xdf"]
        assert set(words[:3]) == {b"\x0f\x00", b"\x09\x00", b"\x0b\x02"} and words[3][0] == 0x0A
        assert words[7:] == [b"\x0c\x01"]
        assert wires.rises(13) == 8
        for place, entry in enumerate(wires.log):
            if entry == ("pin", 13, 1):
                assert wires.log[place - 1][0] == "spi"


def _tm1637_bytes(wires, clk, dio):
    """Bytes as the chip takes them, at rising clocks, eight bits and then the acknowledge; and its starts and stops."""
    levels = {clk: 1, dio: 1}
    taken, bits = [], []
    for kind, number, *rest in wires.log:
        if kind != "pin":
            continue
        before, level = levels[number], rest[0]
        levels[number] = level
        if number == dio and levels[clk] and before != level:
            taken.append("start" if before else "stop")
            bits = []
        if number == clk and level and not before:
            bits.append(levels[dio])
            if len(bits) == 9:
                assert bits[8] == 1, "data line not released for the acknowledge"
                taken.append(sum(bit << place for place, bit in enumerate(bits[:8])))
                bits = []
    return taken


@pytest.mark.parametrize("present", [True, False])
def test_tm1637_sends_lowest_bit_first_and_notices_an_absent_chip(driver, wires, monkeypatch, present):
    module = driver("display_tm1637")
    display = module.Display(clk=8, dio=9)
    # The chip answers at the acknowledge, the only time the line is read.
    monkeypatch.setattr(type(display._dio), "value", _answering(wires, type(display._dio).value, present))
    assert display.show(bytearray([0x06, 0x4F, 0x7D])) is present
    assert _tm1637_bytes(wires, 8, 9) == [
        *["start", 0x40, "stop"],
        *["start", 0xC0, 0x06, 0x4F, 0x7D, "stop"],
        *["start", 0x8F, "stop"],
    ]
    assert wires.levels == {8: 1, 9: 1}


def _answering(wires, original, present):
    def value(self, level=None):
        if level is None:
            assert wires.levels[self.number] == 1
            return 0 if present else 1
        return original(self, level)

    return value


def test_beeper_touches_the_wave_only_on_a_change(driver, wires):
    beeper = driver("beeper").Beeper(22, 2700)
    wires.log.clear()
    for hz in (0, 2700, 2700, 0, 0):
        beeper.set(hz)
    assert wires.log == [("freq", 22, 2700), ("pwm", 22, 32768), ("pwm", 22, 0)]


class Console:
    """A console with `waiting` bytes of input and `room` for output; a call that would block fails the test."""

    def __init__(self, waiting=b"", room=0):
        self.waiting, self.room, self.written, self.largest = bytearray(waiting), room, bytearray(), 0
        self.stdin = SimpleNamespace(buffer=SimpleNamespace(read=self._read))
        self.stdout = SimpleNamespace(buffer=SimpleNamespace(write=self._write))

    def _read(self, count):
        assert count == 1 and self.waiting, "read would block"
        return bytes([self.waiting.pop(0)])

    def _write(self, data):
        assert len(data) == 1 and self.room, "write would block"
        self.room -= 1
        self.written += data
        return 1

    def poll(self):
        streams = []

        def ipoll(timeout):
            assert timeout == 0
            ready = self.waiting if streams == [self.stdin] else self.room
            return iter([(streams[0], 1)] if ready else [])

        return SimpleNamespace(register=lambda stream, mask: streams.append(stream), ipoll=ipoll)


@pytest.fixture
def link(driver, monkeypatch):
    def make(console):
        module = driver("serial_link")
        monkeypatch.setattr(module, "sys", SimpleNamespace(stdin=console.stdin, stdout=console.stdout))
        monkeypatch.setattr(module, "select", SimpleNamespace(poll=console.poll, POLLIN=1, POLLOUT=4))
        return module.SerialLink()

    return make


class Queue(bytearray):
    def peek(self):
        return self[0]

    def drop(self):
        self.pop(0)


def test_link_moves_no_more_than_it_may_and_never_waits(link):
    console = Console(b"abcdefghij", room=3)
    port, got, out = link(console), bytearray(), Queue(b"12345")
    assert port.pump(lambda byte: got.append(byte), out, 4) is False
    assert got == b"abcd" and console.written == b"123" and out == b"45"
    port.pump(lambda byte: got.append(byte), out, 100)
    assert got == b"abcdefghij" and console.written == b"123"
    console.room = 100
    port.pump(lambda byte: got.append(byte), out, 1)
    assert console.written == b"1234"


def test_link_stops_reading_after_one_answered_line(link):
    console = Console(b"a\nb\n", room=0)
    port, got = link(console), bytearray()

    def receive(byte):
        got.append(byte)
        return byte == 10

    assert port.pump(receive, Queue(), 100) is True
    assert got == b"a\n"
    assert port.pump(receive, Queue(), 100) is True
    assert got == b"a\nb\n"


def test_watchdog_starts_when_it_is_made(driver, wires):
    dog = driver("watchdog").Watchdog(8000)
    dog.feed()
    assert wires.log == [("wdt", 8000), ("feed",)]
