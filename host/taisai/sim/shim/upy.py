"""`micropython` as on a board. Ctrl-C is the terminal's own here, so kbd_intr has to change that too."""

import micropython
import sys
import termios

for _name in dir(micropython):
    if not _name.startswith("__"):
        globals()[_name] = getattr(micropython, _name)

_ISIG = 0x80 if sys.platform == "darwin" else 0x01
_LOCAL_MODES = 3


def kbd_intr(character):
    """Ctrl-C (3) interrupts the program, or nothing does (-1)."""
    modes = termios.tcgetattr(0)
    if character == -1:
        modes[_LOCAL_MODES] &= ~_ISIG
    else:
        modes[_LOCAL_MODES] |= _ISIG
    termios.tcsetattr(0, termios.TCSANOW, modes)
    micropython.kbd_intr(character)
