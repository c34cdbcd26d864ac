"""Brightness of all lamps, set at the table: 2 is brighter, 1 is darker. Whichever way it is left, it is kept."""

from tablecore import records, settings, tone
from tablecore.keys import ENTRY
from tablecore.protocol import ProtocolError
from tablecore.view import View

NAME = "brightness_percent"
STEP = 10
DARKER = 1
BRIGHTER = 2


class Brightness(View):
    """`document` keeps it. `dim(percent)` shows it at once. `sample`: a frame to judge it by where nothing is lit, else
    None. `record` writes to the journal.
    """

    def __init__(self, document, dim, sample, record):
        super().__init__()
        self._document = document
        self._row = settings.find(settings.SETTINGS, NAME)
        self._dim = dim
        self._record = record
        self._percent = document.values[NAME]
        if sample is not None:
            self.light(sample)
        self._show()

    def short(self, key):
        percent = self._percent
        if key == BRIGHTER:
            percent = min((percent // STEP + 1) * STEP, self._row.upper)
        elif key == DARKER:
            percent = max((percent - 1) // STEP * STEP, self._row.lower)
        elif key == ENTRY:
            return super().short(key)
        if percent == self._percent:
            return tone.ERROR
        self._percent = percent
        self._dim(percent)
        self._show()
        return tone.KEY

    def close(self):
        if self._percent == self._document.values[NAME]:
            return True
        try:
            self._document.change({NAME: self._percent})
        except ProtocolError:
            self._dim(self._document.values[NAME])
            return False
        self._record(records.CONFIG, detail=b"bri=%d" % self._percent)
        return True

    def _show(self):
        self.chars = b"%3d" % self._percent
