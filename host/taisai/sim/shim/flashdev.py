"""The block device under the file system: the bench's NOR flash, used as the RP2040 port uses its own.

Reads are kept in a small cache, since littlefs reads 32 bytes at a time; the flash changes only through this device.
"""

import bus
import struct

_PIECE_BYTES = bus.DATA_BYTES  # what one message carries: a whole number of the part's 256-byte pages
_PIECES = 8  # two neighbouring blocks of 4,096 bytes, as littlefs pairs them


class Flash:
    def __init__(self, block_count, block_bytes):
        self._block_count = block_count
        self._block_bytes = block_bytes
        self._arguments = bytearray(8)
        self._kept = [-1] * _PIECES
        self._cache = memoryview(bytearray(_PIECES * _PIECE_BYTES))
        self._reply = memoryview(bus.reply)[bus.REPLY_BYTES :]

    def readblocks(self, block, buffer, offset=0):
        address = block * self._block_bytes + offset
        end = len(buffer)
        at = 0
        while at < end:
            piece, start = divmod(address + at, _PIECE_BYTES)
            length = min(end - at, _PIECE_BYTES - start)
            start += self._fetch(piece)
            buffer[at : at + length] = self._cache[start : start + length]
            at += length

    def writeblocks(self, block, buffer, offset=None):
        """Program; without an offset erase the blocks first, as the block protocol has it."""
        if offset is None:
            for number in range(len(buffer) // self._block_bytes):
                self._erase(block + number)
            offset = 0
        address = block * self._block_bytes + offset
        view = memoryview(buffer)
        for at in range(0, len(buffer), _PIECE_BYTES):
            data = view[at : at + _PIECE_BYTES]
            struct.pack_into("<II", self._arguments, 0, address + at, len(data))
            self._forget(address + at, len(data))
            if bus.exchange(bus.FLASH_PROGRAM, 0, self._arguments, data):
                raise OSError(5)  # EIO, as a driver says that the part has told it of a failed write

    def ioctl(self, op, argument):
        if op == 4:
            return self._block_count
        if op == 5:
            return self._block_bytes
        if op == 6:
            self._erase(argument)
        return 0

    def _fetch(self, piece):
        """Where in the cache the piece is."""
        slot = piece % _PIECES
        if self._kept[slot] != piece:
            self._kept[slot] = -1
            struct.pack_into("<II", self._arguments, 0, piece * _PIECE_BYTES, _PIECE_BYTES)
            bus.exchange(bus.FLASH_READ, 0, self._arguments)
            self._cache[slot * _PIECE_BYTES : (slot + 1) * _PIECE_BYTES] = self._reply
            self._kept[slot] = piece
        return slot * _PIECE_BYTES

    def _forget(self, address, length):
        for piece in range(address // _PIECE_BYTES, (address + length - 1) // _PIECE_BYTES + 1):
            slot = piece % _PIECES
            if self._kept[slot] == piece:
                self._kept[slot] = -1

    def _erase(self, block):
        self._forget(block * self._block_bytes, self._block_bytes)
        struct.pack_into("<II", self._arguments, 0, block, 0)
        bus.exchange(bus.FLASH_ERASE, 0, self._arguments)
