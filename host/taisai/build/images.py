"""Full images for blank boards: MicroPython, as the user gives it, and a volume with everything of a bundle.

A full image overwrites the whole volume, records included: it is for boards that have none.
"""

import re
from dataclasses import dataclass
from hashlib import sha256

from taisai.boards.pins import Mcu
from taisai.build import esp32, uf2
from taisai.build.binary_info import read_binary_info
from taisai.build.bundle import Bundle
from taisai.build.uf2_rp2040 import FLASH_BASE, check_rp2040, flash_content, join
from taisai.build.volume import BLOCK_BYTES, volume_image
from taisai.errors import TaisaiError

OLDEST_MICROPYTHON = (1, 24)
"""What the firmware is tested with and later ones; all of them load .mpy version 6."""

# How the Pico SDK calls a board of ours.
_SDK_BOARDS = {"raspberry-pi-pico": "pico"}
# The line a prompt begins with, as it stands in the image: "MicroPython v1.28.0 on 2026-04-06; ...".
_BANNER = re.compile(rb"MicroPython (v[0-9][0-9A-Za-z.-]*) on [0-9]{4}-")


class MicroPythonUnfit(TaisaiError):
    """A sound image that this board or this firmware cannot use; the text names the file."""


@dataclass(frozen=True)
class MicroPythonImage:
    """A checked MicroPython image for one board.

    chip: as esptool or the datasheet names it. offset: where the file goes in flash. volume_at, volume_bytes: where in
    flash the file system of this image lies.
    """

    chip: str
    version: str
    sha256: str
    offset: int
    volume_at: int
    volume_bytes: int


@dataclass(frozen=True)
class Part:
    """A file to be written to a board: ending of its name, offset in flash, content."""

    ending: str
    offset: int
    content: bytes


def check_micropython(data: bytes, board: Mcu, name: str) -> MicroPythonImage:
    """Whether this MicroPython image fits the board and the firmware. TaisaiError names the file and the reason."""
    return (_check_rp2040 if board.name == "rp2040" else _check_esp32)(data, board, name)


def full_image(bundle: Bundle, data: bytes, board: Mcu, name: str) -> Part:
    """What makes a blank board a table: for the RP2040 one UF2, for the ESP32 the volume beside the given image.

    data: the MicroPython image; name: its file, for messages. TaisaiError when anything does not fit.
    """
    if bundle.manifest["mcu"] != board.name:
        raise MicroPythonUnfit(f"the bundle is for {bundle.manifest['mcu']}; {board.board} has {board.name}")
    image = check_micropython(data, board, name)
    volume = volume_image(bundle.volume(), image.volume_bytes // BLOCK_BYTES)
    if board.name == "rp2040":
        joined = join(uf2.parse(data, name), volume, FLASH_BASE + image.volume_at, name)
        return Part(".uf2", image.offset, joined)
    return Part(f"-{esp32.VOLUME_LABEL}.bin", image.volume_at, volume)


def _check_rp2040(data: bytes, board: Mcu, name: str) -> MicroPythonImage:
    blocks = uf2.parse(data, name)
    check_rp2040(blocks, board.flash_bytes, name)
    info = read_binary_info(flash_content(blocks))
    if info is None or info.program != "MicroPython" or info.volume is None:
        raise MicroPythonUnfit(f"{name} holds no MicroPython that says where its files lie: use a published image")
    if info.board != _SDK_BOARDS[board.board]:
        raise MicroPythonUnfit(f"{name} is for the board {info.board!r}, not for {board.board}: use its image")
    _check_version(info.version, name)
    address, size = info.volume
    if address % BLOCK_BYTES or size % BLOCK_BYTES or address + size > FLASH_BASE + board.flash_bytes:
        raise MicroPythonUnfit(f"{name}: its file system of {size:#x} bytes at {address:#x} does not fit {board.board}")
    return MicroPythonImage(board.name, info.version, sha256(data).hexdigest(), 0, address - FLASH_BASE, size)


def _check_esp32(data: bytes, board: Mcu, name: str) -> MicroPythonImage:
    image = esp32.parse(data, name)
    if image.chip != board.name:
        raise MicroPythonUnfit(f"{name} is for the chip {image.chip}, not for {board.name}: use the image of that chip")
    esp32.check_flash(image, board.flash_bytes, name)
    banner = _BANNER.search(data)
    if banner is None:
        raise MicroPythonUnfit(f"{name} holds no MicroPython: use an image from MicroPython's download page")
    version = banner[1].decode("ascii")
    _check_version(version, name)
    digest = sha256(data).hexdigest()
    return MicroPythonImage(image.chip, version, digest, image.offset, image.volume.offset, image.volume.size)


def _check_version(version: str, name: str) -> None:
    numbers = re.match(r"v(\d+)\.(\d+)", version)
    if numbers is None or (int(numbers[1]), int(numbers[2])) < OLDEST_MICROPYTHON:
        oldest = ".".join(map(str, OLDEST_MICROPYTHON))
        raise MicroPythonUnfit(f"{name} holds MicroPython {version}: the firmware needs {oldest} or newer")
