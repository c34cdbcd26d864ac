"""The time of day as far as it is known, and how long the board has been running.

A board without a clock of its own knows no time until a host has told it; where a time comes from is kept with it.
A clock that is fitted is read at the start, and set whenever a host tells the time.
Uptime is counted from the passes of the main loop, so that the wrap of the millisecond ticks does not matter.
"""

from tablecore import records
from tablecore.ticks import diff


class DayTime:
    """`clock`: `read()` gives Unix seconds, 0 when it does not know; `set(seconds)`; None where none is fitted.
    `uptime`: seconds since the start. `source`: one of records.TIME_UNKNOWN, TIME_RTC, TIME_HOST.
    """

    def __init__(self, now, clock=None):
        self.uptime = 0
        self.source = records.TIME_UNKNOWN
        self._clock = clock
        self._last = now
        self._ms = 0
        self._origin = 0  # Unix seconds at the start
        time = 0 if clock is None else clock.read()
        if time:
            self._set(time, records.TIME_RTC)

    def step(self, now):
        """Let time pass up to `now` (ms, wrapping)."""
        self._ms += diff(now, self._last)
        self._last = now
        while self._ms >= 1000:
            self._ms -= 1000
            self.uptime += 1

    def tell(self, time):
        """A host says that it is `time` now, in Unix seconds. OSError when the clock does not take it."""
        self._set(time, records.TIME_HOST)
        if self._clock is not None:
            self._clock.set(time)

    def _set(self, time, source):
        self._origin = time - self.uptime
        self.source = source

    def time(self):
        """Unix seconds; 0 when unknown."""
        return 0 if self.source == records.TIME_UNKNOWN else self._origin + self.uptime
