"""Full images: the volume at the place that the given MicroPython image states, and every image that does not fit."""

import hashlib
import struct

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from esp32_edit import PROGRAM, STOCK, TABLE, etboard_image, newer_image, partition, resealed, with_partitions
from uf2_edit import BASE, BootRom, pages_of, program, uf2

from taisai.boards.controller import MCUS
from taisai.boards.table import load_table
from taisai.build import esp32
from taisai.build.bundle import build_bundle
from taisai.build.images import MicroPythonUnfit, check_micropython, full_image
from taisai.build.uf2 import Uf2Gap
from taisai.build.volume import volume_files
from taisai.errors import TaisaiError

PICO = MCUS["raspberry-pi-pico"]
DEVKITC = MCUS["esp32-devkitc"]
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture(scope="module")
def pico():
    return build_bundle(load_table("nz1-pico-hc595"), KEY)


@pytest.fixture(scope="module")
def devkitc():
    return build_bundle(load_table("nz1-esp32-tpic6b595"), KEY)


@pytest.fixture(scope="module")
def newer():
    return newer_image()


def refused(kind: type, text: str, data: bytes, board=DEVKITC) -> None:
    with pytest.raises(TaisaiError, match=text) as caught:
        check_micropython(data, board, "x.bin")
    assert type(caught.value) is kind
    assert str(caught.value).startswith("x.bin")


def pico_image(**changes) -> bytes:
    return uf2(pages_of(program(**changes)))


# --- RP2040 ---


def test_pico_image_is_understood():
    data = pico_image()
    found = check_micropython(data, PICO, "x.uf2")
    assert (found.chip, found.version, found.offset) == ("rp2040", "v1.28.0", 0)
    assert (found.volume_at, found.volume_bytes) == (0xA0000, 0x160000)
    assert found.sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("volume", [(0xA0000, 0x160000), (0x100000, 0x100000)])
def test_the_rom_makes_a_table_of_a_blank_pico(pico, volume):
    """What the boot ROM leaves in flash, from the joined file, is a volume with the bundle's files and nothing else."""
    at, size = volume
    part = full_image(pico, pico_image(volume=(BASE + at, size)), PICO, "x.uf2")
    rom = BootRom(2 * 1024 * 1024)
    rom.write(part.content)
    assert rom.restarted
    assert rom.flash[:6000] == program(volume=(BASE + at, size))
    assert volume_files(bytes(rom.flash[at : at + size])) == pico.volume()
    assert (part.ending, part.offset) == (".uf2", 0)


def test_joined_images_are_the_same_every_time(pico):
    assert full_image(pico, pico_image(), PICO, "x.uf2") == full_image(pico, pico_image(), PICO, "y.uf2")


@pytest.mark.parametrize("version", ["v1.23.0", "v1.9.4", "v0.99", "", "nightly"])
def test_pico_image_that_is_too_old_or_does_not_say(version):
    refused(MicroPythonUnfit, "1.24 or newer", pico_image(version=version), PICO)


@pytest.mark.parametrize("version", ["v1.24.0", "v1.29.0-preview.5.gabc", "v2.0.0"])
def test_pico_image_that_is_new_enough(version):
    assert check_micropython(pico_image(version=version), PICO, "x.uf2").version == version


def test_pico_image_of_another_board():
    refused(MicroPythonUnfit, "board 'pico_w', not for raspberry-pi-pico", pico_image(board="pico_w"), PICO)


def test_another_program_for_the_pico():
    refused(MicroPythonUnfit, "no MicroPython that says", pico_image(name="blinky"), PICO)
    refused(MicroPythonUnfit, "no MicroPython that says", uf2(pages_of(bytes(6000))), PICO)


@pytest.mark.parametrize("pointer", [0x1D8, 0x1DC])
def test_pico_image_whose_description_points_nowhere(pointer):
    image = bytearray(program())
    struct.pack_into("<I", image, pointer, 0xFFFFFFF0)
    refused(MicroPythonUnfit, "no MicroPython that says", uf2(pages_of(bytes(image))), PICO)


