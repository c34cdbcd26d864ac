"""The controller's watchdog: once started it cannot be stopped by software, only by a reset of the chip.

It goes on running through a soft reset, which is why a prompt reached from a firmware that started it ends in a reset.
"""

from collections.abc import Callable

from taisai.sim.events import Event, EventQueue


class Watchdog:
    """Calls `expired` when it was started and not fed for its time-out. Counts the resets that it caused."""

    def __init__(self, events: EventQueue, longest_ms: int | None, expired: Callable[[], None]):
        self._events = events
        self._longest_ms = longest_ms
        self._expired = expired
        self._timeout_us: int | None = None
        self._deadline_us = 0
        self._event: Event | None = None
        self.resets = 0

    @property
    def running(self) -> bool:
        return self._timeout_us is not None

    def start(self, timeout_ms: int) -> None:
        """Start, or start again with another time-out; ValueError where the chip cannot count so far."""
        if timeout_ms < 1 or (self._longest_ms is not None and timeout_ms > self._longest_ms):
            raise ValueError(f"watchdog time-out of {timeout_ms} ms: the chip allows 1 to {self._longest_ms} ms")
        self.stop()
        self._timeout_us = timeout_ms * 1000
        self._deadline_us = self._events.now_us + self._timeout_us
        self._event = self._events.schedule(self._deadline_us, self._check)

    def feed(self, t_us: int) -> None:
        """Restart the count as of `t_us`; RuntimeError when it was never started."""
        if self._timeout_us is None:
            raise RuntimeError("the watchdog was fed before it was started")
        self._deadline_us = t_us + self._timeout_us

    def stop(self) -> None:
        """What a reset of the chip or a power cut does to it."""
        self._timeout_us = None
        if self._event is not None:
            self._event.cancel()
            self._event = None

    def _check(self) -> None:
        """One event is kept, not one per feed: when it comes too early it is set to the deadline that holds now."""
        if self._deadline_us > self._events.now_us:
            self._event = self._events.schedule(self._deadline_us, self._check)
            return
        self.stop()
        self.resets += 1
        self._expired()
