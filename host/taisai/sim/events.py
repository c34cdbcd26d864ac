"""The clock of the bench: an event queue in whole microseconds. Time moves only when somebody calls `advance`."""

import heapq
from collections.abc import Callable


class Event:
    """One thing that will happen. `cancel` makes it not happen; cancelling twice, or too late, does nothing.

    `moves_contact`: it does nothing else, so that its effect can be told beforehand.
    """

    __slots__ = ("action", "moves_contact", "t_us")

    def __init__(self, t_us: int, action: Callable[[], None], moves_contact: bool):
        self.t_us = t_us
        self.moves_contact = moves_contact
        self.action: Callable[[], None] | None = action

    def cancel(self) -> None:
        self.action = None


class EventQueue:
    """Events in order of time; events of the same time in the order they were scheduled."""

    def __init__(self) -> None:
        self.now_us = 0
        self._heap: list[tuple[int, int, Event]] = []
        self._count = 0

    def schedule(self, t_us: int, action: Callable[[], None], *, moves_contact: bool = False) -> Event:
        """Run `action` when time reaches `t_us`, which may be now but not earlier (ValueError)."""
        if t_us < self.now_us:
            raise ValueError(f"cannot schedule at {t_us} us: the bench is already at {self.now_us} us")
        event = Event(t_us, action, moves_contact)
        heapq.heappush(self._heap, (t_us, self._count, event))
        self._count += 1
        return event

    def next_event_us(self) -> int | None:
        """Time of the next event, None when nothing is going to happen by itself."""
        while self._heap and self._heap[0][2].action is None:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def next_surprise_us(self) -> int | None:
        """Time of the next event that is no movement of a contact."""
        events = (event for _, _, event in self._heap)
        return min((event.t_us for event in events if event.action and not event.moves_contact), default=None)

    def advance(self, t_us: int) -> None:
        """Move time to `t_us`, running the events up to and including that moment. Never back (ValueError)."""
        if t_us < self.now_us:
            raise ValueError(f"time cannot move back from {self.now_us} us to {t_us} us")
        while (due := self.next_event_us()) is not None and due <= t_us:
            event = heapq.heappop(self._heap)[2]
            self.now_us = due
            action, event.action = event.action, None
            action()
        self.now_us = max(self.now_us, t_us)
