"""What the ROM prints when it starts (esptool "Boot Mode Selection", section Boot Log)."""

import struct

from taisai.sim.esp32rom.chips import Chip
from taisai.sim.esp32rom.norflash import NorFlash

POWER_ON, SOFTWARE, WATCHDOG = 0x01, 0x03, 0x10

# Image header (esptool "Firmware Image Format"): magic, segments, flash mode, size and frequency, entry point, then
# 16 bytes of extended header; each segment begins with load address and length.
IMAGE_MAGIC = 0xE9
FLASH_MODES = ("QIO", "QOUT", "DIO", "DOUT")
CLOCK_DIVIDERS = {0x0: 2, 0x1: 3, 0x2: 4, 0xF: 1}
MOST_SEGMENTS = 16
HEADER_BYTES, SEGMENT_BYTES = 24, 8


def first_lines(chip: Chip, reason: int, strap: tuple[int, str]) -> str:
    return f"{chip.banner}rst:{reason:#x} ({chip.reset_names[reason]}),boot:{strap[0]:#x} ({strap[1]})\r\n"


def download_log(chip: Chip, reason: int) -> str:
    return first_lines(chip, reason, chip.download_strap) + "waiting for download\r\n"


def application_log(chip: Chip, flash: NorFlash, reason: int) -> tuple[str, bool]:
    """Return what is printed when the application is to start, and whether there is one that starts.

    Where the bootloader should be and is not, the ROM complains until its watchdog resets the chip.
    """
    text = first_lines(chip, reason, chip.flash_strap)
    header = flash.read(chip.bootloader_offset, HEADER_BYTES)
    magic, segments, mode, size_and_frequency, entry = struct.unpack("<4BI", header[:8])
    if magic != IMAGE_MAGIC or not 0 < segments <= MOST_SEGMENTS or mode >= len(FLASH_MODES):
        complaint = f"invalid header: 0x{int.from_bytes(header[:4], 'little'):08x}\r\n"
        return text + complaint * 4, False
    divider = CLOCK_DIVIDERS.get(size_and_frequency & 0xF, 1)
    text += chip.before_load + f"mode:{FLASH_MODES[mode]}, clock div:{divider}\r\n"
    at = chip.bootloader_offset + HEADER_BYTES
    for _ in range(segments):
        address, length = struct.unpack("<II", flash.read(at, SEGMENT_BYTES))
        text += chip.load_line.format(address=address, length=length)
        at += SEGMENT_BYTES + length
    return text + f"entry 0x{entry:08x}\r\n", True
