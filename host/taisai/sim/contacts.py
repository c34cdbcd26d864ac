"""Key contacts and the supervisor key-switch: mechanical contacts to ground that bounce.

A contact pulls its pin low while it is closed; the controller's pull-up makes it high otherwise. A bounce is a run of
short closings and openings after the contact first changes; its length and places come from a seeded source. A real
key is down or up at the *first* change; after the bounce the contact rests.
"""

from collections.abc import Sequence
from random import Random

from taisai.sim.events import Event, EventQueue

ENTRY = "E"
KEY_NAMES = ("1", "2", "3", "4", "5", "6", ENTRY)
MAX_BOUNCE_MS = 10
SLOW_BOUNCE_MS = 60
_SHORTEST_BOUNCE_US = 50


class Contact:
    """One contact; `closed` is what the pin sees now. Times in microseconds of bench time."""

    def __init__(self, events: EventQueue, rng: Random, closed: bool = False):
        self._events = events
        self._rng = rng
        self._planned: list[tuple[Event, bool]] = []
        self._closed = closed
        self.welded = False
        """Fault: closed whatever is done to it."""
        self.slow = False
        """Fault: it bounces for SLOW_BOUNCE_MS whenever it moves."""

    @property
    def closed(self) -> bool:
        return self._closed or self.welded

    def move(self, closed: bool, bounce_ms: float = 0, at_us: int | None = None) -> int:
        """Close or open the contact at `at_us` (now when absent), bouncing up to `bounce_ms`; returns when it rests."""
        start = self._events.now_us if at_us is None else at_us
        bounce_us = round(bounce_ms * 1000)
        if not 0 <= bounce_us <= MAX_BOUNCE_MS * 1000:
            raise ValueError(f"bounce of {bounce_ms} ms: it lasts from 0 to {MAX_BOUNCE_MS} ms")
        if self.slow:
            bounce_us = SLOW_BOUNCE_MS * 1000
        trace = [(start, closed)]
        if bounce_us >= 2 * _SHORTEST_BOUNCE_US:
            pairs = self._rng.randint(1, 5)
            moments = sorted(self._rng.randint(_SHORTEST_BOUNCE_US, bounce_us) for _ in range(2 * pairs))
            trace += [(start + at, closed != (index % 2 == 0)) for index, at in enumerate(moments)]
        return self.trace(trace)

    def trace(self, changes: Sequence[tuple[int, bool]]) -> int:
        """Follow a recorded trace of (time, closed) in order of time; returns the time of the last change."""
        for t_us, closed in changes:
            event = self._events.schedule(t_us, lambda closed=closed: self._set(closed), moves_contact=True)
            self._planned.append((event, closed))
        self._planned = [plan for plan in self._planned if plan[0].action is not None]
        return changes[-1][0]

    def planned(self) -> list[tuple[int, bool]]:
        """What the contact is going to do by itself: (time, closed), in the order in which it was asked for."""
        if self.welded:
            return []
        return [(event.t_us, closed) for event, closed in self._planned if event.action is not None]

    def release(self) -> None:
        """Open now and for good: what was planned does not happen."""
        for event, _ in self._planned:
            event.cancel()
        self._planned.clear()
        self._closed = False

    def _set(self, closed: bool) -> None:
        self._closed = closed


class Keys:
    """The seven keys of the entry terminal. A key is 1 to 6 (int or digit) or `"E"` for ENTRY."""

    def __init__(self, events: EventQueue, rng: Random):
        self._events = events
        self._rng = rng
        self.contacts = {name: Contact(events, Random(rng.getrandbits(64))) for name in KEY_NAMES}

    def __getitem__(self, key: int | str) -> Contact:
        contact = self.contacts.get(str(key))
        if contact is None:
            raise ValueError(f"no key {key!r}: the keys are 1 to 6 and {ENTRY}")
        return contact

    def press(
        self, key: int | str, down_ms: float = 80, bounce_ms: float | None = None, at_us: int | None = None
    ) -> int:
        """Press a key for `down_ms`, from first closing to first opening; returns when the contact rests again.

        `bounce_ms` 0 to 10 applies to both ends; absent, each end takes a seeded length of 0 to 10 ms, at most half of
        `down_ms`.
        """
        contact = self[key]
        start = self._events.now_us if at_us is None else at_us
        contact.move(True, self._bounce(bounce_ms, down_ms), start)
        return contact.move(False, self._bounce(bounce_ms, down_ms), start + round(down_ms * 1000))

    def chord(
        self, keys: Sequence[int | str], down_ms: float = 80, skew_ms: float = 0, at_us: int | None = None
    ) -> int:
        """Press several keys, each `skew_ms` after the one before; returns when the last contact rests."""
        start = self._events.now_us if at_us is None else at_us
        return max(
            self.press(key, down_ms, at_us=start + round(index * skew_ms * 1000)) for index, key in enumerate(keys)
        )

    def glitch(self, key: int | str, length_us: int, at_us: int | None = None) -> int:
        """Close a contact for a moment, without bounce, as interference or a knock does; returns when it is over."""
        start = self._events.now_us if at_us is None else at_us
        return self[key].trace([(start, True), (start + length_us, False)])

    def stick(self, key: int | str) -> None:
        """Fault: the key's contact is closed and stays so."""
        self[key].welded = True

    def clear_faults(self) -> None:
        """No key sticks; contacts that are held stay held."""
        for contact in self.contacts.values():
            contact.welded = contact.slow = False

    def release_all(self) -> None:
        """Every contact opens now, planned presses are forgotten, and nothing sticks."""
        for contact in self.contacts.values():
            contact.release()
        self.clear_faults()

    def _bounce(self, bounce_ms: float | None, down_ms: float) -> float:
        return min(self._rng.uniform(0, MAX_BOUNCE_MS), down_ms / 2) if bounce_ms is None else bounce_ms


class KeySwitch:
    """The supervisor key-switch: one maintained contact, on = closed."""

    def __init__(self, events: EventQueue, rng: Random):
        self.contact = Contact(events, Random(rng.getrandbits(64)))
        self._rng = rng
        self._stuck: bool | None = None

    @property
    def stuck(self) -> bool | None:
        """Fault: closed (True) or open (False) whatever is done to it; None: it works."""
        return self._stuck

    @stuck.setter
    def stuck(self, closed: bool | None) -> None:
        self._stuck = closed
        self.contact.welded = closed is True
        if closed is False:
            self.contact.release()

    @property
    def on(self) -> bool:
        return self.contact.closed

    def turn(self, on: bool, bounce_ms: float | None = None, at_us: int | None = None) -> int:
        """Turn the switch, bouncing 0 to 10 ms (seeded when absent); returns when its contact rests."""
        on = on and self._stuck is not False
        return self.contact.move(on, self._rng.uniform(0, MAX_BOUNCE_MS) if bounce_ms is None else bounce_ms, at_us)
