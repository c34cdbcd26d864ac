"""The lamps behind the register chain: who carries current, which zones that lights, and what the sense sees.

A lamp is one LED module with its series resistor on one output. Only outputs that the harness gives to a zone have one.
Faults are named after the part that failed: a lamp is open or shorted, a driver is stuck on or off, the supply is gone.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from taisai.boards.controller_model import Sense
from taisai.sim.chain import OutputEnable, ShiftChain

# What an output carries when its lamp is shorted and only the part itself limits the current.
SHORT_MILLIAMP = {
    # TI SLIS032B: "500-mA typical current limit at TC = 25 C"; it folds back as the chip heats, left out here.
    "TPIC6B595": 500.0,
    # onsemi ULN2803/D: a Darlington has no limiter. 500 mA is its rating, and about what 3.3 V through its base
    # resistor of 2.7 kOhm can hold; a real one would not live long.
    "ULN2803A": 500.0,
    # TI SCLS041: 35 mA is the absolute maximum; the channel resistance limits somewhere above it, without a figure.
    "74HC595": 35.0,
}
FULL_SCALE_COUNT = 4095
READINGS = 16
_SLOW_US = 10_000


class Lamps:
    """Currents in mA. `short_milliamp` is what a driver output carries into a shorted lamp (SHORT_MILLIAMP)."""

    def __init__(
        self,
        chain: ShiftChain,
        enable: OutputEnable,
        harness: Mapping[str, Sequence[int]],
        lamp_milliamp: float,
        short_milliamp: float,
    ):
        self._chain = chain
        self._enable = enable
        self.zones = {zone: _mask(outputs) for zone, outputs in harness.items()}
        self._fitted = _mask(output for outputs in harness.values() for output in outputs)
        self.lamp_milliamp = lamp_milliamp
        self.short_milliamp = short_milliamp
        self.powered = False
        self.clear_faults()

    def clear_faults(self) -> None:
        """Every lamp and driver good, supply present."""
        self.opened = 0
        self.shorted = 0
        self.stuck_on = 0
        self.stuck_off = 0
        self.supply = True

    def fail(self, kind: str, output: int) -> None:
        """Fault at one output: its lamp is `open` or `short`, or its driver is stuck `on` or `off`."""
        bit = 1 << output
        if kind == "open":
            self.opened |= bit
        elif kind == "short":
            self.shorted |= bit
        elif kind == "on":
            self.stuck_on |= bit
        elif kind == "off":
            self.stuck_off |= bit
        else:
            raise ValueError(f"no lamp fault is called {kind!r}")

    def lighting(self, enabled: bool) -> int:
        """Bit mask of the outputs whose lamp carries current while the chain's outputs are enabled, or are not."""
        return self._conducting(enabled) & ~self.opened & ~self.shorted

    def glowing(self) -> int:
        """Bit mask of the lamps that a person sees lit now, at any brightness above zero."""
        return self.lighting(self._enable.share > 0)

    def milliamp(self, t_us: int) -> float:
        """Sum of all currents out of the lamp supply at that moment: under PWM either the full sum or none."""
        enabled = self._enable.on_at(t_us)
        conducting = self._conducting(enabled)
        lamps = (conducting & ~self.opened & ~self.shorted).bit_count()
        return lamps * self.lamp_milliamp + (conducting & self.shorted).bit_count() * self.short_milliamp

    def lit(self) -> list[str]:
        """Zones with every lamp glowing, in the order of the harness."""
        glowing = self.glowing()
        return [zone for zone, mask in self.zones.items() if mask & glowing == mask]

    def partial(self) -> list[str]:
        """Zones with some lamps glowing, but not all."""
        glowing = self.glowing()
        return [zone for zone, mask in self.zones.items() if 0 != mask & glowing != mask]

    def _conducting(self, enabled: bool) -> int:
        """A failed driver transistor conducts, or does not, whatever enable says; a good one needs enable and a 1."""
        if not (self.supply and self.powered):
            return 0
        wanted = self._chain.output & ~self.stuck_off if enabled else 0
        return (wanted | self.stuck_on) & self._fitted


class CurrentSense:
    """The amplifier across the supply's shunt, into a 12-bit converter.

    The controller file states the noise of a measurement of 16 readings. Here its fixed part is converter noise, new in
    every reading and therefore 4 times as large there; its proportional part is ripple and drift, which averaging does
    not remove: it changes every 10 ms. Both Gaussian, from a seeded source.
    """

    def __init__(self, lamps: Lamps, sense: Sense, full_scale_volt: float, rng: Random):
        self._lamps = lamps
        self._full_scale_milliamp = full_scale_volt * sense.milliamp_per_volt
        self._reading_milliamp = sense.noise_milliamp * READINGS**0.5
        self._slow_share = sense.noise_percent / 100
        self._rng = rng
        self.percent = 100
        """Fault when not 100: it shows so many percent of the current."""
        self._slot = -1
        self._gain = 1.0

    def read_u16(self, t_us: int) -> int:
        """One conversion as MicroPython scales it: 12 bits stretched to 0..65535."""
        if t_us // _SLOW_US != self._slot:
            self._slot = t_us // _SLOW_US
            self._gain = self._rng.gauss(1.0, self._slow_share)
        gain = self._gain * self.percent / 100
        milliamp = self._lamps.milliamp(t_us) * gain + self._rng.gauss(0.0, self._reading_milliamp)
        count = round(milliamp / self._full_scale_milliamp * FULL_SCALE_COUNT)
        count = min(max(count, 0), FULL_SCALE_COUNT)
        return (count << 4) | (count >> 8)


def _mask(outputs: Iterable[int]) -> int:
    mask = 0
    for output in outputs:
        mask |= 1 << output
    return mask
