"""The chip as seen from its pins: EN, GPIO0, serial in, serial out."""

from collections.abc import Callable
from enum import Enum
from random import Random

from taisai.sim.esp32rom import slip
from taisai.sim.esp32rom.bootlog import POWER_ON, SOFTWARE, WATCHDOG, application_log, download_log
from taisai.sim.esp32rom.chips import Chip
from taisai.sim.esp32rom.loader import SYNC, RomLoader
from taisai.sim.esp32rom.norflash import NorFlash
from taisai.sim.esp32rom.registers import Registers

# Without an application to start, the ROM's watchdog resets the chip after about this long.
WATCHDOG_SECONDS = 1.0
# Two ends of a serial line understand each other while their rates differ by less than this.
BAUD_TOLERANCE = 0.03
NOISY_ANSWERS = 2
NOISE_BYTES = 37


class Mode(Enum):
    HELD = "held in reset"
    DOWNLOAD = "download"
    APPLICATION = "application"


class Device:
    """Bytes in, bytes out, two lines. Not safe for use by several threads at once.

    `clock` returns seconds and never runs backwards.
    """

    def __init__(
        self, chip: Chip, flash: NorFlash, mac: bytes, faults: frozenset[str], clock: Callable[[], float]
    ) -> None:
        self._chip = chip
        self._flash = flash
        self._faults = faults
        self._clock = clock
        self._noise = Random(0xE5)
        self.registers = Registers(chip, flash, mac, faults)
        self._out = bytearray()
        self._enabled = True
        self._gpio0 = True
        self.restart(POWER_ON)

    def set_lines(self, *, enabled: bool, gpio0: bool) -> None:
        """Set the levels of EN and GPIO0. GPIO0 is looked at in the moment EN rises."""
        rises = enabled and not self._enabled
        self._enabled = enabled
        self._gpio0 = gpio0
        if not enabled:
            self.mode = Mode.HELD
            self.due = None
        elif rises:
            self.restart(POWER_ON)

    def press_reset(self, *, boot_held: bool) -> None:
        """Pull EN low for a moment, and GPIO0 with it when the boot button is held; then as the lines were."""
        enabled, gpio0 = self._enabled, self._gpio0
        self.set_lines(enabled=False, gpio0=gpio0)
        self.set_lines(enabled=enabled, gpio0=gpio0 and not boot_held)
        self.set_lines(enabled=enabled, gpio0=gpio0)

    def restart(self, reason: int) -> None:
        """Leave reset: into the loader when GPIO0 is low, else into the application."""
        download = not self._gpio0 and "wrong-boot-mode" not in self._faults
        strap, _ = self._chip.download_strap if download else self._chip.flash_strap
        self.registers.reset(strap)
        self.due: float | None = None
        if download:
            self.mode = Mode.DOWNLOAD
            self._decoder = slip.Decoder()
            self._loader = RomLoader(self._chip, self._flash, self.registers, self._faults)
            self._noisy = NOISY_ANSWERS if "garbage" in self._faults else 0
            self._print(download_log(self._chip, reason))
        else:
            self.mode = Mode.APPLICATION
            text, starts = application_log(self._chip, self._flash, reason)
            self._print(text)
            if not starts:
                self.due = self._clock() + WATCHDOG_SECONDS

    def run_due(self) -> None:
        """Do what time has brought: the watchdog of a chip without an application. `due` says when to call again."""
        if self.due is not None and self._clock() >= self.due:
            self.restart(WATCHDOG)

    def receive(self, data: bytes, baud: int | None) -> None:
        """Take bytes that the host sent at that rate (None: not known, and taken to fit).

        A SYNC frame is understood at any rate and sets the loader's; other bytes only at the loader's own.
        """
        if self.mode is not Mode.DOWNLOAD:
            return
        for packet in self._decoder.feed(data):
            is_sync = packet[1:2] == bytes((SYNC,))
            if baud is not None and abs(baud / self.registers.baud - 1) > BAUD_TOLERANCE:
                if not is_sync:
                    continue
                self.registers.baud = baud
            if is_sync and self._noisy:
                self._noisy -= 1
                self._send(self._noise.randbytes(NOISE_BYTES))
                continue
            for answer in self._loader.handle(packet):
                self._send(slip.encode(answer))
            if self._loader.left:
                self.restart(SOFTWARE)
                return

    def take_output(self) -> bytes:
        """Return and forget what the chip has sent."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def _print(self, text: str) -> None:
        self._send(text.encode("ascii"))

    def _send(self, data: bytes) -> None:
        if "silent" not in self._faults:
            self._out += data
