"""A MicroPython image for an ESP32 as MicroPython publishes it: boot loader, partition table and program in one file.

The file goes to the boot loader's offset, which differs from chip to chip; the file system is the partition "vfs",
which MicroPython mounts by that name (ports/esp32/modules/flashbdev.py). Formats: ESP-IDF, "App Image Format" and
"Partition Tables"; esptool knows the chips.
"""

import struct
from dataclasses import dataclass
from functools import reduce
from hashlib import md5, sha256
from operator import xor

from taisai.errors import TaisaiError

VOLUME_LABEL = "vfs"
BLOCK_BYTES = 4096
_TABLE_AT = 0x8000  # in flash, on every chip: ports/esp32/makeimg.py and ESP-IDF's default
_TABLE_BYTES = 0xC00
_IMAGE_MAGIC = 0xE9
_HEADER_BYTES = 24
_CHECKSUM_SEED = 0xEF
_ENTRY = struct.Struct("<2sBBII16sI")
_ENTRY_MAGIC = b"\xaa\x50"
_MD5_MAGIC = b"\xeb\xeb" + b"\xff" * 14
_APP, _DATA = 0, 1


class Esp32ImageError(TaisaiError):
    """Any of the below; the text names the file."""


class NotEsp32Image(Esp32ImageError):
    """Another kind of file, or for a chip that is not known."""


class Esp32ImageDamaged(Esp32ImageError):
    """Cut off or altered: a checksum does not fit."""


class Esp32FlashTooSmall(Esp32ImageError):
    """The partitions end beyond the flash."""


class Esp32NoVolume(Esp32ImageError):
    """No partition that could hold the file system."""


@dataclass(frozen=True)
class Partition:
    """One line of a partition table; offset and size in bytes of flash."""

    label: str
    kind: int
    offset: int
    size: int

    @property
    def end(self) -> int:
        """The first byte of flash after it."""
        return self.offset + self.size


@dataclass(frozen=True)
class Esp32Image:
    """A checked image. offset: where it goes in flash; stated_flash_bytes: the flash that its header is made for."""

    chip: str
    offset: int
    stated_flash_bytes: int
    partitions: tuple[Partition, ...]
    volume: Partition


def parse(data: bytes, name: str) -> Esp32Image:
    """Check the whole image; an Esp32ImageError names the file otherwise."""
    if len(data) < _HEADER_BYTES or data[0] != _IMAGE_MAGIC:
        raise NotEsp32Image(f"{name} is no image for an ESP32: it does not begin as one")
    chip, offset = _chip(int.from_bytes(data[12:14], "little"), name)
    _check_program(data, 0, "boot loader", name)
    partitions = _partitions(data[_TABLE_AT - offset :][:_TABLE_BYTES], name)
    programs = [found for found in partitions if found.kind == _APP and found.offset < offset + len(data)]
    if not programs:
        raise Esp32ImageDamaged(f"{name} is cut off: it ends before its program; get it again")
    for partition in programs:
        _check_program(data, partition.offset - offset, f"program in partition {partition.label}", name)
    volume = next((found for found in partitions if found.label == VOLUME_LABEL and found.kind == _DATA), None)
    if volume is None:
        labels = ", ".join(partition.label for partition in partitions)
        raise Esp32NoVolume(f"{name} has no partition {VOLUME_LABEL} for files, only {labels}: use a published image")
    if volume.offset % BLOCK_BYTES or volume.size % BLOCK_BYTES or volume.offset < offset + len(data):
        raise Esp32NoVolume(f"{name}: partition {VOLUME_LABEL} at {volume.offset:#x} overlaps the image or is off")
    image = Esp32Image(chip, offset, 1 << 20 + (data[3] >> 4), partitions, volume)
    check_flash(image, image.stated_flash_bytes, name)
    return image


def check_flash(image: Esp32Image, flash_bytes: int, name: str) -> None:
    """Esp32FlashTooSmall unless all partitions lie in a flash of this size."""
    last = max(image.partitions, key=lambda partition: partition.end)
    if last.end > flash_bytes:
        text = f"partition {last.label} ends at {last.end:#x} and the flash at {flash_bytes:#x}"
        raise Esp32FlashTooSmall(f"{name} needs more flash: {text}; use an image made for this size")


def _chip(chip_id: int, name: str) -> tuple[str, int]:
    """Name of the chip and offset of its boot loader, as esptool has them (imported here, for it takes its time)."""
    from esptool.targets import CHIP_DEFS

    for chip, rom in CHIP_DEFS.items():
        if chip != "esp8266" and chip_id == rom.IMAGE_CHIP_ID:
            return chip, rom.BOOTLOADER_FLASH_OFFSET
    raise NotEsp32Image(
        f"{name} is for a chip with number {chip_id}, which is not known: no offset can be given for it"
    )


def _check_program(data: bytes, start: int, what: str, name: str) -> None:
    """Header, segments, checksum byte at the end of a 16-byte line, and the SHA-256 if the header announces one."""
    segments = data[start + 1] if data[start] == _IMAGE_MAGIC else 0
    at = start + _HEADER_BYTES
    checksum = _CHECKSUM_SEED
    for _ in range(segments):
        size = int.from_bytes(data[at + 4 : at + 8], "little")
        checksum ^= reduce(xor, data[at + 8 : at + 8 + size], 0)
        at += 8 + size
    end = start + (at - start) // 16 * 16 + 16
    digest = data[end : end + 32] if data[start + 23 : start + 24] == b"\x01" else None
    if not segments or end > len(data) or (digest is not None and len(digest) < 32):
        raise Esp32ImageDamaged(f"{name} is cut off or damaged: its {what} has no end; get it again")
    if data[end - 1] != checksum or digest not in (None, sha256(data[start:end]).digest()):
        raise Esp32ImageDamaged(f"{name} is damaged: the checksum of its {what} does not fit; get it again")


def _partitions(table: bytes, name: str) -> tuple[Partition, ...]:
    found = []
    for at in range(0, len(table) - _ENTRY.size + 1, _ENTRY.size):
        magic, kind, _, offset, size, label, _ = _ENTRY.unpack_from(table, at)
        if magic == _ENTRY_MAGIC:
            found.append(Partition(label.rstrip(b"\0").decode("ascii", errors="replace"), kind, offset, size))
        elif table[at : at + 16] == _MD5_MAGIC and table[at + 16 : at + 32] == md5(table[:at]).digest() and found:
            return tuple(found)
        else:
            break
    raise Esp32ImageDamaged(f"{name}: its partition table is missing or damaged: this is not MicroPython's whole image")
