"""Three static seven-segment digits on their own chain of three 74HC595, one register for each digit.

The left digit hangs on the far end of the chain; bit n of a segment byte drives output Qn. The chain has no way back,
so an absent display cannot be noticed.
"""

from machine import SPI, Pin


class Display:
    """`spi` is the bus number; `sck`, `mosi`, `latch` are GPIO numbers; `baud` is in bits per second."""

    def __init__(self, spi, sck, mosi, latch, baud):
        # The outputs follow a rising edge of the latch, so it must start low and rise only after 24 known bits.
        self._latch = Pin(latch, Pin.OUT, value=0)
        self._spi = SPI(spi, baudrate=baud, polarity=0, phase=0, sck=Pin(sck), mosi=Pin(mosi))

    def show(self, segments):
        """Show three segment bytes, left to right: the first byte sent ends in the farthest register. Always True."""
        self._spi.write(segments)
        self._latch.value(1)
        self._latch.value(0)
        return True
