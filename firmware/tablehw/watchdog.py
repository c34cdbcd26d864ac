"""The hardware watchdog: it restarts a board whose main loop no longer makes healthy passes."""

from machine import WDT


class Watchdog:
    """Running from the moment it is made; nothing but a reset can stop it.

    `timeout_ms` is at most 8388 on an RP2040 (24-bit counter of half microseconds).
    """

    def __init__(self, timeout_ms):
        self._wdt = WDT(timeout=timeout_ms)

    def feed(self):
        """Grant another `timeout_ms`. Call only after a healthy pass."""
        self._wdt.feed()


def watchdog_of(timeout_ms):
    """A function that starts the watchdog and returns it."""
    return lambda: Watchdog(timeout_ms)
