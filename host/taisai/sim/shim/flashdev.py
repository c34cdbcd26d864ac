"""The block device under the file system: the bench's NOR flash, used as the RP2040 port uses its own."""

import bus
import struct

_CHUNK = bus.DATA_BYTES  # a multiple of the part's 256-byte page


class Flash:
    def __init__(self, block_count, block_bytes):
        self._block_count = block_count
        self._block_bytes = block_bytes
        self._arguments = bytearray(8)

    def readblocks(self, block, buffer, offset=0):
        address = block * self._block_bytes + offset
        view = memoryview(buffer)
        for start in range(0, len(buffer), _CHUNK):
            length = min(_CHUNK, len(buffer) - start)
            struct.pack_into("<II", self._arguments, 0, address + start, length)
            bus.exchange(bus.FLASH_READ, 0, self._arguments)
            view[start : start + length] = memoryview(bus.reply)[bus.REPLY_BYTES : bus.REPLY_BYTES + length]

    def writeblocks(self, block, buffer, offset=None):
        """Program; without an offset erase the blocks first, as the block protocol has it."""
        if offset is None:
            for number in range(len(buffer) // self._block_bytes):
                self._erase(block + number)
            offset = 0
        address = block * self._block_bytes + offset
        view = memoryview(buffer)
        for start in range(0, len(buffer), _CHUNK):
            piece = view[start : start + _CHUNK]
            bus.exchange(bus.FLASH_PROGRAM, 0, struct.pack("<II", address + start, len(piece)) + bytes(piece))

    def ioctl(self, op, argument):
        if op == 4:
            return self._block_count
        if op == 5:
            return self._block_bytes
        if op == 6:
            self._erase(argument)
        return 0

    def _erase(self, block):
        struct.pack_into("<II", self._arguments, 0, block, 0)
        bus.exchange(bus.FLASH_ERASE, 0, self._arguments)
