"""UF2 files: every way to be wrong, each with its own word; and the joined file as the boot ROM takes it."""

import struct

import pytest
from uf2_edit import BASE, RP2040, RP2350_ARM, BootRom, block, pages_of, program, uf2

from taisai.build import uf2 as product
from taisai.build.uf2_rp2040 import Uf2ForeignFamily, Uf2Range, Uf2Sectors, check_rp2040, flash_content, join

FLASH = 2 * 1024 * 1024


def good(pages: int = 40) -> bytes:
    return uf2(pages_of(program(pages * 256)))


def checked(data: bytes) -> list:
    blocks = product.parse(data, "x.uf2")
    check_rp2040(blocks, FLASH, "x.uf2")
    return blocks


def refused(kind: type, text: str, data: bytes) -> None:
    with pytest.raises(kind, match=text) as caught:
        checked(data)
    assert type(caught.value) is kind
    assert str(caught.value).startswith("x.uf2")


def test_a_good_file_comes_back():
    content = program(5000)
    blocks = checked(uf2(pages_of(content)))
    assert flash_content(blocks) == pages_of(content)
    assert [b.number for b in blocks] == list(range(20))


@pytest.mark.parametrize("data", [b"", b"UF2\n", b"PK\x03\x04" * 128, bytes(512)])
def test_other_files_are_no_uf2(data):
    refused(product.NotUf2, "is no UF2", data)


@pytest.mark.parametrize("lost", [1, 188, 511])
def test_cut_inside_a_block(lost):
    refused(product.Uf2Truncated, "no whole number", good()[:-lost])


@pytest.mark.parametrize("left", [1, 20, 39])
def test_cut_between_blocks(left):
    refused(product.Uf2Truncated, f"has {left} of 40 blocks", good()[: left * 512])


@pytest.mark.parametrize("missing", [1, 20, 38])
def test_a_missing_block_is_named(missing):
    data = good()
    refused(product.Uf2Gap, f"block {missing} of 40", data[: missing * 512] + data[(missing + 1) * 512 :])


def test_a_missing_first_block_is_named():
    refused(product.Uf2Gap, "block 0 of 40", good()[512:])


def test_blocks_out_of_order_or_twice():
    data = good(4)
    parts = [data[at : at + 512] for at in range(0, len(data), 512)]
    for order in ([1, 0, 2, 3], [0, 1, 3, 2], [0, 1, 2, 3, 3], [0, 0, 1, 2, 3]):
        refused(product.Uf2Gap, "out of order or there twice", b"".join(parts[n] for n in order))


def test_damaged_block():
    data = bytearray(good())
    for at in (512 * 3, 512 * 3 + 4, 512 * 4 - 1):
        changed = bytearray(data)
        changed[at] ^= 1
        refused(product.NotUf2, "byte 1536 is no UF2 block", bytes(changed))


def test_count_changes_in_the_middle():
    page = bytes(256)
    data = block(0, 2, BASE, page) + block(1, 3, BASE + 256, page)
    refused(product.NotUf2, "announces 3 blocks and the first one 2", data)


def test_blocks_that_the_rom_ignores():
    page = bytes(256)
    refused(product.NotUf2, "names no family", block(0, 1, BASE, page, flags=0))
    refused(product.NotUf2, "carries 128 bytes", block(0, 1, BASE, page[:128]))
    refused(product.NotUf2, "carries 476 bytes", block(0, 1, BASE, bytes(476)))
    refused(Uf2Range, "block 0 is not for the flash", block(0, 1, BASE, page, flags=0x2001))


@pytest.mark.parametrize("family, word", [(RP2350_ARM, "RP2350"), (0xC47E5767, "ESP32-S3"), (0x12345678, "unknown")])
def test_foreign_family(family, word):
    refused(Uf2ForeignFamily, word, uf2(pages_of(program(2000)), family))


def test_two_families():
    """The first block of a file for RP2350 may be of another family, as picotool writes it."""
    page = bytes(256)
    for first, second in ((0xE48BFF57, RP2350_ARM), (RP2040, RP2350_ARM)):
        data = block(0, 2, BASE, page, first) + block(1, 2, BASE + 256, page, second)
        refused(product.Uf2Families, "two families of chips", data)
    joined = uf2(pages_of(program(2000))) + uf2(pages_of(program(2000)), RP2350_ARM)
    refused(product.Uf2Families, "two families of chips", joined)


