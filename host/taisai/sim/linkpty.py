"""A virtual board behind a serial port: a raw pseudo-terminal that any client opens as it would open a board's port.

While no client holds the port open the board counts as not connected, and what it sends is lost, as on USB.
"""

import os
import pty
import select
import signal
import zlib
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from taisai.boards.table import Table
from taisai.errors import TaisaiError
from taisai.sim.board import OFF, VirtualBoard
from taisai.sim.interpreter import make_raw
from taisai.sim.terminallink import TerminalLink

_LOOK_S = 0.02
_READ_BYTES = 4096


class LinkPty:
    """The terminal and the symbolic link that names it. A link to a terminal that is gone is replaced."""

    def __init__(self, path: Path):
        """Make both; TaisaiError when anything else is already at `path`."""
        self._master, slave = pty.openpty()
        make_raw(slave, interrupts=False)
        try:
            self._link = TerminalLink(path, os.ttyname(slave))
        except OSError as error:
            os.close(self._master)
            raise TaisaiError(f"cannot make the serial port {path}: {_step(path, error)}") from error
        finally:
            os.close(slave)
        os.set_blocking(self._master, False)
        self._state = select.poll()
        self._state.register(self._master, 0)

    def close(self) -> None:
        """Take the port away; a client that still holds it sees it hung up. What others have put there stays."""
        self._link.remove()
        os.close(self._master)

    def run(self, board: VirtualBoard, stopped: Callable[[], bool]) -> None:
        """Keep the board running in real time, its bytes going to and from the client, until `stopped`."""
        while not stopped():
            open_now = self._pump(board)
            waiting = bool(board.serial.unread)  # the client does not keep up: look again later, not at once
            board.run_real(
                _LOOK_S,
                until=None if waiting else lambda: bool(board.serial.unread),
                wake=(self._master,) if open_now else (),
            )

    def _pump(self, board: VirtualBoard) -> bool:
        """Move what can be moved now; True while a client holds the port open."""
        serial = board.serial
        if len(serial.inbox) < _READ_BYTES:
            try:
                serial.write(os.read(self._master, _READ_BYTES))
            except OSError:  # nothing there, or nobody
                pass
        serial.connected = not any(state & select.POLLHUP for _, state in self._state.poll(0))
        if not serial.connected:
            serial.unread.clear()
        elif serial.unread:
            try:
                del serial.unread[: os.write(self._master, serial.unread)]
            except OSError:  # the client's buffer is full, or it has just gone
                pass
        return serial.connected


def _step(path: Path, error: OSError) -> str:
    """Why the port cannot be made, and what to do."""
    if isinstance(error, FileNotFoundError):
        return f"there is no folder {path.parent}: make it first"
    if isinstance(error, FileExistsError):
        return "something is there already, perhaps a board that runs: choose another path"
    return str(error.strerror)


def serve(table: Table, path: Path, state_dir: Path | None, started: Callable[[], None]) -> None:
    """Keep a virtual board of the table behind a serial port at `path`, until interrupted or terminated.

    The board is blank, or as last left in `state_dir`. Its id comes from that folder, or else from `path`: two that are
    served side by side are two boards, and one is the same at every start. `started` is called once the port is there.
    """
    seed = zlib.crc32(os.fsencode((state_dir or path).absolute()))
    ends: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        ends.append(number)

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        with VirtualBoard(table, state_dir=state_dir, seed=seed, files={}) as board:
            link = LinkPty(path)
            try:
                board.power_on()
                started()
                link.run(board, lambda: bool(ends) or board.mode == OFF)
            finally:
                link.close()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
