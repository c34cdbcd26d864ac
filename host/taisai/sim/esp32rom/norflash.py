"""The SPI NOR flash chip of a module, with its array in a file on disk.

As the Winbond W25Q series (datasheet W25Q32JV, sections 8.1 and 8.2): erasing a 4 KiB sector sets all its bits,
programming can only clear bits, addresses beyond the array wrap, and a few commands read its identity and its status.
"""

import mmap
from collections.abc import Iterator
from pathlib import Path

SECTOR = 4096
SMALLEST, LARGEST = 256 << 10, 16 << 20

WRITE_STATUS = {0x01: 0, 0x31: 1, 0x11: 2}
READ_STATUS = {0x05: 0, 0x35: 1, 0x15: 2}
WRITE_ENABLE, WRITE_ENABLE_VOLATILE, WRITE_DISABLE = 0x06, 0x50, 0x04
READ_ID = 0x9F
READ_SFDP = 0x5A
# JESD216: signature, revision 1.6, one parameter header, unused byte.
SFDP_HEADER = b"SFDP\x06\x01\x00\xff"


class NorFlash:
    """An array of `size` bytes (a power of two, 256 KiB to 16 MiB) kept in the file `path`.

    A missing file is made, and is blank (all 0xFF). Raises ValueError for another size or a file of another length.
    """

    def __init__(self, path: str | Path, size: int) -> None:
        if size & (size - 1) or not SMALLEST <= size <= LARGEST:
            raise ValueError(f"flash size {size} is not a power of two from {SMALLEST} to {LARGEST}")
        path = Path(path)
        if not path.exists():
            path.write_bytes(b"\xff" * size)
        if path.stat().st_size != size:
            raise ValueError(f"{path} has {path.stat().st_size} bytes, not the {size} of the flash")
        self.size = size
        self._status = bytearray(3)
        self._write_enabled = False
        with path.open("r+b") as file:
            self._array = mmap.mmap(file.fileno(), size)

    def flush(self) -> None:
        """Write the array to its file."""
        self._array.flush()

    def close(self) -> None:
        self._array.flush()
        self._array.close()

    def read(self, address: int, length: int) -> bytes:
        return b"".join(self._array[start:stop] for start, stop in self._spans(address, length))

    def program(self, address: int, data: bytes) -> None:
        """Clear the bits that are 0 in the data; bits that are 1 in it stay as they are."""
        done = 0
        for start, stop in self._spans(address, len(data)):
            new = int.from_bytes(data[done : done + stop - start]) & int.from_bytes(self._array[start:stop])
            self._array[start:stop] = new.to_bytes(stop - start)
            done += stop - start

    def erase(self, address: int, length: int) -> None:
        """Erase the sectors of a range that begins on a sector; the last one goes as a whole."""
        for start, stop in self._spans(address, length + (-length % SECTOR)):
            self._array[start:stop] = b"\xff" * (stop - start)

    def command(self, opcode: int, address: int, data: bytes, length: int) -> bytes:
        """Carry out one command on the SPI bus and return `length` bytes of what the chip sends.

        Unknown commands do nothing, and nobody drives the line: it reads 0xFF.
        """
        reply = b""
        if opcode == READ_ID:
            # Manufacturer Winbond, SPI NOR, capacity as a power of two.
            reply = bytes((0xEF, 0x40, self.size.bit_length() - 1))
        elif opcode == READ_SFDP:
            reply = SFDP_HEADER[address:]
        elif opcode in READ_STATUS:
            reply = bytes((self._status[READ_STATUS[opcode]] | (self._write_enabled << 1 if opcode == 0x05 else 0),))
        elif opcode in (WRITE_ENABLE, WRITE_ENABLE_VOLATILE):
            self._write_enabled = True
        elif opcode == WRITE_DISABLE:
            self._write_enabled = False
        elif opcode in WRITE_STATUS and self._write_enabled:
            first = WRITE_STATUS[opcode]
            self._status[first : first + len(data)] = data[: 3 - first]
            self._write_enabled = False
        return reply[:length].ljust(length, b"\xff")

    def _spans(self, address: int, length: int) -> Iterator[tuple[int, int]]:
        """Yield the range as (start, stop) pairs inside the array; past its end it goes on at its start."""
        while length > 0:
            start = address % self.size
            stop = min(self.size, start + length)
            yield start, stop
            address += stop - start
            length -= stop - start
