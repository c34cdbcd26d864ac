"""The processor: MicroPython's runs on the bench's controller, and the one request that its program has open.

It never moves bench time. Whoever does (taisai.sim.pace) takes requests with `wait`, begins the open one when time has
come to where the program made it, and finishes it when it is over.
"""

import select
import time
from dataclasses import dataclass

from taisai.errors import TaisaiError
from taisai.sim import bus
from taisai.sim.bench import Bench
from taisai.sim.bus import Op, Request
from taisai.sim.chip import Chip
from taisai.sim.console import Console
from taisai.sim.interpreter import Interpreter
from taisai.sim.portside import PortSide
from taisai.sim.serialport import SerialPort

OFF, FIRMWARE, PROMPT = "off", "firmware", "prompt"

_ARRIVES_S = 0.02  # what was sent to a program has reached it by then

SHIM_HEAP_BYTES = 40 * 1024
"""Added to a heap limit, so that the limit is what the firmware has."""


@dataclass
class _Run:
    """One run of the interpreter. `ready`: it has become a board. `consumed`: input it has read, None if unknown."""

    interpreter: Interpreter
    console: Console
    ready: bool = False
    consumed: int | None = 0


class Processor:
    """Runs at most one interpreter. `mode` is OFF, FIRMWARE or PROMPT; `starts` tells why each run began.

    `real_time`: bench time follows the wall's for now. `heard`: when the program last asked for something, by the wall.
    `heap_report`: heap in use, free, and largest free block, once measured after `ask_for_heap`.
    """

    def __init__(self, chip: Chip, bench: Bench, serial: SerialPort, port: PortSide, heap_bytes: int | None):
        self.mode = OFF
        self.starts: list[str] = []
        self.real_time = False
        self.heard = 0.0
        self.heap_report: tuple[int, int, int] | None = None
        self._heap_wanted = False
        self._chip = chip
        self._bench = bench
        self._serial = serial
        self._port = port
        self._heap_bytes = heap_bytes
        self._run: _Run | None = None
        self._request: Request | None = None
        self._answer: tuple[int, bytes] | None = None

    # --- starts and ends ---

    def start(self, reason: str, *, raw: bool = False) -> None:
        """Run the interpreter, for one of the reasons of Chip.start. `raw`: into raw REPL, without main.py."""
        self._chip.start(reason, self._bench.now_us)
        self.starts.append(reason)
        self.mode = FIRMWARE
        self.heard = time.monotonic()
        heap = None if self._heap_bytes is None else self._heap_bytes + SHIM_HEAP_BYTES
        interpreter = Interpreter(heap, raw=raw)
        self._run = _Run(interpreter, Console(interpreter, self._serial))
        self._serial.restart(reenter_raw=raw)

    def power_off(self) -> None:
        """No supply: the interpreter ends wherever it is."""
        self._end()
        self.mode = OFF
        self._port.forget()

    def reset(self, reason: str) -> None:
        """Hard reset of the chip, whoever asked for it."""
        self._end()
        self._bench.reset_controller()
        self._port.forget()
        self._serial.raw = False
        self.start(reason)

    def _soft_reset(self) -> None:
        """The interpreter has ended, or its program asked for it. A board keeps raw REPL through this."""
        self.take_output()
        if not self._run.ready:
            raise TaisaiError(f"MicroPython ended before it was a board: {bytes(self._serial.unread[-500:])!r}")
        raw = self._serial.raw
        self._end()
        self._port.stop_pwm()
        self._serial.put_output(b"MPY: soft reboot\r\n", lambda _: 0)
        self.start("soft", raw=raw)

    def _end(self) -> None:
        if self._run is not None:
            self._run.interpreter.kill()
        self._run = None
        self._request = None
        self._answer = None

    # --- what the program asks for ---

    @property
    def asks(self) -> bool:
        """A request is open."""
        return self._request is not None

    @property
    def begins_us(self) -> int | None:
        """When the open request begins; None when there is none, or when it has begun."""
        if self._request is None or self._answer is not None:
            return None
        return max(self._request.t_us, self._bench.now_us)

    @property
    def ends_us(self) -> int | None:
        """When the open request is over; None before it has begun."""
        return None if self._answer is None else self._answer[0]

    def ask_for_heap(self) -> None:
        """Have the running program measure its heap at its next wait; `heap_report` is None until it has."""
        self.heap_report = None
        self._heap_wanted = True

    def take_output(self) -> None:
        """Move what the program has written to the serial port."""
        if self._run is not None:
            self._run.console.take_output(real_time=self.real_time)

    def wait(self, timeout_s: float, wake: tuple[int, ...] = ()) -> bool:
        """Wait for the next request, output or end, and take it; True when a `wake` file is readable."""
        files: list[int] = list(wake)
        run = self._run
        if run is not None:
            interpreter = run.interpreter
            if run.ready:  # before, Ctrl-C would interrupt what is no program: a board does not allow that either
                run.console.give_input(run.consumed)
            files.append(interpreter.bus.fileno())
            # While firmware runs, its output is taken with its requests, so that it is seen at the same time each time.
            if (self.real_time or self.mode == PROMPT) and not run.console.holds_back(real_time=self.real_time):
                files.append(interpreter.console)
        readable, _, _ = select.select(files, [], [], timeout_s)
        if run is not None:
            if interpreter.console in readable:
                self.take_output()
            if interpreter.bus.fileno() in readable:
                message = interpreter.next_request()
                self._take(message) if message else self._soft_reset()
            elif interpreter.ended:
                self._soft_reset()
        return any(file in readable for file in wake)

    def wait_idle(self) -> bool | None:
        """Wait for the next request, output or end, as `wait`; True when there is none, since the program waits for
        input. None where the system does not tell whether it does.
        """
        run, received = self._run, self._serial.received
        for timeout_s in (_ARRIVES_S, 0):
            self.wait(timeout_s)
            if self._run is not run or self.asks or self._serial.inbox or self._serial.received != received:
                return False
            if not timeout_s or not (sleeps := run.interpreter.sleeps()):
                break
        return sleeps

    def _take(self, message: bytes) -> None:
        """A request has come. One that was still open has been given up by the program, interrupted by Ctrl-C."""
        self.heard = time.monotonic()
        run = self._run
        request = bus.parse(message)
        run.console.take_output_up_to(request.written, real_time=self.real_time)
        self._request = request
        self._answer = None
        self._port.apply(request, lambda: self._run is run)

    def begin(self) -> None:
        """Let the open request begin now."""
        request = self._request
        if request.op == Op.HELLO:
            self._answer = (self._bench.now_us + self._chip.boot_us, self._chip.greeting(self._port.contacts))
            return
        answer = self._port.begin(request)
        if self._request is request:  # a flash hook may have cut the power
            self._answer = answer

    def finish(self, limit_us: int, *, watched: bool) -> None:
        """The open request is over: answer it, or do what ends the interpreter.

        `limit_us`: how far the program may run before it has to ask again. `watched`: somebody might act when something
        happens on the way, so that it may not run beyond that.
        """
        request = self._request
        _, data = self._answer
        self._request = self._answer = None
        match request.op:
            case Op.READY:
                self._run.ready = True
            case Op.RESET:
                self._soft_reset() if request.data == b"s" else self.reset("program")
                return
            case Op.PROMPT:
                self.mode = PROMPT
            case Op.HEAP:
                self.heap_report = bus.heap(request.data)
                self._heap_wanted = False
        self._reply(request, data, limit_us, watched)

    def _reply(self, request: Request, data: bytes, limit_us: int, watched: bool) -> None:
        run = self._run
        real = self.real_time or self.mode == PROMPT
        now = horizon = self._bench.now_us
        if not (real or self._heap_wanted):
            if request.op == Op.SYNC and not watched:
                horizon, moments = self._port.foresee(limit_us)
                data = bus.changes(moments)
            else:
                due = self._bench.next_event_us()
                horizon = limit_us if due is None else min(due, limit_us)
        flags = bus.REAL_TIME if real else 0
        if self._heap_wanted and request.op == Op.SYNC:
            flags |= bus.HEAP_WANTED
        run.consumed = None if real else request.consumed
        if run.ready:
            run.console.give_input(run.consumed)
        delivered, credit = self._serial.delivered, self._serial.credit(request.written)
        message = bus.reply(request.number, flags, delivered, credit, now, horizon, self._port.levels(), data)
        run.interpreter.answer(message)
