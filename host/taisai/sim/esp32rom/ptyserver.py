"""A module on a pseudo terminal: `with PtyServer(rom) as port: port.path`. POSIX only.

A pty has no modem lines, so the module is put into download mode once, as by hand.
"""

import os
import pty
import re
import selectors
import termios
import tty
from pathlib import Path

from taisai.sim.esp32rom.model import Esp32Rom
from taisai.sim.esp32rom.server import Server
from taisai.sim.terminallink import TerminalLink

# termios names its rates B115200 and so on; on some systems the value is the rate itself, on others a code.
RATES = {getattr(termios, name): int(name[1:]) for name in dir(termios) if re.fullmatch(r"B\d+", name)}
OUTPUT_SPEED = 5


class PtyServer(Server):
    """`path` is the terminal to open.

    `link_path`: a symbolic link to it, which is then `path`; it is made, and removed at the end.
    """

    def __init__(self, rom: Esp32Rom, link_path: str | Path | None = None) -> None:
        super().__init__(rom)
        self._link_path = None if link_path is None else Path(link_path)
        self._link: TerminalLink | None = None
        self.path = ""

    def _open(self) -> None:
        # The terminal's own side stays open here too: else the other side fails whenever no host has it open.
        self._chip_side, self._host_side = pty.openpty()
        tty.setraw(self._host_side)
        os.set_blocking(self._chip_side, False)
        self.path = os.ttyname(self._host_side)
        if self._link_path is not None:
            try:
                self._link = TerminalLink(self._link_path, self.path)
            except OSError:
                os.close(self._chip_side)
                os.close(self._host_side)
                raise
            self.path = str(self._link_path)
        self._selector.register(self._chip_side, selectors.EVENT_READ, self._read)
        self._rom.press_reset(boot_held=True)

    def _close(self) -> None:
        if self._link is not None:
            self._link.remove()
        os.close(self._chip_side)
        os.close(self._host_side)

    def _read(self) -> None:
        data = os.read(self._chip_side, 65536)
        self._received(data, RATES.get(termios.tcgetattr(self._host_side)[OUTPUT_SPEED]))

    def _send(self, data: bytes) -> None:
        """There is no flow control on this line: what a host that does not read leaves no room for is lost."""
        try:
            os.write(self._chip_side, data)
        except BlockingIOError:
            pass
