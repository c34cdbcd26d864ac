"""The virtual board: the real firmware in the real MicroPython interpreter, its hardware a bench, its time the bench's.

Everything happens in the caller's thread. While firmware runs, time moves only as the firmware waits, so the same calls
give the same result every time, however fast the processor is. At the prompt, and in `run_real`, time is the wall's.
"""

import select
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from taisai.boards.table import Table
from taisai.build.application import application_files
from taisai.build.volume import volume_image
from taisai.errors import TaisaiError
from taisai.sim import bus
from taisai.sim.bench import FLASH_BLOCKS, Bench
from taisai.sim.bus import Op, Request
from taisai.sim.flash import BLOCK_BYTES
from taisai.sim.interpreter import Interpreter
from taisai.sim.portside import PortSide
from taisai.sim.serialport import SerialPort

OFF, FIRMWARE, PROMPT = "off", "firmware", "prompt"

BOOT_US = 100_000
"""From power to MicroPython's first line; pins float meanwhile. A typical figure, not a measured one."""
SHIM_HEAP_BYTES = 38 * 1024
"""Added to a heap limit, so that the limit is what the firmware has."""
_HUNG_S = 10.0
_LOOK_S = 0.05
_WRITE_GIVES_UP_S = 0.5
_STATE_FILE = "flash.bin"

_ID_BYTES = {"rp2040": 8, "esp32": 6}
# What reset_cause() says: on the RP2040 port a reset by the program looks like the watchdog's and the reset pin like
# power; on the ESP32 port a reset by the program is a hard reset. None: a soft reset leaves it as it was.
_CAUSES = {
    "rp2040": {"power": 1, "pin": 1, "program": 3, "watchdog": 3, "soft": None},
    "esp32": {"power": 1, "pin": 1, "program": 2, "watchdog": 3, "soft": 5},
}


