"""The real ESP32 MicroPython image of the test dependencies, whole and with one thing changed.

Formats as in ESP-IDF's documentation, "App Image Format" and "Partition Tables"; the product's module is not used here.
"""

import hashlib
import struct

from esp32rom_tools import micropython_image

BOOT_LOADER_AT = 0x1000  # of the original ESP32; offsets below are in the file
TABLE = 0x8000 - BOOT_LOADER_AT
PROGRAM = 0x10000 - BOOT_LOADER_AT


def etboard_image() -> bytes:
    """MicroPython 1.16 for an ESP32 board, 4 MB, with the partitions of stock images of its time."""
    return micropython_image().read_bytes()


def newer_image() -> bytes:
    """The same image saying that it is MicroPython 1.28, whole again in itself."""
    return resealed(etboard_image().replace(b"v1.16-", b"v1.28-"), PROGRAM)


def resealed(data: bytes, start: int) -> bytes:
    """Checksum byte and SHA-256 of the program at `start` made right."""
    at = start + 24
    checksum = 0xEF
    for _ in range(data[start + 1]):
        (size,) = struct.unpack_from("<I", data, at + 4)
        for byte in data[at + 8 : at + 8 + size]:
            checksum ^= byte
        at += 8 + size
    while (at - start) % 16 != 15:
        at += 1
    body = data[:at] + bytes([checksum])
    return body + hashlib.sha256(body[start:]).digest() + data[at + 33 :]


def partition(label: str, kind: int, subtype: int, offset: int, size: int) -> bytes:
    """One entry of 32 bytes."""
    return struct.pack("<2sBBII16sI", b"\xaa\x50", kind, subtype, offset, size, label.encode(), 0)


STOCK = (
    partition("nvs", 1, 2, 0x9000, 0x6000),
    partition("phy_init", 1, 1, 0xF000, 0x1000),
    partition("factory", 0, 0, 0x10000, 0x1F0000),
)


def with_partitions(data: bytes, *entries: bytes) -> bytes:
    """The image with another partition table and its MD5."""
    listed = b"".join(entries)
    table = listed + b"\xeb\xeb" + b"\xff" * 14 + hashlib.md5(listed).digest()
    return data[:TABLE] + table.ljust(0xC00, b"\xff") + data[TABLE + 0xC00 :]
