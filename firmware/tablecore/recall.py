"""The last games on the display, newest first: 2 goes to the one before, 1 to the one after it."""

from tablecore import records, tone
from tablecore.view import View

NEWER = 1
OLDER = 2
DEPTH = 20  # games

_VOID = b"---"
_AMENDED_POINTS = 7


class Recall(View):
    """`games`: (number, throw index, kind of its last record) for each, newest first, one at least."""

    def __init__(self, games):
        super().__init__()
        self._games = games
        self._place = 0
        self._show()

    def short(self, key):
        if key == OLDER and self._place + 1 < len(self._games):
            self._place += 1
        elif key == NEWER and self._place:
            self._place -= 1
        else:
            return super().short(key)
        self._show()
        return tone.KEY

    def _show(self):
        _, throw, kind = self._games[self._place]
        self.points = _AMENDED_POINTS if kind == records.AMEND else 0
        if kind == records.VOID:
            self.chars = _VOID
        elif throw < records.SYMBOL_A:
            self.chars = bytes([48 + die for die in records.dice(throw)])
        else:
            self.chars = b" %c " % (65 + throw - records.SYMBOL_A)
