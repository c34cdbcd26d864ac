"""Faults of the parts besides chain and lamps: key-switch, display, beeper, current sense, flash, wheel sensors."""

from taisai.sim.beeper import Beeper
from taisai.sim.contacts import KeySwitch
from taisai.sim.displays import DARK, Display
from taisai.sim.fittedwheel import FittedWheel
from taisai.sim.flash import Flash
from taisai.sim.lamps import CurrentSense
from taisai.sim.wheelsensors import BITS

SEGMENTS = "abcdefg"
SWAPPED, EXTRA = "swapped", "extra"


class PartFaults:
    """The parts of one bench; `sense` and `wheel` None where there is none."""

    def __init__(
        self,
        switch: KeySwitch,
        display: Display,
        beeper: Beeper,
        sense: CurrentSense | None,
        flash: Flash,
        wheel: FittedWheel | None,
    ):
        self.sense = sense
        self.wheel = wheel
        self._switch = switch
        self._display = display
        self._beeper = beeper
        self._flash = flash

    def apply(self, kind: str, number: int | None, level: int | str | None) -> None:
        """Do it: switch, display, segment, beeper, sense, flash or pegs."""
        if kind == "switch":
            self._switch.stuck = bool(level)
        elif kind == "display":
            self._display.present = False
        elif kind == "segment":
            dead = bytearray(self._display.dead)
            dead[number - 1] |= 1 << SEGMENTS.index(level)
            self._display.dead = bytes(dead)
        elif kind == "beeper":
            self._beeper.fitted = False
        elif kind == "sense":
            self.sense.percent = number
        elif kind == "flash":
            self._flash.worn = True
        elif level in BITS:
            self.wheel.sensors.stuck[BITS[level]] = number
        elif level == SWAPPED:
            self.wheel.sensors.swapped = True
        else:
            self.wheel.sensors.extra = True

    def clear(self) -> None:
        """Repair all of them."""
        self._switch.stuck = None
        self._display.dead = DARK
        self._display.present = True
        self._beeper.fitted = True
        self._flash.worn = False
        if self.sense is not None:
            self.sense.percent = 100
        if self.wheel is not None:
            self.wheel.sensors.clear()
