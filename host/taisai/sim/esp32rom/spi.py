"""The SPI controller that leads to the flash chip, as far as a host uses it through READ_REG and WRITE_REG.

A "user" command is put together in registers and started with bit USR of the command register (ESP32 TRM, chapter SPI
Controller, registers SPI_CMD, SPI_ADDR, SPI_USER, SPI_USER1, SPI_USER2, SPI_MOSI_DLEN, SPI_MISO_DLEN, SPI_W0 to
SPI_W15; the SPI1 memory controller of the ESP32-S3 has the same fields at other offsets).
"""

from dataclasses import dataclass

from taisai.sim.esp32rom.norflash import NorFlash

START_USER = 1 << 18
USER_ADDRESS = 1 << 30
USER_MISO = 1 << 28
USER_MOSI = 1 << 27
WORDS = 16


@dataclass(frozen=True)
class SpiMap:
    """Addresses of the registers of one chip; `address_at_top` says that SPI_ADDR is left-aligned."""

    command: int
    address: int
    user: int
    user1: int
    user2: int
    mosi_bits: int
    miso_bits: int
    data: int
    address_at_top: bool

    @property
    def all(self) -> range:
        """Every word from the command register to the last data word."""
        return range(self.command, self.data + 4 * WORDS, 4)


class SpiController:
    """The registers, and the flash chip behind them once its pins are attached."""

    def __init__(self, where: SpiMap, flash: NorFlash) -> None:
        self._where = where
        self._flash = flash
        self._words = dict.fromkeys(where.all, 0)
        self.attached = False

    def owns(self, address: int) -> bool:
        return address in self._words

    def read(self, address: int) -> int:
        return self._words[address]

    def write(self, address: int, value: int) -> None:
        self._words[address] = value
        if address == self._where.command and value & START_USER:
            self._run()
            # The bit clears itself when the command has been carried out.
            self._words[address] = value & ~START_USER

    def _run(self) -> None:
        where, words = self._where, self._words
        user = words[where.user]
        data = b""
        if user & USER_MOSI:
            data = self._buffer()[: (words[where.mosi_bits] + 8) // 8]
        length = (words[where.miso_bits] + 8) // 8 if user & USER_MISO else 0
        opcode = words[where.user2] & 0xFF
        # Pins that are not attached float high.
        reply = self._flash.command(opcode, self._flash_address(), data, length) if self.attached else b"\xff" * length
        buffer = reply + self._buffer()[length:]
        for index in range(WORDS):
            words[where.data + 4 * index] = int.from_bytes(buffer[4 * index : 4 * index + 4], "little")

    def _flash_address(self) -> int:
        where, words = self._where, self._words
        if not words[where.user] & USER_ADDRESS:
            return 0
        bits = (words[where.user1] >> 26) + 1
        value = words[where.address]
        return value >> (32 - bits) if where.address_at_top else value & ((1 << bits) - 1)

    def _buffer(self) -> bytes:
        where = self._where
        return b"".join(self._words[where.data + 4 * index].to_bytes(4, "little") for index in range(WORDS))
