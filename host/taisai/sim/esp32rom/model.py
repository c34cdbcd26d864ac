"""One ESP32 module: chip and flash file. ptyserver.py and rfc2217server.py are the ways to reach it."""

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from taisai.sim.esp32rom.chips import CHIPS
from taisai.sim.esp32rom.device import Device
from taisai.sim.esp32rom.faults import check_faults
from taisai.sim.esp32rom.norflash import NorFlash


class Esp32Rom:
    """A module with the ROM loader of `chip` ("esp32" or "esp32s3") and its flash array in the file `flash_path`.

    `flash_size` in bytes, a power of two from 256 KiB to 16 MiB (1 MiB and more with the fault "small-flash", which
    fits a quarter of it). `faults`: names from FAULTS. `mac`: "24:0a:c4:..." where the chip's usual one will not do, as
    when several modules must be told apart. Raises ValueError for what cannot be.

    `wake`: set by whoever serves it; called when there may be something to send.
    """

    def __init__(
        self,
        chip: str,
        flash_path: str | Path,
        flash_size: int = 4 << 20,
        faults: Iterable[str] = (),
        mac: str | None = None,
    ) -> None:
        if chip not in CHIPS:
            raise ValueError(f"no model of {chip!r}; there are {', '.join(CHIPS)}")
        known = check_faults(faults, chip)
        address = bytes.fromhex((mac or CHIPS[chip].mac).replace(":", ""))
        if len(address) != 6:
            raise ValueError(f"MAC address {mac!r} does not have 6 bytes")
        self.chip = CHIPS[chip]
        self.flash = NorFlash(flash_path, flash_size // 4 if "small-flash" in known else flash_size)
        self.lock = threading.RLock()
        self.device = Device(self.chip, self.flash, address, known, time.monotonic)
        self.wake: Callable[[], None] | None = None

    @property
    def mode(self) -> str:
        """Return "download", "application" or "held in reset"."""
        with self.lock:
            return self.device.mode.value

    @property
    def unknown_registers(self) -> set[int]:
        """Addresses a host used that are not modelled; empty when the model was good enough for it."""
        with self.lock:
            return set(self.device.registers.unknown)

    def press_reset(self, *, boot_held: bool) -> None:
        """Press the reset button, with or without the boot button held down: download mode or the application."""
        with self.lock:
            self.device.press_reset(boot_held=boot_held)
        if self.wake is not None:
            self.wake()

    def close(self) -> None:
        """Write the flash array to its file and let go of it."""
        self.flash.close()

    def __enter__(self) -> "Esp32Rom":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
