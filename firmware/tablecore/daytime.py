"""The time of day as far as it is known, and how long the board has been running.

A board without a clock of its own knows no time until a host or an RTC has told it; where a time comes from is kept
with it. Uptime is counted from the passes of the main loop, so that the wrap of the millisecond ticks does not matter.
"""

from tablecore import records
from tablecore.ticks import diff


class DayTime:
    """`uptime`: seconds since the start. `source`: one of records.TIME_UNKNOWN, TIME_RTC, TIME_HOST."""

    def __init__(self, now):
        self.uptime = 0
        self.source = records.TIME_UNKNOWN
        self._last = now
        self._ms = 0
        self._origin = 0  # Unix seconds at the start

    def step(self, now):
        """Let time pass up to `now` (ms, wrapping)."""
        self._ms += diff(now, self._last)
        self._last = now
        while self._ms >= 1000:
            self._ms -= 1000
            self.uptime += 1

    def set(self, time, source):
        """It is `time` now, in Unix seconds."""
        self._origin = time - self.uptime
        self.source = source

    def time(self):
        """Unix seconds; 0 when unknown."""
        return 0 if self.source == records.TIME_UNKNOWN else self._origin + self.uptime
