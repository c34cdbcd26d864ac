"""UF2, the file format that the RP2040's boot ROM takes: blocks of 512 bytes, each with its place in flash.

Format: github.com/microsoft/uf2, README. Each block carries 256 bytes of payload here, its number and the number of all
blocks. The ROM ignores what it does not understand without a word, so everything is checked before it is copied.
"""

import struct
from dataclasses import dataclass

from taisai.errors import TaisaiError

BLOCK_BYTES = 512
PAYLOAD_BYTES = 256
FAMILY_FLAG = 0x2000
NOT_MAIN_FLASH_FLAG = 0x1

_MAGIC_START = b"UF2\n" + struct.pack("<I", 0x9E5D5157)
_MAGIC_END = struct.pack("<I", 0x0AB16F30)
# flags, address, payload size, number, count, family; in front of it the magic, behind it the payload
_FIELDS = struct.Struct("<6I")
_FIELDS_AT = len(_MAGIC_START)
_PAYLOAD_AT = _FIELDS_AT + _FIELDS.size
_COUNT_AT = _FIELDS_AT + 4 * 4

RP2040 = 0xE48BFF56
# Names for messages; github.com/microsoft/uf2, utils/uf2families.json.
_FAMILIES = {
    RP2040: "RP2040",
    0xE48BFF57: "RP2xxx, absolute",
    0xE48BFF58: "RP2xxx, data",
    0xE48BFF59: "RP2350, Arm, secure",
    0xE48BFF5A: "RP2350, RISC-V",
    0xE48BFF5B: "RP2350, Arm, non-secure",
    0x1C5F21B0: "ESP32",
    0xBFDD4EEE: "ESP32-S2",
    0xC47E5767: "ESP32-S3",
    0xADA52840: "nRF52840",
}


class Uf2Error(TaisaiError):
    """Any of the below; the text names the file."""


class NotUf2(Uf2Error):
    """Another kind of file, or a block that is none."""


class Uf2Truncated(Uf2Error):
    """Fewer bytes or blocks than the file itself announces."""


class Uf2Gap(Uf2Error):
    """Blocks missing in the middle, twice there, or out of order."""


class Uf2Families(Uf2Error):
    """Blocks for more than one family of chips."""


@dataclass(frozen=True)
class Block:
    """One block. `raw`: all its 512 bytes."""

    flags: int
    address: int
    number: int
    family: int
    raw: bytes

    @property
    def payload(self) -> bytes:
        """The 256 bytes that go to `address`."""
        return self.raw[_PAYLOAD_AT : _PAYLOAD_AT + PAYLOAD_BYTES]


def family_name(family: int) -> str:
    """How messages call a family of chips."""
    return f"{_FAMILIES.get(family, 'unknown')} ({family:#010x})"


def parse(data: bytes, name: str) -> list[Block]:
    """The blocks of a whole UF2 file for one family, numbered from 0 in order; a Uf2Error names the file otherwise."""
    if not data.startswith(_MAGIC_START):
        raise NotUf2(f"{name} is no UF2 file: it does not begin as one")
    if len(data) % BLOCK_BYTES:
        raise Uf2Truncated(f"{name} is cut off: {len(data)} bytes are no whole number of {BLOCK_BYTES}-byte blocks")
    blocks = []
    total = _FIELDS.unpack_from(data, _FIELDS_AT)[4]
    for start in range(0, len(data), BLOCK_BYTES):
        block, count = _block(data[start : start + BLOCK_BYTES], start, name)
        if count != total:
            raise NotUf2(f"{name}: the block at byte {start} announces {count} blocks and the first one {total}")
        if block.family != (first := blocks[0] if blocks else block).family:
            both = f"{family_name(first.family)} and {family_name(block.family)}"
            raise Uf2Families(f"{name} is for two families of chips, {both}: use a file for one")
        blocks.append(block)
    _check_order([block.number for block in blocks], total, name)
    return blocks


def pack(flags: int, address: int, number: int, family: int, payload: bytes, total: int) -> bytes:
    """One block of 512 bytes."""
    fields = _FIELDS.pack(flags, address, len(payload), number, total, family)
    return (_MAGIC_START + fields + payload).ljust(BLOCK_BYTES - len(_MAGIC_END), b"\0") + _MAGIC_END


def with_total(block: Block, total: int) -> bytes:
    """The block as it is, but announcing so many blocks altogether."""
    return block.raw[:_COUNT_AT] + struct.pack("<I", total) + block.raw[_COUNT_AT + 4 :]


def _block(raw: bytes, start: int, name: str) -> tuple[Block, int]:
    if not (raw.startswith(_MAGIC_START) and raw.endswith(_MAGIC_END)):
        raise NotUf2(f"{name}: what stands at byte {start} is no UF2 block: the file is damaged")
    flags, address, size, number, total, family = _FIELDS.unpack_from(raw, _FIELDS_AT)
    if not flags & FAMILY_FLAG:
        raise NotUf2(f"{name}: the block at byte {start} names no family of chips, so that the boot ROM ignores it")
    if size != PAYLOAD_BYTES:
        raise NotUf2(f"{name}: the block at byte {start} carries {size} bytes; the boot ROM takes blocks of 256 only")
    return Block(flags, address, number, family, raw), total


def _check_order(numbers: list[int], total: int, name: str) -> None:
    if numbers == list(range(total)):
        return
    missing = [number for number in range(min(total, len(numbers) + 1)) if number not in set(numbers)]
    if numbers == list(range(len(numbers))):
        raise Uf2Truncated(f"{name} is cut off: it has {len(numbers)} of {total} blocks")
    if missing:
        raise Uf2Gap(f"{name} has a gap: block {missing[0]} of {total} is missing")
    raise Uf2Gap(f"{name}: its blocks are out of order or there twice: the boot ROM needs each once, in order")