@pytest.mark.parametrize("volume", [(0xA0000, 0x161000), (0xA0100, 0x1000), (0xA0000, 0x1800), (0x300000, 0x1000)])
def test_file_system_that_does_not_fit_the_pico(volume):
    refused(MicroPythonUnfit, "does not fit raspberry-pi-pico", pico_image(volume=(BASE + volume[0], volume[1])), PICO)


def test_pico_program_inside_its_own_file_system(pico):
    with pytest.raises(TaisaiError, match="overwrite its own file system"):
        full_image(pico, pico_image(size=0x3000, volume=(BASE + 0x2000, 0x100000)), PICO, "x.uf2")


def test_volume_too_small_for_the_files(pico):
    with pytest.raises(TaisaiError, match="do not go onto a volume"):
        full_image(pico, pico_image(volume=(BASE + 0xA0000, 0x4000)), PICO, "x.uf2")


def test_bad_uf2_is_refused_before_anything_else(pico):
    data = pico_image()
    with pytest.raises(Uf2Gap):
        full_image(pico, data[:512] + data[1024:], PICO, "x.uf2")


# --- ESP32 ---


def test_real_esp32_image_is_understood():
    """The offsets are those of MicroPython's page for the ESP32, the partitions those of its images for 4 MB."""
    image = esp32.parse(etboard_image(), "x.bin")
    assert (image.chip, image.offset, image.stated_flash_bytes) == ("esp32", 0x1000, 4 * 1024 * 1024)
    assert [(part.label, part.offset, part.size) for part in image.partitions] == [
        ("nvs", 0x9000, 0x6000),
        ("phy_init", 0xF000, 0x1000),
        ("factory", 0x10000, 0x180000),
        ("vfs", 0x200000, 0x200000),
    ]
    assert image.volume == image.partitions[3]


def test_real_esp32_image_is_too_old_for_the_compiled_files():
    refused(MicroPythonUnfit, "MicroPython v1.16-.*: the firmware needs 1.24 or newer", etboard_image())


def test_volume_beside_an_esp32_image(devkitc, newer):
    found = check_micropython(newer, DEVKITC, "x.bin")
    assert (found.chip, found.offset, found.volume_at, found.volume_bytes) == ("esp32", 0x1000, 0x200000, 0x200000)
    assert found.version.startswith("v1.28-")
    assert found.sha256 == hashlib.sha256(newer).hexdigest()
    part = full_image(devkitc, newer, DEVKITC, "x.bin")
    assert (part.ending, part.offset, len(part.content)) == ("-vfs.bin", 0x200000, 0x200000)
    assert volume_files(part.content) == devkitc.volume()
    assert full_image(devkitc, newer, DEVKITC, "x.bin") == part


@pytest.mark.parametrize(
    "number, chip, offset",
    # Chip numbers: ESP-IDF, esp_chip_id_t. Offsets: ESP-IDF, "Bootloader"; 0x2000 for the C5 and the P4.
    [(0, "esp32", 0x1000), (2, "esp32s2", 0x1000), (5, "esp32c3", 0), (9, "esp32s3", 0), (13, "esp32c6", 0),
     (18, "esp32p4", 0x2000), (23, "esp32c5", 0x2000)],
)  # fmt: skip
def test_offset_of_each_chip(newer, number, chip, offset):
    """The same boot loader and program, said to be for another chip, with the table where that chip looks for it."""
    boot_loader = resealed(newer[:12] + struct.pack("<H", number) + newer[14:TABLE], 0)[:TABLE]
    moved = boot_loader[: 0x8000 - offset].ljust(0x8000 - offset, b"\xff") + newer[TABLE:]
    image = esp32.parse(moved, "x.bin")
    assert (image.chip, image.offset, image.volume.offset) == (chip, offset, 0x200000)
    if chip != "esp32":
        refused(MicroPythonUnfit, f"for the chip {chip}, not for esp32", moved)


@pytest.mark.parametrize("number", [1, 77, 0xFFFF])
def test_unknown_chip(newer, number):
    data = newer[:12] + struct.pack("<H", number) + newer[14:]
    refused(esp32.NotEsp32Image, f"chip with number {number}, which is not known", data)


