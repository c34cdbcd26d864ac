"""What an RP2040 program says of itself: the "binary info" that the Pico SDK puts into every image.

Format: pico-sdk, src/common/pico_binary_info (defs.h, structure.h): a marker in the first 512 bytes, then where a list
of pointers to entries begins and ends. Entries that the linker put into RAM are skipped.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from taisai.build.uf2 import PAYLOAD_BYTES
from taisai.build.uf2_rp2040 import FLASH_BASE

_MARKER_START = 0x7188EBF2
_MARKER_END = 0xE71AA390
_SEARCHED_BYTES = 512
_MOST_ENTRIES = 256
_LONGEST_TEXT = 128

_ID_AND_STRING = 6
_BLOCK_DEVICE = 7
_TAG_RASPBERRY_PI = int.from_bytes(b"RP", "little")
_TAG_MICROPYTHON = int.from_bytes(b"MP", "little")
_PROGRAM_NAME = 0x02031C86
_PROGRAM_VERSION = 0x11A9BC3A
_BOARD = 0xB63CFFBB


@dataclass(frozen=True)
class BinaryInfo:
    """Name, version and board of the program, "" where it does not say; address and size of its file system."""

    program: str
    version: str
    board: str
    volume: tuple[int, int] | None


def read_binary_info(flash: Mapping[int, bytes]) -> BinaryInfo | None:
    """The binary info of an image, its pages by address; None when there is none, or it points outside the image."""
    try:
        return _read(_Memory(flash))
    except KeyError:
        return None


class _Memory:
    """Reads across pages; KeyError outside the image."""

    def __init__(self, flash: Mapping[int, bytes]):
        self._flash = flash

    def words(self, address: int, count: int) -> tuple[int, ...]:
        return struct.unpack(f"<{count}I", self.read(address, count * 4))

    def read(self, address: int, length: int) -> bytes:
        found = b""
        while len(found) < length:
            at = address + len(found)
            page = self._flash[at - at % PAYLOAD_BYTES]
            found += page[at % PAYLOAD_BYTES :]
        return found[:length]

    def text(self, address: int) -> str:
        raw = b""
        while len(raw) < _LONGEST_TEXT and (byte := self.read(address + len(raw), 1)) != b"\0":
            raw += byte
        return raw.decode("ascii", errors="replace")


def _read(memory: _Memory) -> BinaryInfo | None:
    header = memory.words(FLASH_BASE, _SEARCHED_BYTES // 4)
    if _MARKER_START not in header[:-4]:
        return None
    at = header.index(_MARKER_START)
    begin, end, _, marker_end = header[at + 1 : at + 5]
    if marker_end != _MARKER_END or not 0 <= end - begin <= _MOST_ENTRIES * 4:
        return None
    texts: dict[int, str] = {}
    volume = None
    for entry in memory.words(begin, (end - begin) // 4):
        try:
            kind, tag = struct.unpack("<HH", memory.read(entry, 4))
            if (kind, tag) == (_ID_AND_STRING, _TAG_RASPBERRY_PI):
                name, text = memory.words(entry + 4, 2)
                texts[name] = memory.text(text)
            elif (kind, tag) == (_BLOCK_DEVICE, _TAG_MICROPYTHON):
                device, address, size = memory.words(entry + 4, 3)
                if memory.text(device) == "MicroPython":  # another one is read-only and holds no files of ours
                    volume = (address, size)
        except KeyError:
            continue
    return BinaryInfo(texts.get(_PROGRAM_NAME, ""), texts.get(_PROGRAM_VERSION, ""), texts.get(_BOARD, ""), volume)
