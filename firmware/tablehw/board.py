"""What the board knows about itself, and its restart."""

import os
import sys
from binascii import hexlify

import machine


def unique_id():
    """The chip's identity as hex: 16 digits on an RP2040 (that of its flash chip), 12 on an ESP32."""
    return hexlify(machine.unique_id()).decode()


def port():
    """The port of MicroPython that runs: "rp2", "esp32"; "linux" on the virtual board."""
    return sys.platform


def micropython():
    """Version of the interpreter, for example "1.28.0"."""
    major, minor, patch = sys.implementation.version[:3]
    return f"{major}.{minor}.{patch}"


def reset():
    """Restart as a power-on does, with the watchdog stopped. Does not return."""
    machine.reset()


def random_bytes(count):
    """Bytes that nobody can foresee, from the chip's random source (of the RP2040: its ring oscillator)."""
    return os.urandom(count)
