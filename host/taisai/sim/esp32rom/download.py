"""Flash downloads: the blocks between a FLASH_BEGIN or FLASH_DEFL_BEGIN and the last of its data.

esptool "Serial Protocol", section Writing Data: the begin command erases, and announces number and size of the data
packets; sequence numbers count from 0; after each block the loader reads back what it wrote.
"""

import zlib

from taisai.sim.esp32rom.errors import DEFLATE_ADLER, DEFLATE_FAILED, FLASH_WRITE, INVALID, NOT_DONE, RomError
from taisai.sim.esp32rom.norflash import NorFlash


class PlainDownload:
    """Blocks go to flash as they come; each has the announced size."""

    def __init__(self, flash: NorFlash, offset: int, room: int, blocks: int, block_size: int) -> None:
        self._flash = flash
        self._next = offset
        self._end = offset + room
        self._blocks = blocks
        self._block_size = block_size
        self._sequence = 0

    def take(self, sequence: int, block: bytes) -> None:
        """Raises RomError for a block out of turn, of a wrong size, or that the flash did not keep."""
        if sequence != self._sequence or sequence >= self._blocks:
            raise RomError(NOT_DONE)
        self._write(block)
        self._sequence += 1

    def _write(self, block: bytes) -> None:
        if len(block) != self._block_size:
            raise RomError(INVALID)
        self._store(block)

    def _store(self, data: bytes) -> None:
        if self._next + len(data) > self._end:
            raise RomError(FLASH_WRITE)
        self._flash.program(self._next, data)
        if self._flash.read(self._next, len(data)) != data:
            raise RomError(FLASH_WRITE)
        self._next += len(data)


class DeflateDownload(PlainDownload):
    """Blocks are pieces of one zlib stream; the last may be shorter."""

    def __init__(self, flash: NorFlash, offset: int, room: int, blocks: int, block_size: int) -> None:
        super().__init__(flash, offset, room, blocks, block_size)
        self._stream = zlib.decompressobj()

    def _write(self, block: bytes) -> None:
        if not 0 < len(block) <= self._block_size:
            raise RomError(INVALID)
        try:
            data = self._stream.decompress(block)
        except zlib.error as error:
            raise RomError(DEFLATE_ADLER if "incorrect data check" in str(error) else DEFLATE_FAILED) from error
        self._store(data)
