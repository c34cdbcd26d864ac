"""The command interpreter of the ROM's serial loader.

esptool "Serial Protocol", sections Packet Description and Commands: a request is direction 0, opcode, data size (16
bits), checksum (32 bits), data, all little-endian. The answer is direction 1, the same opcode, size, a value, data and
four status bytes: failed, error code, 0, 0. As recorded from real chips, the value is the last word that READ_REG or
SYNC put there, whatever the command.
"""

import hashlib
import struct
from collections.abc import Callable
from functools import reduce
from operator import xor

from taisai.sim.esp32rom.chips import Chip
from taisai.sim.esp32rom.download import DeflateDownload, PlainDownload
from taisai.sim.esp32rom.efuse import esp32s3_security_info
from taisai.sim.esp32rom.errors import CHECKSUM, FLASH_READ, INVALID, NOT_DONE, READ_LENGTH, RomError
from taisai.sim.esp32rom.norflash import SECTOR, NorFlash
from taisai.sim.esp32rom.registers import Registers

SYNC = 0x08
# The ROM answers SYNC, and a command it does not know, eight times.
REPEATS = 8
CHECKSUM_SEED = 0xEF
READ_SLOW_BYTES = 64
# What the ROM believes the flash holds until SPI_SET_PARAMS says otherwise.
DEFAULT_FLASH_BYTES = 2 << 20


