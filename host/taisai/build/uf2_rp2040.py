"""What the RP2040's boot ROM does with a UF2 file, as checks, and the joining of MicroPython with a volume.

The ROM erases by block number, not by address: with the first block of each sixteen (16 x 256 bytes = one sector) it
erases the 4,096-byte sector which that block lies in, and never again for the other fifteen (bootrom/virtual_disk.c,
`cleared_pages`). So each sixteen must lie in one sector.
"""

from taisai.build import uf2
from taisai.build.uf2 import PAYLOAD_BYTES, Block, Uf2Error

FLASH_BASE = 0x10000000
"""Where the flash begins in the chip's address space (RP2040 datasheet, section 2.2)."""
SECTOR_BYTES = 4096
_BLOCKS_OF_SECTOR = SECTOR_BYTES // PAYLOAD_BYTES
_ERASED_PAYLOAD = b"\xff" * PAYLOAD_BYTES


class Uf2ForeignFamily(Uf2Error):
    """For another kind of chip."""


class Uf2Range(Uf2Error):
    """Addresses outside the flash, off the page, twice written, or inside the file system."""


class Uf2Sectors(Uf2Error):
    """Blocks that the ROM would write into flash it has not erased, and then erase."""


def check_rp2040(blocks: list[Block], flash_bytes: int, name: str) -> None:
    """Raise a Uf2Error unless the boot ROM of an RP2040 with this much flash writes these blocks as they are meant."""
    family = blocks[0].family
    if family != uf2.RP2040:
        raise Uf2ForeignFamily(f"{name} is for {uf2.family_name(family)}: an RP2040 would ignore it without a word")
    end = FLASH_BASE + flash_bytes
    written = set()
    for block in blocks:
        if block.flags & uf2.NOT_MAIN_FLASH_FLAG:
            raise Uf2Range(f"{name}: block {block.number} is not for the flash, so that the boot ROM ignores it")
        if not FLASH_BASE <= block.address <= end - PAYLOAD_BYTES:
            inside = f"{FLASH_BASE:#x} to {end:#x}"
            raise Uf2Range(f"{name}: block {block.number} goes to {block.address:#x}, outside the flash at {inside}")
        if block.address % PAYLOAD_BYTES:
            raise Uf2Range(f"{name}: block {block.number} goes to {block.address:#x}, which is no start of a page")
        if block.address in written:
            raise Uf2Range(f"{name}: block {block.number} goes to {block.address:#x} once more: two blocks overlap")
        written.add(block.address)
    _check_sectors(blocks, name)


def flash_content(blocks: list[Block]) -> dict[int, bytes]:
    """Payloads by their address."""
    return {block.address: block.payload for block in blocks}


def join(blocks: list[Block], volume: bytes, address: int, name: str) -> bytes:
    """A UF2 file with these checked blocks and then the volume, whole sectors of it at `address`.

    The given blocks keep their numbers, addresses and payloads to the byte. Only the count that each one announces
    changes: the ROM takes a block with another count for the beginning of another file, and restarts the board when so
    many blocks have come. Where the last sector of the given blocks is not full, blocks of erased bytes fill it, so
    that the volume begins with a sector of its own.

    The volume is written whole, its empty blocks too: nothing of an earlier file system is left behind, and what is in
    flash afterwards can be compared with this file alone.
    """
    last = blocks[-1]
    in_the_way = [block.address for block in blocks if address <= block.address < address + len(volume)]
    if in_the_way:
        text = f"{in_the_way[0]:#x} lies in the file system, which begins at {address:#x}"
        raise Uf2Range(f"{name}: it would overwrite its own file system: {text}")
    filling = [_ERASED_PAYLOAD] * (-len(blocks) % _BLOCKS_OF_SECTOR)
    pages = [volume[start : start + PAYLOAD_BYTES] for start in range(0, len(volume), PAYLOAD_BYTES)]
    total = len(blocks) + len(filling) + len(pages)
    joined = [uf2.with_total(block, total) for block in blocks]
    for begin, payloads in ((last.address + PAYLOAD_BYTES, filling), (address, pages)):
        for index, payload in enumerate(payloads):
            place = begin + index * PAYLOAD_BYTES
            joined.append(uf2.pack(uf2.FAMILY_FLAG, place, len(joined), uf2.RP2040, payload, total))
    check_rp2040(uf2.parse(b"".join(joined), name), address + len(volume) - FLASH_BASE, name)
    return b"".join(joined)


def _check_sectors(blocks: list[Block], name: str) -> None:
    """Each sixteen in one sector. Sixteen different pages fill it, so that no other block can lie in it too."""
    sector_of: dict[int, int] = {}
    for block in blocks:
        sector = block.address // SECTOR_BYTES
        if sector_of.setdefault(block.number // _BLOCKS_OF_SECTOR, sector) != sector:
            text = "its blocks have gaps that the boot ROM does not allow for; use an image as MicroPython publishes it"
            raise Uf2Sectors(f"{name}: block {block.number} would be written to flash that was not erased: {text}")
