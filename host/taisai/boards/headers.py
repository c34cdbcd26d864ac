"""The pins of each board's header, as they are printed on it: for drawings and for people with a soldering iron."""

# Raspberry Pi Pico datasheet, section 2.1, USB at the top: pins 1 to 20 down the left side, 40 to 21 down the right.
_PICO_LEFT = (
    "GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7",
    "GP8", "GP9", "GND", "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15",
)  # fmt: skip
_PICO_RIGHT = (
    "VBUS", "VSYS", "GND", "3V3_EN", "3V3", "ADC_VREF", "GP28", "AGND", "GP27", "GP26",
    "RUN", "GP22", "GND", "GP21", "GP20", "GP19", "GP18", "GND", "GP17", "GP16",
)  # fmt: skip
# ESP32-DevKitC V4 getting started guide, "Pin Layout", antenna at the top: J2 on the left, J3 on the right.
_DEVKITC_LEFT = (
    "3V3", "EN", "IO36", "IO39", "IO34", "IO35", "IO32", "IO33", "IO25", "IO26",
    "IO27", "IO14", "IO12", "GND", "IO13", "IO9", "IO10", "IO11", "5V",
)  # fmt: skip
_DEVKITC_RIGHT = (
    "GND", "IO23", "IO22", "IO1", "IO3", "IO21", "GND", "IO19", "IO18", "IO5",
    "IO17", "IO16", "IO4", "IO0", "IO2", "IO15", "IO8", "IO7", "IO6",
)  # fmt: skip

# By board: the labels of the left and of the right side, both from the top.
HEADERS = {
    "raspberry-pi-pico": (_PICO_LEFT, _PICO_RIGHT),
    "esp32-devkitc": (_DEVKITC_LEFT, _DEVKITC_RIGHT),
}


def gpio_of(label: str) -> int | None:
    """The GPIO number of a pin, None for a supply or another pin without one."""
    digits = label.removeprefix("GP").removeprefix("IO")
    return int(digits) if digits.isdecimal() else None
