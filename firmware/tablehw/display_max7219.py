"""Three digits of a MAX7219; digit 0 is the left one. It has no way back: an absent display cannot be noticed.

All registers are written with every update, not only the digits: a disturbance or a lost supply leaves the chip in
shutdown, in test mode or with another scan limit, and the next update cures it.
"""

from machine import SPI, Pin

_DIGIT_0 = 0x01
_DECODE_MODE = 0x09
_INTENSITY = 0x0A
_SCAN_LIMIT = 0x0B
_SHUTDOWN = 0x0C
_DISPLAY_TEST = 0x0F


class Display:
    """`spi` is the bus number; `sck`, `mosi`, `cs` are GPIO numbers; `baud` is in bits per second, 10 MHz at most."""

    def __init__(self, spi, sck, mosi, cs, baud):
        # A rising edge of CS takes over the last 16 bits. It idles low, so that there is no such edge before the first
        # 16 bits that are known: a chip that woke up with random bits must not act on them.
        self._cs = Pin(cs, Pin.OUT, value=0)
        self._spi = SPI(spi, baudrate=baud, polarity=0, phase=0, sck=Pin(sck), mosi=Pin(mosi))
        self._word = bytearray(2)

    def show(self, segments):
        """Show three segment bytes, left to right. Always True."""
        self._write(_DISPLAY_TEST, 0)
        self._write(_DECODE_MODE, 0)
        # Three digits. With this few the current per segment is set by the resistor for 3 digits (datasheet, table 11).
        self._write(_SCAN_LIMIT, 2)
        self._write(_INTENSITY, 15)
        for digit in range(3):
            self._write(_DIGIT_0 + digit, _max7219_bits(segments[digit]))
        # Last, so that the first light after power-up is already the right one.
        self._write(_SHUTDOWN, 1)
        return True

    def _write(self, register, value):
        self._word[0] = register
        self._word[1] = value
        self._spi.write(self._word)
        self._cs.value(1)
        self._cs.value(0)


def _max7219_bits(segments):
    """Our segment byte (a = bit 0 ... g = bit 6, point = bit 7) in the chip's order (a = bit 6 ... g = bit 0)."""
    bits = segments & 0x80
    for place in range(7):
        if segments & (1 << place):
            bits |= 0x40 >> place
    return bits
