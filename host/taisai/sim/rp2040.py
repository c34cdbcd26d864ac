"""The firmware on an emulated RP2040: a real MicroPython image, instruction by instruction, on the same bench.

Needs the package `rp2040py` (extra `dev`) and a UF2 of MicroPython for the Raspberry Pi Pico, which the user supplies.
Bench time is emulated time, so figures are those of the chip, as far as the emulator goes: flash operations take next
to no time there, and nothing was compared with real hardware. It runs at a tenth of real time or slower.

The chip has a flash of its own with the volume on it; the bench's NOR flash takes no part.
"""

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path

from rp2040py.boards import BOARDS
from rp2040py.device.base_device import BaseDevice, ResetCause
from rp2040py.execute_batch import execute_batch
from rp2040py.memory_map import FLASH_START_ADDRESS
from rp2040py.peripherals.ssi import CMD_BLOCK_ERASE, CMD_PAGE_PROGRAM, CMD_SECTOR_ERASE, RPSSI

from taisai.boards.table import Table
from taisai.build.application import application_files
from taisai.build.volume import volume_image
from taisai.errors import TaisaiError
from taisai.sim.bench import FLASH_BLOCKS, Bench
from taisai.sim.flash import BLOCK_BYTES, SLOWEST_US
from taisai.sim.rp2040_pins import PinWiring
from taisai.sim.rp2040_usb import UsbSerial

_PICO_FLASH_BYTES = 2 * 1024 * 1024
_VOLUME_BYTES = FLASH_BLOCKS["rp2040"] * BLOCK_BYTES
_VOLUME = slice(_PICO_FLASH_BYTES - _VOLUME_BYTES, _PICO_FLASH_BYTES)  # at the end of the flash, in stock images

# What MicroPython 1.28 sets; the emulator does not follow the clock registers and would assume 125 MHz.
_PERIPHERAL_HZ = 48_000_000
_SLICE_US = 1000
_SSI = 0x18000  # the emulator's key of the block at 0x18000000, which the flash is on
# Alarms are floating-point nanoseconds: one that is due at a whole microsecond may come a rounding error early.
_ROUNDING_NS = 0.001


class Rp2040Board:
    """One emulated Pico on one bench; it starts without power. Methods as those of taisai.sim.board.VirtualBoard.

    uf2: the MicroPython image. files: what is on the volume, path to content; absent, the application of the table.
    TaisaiError when the table is for another chip.
    """

    def __init__(self, table: Table, uf2: Path, seed: int = 0, files: Mapping[str, bytes] | None = None):
        if table.controller.mcu != "rp2040":
            raise TaisaiError(f"table {table.id} has an {table.controller.mcu}: it cannot run on an emulated RP2040")
        self.bench = Bench(table, seed)
        self.serial = UsbSerial(lambda ms: self.run_until(lambda: bool(self.serial.unread), ms))
        self.starts: list[str] = []
        """Why the chip started, each time: "power", "pin" or "watchdog" (also a reset by the program)."""
        self.device: BaseDevice | None = None
        """The emulator, None without power."""
        self._controller = table.controller
        self._uf2 = uf2
        self._volume = volume_image(application_files(table) if files is None else files, FLASH_BLOCKS["rp2040"])
        self._origin_us = 0
        self._slow_operations = 0

    def power_on(self, random_bits: bool = True) -> None:
        """Mains on; the chip starts when time moves."""
        self.bench.power_on(random_bits)
        self._origin_us = self.bench.now_us
        self.device = device = BaseDevice(board=dataclasses.replace(BOARDS["pico"], image=self._uf2))
        mcu = device.mcu
        mcu.flash[_VOLUME] = self._volume
        mcu.clk_peri = _PERIPHERAL_HZ
        mcu.watchdog.on_watchdog_trigger = self._watchdog_bites
        mcu.core.pc = FLASH_START_ADDRESS
        self._watch_flash(mcu.peripherals[_SSI])
        self._clock = mcu.clock
        self._wiring = PinWiring(mcu, self.bench, self._controller, self.now_us)
        self.serial.attach(device.cdc, mcu.clock)
        self._event_alarm = mcu.clock.create_alarm(self._bench_event)
        self._stop_alarm = mcu.clock.create_alarm(device.simulator.stop)
        self.starts.append("power")

    def power_off(self) -> None:
        """Mains off; the volume keeps what was written to it."""
        self._volume = bytes(self._running().mcu.flash[_VOLUME])
        self.device = None
        self.bench.power_off()

    def slow_flash(self, operations: int) -> None:
        """Let the next so many erases and programs of the flash take 400 ms each. The chip does nothing meanwhile: all
        interrupts are blocked.
        """
        self._slow_operations = operations

    def hard_reset(self) -> None:
        """The chip's reset pin."""
        self._reset("pin", ResetCause.RUN_PIN)

    def run_ms(self, ms: float) -> None:
        """Let so much emulated time pass."""
        self._run_to(self.bench.now_us + round(ms * 1000))

    def run_until(self, condition: Callable[[], bool], limit_ms: float) -> bool:
        """Let emulated time pass until the condition holds, asked every millisecond; False at the limit."""
        limit_us = self.bench.now_us + round(limit_ms * 1000)
        while not condition():
            if self.bench.now_us >= limit_us:
                return False
            self._run_to(min(self.bench.now_us + _SLICE_US, limit_us))
        return True

    def now_us(self) -> int:
        """Emulated time on the bench's scale. The bench's own is behind it while nothing happens there."""
        return self._origin_us + int((self._clock.nanos + _ROUNDING_NS) // 1000)

    def _running(self) -> BaseDevice:
        if self.device is None:
            raise TaisaiError("the board has no power")
        return self.device

    def _run_to(self, target_us: int) -> None:
        simulator = self._running().simulator
        self._plan_event()
        self._stop_alarm.schedule(self._until_ns(target_us))
        simulator.stopped = False
        while not simulator.stopped:
            execute_batch(simulator, 1)
        if self.now_us() < target_us:
            raise TaisaiError(f"the emulated processor stopped by itself at {self.now_us()} us")
        self.bench.advance(self.now_us())

    def _watch_flash(self, ssi: RPSSI) -> None:
        apply = ssi._apply_command

        def apply_slowly() -> None:
            changes = ssi._tx_buffer and ssi._tx_buffer[0] in (CMD_SECTOR_ERASE, CMD_BLOCK_ERASE, CMD_PAGE_PROGRAM)
            apply()
            if changes and self._slow_operations:
                self._slow_operations -= 1
                self._clock.tick(SLOWEST_US * 1000)

        ssi._apply_command = apply_slowly

    def _until_ns(self, t_us: int) -> float:
        return max(0.0, (t_us - self._origin_us) * 1000 - self._clock.nanos)

    def _plan_event(self) -> None:
        due = self.bench.next_event_us()
        if self.bench.wheel is not None and (moves := self.bench.wheel.next_change_us()) is not None:
            due = moves if due is None else min(due, moves)
        if due is None:
            self._event_alarm.cancel()
        else:
            self._event_alarm.schedule(self._until_ns(due))

    def _bench_event(self) -> None:
        self.bench.advance(self.now_us())
        self._wiring.refresh_inputs()
        self._plan_event()

    def _watchdog_bites(self) -> None:
        self._reset("watchdog", ResetCause.WATCHDOG)

    def _reset(self, reason: str, cause: ResetCause) -> None:
        """Every pin floats, and the chip starts again."""
        self._running().hard_reset(cause=cause)
        self.bench.reset_controller()
        self.starts.append(reason)
