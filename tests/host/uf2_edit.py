"""UF2 files written from the format's own description, and a model of the boot ROM that takes them.

The product's module is not used here. Format: github.com/microsoft/uf2. ROM: raspberrypi/pico-bootrom-rp2040,
bootrom/virtual_disk.c. Binary info: pico-sdk, src/common/pico_binary_info.
"""

import struct

RP2040 = 0xE48BFF56
RP2350_ARM = 0xE48BFF59
BASE = 0x10000000


def block(number: int, total: int, address: int, payload: bytes, family: int = RP2040, flags: int = 0x2000) -> bytes:
    """One block of 512 bytes."""
    head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, flags, address, len(payload), number, total, family)
    return head + payload + bytes(476 - len(payload)) + struct.pack("<I", 0x0AB16F30)


def uf2(pages: dict[int, bytes], family: int = RP2040) -> bytes:
    """A file with these pages of 256 bytes, address to content, in that order."""
    return b"".join(block(n, len(pages), at, page, family) for n, (at, page) in enumerate(pages.items()))


def pages_of(content: bytes, at: int = BASE) -> dict[int, bytes]:
    """Bytes cut into pages from an address on; the last page is filled with zeros."""
    return {at + start: content[start : start + 256].ljust(256, b"\0") for start in range(0, len(content), 256)}


def program(size: int = 6000, version: str = "v1.28.0", board: str = "pico", name: str = "MicroPython",
            volume: tuple[int, int] = (BASE + 0xA0000, 0x160000)) -> bytes:  # fmt: skip
    """Bytes of a program with a binary info like that of MicroPython's, and otherwise noise."""
    image = bytearray(number * 7 % 251 for number in range(size))
    at = 0x300

    def put(raw: bytes) -> int:
        nonlocal at
        image[at : at + len(raw)] = raw
        at += len(raw) + -len(raw) % 4
        return BASE + at - (len(raw) + -len(raw) % 4)

    entries = []
    for key, text in ((0x02031C86, name), (0x11A9BC3A, version), (0xB63CFFBB, board)):
        where = put(text.encode() + b"\0")
        entries.append(put(struct.pack("<HHII", 6, 0x5052, key, where)))
    label = put(b"MicroPython\0")
    entries.append(put(struct.pack("<HHIIIIH", 7, 0x504D, label, *volume, 0, 3)))
    entries.append(0x20000100)  # an entry in RAM, as linkers make them
    listed = put(struct.pack(f"<{len(entries)}I", *entries))
    image[0x1D4 : 0x1D4 + 20] = struct.pack("<5I", 0x7188EBF2, listed, listed + 4 * len(entries), 0, 0xE71AA390)
    return bytes(image)


class BootRom:
    """The RP2040's boot ROM in BOOTSEL mode, with a flash full of what was there before."""

    def __init__(self, flash_bytes: int):
        self.flash = bytearray(b"\x5a" * flash_bytes)
        self.restarted = False
        self._count = 0

    def write(self, data: bytes) -> None:
        """Copy a file onto the drive."""
        for start in range(0, len(data), 512):
            self._sector(data[start : start + 512])

    def _sector(self, raw: bytes) -> None:
        head = struct.unpack("<8I", raw[:32])
        magic0, magic1, flags, address, size, number, count, family = head
        if (magic0, magic1, raw[508:]) != (0x0A324655, 0x9E5D5157, b"\x30\x6f\xb1\x0a"):
            return
        if not flags & 0x2000 or flags & 1 or size != 256 or family != RP2040:
            return
        if not BASE <= address < BASE + 0x1000000 or address % 256:
            self._count = 0
            return
        if count != self._count:
            self._count, self._done, self._erased = count, set(), set()
        if number >= count or number in self._done:
            return
        at = address - BASE
        if number // 16 not in self._erased:
            self._erased.add(number // 16)
            sector = at // 4096 * 4096
            self.flash[sector : sector + 4096] = b"\xff" * 4096
        # Programming only clears bits.
        self.flash[at : at + 256] = bytes(a & b for a, b in zip(self.flash[at : at + 256], raw[32:288], strict=True))
        self._done.add(number)
        self.restarted = len(self._done) == count
