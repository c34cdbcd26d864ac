"""The keys of a table whose wiring file is unusable: none is ever pressed."""

from time import ticks_diff, ticks_ms

from tablecore.keys import SAMPLE_MS


class NoKeys:
    """As Keys, with a reading as often."""

    def __init__(self):
        self.at = ticks_ms()
        self.bits = 0

    def start(self):
        """There is nothing to read."""

    def stop(self):
        """Nor to end."""

    def waiting(self):
        return ticks_diff(ticks_ms(), self.at) >= SAMPLE_MS

    def take(self):
        if not self.waiting():
            return False
        self.at = ticks_ms()
        return True
