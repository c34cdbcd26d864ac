"""The address space as READ_REG and WRITE_REG see it."""

from taisai.sim.esp32rom.chips import Chip
from taisai.sim.esp32rom.norflash import NorFlash
from taisai.sim.esp32rom.spi import SpiController

CRYSTAL_HZ = 40_000_000
START_BAUD = 115_200


class Registers:
    """All words a host may read or write. `unknown` collects the addresses used which are not modelled: they read 0."""

    def __init__(self, chip: Chip, flash: NorFlash, mac: bytes, faults: frozenset[str]) -> None:
        self._chip = chip
        self.efuses = chip.efuse_words(mac, faults)
        self._fixed = chip.fixed | self.efuses
        self.unknown: set[int] = set()
        self._flash = flash
        self.reset(0)

    def reset(self, strap: int) -> None:
        """As after a reset with this value on the strapping pins."""
        self.spi = SpiController(self._chip.spi, self._flash)
        self._plain = dict.fromkeys(self._chip.plain, 0)
        self._strap = strap
        self.baud = START_BAUD

    def read(self, address: int) -> int:
        if self.spi.owns(address):
            return self.spi.read(address)
        if address == self._chip.clock_divider_register:
            # UART_CLKDIV: the whole part in bits 19..0, sixteenths in bits 23..20.
            sixteenths = CRYSTAL_HZ * 16 // self.baud
            return sixteenths >> 4 | (sixteenths & 0xF) << 20
        if address == self._chip.strap_register:
            return self._strap
        if address in self._plain:
            return self._plain[address]
        if address in self._fixed:
            return self._fixed[address]
        self.unknown.add(address)
        return 0

    def write(self, address: int, value: int, mask: int) -> None:
        """Set the masked bits. Words that hardware or eFuses fix stay as they are."""
        if self.spi.owns(address):
            self.spi.write(address, self.spi.read(address) & ~mask | value & mask)
        elif address in self._plain:
            self._plain[address] = self._plain[address] & ~mask | value & mask
        elif address not in self._fixed:
            self.unknown.add(address)
