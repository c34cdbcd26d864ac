"""The fingers of every page on the seven keys of one bench.

A page tells when a key went down or came up by its own clock, since its messages may come late and several at once.
What counts is the time between them: a press lasts on the bench as long as it did on the page, and two stay two.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field

from taisai.sim.bench import Bench

# With every key up, more than this between two presses says nothing to the firmware: there delay is caught up.
_GAP_MS = 60
# A page whose clock says that something is to happen later than this is not believed.
_AHEAD_US = 5_000_000


@dataclass
class _Hand:
    """One page's fingers: its last movement by its own clock (ms) and by the bench's (us), and the keys it holds."""

    page_ms: float
    bench_us: int
    down: set[str] = field(default_factory=set)


class Fingers:
    """A key is down as long as one page holds it down. `bounce_ms`, 0 to 10: how long contacts bounce when moved."""

    def __init__(self, bench: Bench, bounce_ms: int = 0):
        self.bounce_ms = bounce_ms
        self._bench = bench
        self._hands: dict[Hashable, _Hand] = {}
        self._holders: dict[str, set[Hashable]] = {key: set() for key in bench.keys.contacts}

    def move(self, page: Hashable, key: str, down: bool, page_ms: float) -> None:
        """A finger of a page goes down on a key or leaves it, at `page_ms` of the page's clock."""
        now = self._bench.now_us
        hand = self._hands.setdefault(page, _Hand(page_ms, now))
        passed_ms = max(0.0, page_ms - hand.page_ms)
        if not hand.down:
            passed_ms = min(passed_ms, _GAP_MS)
        due = hand.bench_us + round(passed_ms * 1000)
        hand.bench_us = min(max(now, due), now + _AHEAD_US)
        hand.page_ms = page_ms
        (hand.down.add if down else hand.down.discard)(key)
        self._bench.schedule(hand.bench_us, lambda: self._hold(page, key, down))

    def leave(self, page: Hashable) -> None:
        """The page is gone, and its fingers with it."""
        hand = self._hands.pop(page, None)
        if hand is None:
            return
        due = max(hand.bench_us, self._bench.now_us)
        for key in hand.down:
            self._bench.schedule(due, lambda key=key: self._hold(page, key, False))

    def _hold(self, page: Hashable, key: str, down: bool) -> None:
        holders = self._holders[key]
        before = bool(holders)
        (holders.add if down else holders.discard)(page)
        if bool(holders) != before:
            self._bench.keys[key].move(down, self.bounce_ms)
