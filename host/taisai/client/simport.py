"""A simulated board as a port: the real firmware on a new virtual board, in its own time."""

from importlib.util import find_spec
from math import ceil
from typing import TYPE_CHECKING

from taisai.boards.table import load_table
from taisai.errors import TaisaiError

if TYPE_CHECKING:
    from taisai.sim.board import VirtualBoard

_SLICE_MS = 20


class SimPort:
    """In pyserial's form, as far as a transport uses it. Time passes only while somebody reads."""

    def __init__(self, table: str, board: "VirtualBoard | None" = None):
        """Switch a blank-new table on, or take a board that is on already. TaisaiError when there is no such table, or
        no simulator here.
        """
        chosen = load_table(table)
        for module in ("fcntl", "micropython_unix"):
            if find_spec(module) is None:
                raise TaisaiError(f"sim:{table} needs the simulator: `taisai doctor` says what this computer lacks")
        from taisai.sim.board import VirtualBoard

        self.board = board or VirtualBoard(chosen)
        if board is None:
            self.board.power_on()
        self.timeout: float | None = _SLICE_MS / 1000
        self._kept = b""

    def now(self) -> float:
        """Seconds of the board's time."""
        return self.board.bench.now_us / 1_000_000

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read at once."""
        self._kept += self.board.serial.read(0)
        return len(self._kept)

    def read(self, size: int = 1) -> bytes:
        """Up to `size` bytes; lets the board run until they are there, for `timeout` at most."""
        if self.in_waiting < size:
            # Rounded up: who waits for half a millisecond would else wait for ever, since no time passed.
            self._kept += self.board.serial.read(ceil((self.timeout or 0) * 1000))
        data, self._kept = self._kept[:size], self._kept[size:]
        return data

    def write(self, data: bytes) -> int:
        """Send; never waits."""
        self.board.serial.write(data)
        return len(data)

    def close(self) -> None:
        """Switch it off."""
        self.board.power_off()