class RomLoader:
    """Answers requests in download mode. `left` becomes True when the host told it to start the application."""

    def __init__(self, chip: Chip, flash: NorFlash, registers: Registers, faults: frozenset[str]) -> None:
        self._chip = chip
        self._flash = flash
        self._registers = registers
        self._wrong_md5 = "wrong-md5" in faults
        self._value = 0
        self._flash_bytes = DEFAULT_FLASH_BYTES
        self._download: PlainDownload | None = None
        self.left = False
        self._commands: dict[int, Callable[[bytes], bytes]] = {
            0x02: lambda body: self._begin(body, PlainDownload),
            0x03: lambda body: self._data(body, PlainDownload),
            0x04: self._end,
            0x09: self._write_register,
            0x0A: self._read_register,
            0x0B: self._set_parameters,
            0x0D: self._attach,
            0x0E: self._read_slow,
            0x0F: self._change_baud,
            0x10: lambda body: self._begin(body, DeflateDownload),
            0x11: lambda body: self._data(body, DeflateDownload),
            0x12: self._end,
            0x13: self._md5,
        }
        if chip.modern_loader:
            self._commands[0x14] = self._security_info

    def handle(self, packet: bytes) -> list[bytes]:
        """Return the answers to one packet; what is not a request at all gets none."""
        if len(packet) < 8 or packet[0] != 0:
            return []
        opcode, size, checksum = struct.unpack("<BHI", packet[1:8])
        body = packet[8:]
        if opcode == SYNC:
            self._value = int.from_bytes(body[:4], "little")
            return [self._answer(SYNC, b"", 0)] * REPEATS
        command = self._commands.get(opcode)
        if command is None:
            # The answer does not bear the opcode of the request (esptool takes that for "not supported in this mode");
            # which one it bears is not documented.
            return [self._answer(SYNC, b"", INVALID)] * REPEATS
        try:
            if size != len(body):
                raise RomError(INVALID)
            if opcode in (0x03, 0x11) and checksum != reduce(xor, body[16:], CHECKSUM_SEED):
                raise RomError(CHECKSUM)
            return [self._answer(opcode, command(body), 0)]
        except RomError as error:
            return [self._answer(opcode, b"", error.code)]

    def _answer(self, opcode: int, data: bytes, error: int) -> bytes:
        status = bytes((1 if error else 0, error, 0, 0))
        return struct.pack("<BBHI", 1, opcode, len(data) + len(status), self._value) + data + status

    def _begin(self, body: bytes, kind: type[PlainDownload]) -> bytes:
        """FLASH_BEGIN, FLASH_DEFL_BEGIN: bytes to erase, packets, packet size, offset, and on later chips "encrypt"."""
        count = 5 if self._chip.modern_loader else 4
        size, blocks, block_size, offset, *encrypt = _words(body, count)
        if offset % SECTOR or any(encrypt):
            raise RomError(INVALID)
        self._check_range(offset, size, NOT_DONE)
        self._flash.erase(offset, size)
        self._download = kind(self._flash, offset, size + (-size % SECTOR), blocks, block_size)
        return b""

    def _data(self, body: bytes, kind: type[PlainDownload]) -> bytes:
        """FLASH_DATA, FLASH_DEFL_DATA: length, sequence number, two zeros, then the block."""
        length, sequence, _, _ = _words(body[:16], 4)
        if length != len(body) - 16:
            raise RomError(INVALID)
        if type(self._download) is not kind:
            raise RomError(NOT_DONE)
        self._download.take(sequence, body[16:])
        return b""

    def _end(self, body: bytes) -> bytes:
        """FLASH_END, FLASH_DEFL_END: 0 reboots, 1 runs the application; either way the loader is left."""
        _words(body, 1)
        self.left = True
        return b""

    def _write_register(self, body: bytes) -> bytes:
        """WRITE_REG: one or more of address, value, mask, delay in microseconds (which takes no time here)."""
        if not body:
            raise RomError(INVALID)
        for start in range(0, len(body), 16):
            address, value, mask, _ = _words(body[start : start + 16], 4)
            self._registers.write(address, value, mask)
        return b""

    def _read_register(self, body: bytes) -> bytes:
        (address,) = _words(body, 1)
        self._value = self._registers.read(address)
        return b""

    def _set_parameters(self, body: bytes) -> bytes:
        """SPI_SET_PARAMS: id, total bytes, block, sector, page, status mask. Only the total is looked at."""
        self._flash_bytes = _words(body, 6)[1]
        return b""

    def _attach(self, body: bytes) -> bytes:
        """SPI_ATTACH: pins (0: the default ones) and a zero word. Other pins lead to no flash chip."""
        pins, _ = _words(body, 2)
        self._registers.spi.attached = pins == 0
        return b""

    def _read_slow(self, body: bytes) -> bytes:
        """READ_FLASH_SLOW: offset and up to 64 bytes; the answer always has 64."""
        offset, length = _words(body, 2)
        if length > READ_SLOW_BYTES:
            raise RomError(READ_LENGTH)
        self._check_range(offset, length, FLASH_READ)
        return self._flash.read(offset, length).ljust(READ_SLOW_BYTES, b"\0")

    def _change_baud(self, body: bytes) -> bytes:
        """CHANGE_BAUDRATE: the new rate, and 0 for the ROM loader."""
        rate, _ = _words(body, 2)
        if not rate:
            raise RomError(INVALID)
        self._registers.baud = rate
        return b""

    def _md5(self, body: bytes) -> bytes:
        """SPI_FLASH_MD5: offset, length, two zeros; the ROM answers with 32 hexadecimal digits."""
        offset, length, _, _ = _words(body, 4)
        self._check_range(offset, length, FLASH_READ)
        data = bytearray(self._flash.read(offset, length))
        if self._wrong_md5 and data:
            data[0] ^= 1
        return hashlib.md5(data, usedforsecurity=False).hexdigest().encode()

    def _security_info(self, body: bytes) -> bytes:
        if body:
            raise RomError(INVALID)
        return esp32s3_security_info(self._registers.efuses, self._chip.chip_id)

    def _check_range(self, offset: int, length: int, code: int) -> None:
        """The loader reaches the flash only when its pins are attached, and only inside the size it was told.

        A range of no bytes needs no flash: a host that only wants to leave the loader begins a download of nothing.
        """
        if length and (not self._registers.spi.attached or offset + length > self._flash_bytes):
            raise RomError(code)


def _words(body: bytes, count: int) -> tuple[int, ...]:
    """Return the little-endian 32-bit words of a body that must hold exactly `count` of them."""
    if len(body) != 4 * count:
        raise RomError(INVALID)
    return struct.unpack(f"<{count}I", body)
