"""`machine` as on a board: pins, SPI, PWM, ADC, watchdog and resets of the bench's controller.

What the firmware uses is here, and what a person at the prompt tries first, with the constants of the RP2040 port. What
a chip would refuse is refused.
"""

import bus
import struct
import time
import timers
from micropython import const
from timers import Timer  # noqa: F401

PWRON_RESET = 1
HARD_RESET = 2
WDT_RESET = 3
DEEPSLEEP_RESET = 4
SOFT_RESET = 5

_IN = const(0)
_OUT = const(1)
_OPEN_DRAIN = const(2)
_PULL_UP = const(1)
_PULL_DOWN = const(2)
_PWM_STOPPED = const(-1)
_IDLE_US = const(1000)  # idle() returns at the next interrupt, at the latest that of the millisecond clock

_pin_count = 0
_contacts = 0  # bit n: a contact to ground on pin n, whose level no output changes
_watchdog_longest_ms = 0  # 0: no limit
_unique_id = b""
_reset_cause = PWRON_RESET
_timed_out = False


def become(cause, pins, contacts, watchdog_longest_ms, hardware_timers, board_id):
    """Be the controller that the bench has; called once, before the firmware starts."""
    global _reset_cause, _timed_out, _pin_count, _contacts, _watchdog_longest_ms, _unique_id
    _reset_cause = cause & 0x7F
    _timed_out = cause >> 7
    _pin_count = pins
    _contacts = contacts
    _watchdog_longest_ms = watchdog_longest_ms
    _unique_id = board_id
    timers.become(hardware_timers)


class _Memory:
    """Of an RP2040's registers the one that tells what the watchdog's reset was."""

    def __getitem__(self, address):
        if address != 0x4005801C:
            raise NotImplementedError("the bench has no such register")
        return 0x6AB73121 if _timed_out else 0


mem32 = _Memory()


class Pin:
    IN = _IN
    OUT = _OUT
    OPEN_DRAIN = _OPEN_DRAIN
    PULL_UP = _PULL_UP
    PULL_DOWN = _PULL_DOWN

    def __init__(self, number, mode=-1, pull=None, *, value=None):
        if isinstance(number, Pin):
            number = number.number
        if not 0 <= number < _pin_count:
            raise ValueError("invalid pin")
        self.number = number
        self._contact = 0  # 1: an input on a contact, whose level is always known
        self._mode = _IN
        self._level = 0
        if mode != -1:
            self.init(mode, pull, value=value)

    def init(self, mode, pull=None, *, value=None):
        """An output shows `value` from its first moment, or low where none is given."""
        self._mode = mode
        self._contact = mode == _IN and _contacts >> self.number & 1
        if value is not None:
            self._level = 1 if value else 0
        if mode == _IN:
            bus.output(bus.OUT_PIN, self.number, -1, pull or 0)
        else:
            self._drive()

    def value(self, level=None):
        if level is None:
            if not self._contact:
                if self._mode == _OUT:
                    return self._level
                if bus.dirty or bus.now != bus.asked:
                    bus.exchange(bus.SYNC)
            return bus.levels >> self.number & 1
        self._level = 1 if level else 0
        if self._mode != _IN:
            self._drive()

    __call__ = value

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)

    high = on
    low = off

    def toggle(self):
        self.value(not self._level)

    def _drive(self):
        released = self._mode == _OPEN_DRAIN and self._level
        bus.output(bus.OUT_PIN, self.number, -1 if released else self._level, _PULL_UP if released else 0)


