"""The keyboard of a terminal, one key at a time without waiting for Enter; restored on every way out."""

import os
import re
import select
import sys
import termios
import tty

from taisai.errors import TaisaiError

# What the keys send that have no character of their own, and what a terminal answers: ECMA-48, section 5.4 (CSI) and
# 5.6 (strings), SS3 as xterm sends it for F1 to F4, F1 to F5 of the Linux console, Alt with a key (ESC and the key).
_SEQUENCE = re.compile(
    rb"\x1b(\[\[[A-E]|\[[0-?]*[ -/]*[@-~]|O[0-9;]*[@-~]|[P\]X^_][^\x07\x1b]*(\x07|\x1b\\)|[^\[OP\]X^_\x1b])"
)
_ESCAPE = b"\x1b"
# The rest of a sequence follows its first byte at once; after this time it was the key Esc.
_REST_S = 0.05


class Keyboard:
    """Context manager over standard input. Ctrl-C and Ctrl-Z still do what they do elsewhere."""

    def __enter__(self):
        self._fd = sys.stdin.fileno()
        self._before = termios.tcgetattr(self._fd)
        self.take()
        return self

    def __exit__(self, *exc_info):
        self.give_back()

    def take(self) -> None:
        """Put the terminal into the mode for single keys."""
        tty.setcbreak(self._fd)

    def give_back(self) -> None:
        """Put the terminal into the mode in which it was found."""
        try:
            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)
        except termios.error:  # it is gone
            pass

    def fileno(self) -> int:
        """The file that is readable when a key was typed."""
        return self._fd

    def read(self) -> str:
        """Characters typed since the last call, "" when none. TaisaiError when the terminal is gone."""
        data = _SEQUENCE.sub(b"", self._waiting(0))
        while _ESCAPE in data:
            rest = self._waiting(_REST_S)
            if not rest:  # the key Esc, or what is no key at all
                data = data[: data.index(_ESCAPE)]
            data = _SEQUENCE.sub(b"", data + rest)
        return data.decode("ascii", errors="ignore")

    def _waiting(self, seconds: float) -> bytes:
        if not select.select([self._fd], [], [], seconds)[0]:
            return b""
        try:
            data = os.read(self._fd, 64)
        except OSError:
            data = b""
        if not data:
            raise TaisaiError("the terminal is closed")
        return data
