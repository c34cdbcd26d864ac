"""TM1637 LED driver (Titan Micro, data sheet V2.4): two wires, both with pull-ups, least significant bit first.

Start: DIO falls while CLK is high. Stop: DIO rises while CLK is high. Bits are taken on the rising edge of CLK. After
the eighth bit the chip pulls DIO low from that clock's falling edge to the ninth clock's falling edge: the acknowledge.
The first byte after a start is a command, the bytes after an address command are data for the digits. GRID1, GRID2 and
GRID3 (addresses C0 to C2) are the left, middle and right digit; SEG1..SEG8 are a..g and the point.
"""

from collections.abc import Callable
from random import Random

from taisai.sim.displays import DARK, DIGITS, Display

GRIDS = 6
_WRITE_DISPLAY = 0x40
_FIXED_ADDRESS = 0x04


class Tm1637Display(Display):
    """Comes up dark with unknown digits. `errors` names each kind of protocol mistake that was seen, once.

    DIO is low when either side pulls it: `_dio_driven` is the controller's side, `_dio_low` the chip's.
    """

    def __init__(self, clk: int, dio: int, rng: Random):
        pins: dict[int, Callable[[int], None]] = {clk: self._clk_edge, dio: self._dio_edge}
        super().__init__(pins, rng)
        self._dio = dio
        self.errors: list[str] = []
        self._dio_low = False
        self._clk = self._dio_driven = 1
        self._digits = [0] * GRIDS
        self._on = False
        self._brightness = 0
        self._fixed = False
        self._address: int | None = None
        self._idle()

    def power_on(self, random_bits: bool) -> None:
        super().power_on(random_bits)
        self._digits = [self._rng.getrandbits(8) if random_bits else 0 for _ in range(GRIDS)]
        self._on = self._fixed = False
        self._brightness = 0
        self._address = None
        self._idle()

    def power_off(self) -> None:
        super().power_off()
        self._clk = self._dio_driven = 1
        self._idle()

    @property
    def brightness(self) -> int | None:
        """0 to 7 (duties of 1, 2, 4, 10, 11, 12, 13 and 14 sixteenths), None while the display is switched off."""
        return self._brightness if self._on else None

    def pulls_low(self, pin: int) -> bool:
        return pin == self._dio and self._dio_low and self.present

    def _idle(self) -> None:
        """Outside a transfer: the chip waits for a start and drives nothing."""
        self._active = False
        self._bits = 0
        self._byte = 0
        self._is_command = True
        self._dio_low = False

    def _dio_edge(self, level: int) -> None:
        """The controller's side of DIO changed (1 = released or driven high)."""
        before = self._dio_driven and not self._dio_low
        self._dio_driven = level
        after = self._dio_driven and not self._dio_low
        if before == after or not self._clk or not self._listening():
            return
        if not after:
            self._idle()
            self._active = True
        else:
            # The clock edge of the stop itself has been counted as a bit.
            if self._active and self._bits > 1:
                self._error("stop in the middle of a byte")
            self._idle()

    def _clk_edge(self, level: int) -> None:
        if level == self._clk:
            return
        self._clk = level
        if not self._active or not self._listening():
            return
        if level:
            self._rising()
        else:
            self._falling()

    def _rising(self) -> None:
        if self._bits < 8:
            self._byte |= self._dio_driven << self._bits
        self._bits += 1

    def _falling(self) -> None:
        if self._bits == 8:
            self._dio_low = True
        elif self._bits == 9:
            self._dio_low = False
            self._take(self._byte)
            self._bits = self._byte = 0

    def _take(self, byte: int) -> None:
        if self._is_command:
            self._is_command = False
            self._command(byte)
        elif self._address is None:
            self._error("data after a command that takes none")
        else:
            self._digits[self._address] = byte
            if not self._fixed:
                self._address = (self._address + 1) % GRIDS

    def _command(self, byte: int) -> None:
        kind = byte & 0xC0
        self._address = None
        if kind == 0x40:
            if byte & ~_FIXED_ADDRESS != _WRITE_DISPLAY:
                self._error(f"data command {byte:#04x} is not a plain display write")
            self._fixed = bool(byte & _FIXED_ADDRESS)
        elif kind == 0x80:
            if byte & 0x30:
                self._error(f"display command {byte:#04x} sets bits that must be 0")
            self._on, self._brightness = bool(byte & 0x08), byte & 0x07
        elif kind == 0xC0 and byte & 0x3F < GRIDS:
            self._address = byte & 0x0F
        else:
            self._error(f"unknown command {byte:#04x}")

    def _error(self, text: str) -> None:
        if text not in self.errors:
            self.errors.append(text)

    def _listening(self) -> bool:
        return self.powered and self.present

    def _shown(self) -> bytes:
        return bytes(self._digits[:DIGITS]) if self._on else DARK
