"""The keyboard of a terminal, one key at a time without waiting for Enter; restored on every way out."""

import os
import select
import sys
import termios
import tty


class Keyboard:
    """Context manager over standard input. Ctrl-C still interrupts."""

    def __enter__(self):
        self._fd = sys.stdin.fileno()
        self._before = termios.tcgetattr(self._fd)
        tty.setcbreak(self._fd)
        return self

    def __exit__(self, *exc_info):
        termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)

    def read(self, wait_s: float) -> str:
        """Characters typed, after at most wait_s seconds; "" when none. EOFError when the terminal is gone."""
        readable, _, _ = select.select([self._fd], [], [], wait_s)
        if not readable:
            return ""
        data = os.read(self._fd, 64)
        if not data:
            raise EOFError("the terminal is closed")
        return data.decode("ascii", errors="ignore")
