"""The screen of a terminal while a simulation is live: drawn on, left and come back to, given back on every way out.

Signals only leave a note here, because one that comes in the middle of drawing must not draw. The loop of the
simulation looks at the notes between two pictures.
"""

import os
import signal
import sys
from types import FrameType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from taisai.cli.live_keyboard import Keyboard
from taisai.errors import TaisaiError

_ELSE = 'use taisai simulate --script "1 3 6 E" --json, or --link PATH for a serial port'
# Wider and higher than any picture, to find out the size that it has.
_UNBOUNDED = 1000


class Screen:
    """Context manager: keyboard and screen of this process's terminal. TaisaiError where there is none to draw on."""

    def __init__(self):
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise TaisaiError(f"live simulation needs a terminal; without one {_ELSE}")
        self._console = Console(highlight=False)
        if self._console.is_dumb_terminal or not os.environ.get("TERM"):
            kind = os.environ.get("TERM") or "nothing"
            raise TaisaiError(f"live simulation needs a terminal that can draw, and TERM says {kind}; {_ELSE}")
        self.keyboard = Keyboard()
        self._live = Live(console=self._console, screen=True, auto_refresh=False)
        self._notes: set[int] = set()
        self._before: dict[int, object] = {}

    def __enter__(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP, signal.SIGCONT):
            self._before[number] = signal.signal(number, self._note)
        self.keyboard.__enter__()
        self._live.start()
        return self

    def __exit__(self, *exc_info):
        try:
            self._live.stop()
        finally:
            self.keyboard.give_back()
            for number, handler in self._before.items():
                signal.signal(number, handler)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines, as they are now: the terminal's own, whatever COLUMNS and LINES say."""
        columns, lines = os.get_terminal_size(sys.stdout.fileno())
        if columns and lines:
            self._console.size = (columns, lines)
        return self._console.size

    def show(self, title: str, picture: RenderableType) -> None:
        """Draw the picture under a title, which may be cut off; or say that there is too little room to."""
        columns, lines = self.size
        wide, high = _size_of(picture)
        if wide > columns or high + 1 > lines:
            picture = Text(
                f"This terminal has {columns} columns and {lines} lines, and the table needs {wide} and {high + 1}: "
                "make it larger, or its letters smaller. q quits."
            )
        else:
            picture = Group(Text(title, style="bold", no_wrap=True, overflow="ellipsis"), picture)
        self._live.update(picture, refresh=True)

    def obey(self) -> bool:
        """Do what signals have asked for since the last call; True when all has to be drawn anew.

        Ctrl-Z gives the terminal back and stops the process. KeyboardInterrupt when it is asked to end.
        """
        notes, self._notes = self._notes, set()
        if notes & {signal.SIGTERM, signal.SIGHUP}:
            raise KeyboardInterrupt
        if not notes:
            return False
        self._live.stop()
        if signal.SIGTSTP in notes:
            self.keyboard.give_back()
            self._stop()
        self.keyboard.take()
        self._live.start()
        return True

    def _stop(self) -> None:
        """Stop here, as without a handler, until somebody continues."""
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._note)
        self._notes.discard(signal.SIGCONT)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._notes.add(number)


def _size_of(picture: RenderableType) -> tuple[int, int]:
    """Columns and lines that a picture takes when nothing is wrapped or cut off."""
    console = Console(width=_UNBOUNDED, height=_UNBOUNDED)
    lines = console.render_lines(picture, pad=False)
    return max(sum(part.cell_length for part in line) for line in lines), len(lines)
