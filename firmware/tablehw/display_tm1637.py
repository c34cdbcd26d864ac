"""Three digits of a TM1637 on two open-drain lines with pull-ups.

The chip acknowledges every byte, so an absent display is noticed. It pulls the data line low at the 8th falling clock
edge: the line is open-drain here and is released just after that edge, so that nothing drives against the chip.
Its key scan is not used.
"""

from time import sleep_us

from machine import Pin

_WRITE_ADVANCING = 0x40  # data command: write, address advances by itself
_FIRST_DIGIT = 0xC0  # address command: digit 0, the left one
_ON_BRIGHTEST = 0x8F  # display control: on, pulse width 14/16
# Half a clock period. The datasheet allows 500 kHz; modules carry capacitors on both lines and need slower edges.
_HALF_US = 5


class Display:
    """`clk` and `dio` are GPIO numbers."""

    def __init__(self, clk, dio):
        self._clk = Pin(clk, Pin.OPEN_DRAIN, value=1)
        self._dio = Pin(dio, Pin.OPEN_DRAIN, value=1)

    def show(self, segments):
        """Show three segment bytes, left to right. False when the chip did not acknowledge. About 2 ms.

        Everything is written each time, the control byte too: a display that lost its supply comes back by itself.
        """
        self._start()
        here = self._send(_WRITE_ADVANCING)
        self._stop()
        self._start()
        here = self._send(_FIRST_DIGIT) and here
        for segment in segments:
            here = self._send(segment) and here
        self._stop()
        self._start()
        here = self._send(_ON_BRIGHTEST) and here
        self._stop()
        return here

    def _start(self):
        """Data falls while the clock is high."""
        self._dio.value(0)
        sleep_us(_HALF_US)
        self._clk.value(0)

    def _stop(self):
        """Data rises while the clock is high. The clock is low before."""
        self._dio.value(0)
        sleep_us(_HALF_US)
        self._clk.value(1)
        sleep_us(_HALF_US)
        self._dio.value(1)
        sleep_us(_HALF_US)

    def _send(self, byte):
        """Eight bits, lowest first, then the acknowledge bit. True when the chip pulled the data line low."""
        for _ in range(8):
            self._dio.value(byte & 1)
            byte >>= 1
            sleep_us(_HALF_US)
            self._clk.value(1)
            sleep_us(_HALF_US)
            self._clk.value(0)
        self._dio.value(1)
        sleep_us(_HALF_US)
        self._clk.value(1)
        sleep_us(_HALF_US)
        acknowledged = not self._dio.value()
        self._clk.value(0)
        return acknowledged