class VirtualBoard:
    """One controller on one bench. Use as a context manager; it starts without power.

    state_dir: the flash is loaded from there if it was left there, and left there again. files: what is on the volume
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
        self.bench = Bench(table, seed)
        self.bench.on_watchdog = lambda: self._restart("watchdog")
        self.port = PortSide(self.bench)
        self.serial = SerialPort(self._wait_for_output)
        self.mode = OFF
        self.starts: list[str] = []
        self._mcu = table.controller.mcu
        self._facts = table.controller.mcu_facts
        self._id = Random(seed).randbytes(_ID_BYTES[self._mcu])
        self._heap_bytes = heap_bytes
        self._first_tick_ms = first_tick_ms
        self._state_file = None if state_dir is None else state_dir / _STATE_FILE
        self._interpreter: Interpreter | None = None
        self._request: Request | None = None
        self._answer: tuple[int, bytes] | None = None
        self._cause = 0
        self._boot_wait_us = 0
        self._started_us = 0
        self._real_time = False
        self._full_since: float | None = None
        self._heap_report: bytes | None = None
        self._heap_wanted = False
        self._ready = False
        self._consumed: int | None = 0
        self._limit_us = 0
        self._last_request = 0.0
        if self._state_file is not None and self._state_file.exists():
            self.bench.flash.load(self._state_file)
        elif files is None or files:
            content = application_files(table) if files is None else files
            self.bench.flash.load_image(volume_image(content, FLASH_BLOCKS[self._mcu]))

    def __enter__(self) -> "VirtualBoard":
        return self

    def __exit__(self, *_) -> None:
        self.power_off()

    # --- power and resets ---

    def power_on(self, random_bits: bool = True) -> None:
        """Mains on; the firmware starts when time moves."""
        self.bench.power_on(random_bits)
        self._start("power")

    def power_off(self) -> None:
        """Mains off, at any moment, also from a bench event or a flash hook. Off already: nothing happens."""
        if self.mode == OFF:
            return
        self._end()
        self.mode = OFF
        self.bench.power_off()
        self.port.forget()
        if self._state_file is not None:
            self._state_file.parent.mkdir(parents=True, exist_ok=True)
            self.bench.flash.save(self._state_file)

    def hard_reset(self) -> None:
        """The chip's reset pin."""
        if self.mode == OFF:
            raise TaisaiError("the board has no power: it cannot be reset")
        self._restart("pin")

    # --- time ---

    def run_ms(self, ms: float) -> None:
        """Let exactly so much bench time pass. A program at the prompt gets no time of its own here, see `run_real`."""
        self._run(self.bench.now_us + round(ms * 1000), None)

    def run_until(self, condition: Callable[[], bool], limit_ms: float) -> bool:
        """Let bench time pass until the condition holds, asked whenever something happens; False at the limit."""
        self._run(self.bench.now_us + round(limit_ms * 1000), condition)
        return condition()

    def run_real(self, seconds: float, until: Callable[[], bool] | None = None, wake: tuple[int, ...] = ()) -> None:
        """Keep bench time in step with the wall for so long, or until the condition holds or a `wake` file is ready."""
        start = time.monotonic()
        origin_us = self.bench.now_us
        self._real_time = True
        try:
            while True:
                passed = min(seconds, time.monotonic() - start)
                wall_us = origin_us + round(passed * 1_000_000)
                if wall_us > self.bench.now_us:
                    self.bench.advance(wall_us)
                self._serve()
                if passed >= seconds or (until and until()):
                    return
                moments = [origin_us + round(seconds * 1_000_000)]
                moments += [] if self._answer is None else [self._answer[0]]
                moments += [] if (due := self.bench.next_event_us()) is None else [due]
                if self._poll(max(0.0, (min(moments) - wall_us) / 1_000_000), wake):
                    return
        finally:
            self._real_time = False

    def heap(self) -> tuple[int, int, int]:
        """Heap of the running firmware after a collection: bytes in use beyond the shim's, free, largest free block."""
        self._heap_report = None
        self._heap_wanted = True
        if self.mode != FIRMWARE or not self.run_until(lambda: self._heap_report is not None, 1000):
            raise TaisaiError("no firmware is running whose heap could be measured")
        used, free, largest = (int.from_bytes(self._heap_report[at : at + 4], "little") for at in (0, 4, 8))
        return used, free, largest

    def _run(self, limit_us: int, condition: Callable[[], bool] | None) -> None:
        self._limit_us = limit_us
        self._last_request = time.monotonic()
        while self.bench.now_us < limit_us and not (condition and condition()):
            if self.mode == PROMPT and self._request is None:
                self._poll(0)
            if self.mode == FIRMWARE or self._request is not None:
                self._step()
            else:
                due = self.bench.next_event_us()
                self.bench.advance(limit_us if due is None else min(due, limit_us))

    def _step(self) -> None:
        """Take the program's next request, or move time to where the pending one begins or ends."""
        if self._request is None:
            self._poll(_LOOK_S)
            if self._request is None and self._interpreter is not None:
                self._collect_output()  # it may be waiting for room
            if self._request is None and time.monotonic() - self._last_request > _HUNG_S:
                self._hung()
            return
        due = max(self._request.t_us, self.bench.now_us) if self._answer is None else self._answer[0]
        # Event by event: one of them may reset the board, which then starts at that moment and not at the target.
        event = self.bench.next_event_us()
        target = min(due, self._limit_us)
        if event is not None and event <= target:
            self.bench.advance(event)
        elif due >= self._limit_us:
            self.bench.advance(self._limit_us)
        else:
            self.bench.advance(due)
            self._begin() if self._answer is None else self._finish()

    def _hung(self) -> None:
        """The program computes without ever waiting. On a board time would pass, and the watchdog would end it."""
        if not self.bench.watchdog.running:
            raise TaisaiError(f"the program on the board has not waited for anything for {_HUNG_S:.0f} s of real time")
        due = self.bench.next_event_us()
        self.bench.advance(self._limit_us if due is None else min(due, self._limit_us))

    def _serve(self) -> None:
        """Real time: begin the pending request at once, finish it when its time has come."""
        if self._request is not None and self._answer is None:
            self._begin()
        if self._answer is not None and self._answer[0] <= self.bench.now_us:
            self._finish()

    def _wait_for_output(self, timeout_ms: int) -> None:
        """For a client that reads: bench time while firmware runs, real time at the prompt."""
        end_us = self.bench.now_us + timeout_ms * 1000
        while not self.serial.unread and self.bench.now_us < end_us:
            left_ms = (end_us - self.bench.now_us) / 1000
            if self.mode == PROMPT:
                self.run_real(left_ms / 1000, lambda: bool(self.serial.unread) or self.mode != PROMPT)
            else:
                self.run_until(lambda: bool(self.serial.unread) or self.mode == PROMPT, left_ms)

    # --- the interpreter ---

    def _start(self, reason: str, *, raw: bool = False) -> None:
        cause = _CAUSES[self._mcu][reason]
        if cause is not None:
            self._cause = cause
        self._boot_wait_us = 0 if reason == "soft" else BOOT_US
        if reason != "soft":
            self._started_us = self.bench.now_us
        self.starts.append(reason)
        self.mode = FIRMWARE
        self._ready = False
        self._last_request = time.monotonic()
        heap = None if self._heap_bytes is None else self._heap_bytes + SHIM_HEAP_BYTES
        self._interpreter = Interpreter(heap, raw=raw)
        self.serial.restart(reenter_raw=raw)

    def _end(self) -> None:
        if self._interpreter is not None:
            self._interpreter.kill()
        self._interpreter = None
        self._request = None
        self._answer = None

    def _restart(self, reason: str) -> None:
        """Hard reset of the chip, whoever asked for it."""
        self._end()
        self.bench.reset_controller()
        self.port.forget()
        self.serial.raw = False
        self._start(reason)

    def _soft_reset(self) -> None:
        self._collect_output()
        if not self._ready:
            raise TaisaiError(f"MicroPython ended before it was a board: {bytes(self.serial.unread[-500:])!r}")
        raw = self.serial.raw
        self._end()
        self.port.stop_pwm()
        self.serial.put_output(b"MPY: soft reboot\r\n", lambda _: 0)
        self._start("soft", raw=raw)

    def _poll(self, timeout_s: float, wake: tuple[int, ...] = ()) -> bool:
        """Wait for the interpreter's next request, output or end, and take it; True when a `wake` file is readable."""
        interpreter = self._interpreter
        files: list[int] = list(wake)
        if interpreter is not None:
            if self._ready:  # before, Ctrl-C would interrupt what is no program: a board does not allow that either
                self.serial.take_input(self._consumed, interpreter.send)
            files.append(interpreter.bus.fileno())
            # While firmware runs, its output is taken with its requests, so that it is seen at the same time each time.
            if (self._real_time or self.mode == PROMPT) and not self._holds_back():
                files.append(interpreter.console)
        readable, _, _ = select.select(files, [], [], timeout_s)
        if interpreter is not None and interpreter.console in readable:
            self._collect_output()
        if interpreter is not None and interpreter.bus.fileno() in readable:
            message = interpreter.next_request()
            if message:
                self._take(message)
            else:
                self._soft_reset()
        elif interpreter is not None and interpreter.ended:
            self._soft_reset()
        return any(file in readable for file in wake)

    def _holds_back(self) -> bool:
        """In real time an unread port holds the program back for 500 ms; then what it writes is lost."""
        if not self._real_time or not self.serial.full:
            self._full_since = None
            return False
        if self._full_since is None:
            self._full_since = time.monotonic()
        return time.monotonic() - self._full_since < _WRITE_GIVES_UP_S

    def _collect_output(self) -> None:
        # In real time a program that writes faster than its client reads waits. Without room, it has waited in vain.
        limit = self.serial.room or None if self._real_time else None
        self.serial.put_output(self._interpreter.receive(limit), self._interpreter.send)

    def _take(self, message: bytes) -> None:
        """A request has come. One that was still pending has been given up by the program, interrupted by Ctrl-C."""
        self._last_request = time.monotonic()
        request = bus.parse(message)
        self._collect_output()
        while self.serial.received < request.written and select.select([self._interpreter.console], [], [], 1)[0]:
            self._collect_output()
        interpreter = self._interpreter
        self._request = request
        self._answer = None
        self.port.apply(request, lambda: self._interpreter is interpreter)

    def _begin(self) -> None:
        request = self._request
        if request.op == Op.HELLO:
            identity = bus.greeting(
                self._cause,
                max(self._facts.gpio) + 1,
                self._facts.watchdog_max_ms or 0,
                FLASH_BLOCKS[self._mcu],
                BLOCK_BYTES,
                self._started_us,
                self._first_tick_ms,
                self._id,
            )
            self._answer = (self.bench.now_us + self._boot_wait_us, identity)
            return
        answer = self.port.begin(request)
        if self._request is request:  # a flash hook may have cut the power
            self._answer = answer

    def _finish(self) -> None:
        """The pending request is over: answer it, or do what ends the interpreter."""
        request = self._request
        _, data = self._answer
        self._request = self._answer = None
        match request.op:
            case Op.READY:
                self._ready = True
            case Op.RESET:
                self._soft_reset() if request.data == b"s" else self._restart("program")
                return
            case Op.PROMPT:
                self.mode = PROMPT
            case Op.HEAP:
                self._heap_report = request.data
                self._heap_wanted = False
        now = self.bench.now_us
        real = self._real_time or self.mode == PROMPT
        horizon = now
        if not (real or self._heap_wanted):
            due = self.bench.next_event_us()
            horizon = self._limit_us if due is None else min(due, self._limit_us)
        flags = bus.REAL_TIME if real else 0
        if self._heap_wanted and request.op == Op.SYNC:
            flags |= bus.HEAP_WANTED
        self._consumed = None if real else request.consumed
        if self._ready:
            self.serial.take_input(self._consumed, self._interpreter.send)
        delivered, credit = self.serial.delivered, self.serial.credit(request.written)
        levels = self.port.levels()
        self._interpreter.answer(bus.reply(request.number, flags, delivered, credit, now, horizon, levels, data))
