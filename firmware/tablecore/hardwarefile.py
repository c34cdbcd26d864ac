"""The board's wiring as data: hardware.json, made by the PC from the controller file and read once at start.

A level on a wrong pin can light lamps, so the whole file is proven before any pin is touched. Its digest shows every
damage; the checks of ranges and of pins used twice show a file that was never right. The PC checks far more, and more
exactly, when it builds the file (host/taisai/boards).

The file is one JSON object in ASCII. Its key `sha256` holds the SHA-256 of the file's own bytes with the 64 digits of
that value written as zeros. Bytes are hashed, not values, because the two interpreters print numbers differently. The
PC seals the file and the board checks it, both with this module, so that the digest has one definition.
"""

import hashlib
import json
from binascii import hexlify

FORMAT = 2
NO_DIGEST = "0" * 64

_DIGEST = b'"sha256": "'

# Chip: (GPIO numbers it has, its SPI buses, the longest time-out of its watchdog in ms).
_CHIPS = {"rp2040": (range(30), (0, 1), 8388), "esp32": (range(40), (1, 2), 60000)}
# What each display driver takes besides its name: its pins, and whether it is on an SPI bus.
_DISPLAYS = {
    "hc595": (("sck", "mosi", "latch"), True),
    "tm1637": (("clk", "dio"), False),
    "max7219": (("sck", "mosi", "cs"), True),
}
_CHAIN_PINS = ("sck", "mosi", "miso", "latch", "enable")
_GUARD_PINS = ("door", "write_lock")
_CLOCK_PINS = ("scl", "sda")
_WHEEL_PINS = ("a", "b", "index")
_GAMES = ("tai-sai", "money-wheel")
_TEXTS = ("table", "layout", "mcu")
# Currents and their scale need not be whole.
_AMOUNTS = ("lamp_milliamp", "group_budget_milliamp")
_SENSE_AMOUNTS = ("milliamp_per_volt", "noise_milliamp")
_AMOUNT_MAX = 100000


def seal(data):
    """The file's bytes with the right digest. ValueError when there is no place for it, or more than one."""
    start = _digest_at(data)
    return data[:start] + _digest(data, start) + data[start + len(NO_DIGEST) :]


def parse(data):
    """The settings as a dict, from the bytes of the file; ValueError with a plain reason when it is damaged, or says
    anything that the firmware cannot work with.
    """
    start = _digest_at(data)
    if data[start : start + len(NO_DIGEST)] != _digest(data, start):
        raise ValueError("hardware file is damaged: its digest does not match its content")
    try:
        hardware = json.loads(data)
    except (ValueError, RuntimeError):  # RuntimeError: nested too deep
        raise ValueError("hardware file is not JSON") from None
    if type(hardware) is not dict:
        raise ValueError("hardware file is not an object")
    if type(hardware.get("format")) is not int or hardware["format"] != FORMAT:
        raise ValueError("hardware file has another format than this firmware reads")
    for name in _TEXTS:
        if type(hardware.get(name)) is not str:
            raise ValueError("hardware file: no text for " + name)
    if hardware["mcu"] not in _CHIPS:
        raise ValueError("hardware file: unknown chip, see mcu")
    gpio, buses, watchdog_max = _CHIPS[hardware["mcu"]]
    _number(hardware, "brightness_percent", "", 1, 100)
    _number(hardware, "watchdog_ms", "", 2000, watchdog_max)
    _number(hardware, "lamp_tolerance_percent", "", 0, 50)
    _amounts(hardware, _AMOUNTS, "")
    pins = _Pins(gpio)
    keys = hardware.get("keys")
    if type(keys) is not list or len(keys) != 7:
        raise ValueError("hardware file: keys must be 7 pins")
    for pin in keys:
        pins.take(pin, "keys")
    pins.take(hardware.get("switch"), "switch")
    _beeper(_part(hardware, "beeper"), pins)
    _chain(_part(hardware, "chain"), pins, buses)
    _display(_part(hardware, "display"), pins, [bus for bus in buses if bus != hardware["chain"]["spi"]])
    if hardware.get("sense") is not None:
        sense = _part(hardware, "sense")
        pins.take(sense.get("pin"), "sense.pin")
        _amounts(sense, _SENSE_AMOUNTS, "sense.")
    if hardware.get("guard") is not None:
        guard = _part(hardware, "guard")
        for name in _GUARD_PINS:
            if guard.get(name) is not None:
                pins.take(guard[name], "guard." + name)
    if hardware.get("clock") is not None:
        clock = _part(hardware, "clock")
        for name in _CLOCK_PINS:
            pins.take(clock.get(name), "clock." + name)
    if hardware.get("game") not in _GAMES:
        raise ValueError("hardware file: unknown game")
    if hardware["game"] == "money-wheel":
        _money_wheel(hardware, pins)
    return hardware