@pytest.mark.parametrize("address", [0, BASE - 256, BASE + FLASH, BASE + FLASH - 128, 0x20000000, 0xFFFFFF00])
def test_addresses_outside_the_flash(address):
    refused(Uf2Range, "outside the flash", uf2({address: bytes(256)}))


def test_last_page_of_the_flash_is_inside():
    checked(uf2({BASE + FLASH - 256: bytes(256)}))


def test_address_off_the_page():
    refused(Uf2Range, "no start of a page", uf2({BASE + 128: bytes(256)}))


def test_overlapping_blocks():
    data = block(0, 2, BASE, bytes(256)) + block(1, 2, BASE, b"\xff" * 256)
    refused(Uf2Range, "two blocks overlap", data)


def test_gap_inside_a_sector():
    """Blocks 0 to 15 then lie in two sectors: block 15 is written without an erase, and block 16 erases it."""
    pages = pages_of(program(20 * 256))
    del pages[BASE + 512]
    refused(Uf2Sectors, "block 15 would be written to flash that was not erased", uf2(pages))
    rom = BootRom(FLASH)
    rom.write(uf2(pages))
    assert rom.flash[4096:4352] != pages[BASE + 4096]


def test_groups_that_begin_in_the_middle_of_a_sector():
    pages = pages_of(program(32 * 256), BASE + 2048)
    refused(Uf2Sectors, "block 8 would", uf2(pages))
    checked(uf2(dict(list(pages.items())[:8])))


def test_a_gap_between_sectors_is_allowed():
    pages = pages_of(bytes(4096)) | pages_of(bytes(4096), BASE + 16384)
    checked(uf2(pages))
    rom = BootRom(FLASH)
    rom.write(uf2(pages))
    assert rom.flash[:8192] == bytes(4096) + b"\x5a" * 4096
    assert rom.restarted


# --- joining ---

VOLUME_AT = 0xA0000
VOLUME = bytes(range(256)) * 16 * 3 + b"\xff" * 4096 + b"\x33" * 4096


def joined(pages: int) -> tuple[bytes, bytes]:
    given = good(pages)
    return given, join(checked(given), VOLUME, BASE + VOLUME_AT, "x.uf2")


@pytest.mark.parametrize("pages", [16, 24, 31, 32, 33])
def test_the_rom_writes_the_joined_file_as_it_is_meant(pages):
    given, both = joined(pages)
    rom = BootRom(FLASH)
    rom.write(both)
    content = program(pages * 256)
    assert rom.restarted
    assert rom.flash[: len(content)] == content
    assert rom.flash[VOLUME_AT : VOLUME_AT + len(VOLUME)] == VOLUME
    end = -(-len(content) // 4096) * 4096
    assert set(rom.flash[len(content) : end]) <= {0xFF}
    assert set(rom.flash[end:VOLUME_AT]) == {0x5A}
    assert set(rom.flash[VOLUME_AT + len(VOLUME) :]) == {0x5A}


def test_without_the_filling_the_volume_would_be_spoiled():
    """The reason for the blocks of erased bytes: the model notices when they are missing."""
    given = pages_of(program(24 * 256))
    rom = BootRom(FLASH)
    rom.write(uf2(given | pages_of(VOLUME, BASE + VOLUME_AT)))
    assert rom.flash[VOLUME_AT : VOLUME_AT + len(VOLUME)] != VOLUME


def test_given_blocks_change_in_their_count_only():
    given, both = joined(33)
    total = len(both) // 512
    for at in range(0, len(given), 512):
        was, now = given[at : at + 512], both[at : at + 512]
        assert now[24:28] == struct.pack("<I", total)
        assert now[:24] + now[28:] == was[:24] + was[28:]


def test_blocks_with_their_old_count_would_be_forgotten():
    """The reason for the new count: with two counts in one copy the ROM restarts before the volume has come."""
    given, both = joined(32)
    rom = BootRom(FLASH)
    rom.write(given)
    assert rom.restarted


def test_the_joined_file_is_a_good_uf2_file_and_the_same_every_time():
    _, both = joined(33)
    assert [b.number for b in checked(both)] == list(range(48 + len(VOLUME) // 256))
    assert joined(33)[1] == both


def test_a_program_that_reaches_into_the_volume():
    blocks = checked(good(33))
    with pytest.raises(Uf2Range, match="overwrite its own file system"):
        join(blocks, VOLUME, BASE + 32 * 256, "x.uf2")
