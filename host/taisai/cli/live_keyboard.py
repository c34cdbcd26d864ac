"""The keyboard of a terminal, one key at a time without waiting for Enter; restored on every way out."""

import os
import select
import sys
import termios
import tty

from taisai.errors import TaisaiError


class Keyboard:
    """Context manager over standard input. Ctrl-C still interrupts."""

    def __enter__(self):
        self._fd = sys.stdin.fileno()
        self._before = termios.tcgetattr(self._fd)
        tty.setcbreak(self._fd)
        return self

    def __exit__(self, *exc_info):
        termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)

    def fileno(self) -> int:
        """The file that is readable when a key was typed."""
        return self._fd

    def read(self) -> str:
        """Characters typed since the last call, "" when none. TaisaiError when the terminal is gone."""
        readable, _, _ = select.select([self._fd], [], [], 0)
        if not readable:
            return ""
        data = os.read(self._fd, 64)
        if not data:
            raise TaisaiError("the terminal is closed")
        return data.decode("ascii", errors="ignore")
