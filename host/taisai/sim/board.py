"""The virtual board: the real firmware in the real MicroPython interpreter, its hardware a bench, its time the bench's.

Everything happens in the caller's thread. While firmware runs, time moves only as the firmware waits, so the same calls
give the same result every time, however fast the processor is; so at the prompt, while a client waits for an
answer. In `run_real`, and at the prompt on systems without /proc, time is the wall's.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from taisai.boards.table import Table
from taisai.build.application import application_files
from taisai.build.volume import volume_image
from taisai.errors import TaisaiError
from taisai.sim.bench import FLASH_BLOCKS, Bench
from taisai.sim.chip import BOOT_US, Chip
from taisai.sim.pace import Pace
from taisai.sim.portside import PortSide
from taisai.sim.processor import FIRMWARE, OFF, PROMPT, Processor
from taisai.sim.serialport import SerialPort
from taisai.sim.statefolder import StateFolder

__all__ = ["BOOT_US", "FIRMWARE", "OFF", "PROMPT", "VirtualBoard"]

_HEAP_MS = 1000


class VirtualBoard:
    """One controller on one bench. Use as a context manager; it starts without power.

    state_dir: the flash is loaded from there if it was left there, and left there again; nobody else may use the folder
    meanwhile. TaisaiError when it cannot be used, or holds no flash of this chip. files: what is on the volume
    of a new board, path to content; absent, the application of the table; empty, a blank board, its flash erased.
    heap_bytes: limit of the firmware's heap. first_tick_ms: what ticks_ms says at a hard reset.
    """

    def __init__(
        self,
        table: Table,
        state_dir: Path | None = None,
        seed: int = 0,
        heap_bytes: int | None = None,
        files: Mapping[str, bytes] | None = None,
        first_tick_ms: int = 0,
    ):
        mcu = table.controller.mcu
        self.bench = Bench(table, seed)
        self.port = PortSide(self.bench)
        self.serial = SerialPort(self._wait_for_output)
        chip = Chip(mcu, table.controller.mcu_facts, seed, first_tick_ms)
        self._processor = Processor(chip, self.bench, self.serial, self.port, heap_bytes)
        self._pace = Pace(self.bench, self._processor)
        self.bench.on_watchdog = lambda: self._processor.reset("watchdog")
        self._state = None if state_dir is None else StateFolder(state_dir, mcu, self.bench.flash)
        restored = self._state is not None and self._state.restored
        if not restored and (files is None or files):
            content = application_files(table) if files is None else files
            self.bench.flash.load_image(volume_image(content, FLASH_BLOCKS[mcu]))

    def __enter__(self) -> "VirtualBoard":
        return self

    def __exit__(self, *_) -> None:
        try:
            self.power_off()
        finally:
            if self._state is not None:
                self._state.close()

    @property
    def mode(self) -> str:
        """OFF, FIRMWARE (which includes the start) or PROMPT."""
        return self._processor.mode

    @property
    def starts(self) -> list[str]:
        """Why the board started, each time: "power", "pin", "program", "watchdog" or "soft"."""
        return self._processor.starts

    # --- power and resets ---

    def power_on(self, random_bits: bool = True) -> None:
        """Mains on; the firmware starts when time moves."""
        self.bench.power_on(random_bits)
        self._processor.start("power")

    def power_off(self) -> None:
        """Mains off, at any moment, also from a bench event or a flash hook. Off already: nothing happens."""
        if self.mode == OFF:
            return
        self._processor.power_off()
        self.bench.power_off()
        if self._state is not None:
            self._state.save()

    def hard_reset(self) -> None:
        """The chip's reset pin."""
        if self.mode == OFF:
            raise TaisaiError("the board has no power: it cannot be reset")
        self._processor.reset("pin")

    # --- time ---

    def run_ms(self, ms: float) -> None:
        """Let exactly so much bench time pass. A program at the prompt gets no time of its own here, see `run_real`."""
        self._pace.run(self.bench.now_us + round(ms * 1000))

    def run_until(self, condition: Callable[[], bool], limit_ms: float) -> bool:
        """Let bench time pass until the condition holds, asked whenever something happens; False at the limit."""
        self._pace.run(self.bench.now_us + round(limit_ms * 1000), condition)
        return condition()

    def run_real(self, seconds: float, until: Callable[[], bool] | None = None, wake: tuple[int, ...] = ()) -> None:
        """Keep bench time in step with the wall for so long, or until the condition holds or a `wake` file is ready."""
        self._pace.run_real(seconds, until, wake)
        if self._state is not None:
            self._state.save_now_and_then()

    def heap(self) -> tuple[int, int, int]:
        """Heap of the running firmware after a collection: bytes in use beyond the shim's, free, largest free block."""
        processor = self._processor
        if self.mode == FIRMWARE:
            processor.ask_for_heap()
            if self.run_until(lambda: processor.heap_report is not None, _HEAP_MS):
                return processor.heap_report
        raise TaisaiError("no firmware is running whose heap could be measured")

    def _wait_for_output(self, timeout_ms: int) -> None:
        """For a client that reads. Where it cannot be told when a program at the prompt has ended, real time passes."""
        end_us = self.bench.now_us + timeout_ms * 1000
        heard = lambda: bool(self.serial.unread)  # noqa: E731
        while not heard() and self.bench.now_us < end_us:
            left_ms = (end_us - self.bench.now_us) / 1000
            if self.mode != PROMPT:
                self.run_until(lambda: heard() or self.mode == PROMPT, left_ms)
            elif not self._pace.talk(end_us, heard):
                self.run_real(left_ms / 1000, lambda: heard() or self.mode != PROMPT)
