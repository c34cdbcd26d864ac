"""A daisy chain of 8-bit registers as its data sheet describes it, bit by bit: shift stages, output stages, faults.

Written for the tests from the 74HC595 description: on each clock the data input goes to stage 0, every stage to the
next one; the far end's last stage is wired back to the controller. Nothing is imported from the product.
"""


class Registers:
    """Stage and output number n (register n // 8, counted from the controller) is bit n of one integer."""

    def __init__(self, count, rng):
        self.count = count
        self.rng = rng
        self._mask = (1 << 8 * count) - 1
        self.stages = 0
        for _ in range(count):
            self.stages = self.stages << 8 | rng.getrandbits(8)
        self.outputs = self.stages ^ self._mask
        # (after register k, level 0, 1 or "noise"): k = 0 is the controller's line, k = count the return line
        self.cut = None
        self.stuck = None  # (output number, level)
        self.flips = ()  # the coming clocks, 1 = the next, at which the data line is disturbed for one bit

    def transfer(self, data):
        """Clock out `data`, most significant bit first; return what came back."""
        back = []
        for byte in data:
            got = 0
            for i in range(7, -1, -1):
                got = got << 1 | self._clock(byte >> i & 1)
            back.append(got)
        return bytes(back)

    def latch(self):
        self.outputs = self.stages

    def frame(self):
        """The output stages as a frame: the farthest register first, its last output in the highest bit."""
        return self.outputs.to_bytes(self.count, "big")

    def stick(self, output, level):
        self.stuck = (output, level)
        self._hold_stuck()

    def _clock(self, bit):
        if self.flips:
            bit ^= 1 in self.flips
            self.flips = tuple([clock - 1 for clock in self.flips if clock > 1])
        last = self.stages >> (8 * self.count - 1)
        self.stages = (self.stages << 1 | bit) & self._mask
        if self.cut is not None:
            k, level = self.cut
            if level == "noise":
                level = self.rng.getrandbits(1)
            if k == self.count:
                last = level
            else:
                self.stages = self.stages & ~(1 << 8 * k) | level << 8 * k
        self._hold_stuck()
        return last

    def _hold_stuck(self):
        if self.stuck is not None:
            output, level = self.stuck
            self.stages = self.stages & ~(1 << output) | level << output


def refresh(registers, chain, frame):
    """One refresh as a driver does it; returns 0 or the chain's complaint."""
    chain.rx[:] = registers.transfer(chain.prepare(frame))
    place = chain.judge()
    if place == 0:
        registers.latch()
    chain.rx_resident[:] = registers.transfer(chain.prepare_resident())
    return place or chain.judge_resident()
