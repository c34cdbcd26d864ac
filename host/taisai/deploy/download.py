"""Fetching MicroPython with the package mpflash, an optional extra; everybody else names a file."""

import sys
from pathlib import Path

from taisai.boards.pins import Mcu
from taisai.errors import TaisaiError

DOWNLOAD = "download"
"""What stands in place of a file's name."""
# Our boards as MicroPython's download page names them: port, board, ending of the file.
_PAGES = {"raspberry-pi-pico": ("rp2", "RPI_PICO", ".uf2"), "esp32-devkitc": ("esp32", "ESP32_GENERIC", ".bin")}


def downloaded(board: Mcu) -> Path:
    """The newest stable image for a board, fetched unless it is there from before; TaisaiError when that fails."""
    port, name, ending = _PAGES[board.board]
    try:
        from mpflash.config import config
        from mpflash.db.core import create_database
        from mpflash.download import download
        from mpflash.downloaded import find_downloaded_firmware
        from mpflash.errors import MPFlashError
        from mpflash.versions import get_stable_mp_version
    except ImportError as error:
        raise TaisaiError(
            f"--micropython {DOWNLOAD} needs the package mpflash: run  {sys.executable} -m pip install mpflash  "
            f"or fetch the image of {name} from MicroPython's download page and name the file"
        ) from error
    try:
        create_database()  # as mpflash's own command line does first: its list of images is kept in one
        version = get_stable_mp_version()
        if not version:
            raise MPFlashError("no list of MicroPython's versions can be had")
        download([port], [name], [version])
        found = [config.firmware_folder / each.firmware_file for each in find_downloaded_firmware(name, version, port)]
    except (MPFlashError, OSError) as error:
        raise TaisaiError(
            f"MicroPython for {name} could not be downloaded ({error}): is there an internet connection? "
            "Or name an image file with --micropython FILE"
        ) from error
    files = [file for file in found if file.suffix == ending and file.is_file()]
    if not files:
        raise TaisaiError(f"mpflash found no image of MicroPython {version} for {name}: name a file instead")
    return files[0]
