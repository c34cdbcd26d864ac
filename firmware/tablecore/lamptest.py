"""The lamp test: every lamp of the layout and every segment of the display, the lamps in groups that the supply can
feed.
"""

from tablecore.view import View

GROUP_MS = 1500


class LampTest(View):
    """Runs through the groups once and ends by itself."""

    def __init__(self, frames):
        super().__init__()
        self.chars = b"888"
        self.points = 7
        self._frames = frames
        self._last = 0  # the last zone of the group that is lit
        self._ms = 0
        self._next()

    def step(self, elapsed):
        self._ms += elapsed
        if self._ms >= GROUP_MS:
            self._ms -= GROUP_MS
            self._next()

    def _next(self):
        if self._last == self._frames.zones:
            self.over = True
            return
        frame, self._last = self._frames.group(self._last + 1)
        self.light(frame)
