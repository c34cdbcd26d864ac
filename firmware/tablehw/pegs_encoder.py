"""The quadrature counter of an ESP32: its pulse counter (PCNT), which counts whatever the processor does meanwhile.

`machine.Encoder` is in MicroPython for the ESP32 from 1.26 on; other ports that have it will do as well.
"""

from machine import Encoder

# Shorter pulses are not counted: the longest that the ESP32's filter takes (1,023 cycles of 80 MHz; technical reference
# manual, PCNT_FILTER_THRES). Bounce lasts longer, and is counted forth and back.
_FILTER_NS = 12_000


class Quadrature:
    """`a` and `b` are pins; the count grows while A leads B."""

    def __init__(self, a, b):
        self._encoder = Encoder(0, a, b, phases=4, filter_ns=_FILTER_NS)

    def count(self):
        """Quarters so far, 16 bits and wrapping."""
        return self._encoder.value() & 0xFFFF
