"""The money wheel: bearing, pegs and indicator, as the moments at which a quarter of a peg pitch passes the indicator.

Angles are in quarters, 208 to a revolution, clockwise positive; quarter n lasts from n to n + 1. In each quarter the
wheel loses speed evenly: by the friction of its bearing, and more where the indicator is bent by a peg, which is in the
quarters `on_peg` of each pitch. A wheel that comes to rest there stays on the peg, or the indicator pushes it back.

How far a spin goes is given, and how it was thrown follows from that.
"""

from bisect import bisect_right
from collections.abc import Collection
from math import ceil, floor, sqrt
from random import Random

PEGS = 52
PITCH = 4
QUARTERS = PEGS * PITCH
FASTEST = 4 * QUARTERS
"""Quarters a second: 4 revolutions, as fast as a wheel is ever thrown."""
_US = 1_000_000

# Quarters for each second squared: a wheel thrown at one revolution a second turns four and a half times.
BEARING = 15.0
INDICATOR = 35.0
# What hands do.
_HAND_STOPS = 500.0
_HAND_PUSHES = 150.0
_PUSH_QUARTERS = 50
_LAUNCH_QUARTERS = 40
_SWING_SPEED = 30.0
_MOST_BACK = 1.9
"""Quarters that the indicator pushes a wheel back at most, beyond the peg's own."""


class Wheel:
    """One wheel. `spin` plans what it does from then on; `passes` are (time in us, quarter that begins to be at the
    indicator) in order of time, those that have not happened yet among them. `rest_us`: when it stands still.
    """

    def __init__(self, on_peg: Collection[int], rng: Random, bearing: float = BEARING, indicator: float = INDICATOR):
        self.on_peg = frozenset(on_peg)
        self.angle = rng.randrange(PEGS) * PITCH + 1.5 + rng.random()
        """Where it stands when it has come to rest."""
        self.passes: list[tuple[int, int]] = []
        self.rest_us = 0
        self._thrown = (0, self.angle)
        self._rng = rng
        self.bearing = bearing
        self.indicator = indicator

    @property
    def quarter(self) -> int:
        """At the indicator when it is at rest, 0 to 207."""
        return floor(self.angle) % QUARTERS

    @property
    def stop(self) -> int:
        """The section at the indicator when it is at rest, 0 to 51."""
        return self.quarter // PITCH

    @property
    def rests_on_peg(self) -> bool:
        return self.quarter % PITCH in self.on_peg

    def place(self, t_us: int) -> float:
        """Where it is at that moment, from the last throw on: as exact as the passes, evenly between two of them."""
        done = bisect_right(self.passes, t_us, key=lambda each: each[0])
        if t_us >= self.rest_us or not self.passes:
            return self.angle
        before = self._edge(done - 1) if done else self._thrown
        after = self._edge(done) if done < len(self.passes) else (self.rest_us, self.angle)
        share = (t_us - before[0]) / (after[0] - before[0]) if after[0] > before[0] else 1.0
        return before[1] + (after[1] - before[1]) * min(max(share, 0.0), 1.0)

    def spin(self, revolutions: float, t_us: int, end: str = "free", swing: float = 0.0) -> None:
        """Throw it at `t_us` so that it turns so many revolutions, negative for the other way. It must be at rest.

        end: "free"; "peg": it goes on to the next peg and stays on it; "stop": a hand stops it there, though it would
        have turned further; "push": a hand pushes it on its way. swing: so many quarters it is swung back before.
        ValueError when that is faster than anybody can throw it.
        """
        way = 1 if revolutions > 0 else -1
        self.passes = []
        self._thrown = (t_us, self.angle)
        clock = float(t_us)
        if swing:
            clock = self._creep(-way, swing, clock)
        target = self.angle + revolutions * QUARTERS
        if end == "peg":
            while floor(target) % PITCH not in self.on_peg:
                target += way
        pieces = self._pieces(way, target)
        squares = self._squares(pieces, end)
        fastest = max(squares, default=0.0)
        if fastest > FASTEST * FASTEST:
            needed = sqrt(fastest) / QUARTERS
            raise ValueError(f"{revolutions:g} revolutions take a throw of {needed:.1f} a second, and 4 is the most")
        self._throw(pieces, squares)
        for (length, slowing, quarter), square in zip(pieces, squares, strict=True):
            after = max(0.0, square - 2 * length * slowing)
            clock += 2 * length / (sqrt(square) + sqrt(after)) * _US
            if quarter is not None:
                self.passes.append((int(clock), quarter))
        self.angle = target
        if end == "free" and self.rests_on_peg:
            clock = self._push_back(way, clock)
        self.rest_us = ceil(clock)

    def _edge(self, number: int) -> tuple[int, float]:
        """When that pass happens, and the angle at which it does."""
        t_us, quarter = self.passes[number]
        before = self.passes[number - 1][1] if number else floor(self._thrown[1])
        return t_us, float(max(quarter, before))

    def _pieces(self, way: int, target: float) -> list[list]:
        """[quarters, loss of speed, quarter entered behind it] up to the target, cut where quarters end."""
        at, found = self.angle, []
        while (target - at) * way > 1e-9:
            quarter = floor(at) if way > 0 else ceil(at) - 1
            edge = quarter + (way > 0)
            last = (target - edge) * way <= 0
            slowing = self.bearing + (self.indicator if quarter % PITCH in self.on_peg else 0.0)
            found.append([abs((target if last else edge) - at), slowing, None if last else quarter + way])
            at = target if last else float(edge)
        return found

    def _squares(self, pieces: list[list], end: str) -> list[float]:
        """Square of the speed at the begin of each piece, as if it had been thrown before the first."""
        if end == "stop":
            for piece in pieces[-_PUSH_QUARTERS:]:
                piece[1] = _HAND_STOPS
        elif end == "push":
            middle = len(pieces) // 2
            for piece in pieces[middle : middle + _PUSH_QUARTERS]:
                piece[1] = -_HAND_PUSHES
        square, squares = 0.0, []
        for length, slowing, _ in reversed(pieces):
            square += 2 * length * slowing
            squares.append(max(square, 1.0))
        return squares[::-1]

    def _throw(self, pieces: list[list], squares: list[float]) -> None:
        """In the first pieces the hand is still throwing: from a stand to the speed at the end of them."""
        count = min(_LAUNCH_QUARTERS, len(pieces) // 2)
        if not count:
            return
        length = sum(piece[0] for piece in pieces[:count])
        gain = squares[count] / (2 * length)
        square = 0.0
        for place in range(count):
            pieces[place][1] = -gain
            squares[place] = square
            square += 2 * gain * pieces[place][0]

    def _creep(self, way: int, quarters: float, clock: float) -> float:
        """Move it slowly; returns when that is done."""
        target = self.angle + way * quarters
        for length, _, quarter in self._pieces(way, target):
            clock += length / _SWING_SPEED * _US
            if quarter is not None:
                self.passes.append((int(clock), quarter))
        self.angle = target
        return clock

    def _push_back(self, way: int, clock: float) -> float:
        """The indicator pushes the wheel off the peg, the way it came; returns when it rests."""
        inside = self.angle - floor(self.angle) if way > 0 else ceil(self.angle) - self.angle
        clock += 0.1 * _US
        return self._creep(-way, inside + self._rng.uniform(0.05, _MOST_BACK), clock)
