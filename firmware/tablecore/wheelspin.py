"""A spin of the money wheel, from launch to rest, and what the rules say of it: valid, or no spin and why.

Revolutions are the net quarters since the wheel last changed its direction at launch: until it has turned once round,
whoever spins it may swing it back first. After that a wheel changes its direction only at the end, when the last peg
does not get past the indicator and pushes it back: by NATURAL_BACK quarters at most, and never forward beyond that
place again. Anything more was a hand, or a sensor that lied.

How fast it turns is measured over BLOCK quarters at a time. Bearing and indicator take the same energy at every peg, so
that the square of the speed falls by the same amount in each block. That shows a hand: the square rises, or falls much
faster than before, or the wheel stops far before the place where it would have run out. Readings come 5 ms apart and
friction is not the same all around, hence the wide margins: a light touch is not seen.
"""

from tablecore.ticks import diff
from tablecore.wheelpegs import PITCH, QUARTERS

# Verdicts. UNSURE: it may have been a good spin, but where the wheel stands, or how it began, was not seen.
GOOD, FEW, REVERSED, STOPPED, PUSHED, ON_PEG, UNSURE = range(7)

SEEN_MS = 300  # a wheel that has stood still for so long since the start: its next spin is seen from its beginning
MOVED = 8  # quarters, two pegs: less is a touch
NATURAL_BACK = 2
BLOCK = 52  # quarters, a quarter of a revolution
_FEWEST_BLOCKS = 4  # of falling speed, before the friction is known
# Of the square of the speed: what a reading 5 ms late and a wheel a little out of balance may do to it.
_NOISE_PERCENT = 15
_BRAKE = 4  # times the usual loss in one block
_SHORT = 60  # quarters, 15 pegs: so far before its natural end a wheel was stopped
_SLOWEST = 4  # quarters a second: below, the speed says nothing


class Spin:
    """Follows the wheel. `turning`: a spin is under way. When one is over, `step` returns its verdict; then `net` has
    the quarters turned, `before` and `after` the evidence, as the journal's record of the spin has it.

    `minimum`: quarters of a valid spin. `rest_ms`: how long a wheel must have stood still. `on_peg`: the quarters of a
    pitch, 0 to 3, in which the indicator is on a peg.
    """

    def __init__(self, minimum, rest_ms, on_peg):
        self.turning = False
        self.net = 0
        self.before = 0
        self.after = 0
        self._minimum = minimum
        self._rest_ms = rest_ms
        self._on_peg = on_peg
        self._low = self._high = None  # how far it was moved from where it stood, without being spun
        self._seen = False  # the present spin, or the next one, is seen from its beginning

    @property
    def revolutions(self):
        """Whole revolutions of the present spin, or of the last one."""
        return self.net // QUARTERS

    def step(self, pegs):
        """Take what the pegs show now. The verdict when a spin has ended with this, else None."""
        travel, at = pegs.travel, pegs.at
        if self.turning:
            self._follow(pegs, travel, at)
        else:
            self._wait(travel, at)
        still_ms = diff(at, pegs.moved_at)
        if still_ms >= SEEN_MS and not self.turning:
            self._seen = True
        return self._rest(pegs) if still_ms >= self._rest_ms else None

    def _wait(self, travel, at):
        """It is not turning. It may be swung a little the other way before it is launched."""
        if self._low is None:
            self._low = self._high = travel
        self._low = min(self._low, travel)
        self._high = max(self._high, travel)
        if travel - self._low >= MOVED:
            self._launch(1, self._low, travel, at)
        elif self._high - travel >= MOVED:
            self._launch(-1, self._high, travel, at)

    def _launch(self, way, start, travel, at):
        self.turning = True
        self._turn(way, start, travel, at)

    def _turn(self, way, start, travel, at):
        """It begins to turn one way at `start`."""
        self._way = way
        self._start = start
        self._furthest = travel
        self._back = 0  # most quarters that it went back from there
        self._cause = GOOD
        self.net = abs(travel - start)
        self.before = self.after = 0
        self._mark = travel
        self._mark_at = at
        self._squares = 0  # blocks since the square of the speed was at its highest
        self._speed = self._square = self._top = 0
        self._loss = 0  # of the square in a block, as the blocks so far have it

    def _follow(self, pegs, travel, at):
        self.net = (travel - self._start) * self._way
        back = (self._furthest - travel) * self._way
        if back > self._back:
            self._back = back
            if not self._beyond_launch():
                if back > NATURAL_BACK:
                    self._turn(-self._way, self._furthest, travel, at)
            elif back > NATURAL_BACK:
                self._blame(REVERSED, back, 0)
            elif self._furthest % PITCH not in self._on_peg:
                pegs.sure = False  # a peg pushes a wheel back, and there is none
        elif 0 < self._back > back and self._beyond_launch():
            pegs.sure = False  # a wheel that was pushed back does not come forward again
            if back < 0 and self._back >= NATURAL_BACK:
                self._blame(REVERSED, self._back, 0)
        if back < 0:
            self._furthest = travel
            self._back = 0
            if abs(travel - self._mark) >= BLOCK:
                self._measure(travel, at)

    def _beyond_launch(self):
        """It has turned once round, one way."""
        return (self._furthest - self._start) * self._way >= QUARTERS

    def _measure(self, travel, at):
        """A block is over: compare its speed with the one before."""
        ms = max(diff(at, self._mark_at), 1)
        speed = abs(travel - self._mark) * 1000 // ms
        self._mark = travel
        self._mark_at = at
        square = speed * speed
        noise = self._square * _NOISE_PERCENT // 100
        if square >= self._top:  # still being thrown
            self._top = square
            self._squares = self._loss = 0
        else:
            self._squares += 1
            if self._squares > _FEWEST_BLOCKS and speed > _SLOWEST:
                if square > self._square + noise:
                    self._blame(PUSHED, self._speed, speed)
                elif self._square - square > _BRAKE * self._loss + noise:
                    self._blame(STOPPED, self._speed, speed)
            self._loss = (self._top - square) // self._squares
        self._speed = speed
        self._square = square

    def _rest(self, pegs):
        """It stands still. The verdict, if it had been turning."""
        self._low = self._high = pegs.travel
        if not self.turning:
            return None
        self.turning = False
        self._judge_stop(abs(pegs.travel - self._mark))
        seen, self._seen = self._seen, True
        few = self.net < self._minimum
        if few and seen:
            return FEW
        if self._cause != GOOD:
            return self._cause
        if pegs.quarter in self._on_peg:
            return ON_PEG
        return UNSURE if few or not pegs.sure else GOOD

    def _judge_stop(self, since):
        """`since`: quarters since the last block, after which the wheel should have come to rest by itself."""
        if self._squares > _FEWEST_BLOCKS and self._loss:
            left = (self._square - self._loss // 2) * BLOCK // self._loss
            if left > 2 * since + _SHORT:
                self._blame(STOPPED, self._speed, since)

    def _blame(self, cause, before, after):
        """The first cause stays, but that a wheel went back further is told."""
        if self._cause == GOOD or self._cause == cause == REVERSED:
            self._cause = cause
            self.before = before
            self.after = after
