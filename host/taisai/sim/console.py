"""The interpreter's terminal, joined to the board's serial port."""

import select
import time

from taisai.sim.interpreter import Interpreter
from taisai.sim.serialport import SerialPort

_WRITE_GIVES_UP_S = 0.5
_ARRIVAL_S = 1


class Console:
    """Moves bytes between one run of the interpreter and the port that a client holds.

    In real time an unread port holds the program back, as on a board, for 500 ms; then what it writes is lost. In bench
    time the shim's poll answers that the port is full, and whoever writes nevertheless loses it at once.
    """

    def __init__(self, interpreter: Interpreter, serial: SerialPort):
        self._interpreter = interpreter
        self._serial = serial
        self._full_since: float | None = None

    def give_input(self, consumed: int | None) -> None:
        """Hand on what the client has sent, as far as it goes. `consumed`: bytes the program has read, or None."""
        self._serial.take_input(consumed, self._interpreter.send)

    def take_output(self, *, real_time: bool) -> None:
        """Fetch what the program has written."""
        # In real time a program that writes faster than its client reads waits. Without room, it has waited in vain.
        limit = self._serial.room or None if real_time else None
        self._serial.put_output(self._interpreter.receive(limit), self._interpreter.send)

    def take_output_up_to(self, written: int, *, real_time: bool) -> None:
        """Fetch what the program has written, and wait for what is still on its way of `written` bytes in all."""
        self.take_output(real_time=real_time)
        while self._serial.received < written and select.select([self._interpreter.console], [], [], _ARRIVAL_S)[0]:
            self.take_output(real_time=real_time)

    def holds_back(self, *, real_time: bool) -> bool:
        """Whether output has to wait in the terminal now, because the client does not read."""
        if not (real_time and self._serial.full):
            self._full_since = None
            return False
        if self._full_since is None:
            self._full_since = time.monotonic()
        return time.monotonic() - self._full_since < _WRITE_GIVES_UP_S