@pytest.mark.parametrize("data", [b"", b"\xe9", b"UF2\n" + bytes(508), bytes(100000)])
def test_other_files_are_no_esp32_image(data):
    refused(esp32.NotEsp32Image, "no image for an ESP32", data)


def test_image_of_the_other_board():
    refused(esp32.NotEsp32Image, "no image for an ESP32", pico_image())
    with pytest.raises(TaisaiError, match="is no UF2 file"):
        check_micropython(etboard_image(), PICO, "x.bin")


@pytest.mark.parametrize("left", [30, 1000, 0x5000, TABLE, TABLE + 40, PROGRAM - 1, PROGRAM, PROGRAM + 10, 0x20000, -1])
def test_cut_off(newer, left):
    refused(esp32.Esp32ImageDamaged, "cut off|missing or damaged", newer[:left])


@pytest.mark.parametrize("at", [0x100, 0x1000, TABLE + 4, TABLE + 100, PROGRAM + 0x100, PROGRAM + 0x80000])
def test_flipped_bit(newer, at):
    changed = bytearray(newer)
    changed[at] ^= 4
    refused(esp32.Esp32ImageDamaged, "damaged", bytes(changed))


def test_another_program_for_the_esp32(newer):
    other = resealed(newer.replace(b"MicroPython v1.28-", b"CircuitDuck v1.28-"), PROGRAM)
    refused(MicroPythonUnfit, "holds no MicroPython", other)


def test_no_partition_for_files(newer):
    refused(esp32.Esp32NoVolume, "no partition vfs .* only nvs, phy_init, factory", with_partitions(newer, *STOCK))
    fat = partition("ffat", 1, 0x81, 0x200000, 0x200000)
    refused(esp32.Esp32NoVolume, "no partition vfs", with_partitions(newer, *STOCK, fat))
    app = partition("vfs", 0, 0x10, 0x200000, 0x200000)
    refused(esp32.Esp32NoVolume, "no partition vfs", with_partitions(newer, *STOCK, app))


@pytest.mark.parametrize("offset, size", [(0x100000, 0x100000), (0x200800, 0x1000), (0x200000, 0x1800)])
def test_partition_for_files_in_a_wrong_place(newer, offset, size):
    volume = partition("vfs", 1, 0x81, offset, size)
    refused(esp32.Esp32NoVolume, "overlaps the image or is off", with_partitions(newer, *STOCK, volume))


def test_partitions_beyond_the_flash(newer):
    volume = partition("vfs", 1, 0x81, 0x200000, 0x201000)
    refused(esp32.Esp32FlashTooSmall, "partition vfs ends at 0x401000 and the flash at 0x400000",
            with_partitions(newer, *STOCK, volume))  # fmt: skip
    image = esp32.parse(newer, "x.bin")
    esp32.check_flash(image, 4 * 1024 * 1024, "x.bin")
    with pytest.raises(esp32.Esp32FlashTooSmall, match="the flash at 0x200000"):
        esp32.check_flash(image, 2 * 1024 * 1024, "x.bin")


def test_image_for_a_larger_flash_than_the_board_has(newer):
    """Header for 16 MB and partitions up to there, on a board of 4 MB (a boot loop, were it written)."""
    header = newer[:3] + bytes([newer[3] & 0x0F | 0x40]) + newer[4:]
    volume = partition("vfs", 1, 0x81, 0x200000, 0xE00000)
    data = with_partitions(resealed(header, 0)[:TABLE] + header[TABLE:], *STOCK, volume)
    assert esp32.parse(data, "x.bin").stated_flash_bytes == 16 * 1024 * 1024
    refused(esp32.Esp32FlashTooSmall, "ends at 0x1000000 and the flash at 0x400000", data)


def test_bundle_for_the_other_chip(pico, devkitc, newer):
    with pytest.raises(MicroPythonUnfit, match="bundle is for rp2040; esp32-devkitc has esp32"):
        full_image(pico, newer, DEVKITC, "x.bin")
    with pytest.raises(MicroPythonUnfit, match="bundle is for esp32; raspberry-pi-pico has rp2040"):
        full_image(devkitc, pico_image(), PICO, "x.uf2")
