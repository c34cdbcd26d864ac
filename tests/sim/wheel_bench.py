"""A modelled wheel with its sensors, read as the driver reads them, and the firmware's logic: no board between."""

from collections.abc import Callable
from random import Random

from tablecore import wheelpegs, wheelspin
from taisai.sim.wheel import QUARTERS, Wheel
from taisai.sim.wheelsensors import WheelSensors

ON_PEG = (0,)
REST_MS = 1500
MINIMUM = 3 * QUARTERS
SAMPLE_US = 5000
READ_US = 60  # between the first and the last reading of one sample


class WheelBench:
    """`fail`: what is done to the sensors before the first sample. A tenth of the samples comes up to 4 ms late."""

    def __init__(self, seed: int, fail: Callable[[WheelSensors], None] | None = None, **friction: float):
        self.rng = Random(seed)
        self.wheel = Wheel(ON_PEG, Random(seed + 1), **friction)
        self.sensors = WheelSensors(self.wheel, Random(seed + 2))
        self.pegs = wheelpegs.Pegs()
        self.spin = wheelspin.Spin(MINIMUM, REST_MS, ON_PEG)
        self.verdict = None
        self.found = []
        self.now_us = 1000
        if fail is not None:
            fail(self.sensors)
        self.run(2.0)
        self.offset = self.wheel.quarter - self.pegs.travel

    def run(self, seconds: float) -> None:
        """Let time pass, sample by sample; `verdict` is the last one that a spin got."""
        end = self.now_us + round(seconds * 1_000_000)
        while self.now_us < end:
            self.sample()
            self.now_us += SAMPLE_US + (self.rng.randrange(4000) if self.rng.random() < 0.1 else 0)

    def sample(self) -> None:
        before, _ = self.sensors.read(self.now_us)
        _, count = self.sensors.read(self.now_us + READ_US // 2)
        after, _ = self.sensors.read(self.now_us + READ_US)
        self.pegs.take(self.now_us // 1000 % (1 << 30), count & 0xFFFF, before, after)
        if self.pegs.fault and self.pegs.fault not in self.found:
            self.found.append(self.pegs.fault)
        verdict = self.spin.step(self.pegs)
        if verdict is not None:
            self.verdict = verdict

    def throw(self, revolutions: float, end: str = "free", swing: float = 0.0) -> int | None:
        """Spin the wheel and wait for the verdict, which is returned."""
        self.verdict = None
        self.wheel.spin(revolutions, self.now_us, end, swing)
        self.run((self.wheel.rest_us - self.now_us) / 1_000_000 + REST_MS / 1000 + 0.3)
        return self.verdict
