"""Time for the main loop: milliseconds that wrap at 2^30, the same on every board."""

import time


class Clock:
    """`now` feeds the pure logic, which compares times with tablecore.ticks only."""

    def now(self):
        """Milliseconds, 0 to 2^30 - 1; wraps after 12.4 days."""
        return time.ticks_ms()

    def rest(self, ms):
        """Give the processor back for so long; USB is served meanwhile."""
        time.sleep_ms(ms)
