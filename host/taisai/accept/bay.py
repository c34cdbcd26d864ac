"""The place where one unit is connected: a serial port, or a simulated unit with its bench."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from taisai.accept.tape import Tape, TapedPort
from taisai.client.simport import SimPort
from taisai.client.transport import SIM, Transport, open_port

if TYPE_CHECKING:
    from taisai.sim.board import VirtualBoard


class Bay:
    """`port` as the user knows it. `simulated`: `board` is then the virtual board, for the bench's operator."""

    def __init__(self, port: str, transcript: Path, sim: SimPort | None = None):
        """`sim`: a simulated unit that is there already; else `sim:TABLE` makes a new one. Opens no serial port yet."""
        self.port = port
        self.simulated = sim is not None or port.startswith(SIM)
        self._sim = (sim or SimPort(port.removeprefix(SIM))) if self.simulated else None
        self.now: Callable[[], float] = self._sim.now if self._sim else _clock()
        self.tape = Tape(transcript, self.now)

    @property
    def board(self) -> "VirtualBoard | None":
        """The virtual board behind a simulated port."""
        return self._sim.board if self._sim else None

    def open(self) -> Transport:
        """The port, for this program alone, with everything on it taped. LinkError when it cannot be opened."""
        if self._sim is not None:
            return Transport(TapedPort(self._sim, self.tape, keep=True), self.port, self._sim.now)
        found = open_port(self.port)
        return Transport(TapedPort(found.port, self.tape, keep=False), self.port, found.now)

    def close(self) -> str:
        """Switch a simulated unit off, end the transcript; its SHA-256."""
        if self._sim is not None:
            self._sim.close()
        return self.tape.close()


def _clock() -> Callable[[], float]:
    import time

    return time.monotonic
