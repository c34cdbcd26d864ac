"""Static display: one 74HC595 per digit in a chain of its own, output enable tied low, QA = segment a ... QH = point.

The leftmost digit hangs on the far end of the chain, so the bytes of the digits are sent from left to right.
"""

from random import Random

from taisai.sim.chain import ShiftChain
from taisai.sim.displays import DIGITS, Display


class StaticDisplay(Display):
    """Before the first latch the digits show whatever the output stages powered up with, as the real ones do."""

    def __init__(self, sck: int, mosi: int, latch: int, rng: Random):
        self.chain = ShiftChain(DIGITS, rng)
        super().__init__({sck: self.chain.clock, mosi: self.chain.data, latch: self.chain.latch}, rng)

    def power_on(self, random_bits: bool) -> None:
        super().power_on(random_bits)
        self.chain.power_on(random_bits)

    def power_off(self) -> None:
        super().power_off()
        self.chain.power_off()

    def spi(self, data: bytes) -> None:
        self.chain.transfer(data)

    def _shown(self) -> bytes:
        return self.chain.output.to_bytes(DIGITS, "big")
