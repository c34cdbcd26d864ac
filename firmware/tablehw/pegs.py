"""The sensors at the pegs of a money wheel, read by whatever counter the chip has."""

from time import ticks_ms

from machine import Pin


class PegSensors:
    """GPIO numbers of the sensors, each with a pull-up fitted outside: an ESP32's input-only pins have none inside.

    `read` takes a sample: `at` in ms (as time.ticks_ms), `count` of quarters, 16 bits and wrapping, and the levels
    `before` and after (`levels`) the count was read, bit 0 = a, 1 = b, 2 = index.

    ImportError when this MicroPython has no counter that would do.
    """

    def __init__(self, a, b, index):
        self.at = self.count = self.before = self.levels = 0
        self._pins = tuple([Pin(number, Pin.IN) for number in (a, b, index)])
        try:
            from tablehw.pegs_pio import Quadrature
        except ImportError:
            from tablehw.pegs_encoder import Quadrature
        self._counter = Quadrature(self._pins[0], self._pins[1])

    def read(self):
        self.at = ticks_ms()
        self.before = self._read()
        self.count = self._counter.count()
        self.levels = self._read()

    def _read(self):
        a, b, index = self._pins
        return a() | b() << 1 | index() << 2