class SPI:
    MSB = 1
    LSB = 0

    def __init__(
        self, port, baudrate=1000000, *, polarity=0, phase=0, bits=8, firstbit=MSB, sck=None, mosi=None, miso=None
    ):
        if polarity or phase or bits != 8 or firstbit != self.MSB:
            raise NotImplementedError("the bench's parts take SPI mode 0, 8 bits, MSB first")
        self._port = port
        self._baud = baudrate

    def _wire_us(self, length):
        return (length * 8000000 + self._baud - 1) // self._baud

    def write(self, data):
        if len(data) > 512:
            raise NotImplementedError("the bench takes 512 bytes in one transfer")
        bus.output(bus.OUT_SPI, self._port, 0, len(data), data)
        bus.spend(self._wire_us(len(data)))

    def write_readinto(self, out, into):
        if len(out) != len(into):
            raise ValueError("buffers must be the same length")
        bus.exchange(bus.SPI, 0, struct.pack("<I", self._port), out)
        into[:] = memoryview(bus.reply)[bus.REPLY_BYTES : bus.REPLY_BYTES + len(out)]
        bus.spend(self._wire_us(len(out)))

    def readinto(self, into, write=0):
        self.write_readinto(bytes([write]) * len(into), into)

    def deinit(self):
        pass


class SoftI2C:
    """Only what a part with registers needs. A byte takes nine clocks; the address is sent again before reading."""

    def __init__(self, *, scl, sda, freq=400000):
        self._pins = (scl.number, sda.number)
        self._hz = freq

    def readfrom_mem_into(self, address, register, into):
        self._exchange(address, register, len(into), b"")
        into[:] = memoryview(bus.reply)[bus.REPLY_BYTES : bus.REPLY_BYTES + len(into)]

    def writeto_mem(self, address, register, data):
        self._exchange(address, register, 0, data)

    def _exchange(self, address, register, count, data):
        """The reply has one byte too many, so that it is empty only where nothing answers."""
        wire_us = (3 + count + len(data)) * 9 * 1000000 // self._hz
        if not bus.exchange(bus.I2C, wire_us, struct.pack("<BBBBB", *self._pins, address, register, count), data):
            raise OSError(5)


class Encoder:
    """As the ESP32 port has it: a counter in hardware. The bench's counts from the start of the chip on."""

    def __init__(self, id, phase_a, phase_b, *, phases=1, filter_ns=0):
        if phases != 4:
            raise NotImplementedError("the bench counts all four phases")
        self._pins = struct.pack("<BB", phase_a.number, phase_b.number)

    def value(self):
        bus.exchange(bus.COUNT, 0, self._pins)
        return struct.unpack_from("<i", bus.reply, bus.REPLY_BYTES)[0]


class PWM:
    def __init__(self, pin, *, freq=0, duty_u16=0):
        self._number = pin.number
        self._freq = freq
        self._duty = duty_u16
        self._drive()

    def init(self, *, freq=None, duty_u16=None):
        if freq is not None:
            self._freq = freq
        if duty_u16 is not None:
            self._duty = duty_u16
        self._drive()

    def freq(self, freq=None):
        if freq is None:
            return self._freq
        self._freq = freq
        return self._drive()

    def duty_u16(self, duty=None):
        if duty is None:
            return self._duty
        self._duty = duty
        return self._drive()

    def deinit(self):
        bus.output(bus.OUT_PWM, self._number, _PWM_STOPPED)

    def _drive(self):
        if self._freq:
            bus.output(bus.OUT_PWM, self._number, self._freq, self._duty)


class ADC:
    def __init__(self, pin):
        self._number = pin.number if isinstance(pin, Pin) else pin

    def read_u16(self):
        """A conversion takes 96 cycles of 48 MHz (RP2040 datasheet 4.9.2), 2 us."""
        bus.exchange(bus.ADC, 2, struct.pack("<I", self._number))
        return struct.unpack_from("<H", bus.reply, bus.REPLY_BYTES)[0]


class WDT:
    def __init__(self, id=0, timeout=5000):
        if timeout <= 0 or (_watchdog_longest_ms and timeout > _watchdog_longest_ms):
            raise ValueError("timeout exceeds " + str(_watchdog_longest_ms))
        bus.output(bus.OUT_WDT, 0, timeout)
        bus.exchange(bus.SYNC)  # at once: it has to work even if the program never waits for anything again

    def feed(self):
        bus.feed()


def unique_id():
    return _unique_id


def reset_cause():
    return _reset_cause


def reset():
    bus.exchange(bus.RESET)


def soft_reset():
    raise SystemExit


def idle():
    time.sleep_us(_IDLE_US)
