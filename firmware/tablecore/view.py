"""What may cover the game while the key-switch is on: the common form of test run, recall, lamp test, versions and
brightness.
"""

from tablecore import tone
from tablecore.keys import ENTRY


class View:
    """`chars` and `points` (bit 0 = left digit) are what the display shows instead of the game's digits. `frame` is
    what the lamps show, None for what the game has them show; `relit` tells that it has changed, and is reset by
    whoever shows it. `over`: the view has ended.

    `testing`: it is a test run.

    `short` and `hold` take a key, 1 to 6 or ENTRY, and return the tone that answers it.
    """

    testing = False

    def __init__(self):
        self.chars = b"   "
        self.points = 0
        self.frame = None
        self.relit = False
        self.over = False

    def short(self, key):
        """ENTRY leaves."""
        if key != ENTRY:
            return tone.ERROR
        self.over = True
        return tone.KEY

    def hold(self, key):
        return tone.ERROR

    def step(self, elapsed):
        """Let `elapsed` ms pass."""

    def close(self):
        """The view is being left, in whatever way; False when something that should have been kept could not be."""
        return True

    def light(self, frame):
        """Have the lamps show `frame`."""
        self.frame = frame
        self.relit = True
