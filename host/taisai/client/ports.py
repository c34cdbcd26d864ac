"""The serial ports of this computer, and which of them a board of ours can be behind."""

import os
from dataclasses import dataclass

from serial.tools import list_ports

RASPBERRY_PI = 0x2E8A

# USB ids (vendor, product) of what the shipped controllers are reached through. Other ports are left alone unless the
# user names one: bytes that mean nothing to a board of ours may start a machine somewhere else.
KNOWN_USB = {
    (RASPBERRY_PI, 0x0005): "MicroPython on an RP2040",  # ports/rp2 of MicroPython, MICROPY_HW_USB_VID and _PID
    (0x10C4, 0xEA60): "CP210x on the ESP32-DevKitC",  # Silicon Labs CP2102 data sheet
    (0x1A86, 0x7523): "CH340 on ESP32 boards",
    (0x1A86, 0x55D4): "CH9102 on ESP32 boards",
}

_NO_DESCRIPTION = "n/a"  # pyserial's


@dataclass(frozen=True)
class Port:
    """One serial port. `usb` is (vendor, product), None where it is no USB port or the system does not tell."""

    device: str
    description: str
    usb: tuple[int, int] | None

    @property
    def known(self) -> bool:
        """A board of ours can be behind it, so that it may be spoken to without being named."""
        return self.usb in KNOWN_USB

    @property
    def needs_dtr(self) -> bool:
        """MicroPython on an RP2040 sends nothing on USB until the host raises DTR."""
        return self.usb is not None and self.usb[0] == RASPBERRY_PI


def serial_ports() -> list[Port]:
    """Every serial port, each once however many names it has, by name."""
    found: dict[str, Port] = {}
    for entry in list_ports.comports():
        usb = None if entry.vid is None or entry.pid is None else (entry.vid, entry.pid)
        real = os.path.realpath(entry.device)
        if real not in found:
            text = entry.description or ""
            found[real] = Port(entry.device, "" if text == _NO_DESCRIPTION else text, usb)
    return sorted(found.values(), key=lambda port: port.device)


def port_named(name: str) -> Port:
    """The port that the user names; one that the list does not have is taken as it is."""
    real = os.path.realpath(name)
    for port in serial_ports():
        if port.device == name or os.path.realpath(port.device) == real:
            return Port(name, port.description, port.usb)
    return Port(name, "", None)
