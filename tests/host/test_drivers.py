"""Keys, displays, beeper, watchdog and link: what the drivers put on the wires, and that nothing ever waits."""

from types import SimpleNamespace

import pytest
from recording_machine import Wires, loader


@pytest.fixture
def wires():
    return Wires()


@pytest.fixture
def driver(wires, monkeypatch):
    return loader(wires, monkeypatch)


@pytest.fixture
def keys(driver):
    keys = driver("keys").Keys([2, 3, 4, 5, 6, 7, 14], 15)
    keys.start()
    return keys


def taken(keys):
    """Every reading that is left, as (time, bits)."""
    readings = []
    while keys.take():
        readings.append((keys.at, keys.bits))
    assert keys.waiting() == 0
    return readings


def test_key_bits(keys, wires):
    wires.tick()
    assert taken(keys) == [(5, 0)]
    for bit, pin in enumerate([2, 3, 4, 5, 6, 7, 14, 15]):
        wires.levels[pin] = 0
        wires.tick()
        assert [bits for _, bits in taken(keys)] == [1 << bit]
        wires.levels[pin] = 1


def test_readings_wait_with_their_times_until_they_are_taken(keys, wires):
    for level in (1, 0, 0, 1):
        wires.levels[3] = level
        wires.tick()
    assert keys.waiting() == 4
    assert taken(keys) == [(5, 0), (10, 2), (15, 2), (20, 0)]
    assert not keys.take()


@pytest.mark.parametrize("before", [0, 40, 65500, 65536])
@pytest.mark.parametrize("lost", [0, 1, 100])
def test_when_there_is_no_room_the_oldest_readings_are_lost(keys, wires, before, lost):
    """`before`: readings that were taken in time; the counters wrap after 65,536."""
    for _ in range(before):
        wires.tick()
        assert keys.take()
    start = wires.ms
    for _ in range(64 + lost):
        wires.tick()
    assert [at for at, _ in taken(keys)] == [start + 5 * (lost + place) for place in range(1, 65)]


def test_a_reading_that_is_pushed_out_while_it_is_copied_is_not_taken(keys, wires):
    class Levels(bytearray):
        """The interrupt comes just before the bits are copied."""

        def __getitem__(self, slot):
            if not interrupted:
                interrupted.append(True)
                wires.tick()
            return super().__getitem__(slot)

    interrupted = []
    for _ in range(64):
        wires.tick()
    wires.levels[3] = 0
    keys._levels = Levels(keys._levels)
    assert taken(keys) == [(5 * place, 0) for place in range(2, 65)] + [(325, 2)]


def test_calls_that_the_timer_makes_up_for_in_one_millisecond_are_one_reading(keys, wires):
    wires.tick(400)
    for _ in range(80):
        wires.tick(0)
    wires.tick()
    assert [at for at, _ in taken(keys)] == [400, 405]


@pytest.mark.parametrize("number, hard", [(-1, True), (0, False)])
def test_keys_are_read_every_5_ms_by_a_hard_interrupt_where_there_is_one(driver, wires, number, hard):
    wires.timer, wires.hard_timers = number, hard
    keys = driver("keys").Keys([2, 3, 4, 5, 6, 7, 14], 15)
    assert wires.timers == []
    keys.start()
    (timer,) = wires.timers
    assert (timer.period, timer.hard) == (5, hard)
    keys.stop()
    assert wires.timers == []


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
        self.stdin = SimpleNamespace(buffer=SimpleNamespace(readinto=self._readinto))
        self.stdout = SimpleNamespace(buffer=SimpleNamespace(write=self._write))

    def _readinto(self, buffer):
        assert len(buffer) == 1 and self.waiting, "read would block"
        buffer[0] = self.waiting.pop(0)
        return 1

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


def test_link_does_nothing_more_after_one_answered_line(link):
    console = Console(b"a\nb\n", room=5)
    port, got, out = link(console), bytearray(), Queue(b"1")

    def receive(byte):
        got.append(byte)
        return byte == 10

    assert port.pump(receive, out, 100) is True
    assert got == b"a\n" and console.written == b""
    assert port.pump(receive, out, 100) is True
    assert got == b"a\nb\n" and console.written == b""
    assert port.pump(receive, out, 100) is False
    assert console.written == b"1"


def test_watchdog_starts_when_it_is_made(driver, wires):
    dog = driver("watchdog").Watchdog(8000)
    dog.feed()
    assert wires.log == [("wdt", 8000), ("feed",)]