def _digest_at(data):
    """Where the 64 digits start."""
    start = data.find(_DIGEST)
    if start < 0 or data.find(_DIGEST, start + 1) >= 0:
        raise ValueError("hardware file has no digest, or more than one")
    return start + len(_DIGEST)


def _digest(data, start):
    """The digits that belong there, as bytes."""
    whole = hashlib.sha256(data[:start])
    whole.update(NO_DIGEST.encode())
    whole.update(data[start + len(NO_DIGEST) :])
    return hexlify(whole.digest())


class _Pins:
    """The chip's pins, each of which does one job."""

    def __init__(self, gpio):
        self._gpio = gpio
        self._jobs = {}

    def take(self, pin, job):
        if type(pin) is not int or pin not in self._gpio:
            raise ValueError("hardware file: no pin of this chip for " + job)
        if pin in self._jobs:
            raise ValueError("hardware file: pin used twice, by " + self._jobs[pin] + " and " + job)
        self._jobs[pin] = job


def _part(hardware, name):
    part = hardware.get(name)
    if type(part) is not dict:
        raise ValueError("hardware file: no part " + name)
    return part


def _beeper(part, pins):
    pins.take(part.get("pin"), "beeper.pin")
    _number(part, "frequency_hz", "beeper.", 200, 10000)


def _chain(part, pins, buses):
    for name in _CHAIN_PINS:
        pins.take(part.get(name), "chain." + name)
    if part.get("clear") is not None:
        pins.take(part["clear"], "chain.clear")
    _bus(part, "chain.", buses)
    _number(part, "registers", "chain.", 1, 64)


def _display(part, pins, buses):
    """`buses`: those that the lamp chain leaves."""
    if type(part.get("driver")) is not str or part["driver"] not in _DISPLAYS:
        raise ValueError("hardware file: unknown display driver")
    names, on_bus = _DISPLAYS[part["driver"]]
    for name in names:
        pins.take(part.get(name), "display." + name)
    if on_bus:
        _bus(part, "display.", buses)


def _money_wheel(hardware, pins):
    """What makes a spin valid, and the wheel's sensors where there are any."""
    spin = _part(hardware, "spin")
    _number(spin, "minimum_revolutions", "spin.", 3, 20)
    _number(spin, "rest_ms", "spin.", 200, 10000)
    quarters = spin.get("peg_quarters")
    if type(quarters) is not list or not 1 <= len(quarters) <= 3 or set(map(type, quarters)) != {int}:
        raise ValueError("hardware file: spin.peg_quarters must be a list of 1 to 3 quarters")
    if not set(quarters) <= {0, 1, 2, 3}:
        raise ValueError("hardware file: spin.peg_quarters must be of 0 to 3")
    if hardware.get("wheel") is not None:
        wheel = _part(hardware, "wheel")
        for name in _WHEEL_PINS:
            pins.take(wheel.get(name), "wheel." + name)


def _bus(part, where, buses):
    if type(part.get("spi")) is not int or part["spi"] not in buses:
        raise ValueError("hardware file: no free SPI bus for " + where + "spi")
    _number(part, "baud", where, 100000, 4000000)


def _number(part, name, where, least, most):
    """A whole number in its range."""
    value = part.get(name)
    if type(value) is not int or not least <= value <= most:
        raise ValueError("hardware file: no number from %d to %d for %s" % (least, most, where + name))


def _amounts(part, names, where):
    """Numbers above 0, whole or not."""
    for name in names:
        value = part.get(name)
        if type(value) not in (int, float) or not 0 < value <= _AMOUNT_MAX:
            raise ValueError("hardware file: no number above 0, up to 100,000, for " + where + name)
