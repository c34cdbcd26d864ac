"""The sensors on the pegs and the index, with their bounce and their faults, and the counter that the controller has.

A and B see the pegs, a quarter of a pitch apart, and the index one quarter of the wheel. Every edge bounces, and the
counter of the controller is faster than any bounce: it counts forth and back. Between two calls nothing happens that a
later call could not make up for, so that a turning wheel needs no events.
"""

from random import Random

from taisai.sim.wheel import PITCH, QUARTERS, Wheel

A, B, INDEX = 1, 2, 4
# Levels of A and B in the four quarters of a pitch, clockwise: A leads.
_LEVELS = (A, A | B, B, 0)
# Change of the count between two pairs of levels: [before][after]. The counter never sees both move at once.
_STEPS = ((0, 1, -1, 0), (-1, 0, 0, 1), (1, 0, 0, -1), (0, -1, 1, 0))
MAX_BOUNCE_US = 1200
_CHATTER_US = 40  # a level that bounces may change as often
_EXTRA_PEGS = 1000
BITS = {"a": A, "b": B, "index": INDEX}


class WheelSensors:
    """`stuck`: level of a sensor that does not follow, by its bit. `swapped`: A and B are on each other's wires.
    `extra`: each 1,000 pegs A picks up a pulse, just when B moves. Times in us of bench time, which never goes back.
    """

    def __init__(self, wheel: Wheel, rng: Random):
        self.wheel = wheel
        self.stuck: dict[int, int] = {}
        self.swapped = False
        self.extra = False
        self._rng = rng
        self._done = 0  # passes that have happened
        self._plan: list[tuple[int, int]] = wheel.passes
        self._quarter = wheel.quarter
        self._recent: list[tuple[int, int, int]] = []  # (time, end of its bounce, bits) of the last edges
        self._edges_of_b = 0
        self._count = 0
        self._pair = self._levels() & (A | B)

    def clear(self) -> None:
        """They are sound."""
        self.stuck.clear()
        self.swapped = self.extra = False

    def read(self, t_us: int) -> tuple[int, int]:
        """(levels, count) now: levels as bits A, B and INDEX, the count of the controller's quadrature counter."""
        self._advance(t_us)
        levels = self._levels()
        for begin, end, bits in self._recent:
            # Somewhere between old and new, the same for whoever looks at the same moment.
            if begin <= t_us < end and (t_us // _CHATTER_US * 2654435761 >> 12) & 1:
                levels ^= self._seen(bits)
        levels = self._forced(levels)
        return levels, self._count + _step(self._pair, levels & (A | B))

    def next_change_us(self, t_us: int) -> int | None:
        """The next moment after `t_us` at which a level may change, for who cannot ask; None: it stands still."""
        self._advance(t_us)
        bouncing = [min(end, t_us // _CHATTER_US * _CHATTER_US + _CHATTER_US) for _, end, _ in self._recent]
        coming = [self._plan[self._done][0]] if self._done < len(self._plan) else []
        return min(bouncing + coming, default=None)

    def _advance(self, t_us: int) -> None:
        if self._plan is not self.wheel.passes:
            self._plan = self.wheel.passes
            self._done = 0
        while self._done < len(self._plan) and self._plan[self._done][0] <= t_us:
            self._pass(*self._plan[self._done])
            self._done += 1
        self._recent = [edge for edge in self._recent if edge[1] > t_us]
        self._follow(self._levels())

    def _pass(self, t_us: int, quarter: int) -> None:
        before = self._true()
        self._quarter = quarter % QUARTERS
        bits = before ^ self._true()
        self._recent.append((t_us, t_us + self._rng.randrange(MAX_BOUNCE_US), bits))
        disturbed = 0
        if bits & B:
            self._edges_of_b += 1
            if self.extra and self._edges_of_b % (2 * _EXTRA_PEGS) == 0:
                disturbed = A
        self._follow(self._forced(self._seen(before ^ disturbed)))
        self._follow(self._forced(self._seen(before ^ disturbed ^ bits)))
        self._follow(self._levels())

    def _follow(self, levels: int) -> None:
        """The counter sees the pair's levels."""
        self._count += _step(self._pair, levels & (A | B))
        self._pair = levels & (A | B)

    def _true(self) -> int:
        return _LEVELS[self._quarter % PITCH] | (INDEX if self._quarter == 0 else 0)

    def _seen(self, levels: int) -> int:
        """Levels as the wires carry them."""
        if self.swapped:
            levels = levels & INDEX | (levels & A) << 1 | (levels & B) >> 1
        return levels

    def _forced(self, levels: int) -> int:
        for bit, level in self.stuck.items():
            levels = levels | bit if level else levels & ~bit
        return levels

    def _levels(self) -> int:
        return self._forced(self._seen(self._true()))


def _step(before: int, after: int) -> int:
    """Counts from one pair of levels to another; where both moved, A did so first."""
    between = after if before ^ after != A | B else before ^ A
    return _STEPS[before][between] + _STEPS[between][after]


