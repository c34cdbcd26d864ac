"""The board's wiring as data: hardware.json, made by the PC from the controller file and read once at start.

The PC has checked every pin against the chip. Here only the shape is checked, before any pin is touched: a damaged file
must end in a fault, not in a level on a wrong pin.
"""

import json

FORMAT = 1

# Settings that each display driver takes besides its name.
_DISPLAYS = {
    "hc595": ("spi", "sck", "mosi", "latch", "baud"),
    "tm1637": ("clk", "dio"),
    "max7219": ("spi", "sck", "mosi", "cs", "baud"),
}
_CHAIN = ("spi", "sck", "mosi", "miso", "latch", "enable", "baud", "registers")
_TEXTS = ("table", "layout", "mcu")
_NUMBERS = ("switch", "brightness_percent", "watchdog_ms")
# Currents and their scale need not be whole.
_AMOUNTS = ("lamp_milliamp", "group_budget_milliamp")
_SENSE_AMOUNTS = ("milliamp_per_volt", "noise_milliamp")


def parse(text):
    """The settings as a dict; ValueError with a plain reason when anything that the firmware needs is not there."""
    hardware = json.loads(text)
    if type(hardware) is not dict:
        raise ValueError("hardware file is not an object")
    if type(hardware.get("format")) is not int or hardware["format"] != FORMAT:
        raise ValueError("hardware file has another format than this firmware reads")
    for name in _TEXTS:
        if type(hardware.get(name)) is not str:
            raise ValueError("hardware file: no text for " + name)
    _numbers(hardware, _NUMBERS, "")
    if not 1 <= hardware["brightness_percent"] <= 100:
        raise ValueError("hardware file: brightness_percent must be 1 to 100")
    _amounts(hardware, _AMOUNTS, "")
    keys = hardware.get("keys")
    if type(keys) is not list or len(keys) != 7:
        raise ValueError("hardware file: keys must be 7 pins")
    for pin in keys:
        _number(pin, "keys")
    _numbers(_part(hardware, "beeper"), ("pin", "frequency_hz"), "beeper.")
    chain = _part(hardware, "chain")
    _numbers(chain, _CHAIN, "chain.")
    if chain.get("clear") is not None:
        _number(chain["clear"], "chain.clear")
    display = _part(hardware, "display")
    if type(display.get("driver")) is not str or display["driver"] not in _DISPLAYS:
        raise ValueError("hardware file: unknown display driver")
    _numbers(display, _DISPLAYS[display["driver"]], "display.")
    if hardware.get("sense") is not None:
        sense = _part(hardware, "sense")
        _numbers(sense, ("pin",), "sense.")
        _amounts(sense, _SENSE_AMOUNTS, "sense.")
    return hardware


def _part(hardware, name):
    part = hardware.get(name)
    if type(part) is not dict:
        raise ValueError("hardware file: no part " + name)
    return part


def _numbers(part, names, where):
    for name in names:
        _number(part.get(name), where + name)


def _number(value, where):
    """A pin, a rate or a limit: a whole number from 0 on."""
    if type(value) is not int or value < 0:
        raise ValueError("hardware file: no whole number for " + where)


def _amounts(part, names, where):
    """Numbers above 0, whole or not."""
    for name in names:
        value = part.get(name)
        if type(value) not in (int, float) or not value > 0:
            raise ValueError("hardware file: no number above 0 for " + where + name)
