"""MAX7219 LED driver (Maxim 19-4452): a 16-bit serial register, loaded on the rising edge of LOAD/CS.

DIN is shifted on every rising clock edge, whatever CS does; the last 16 bits before the edge count: D11..D8 address,
D7..D0 data. Digit register 1 is the leftmost digit. Without decoding D7 is the point and D6..D0 are segments a..g.
"""

from collections.abc import Callable
from random import Random

from taisai.sim.displays import DARK, DIGITS, POINT, Display

DECODE_MODE, INTENSITY, SCAN_LIMIT, SHUTDOWN, DISPLAY_TEST = 9, 10, 11, 12, 15
# Code B font of the datasheet's table 5, as segments g f e d c b a: 0 to 9, -, E, H, L, P, blank.
_CODE_B = (0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F, 0x40, 0x79, 0x76, 0x38, 0x73, 0x00)


class Max7219Display(Display):
    """Powers up in shutdown, scanning one digit, not decoding, at the least intensity; digit registers are unknown."""

    def __init__(self, sck: int, mosi: int, cs: int, rng: Random):
        pins: dict[int, Callable[[int], None]] = {sck: self._clock, mosi: self._data, cs: self._load}
        super().__init__(pins, rng)
        self._din = self._sck = self._cs = 0
        self._shift = 0
        self._digits = [0] * 8
        self._controls: dict[int, int] = {}

    def power_on(self, random_bits: bool) -> None:
        super().power_on(random_bits)
        self._shift = self._rng.getrandbits(16) if random_bits else 0
        self._digits = [self._rng.getrandbits(8) if random_bits else 0 for _ in range(8)]
        self._controls = {DECODE_MODE: 0, INTENSITY: 0, SCAN_LIMIT: 0, SHUTDOWN: 0, DISPLAY_TEST: 0}

    def power_off(self) -> None:
        super().power_off()
        self._din = self._sck = self._cs = 0

    @property
    def intensity(self) -> int:
        """0 to 15: duty of (2 x intensity + 1) / 32."""
        return self._controls.get(INTENSITY, 0) & 0x0F

    def spi(self, data: bytes) -> None:
        self._shift = ((self._shift << 8 * len(data)) | int.from_bytes(data, "big")) & 0xFFFF

    def _data(self, level: int) -> None:
        self._din = level

    def _clock(self, level: int) -> None:
        if level and not self._sck:
            self._shift = ((self._shift << 1) | self._din) & 0xFFFF
        self._sck = level

    def _load(self, level: int) -> None:
        if level and not self._cs and self.powered:
            address, data = (self._shift >> 8) & 0x0F, self._shift & 0xFF
            if 1 <= address <= 8:
                self._digits[address - 1] = data
            elif address in self._controls:
                self._controls[address] = data
        self._cs = level

    def _shown(self) -> bytes:
        if self._controls[DISPLAY_TEST] & 1:
            return b"\xff" * DIGITS
        if not self._controls[SHUTDOWN] & 1:
            return DARK
        scanned = (self._controls[SCAN_LIMIT] & 7) + 1
        return bytes(self._lit(digit) if digit < scanned else 0 for digit in range(DIGITS))

    def _lit(self, digit: int) -> int:
        data = self._digits[digit]
        if self._controls[DECODE_MODE] >> digit & 1:
            return _CODE_B[data & 0x0F] | (data & POINT)
        # D6..D0 are a..g, so the seven bits stand in the opposite order of a segment byte.
        return int(f"{data & 0x7F:07b}"[::-1], 2) | (data & POINT)
